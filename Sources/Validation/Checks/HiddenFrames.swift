package import CompositorAPI
package import CompositorMediaIO

/// Frames of a source that an output of fewer frames a second does not show.
package struct HiddenFrames: Sendable {
  /// The source.
  package let source: MediaSource
  /// The source's frames per second.
  package let rate: Rational
  /// The number of its frames that are not shown; `nil` if it depends on when they are: of a variable rate, or with pauses.
  package let count: Int?
  /// Whether its rate is that of its fields, which deinterlacing makes frames of.
  package let isDoubled: Bool

  /// What is not shown, as `25 of its frames are not shown`.
  package var loss: String {
    guard let count else { return "some of its frames may not be shown" }
    return "\(count) of its frames \(count == 1 ? "is" : "are") not shown"
  }

  /// What is known of a source.
  private struct Use {
    var rate: Rational
    var isSteady: Bool
    var isDoubled: Bool
    var seconds = 0.0
  }

  /// The sources of a rate above the output's, in order of the tracks. Clips with a speed of their own are not counted: theirs was
  /// chosen.
  package static func byRate(in edit: Edit, media: [MediaSource: MediaInfo]) -> [HiddenFrames] {
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil, let frame = edit.videoComposition.usableFrameDuration else {
      return []
    }
    let output = 1 / frame.seconds
    var (order, uses) = ([MediaSource](), [MediaSource: Use]())
    for segment in edit.composition.tracks(.video).flatMap(\.segments) {
      let mapping = segment.timeMapping
      guard segment.retiming.frames == .nearest, mapping.source.duration == mapping.target.duration,
        let source = segment.source, case .file = source,
        let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), !info.isStill,
        let cadence = info.cadence
      else { continue }
      // Progressive frames are never divided into fields.
      let isDoubled = edit.deinterlacing[source] == .doubleRate && info.fieldOrder != .progressive
      let own = cadence.outputRate
      let rate = isDoubled ? Rational(2 * own.numerator, own.denominator).reduced : own
      let isSteady = cadence.isRegular && !cadence.hasGaps
      // A steady rate a little above the output's, such as 30 in 29.97, loses a frame of a long clip, and none of a short one.
      let seconds = mapping.target.duration.seconds
      let losesFrames = isSteady && seconds < 1e9 && (seconds * rate.value).rounded() > (seconds * output).rounded()
      guard rate.value > output * (losesFrames ? 1 + 1e-6 : 1.002) else { continue }
      if uses[source] == nil { order.append(source) }
      uses[source, default: Use(rate: rate, isSteady: isSteady, isDoubled: isDoubled)].seconds += seconds
    }
    return order.compactMap { source in
      guard let use = uses[source], use.seconds.isFinite, use.seconds < 1e9 else { return nil }
      guard use.isSteady else { return HiddenFrames(source: source, rate: use.rate, count: nil, isDoubled: use.isDoubled) }
      let count = Int((use.seconds * use.rate.value).rounded()) - Int((use.seconds * output).rounded())
      return count > 0 ? HiddenFrames(source: source, rate: use.rate, count: count, isDoubled: use.isDoubled) : nil
    }
  }
}
