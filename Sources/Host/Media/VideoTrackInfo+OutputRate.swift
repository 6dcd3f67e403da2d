package import CompositorAPI
package import CompositorMediaIO

extension VideoTrackInfo {
  /// The frame rate of an output that follows this track: that of its cadence, in 1 … 240. Where no timestamps were measured,
  /// the stated rate, on a standard one if it is within a quarter percent; 30 where there is none.
  package var outputFrameRate: Rational {
    if let rate = cadence?.outputRate, VideoTrackInfo.isOutputRate(rate) { return rate }
    guard VideoTrackInfo.isOutputRate(nominalFrameRate) else { return Rational(30, 1) }
    return StandardFrameRate.nearest(to: nominalFrameRate.value, within: 0.0025) ?? nominalFrameRate.reduced
  }

  private static func isOutputRate(_ rate: Rational) -> Bool {
    rate.isPositive && rate.value >= 1 && rate.value <= 240 && rate.numerator <= Int32.max
  }

  /// Why ``outputFrameRate`` is what it is, as a phrase: "regular timestamps", "…".
  package var outputRateReason: String {
    guard let cadence else { return isStill ? "a still has no rate of its own" : "the stated rate" }
    guard !cadence.isRegular else { return "its frames are regular" }
    let average = (nominalFrameRate.value * 1000).rounded() / 1000
    let capped = cadence.outputRate == cadence.rate ? "" : ", held to \(FrameCadence.highestVariableRate.plain)"
    return "its rate varies; the shortest regular step is that of \(cadence.rate.plain) frames/s\(capped) (average \(average))"
  }
}

extension Rational {
  /// `25`, `30000/1001`.
  package var plain: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
