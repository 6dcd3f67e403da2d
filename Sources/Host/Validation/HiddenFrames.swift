package import CompositorAPI
package import CompositorMediaIO

/// Frames of a source that an output of fewer frames a second does not show.
package struct HiddenFrames: Sendable {
  /// The source.
  package let source: MediaSource
  /// The source's frames per second.
  package let rate: Rational
  /// The number of its frames that are not shown.
  package let count: Int

  /// The sources of a steady rate above the output's, in order of the tracks. Clips with a speed of their own are not counted:
  /// theirs was chosen.
  package static func byRate(in edit: Edit, media: [MediaSource: MediaInfo]) -> [HiddenFrames] {
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil, let frame = edit.videoComposition.usableFrameDuration else {
      return []
    }
    let output = 1 / frame.seconds
    var (order, seconds, rates) = ([MediaSource](), [MediaSource: Double](), [MediaSource: Rational]())
    for segment in edit.composition.tracks(.video).flatMap(\.segments) {
      let mapping = segment.timeMapping
      guard segment.retiming.frames == .nearest, mapping.source.duration == mapping.target.duration,
        let source = segment.source, case .file = source,
        let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), !info.isStill,
        let cadence = info.cadence, cadence.isRegular
      else { continue }
      let isDoubled = edit.deinterlacing[source] == .doubleRate
      let rate = isDoubled ? Rational(2 * cadence.rate.numerator, cadence.rate.denominator).reduced : cadence.rate
      guard rate.value > output * 1.002 else { continue }
      if seconds[source] == nil { order.append(source) }
      seconds[source, default: 0] += mapping.target.duration.seconds
      rates[source] = rate
    }
    return order.compactMap { source in
      guard let rate = rates[source], let length = seconds[source], length.isFinite, length < 1e9 else { return nil }
      let count = Int((length * rate.value).rounded()) - Int((length * output).rounded())
      return count > 0 ? HiddenFrames(source: source, rate: rate, count: count) : nil
    }
  }
}
