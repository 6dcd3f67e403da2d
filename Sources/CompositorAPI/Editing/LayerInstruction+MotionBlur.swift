extension LayerInstruction {
  /// A range with the time that the shutter of the layer's motion blur adds at both of its ends; the range itself without one.
  package func exposed(_ range: TimeRange) -> TimeRange {
    guard let motionBlur, motionBlur.exposure.isFinite, range.isNumeric else { return range }
    let half = MediaTime.seconds(motionBlur.exposure / 2)
    return TimeRange(start: range.start - half, end: range.end + half)
  }

  /// The layer as it is at a moment while the shutter of a frame is open, without ramps and motion blur. Its values don't jump meanwhile:
  /// they are those on the frame's side of a jump, which is a cut.
  package func held(at moment: MediaTime, exposing frame: MediaTime) -> LayerInstruction {
    var held = self
    held.motionBlur = nil
    held.opacity = PropertyTimeline(default: opacity.value(at: moment, exposing: frame))
    held.transform = PropertyTimeline(default: transform.value(at: moment, exposing: frame))
    held.crop = PropertyTimeline(default: crop.value(at: moment, exposing: frame))
    held.decoration = decoration.map { PropertyTimeline(default: $0.value(at: moment, exposing: frame)) }
    return held
  }
}

extension PropertyTimeline {
  /// The value at a moment, or that on the frame's side of a jump between both. O(n) in the entries.
  fileprivate func value(at moment: MediaTime, exposing frame: MediaTime) -> Value {
    var (before, jump) = (defaultValue, MediaTime?.none)
    for ramp in ramps.prefix(while: { $0.timeRange.start <= max(moment, frame) }) {
      let start = ramp.timeRange.start
      if ramp.start != before {
        if start > frame { return before }
        jump = start
      }
      before = ramp.end
    }
    return value(at: jump.map { max($0, moment) } ?? moment)
  }
}
