/// A linear mapping between two time ranges, usually from media time to track time.
public struct TimeMapping: Hashable, Sendable, Codable {
  /// The range in the media. Its start is invalid for an empty edit, and its duration is zero for a freeze frame.
  public var source: TimeRange
  /// The range in the track.
  public var target: TimeRange

  /// Creates a mapping.
  public init(source: TimeRange, target: TimeRange) {
    self.source = source
    self.target = target
  }

  /// Creates an empty edit.
  public init(emptyEdit target: TimeRange) {
    self.init(source: .invalid, target: target)
  }

  /// Whether no media is mapped to the target.
  public var isEmptyEdit: Bool { !source.start.isValid }

  /// Whether both ranges are valid, or the mapping is an empty edit with a valid target.
  public var isValid: Bool { target.isValid && (isEmptyEdit || source.isValid) }

  /// Whether the media plays at its own speed.
  public var isUnitRate: Bool { isValid && !isEmptyEdit && source.duration == target.duration }

  /// Media seconds per track second: 2 is double speed, 0 a freeze frame. 0 for an empty edit, 1 if both durations are equal, ∞
  /// if only the target has zero duration.
  public var rate: Double {
    guard isValid, !isEmptyEdit else { return 0 }
    guard source.duration != target.duration else { return 1 }
    guard source.duration != .zero, target.duration != .positiveInfinity else { return 0 }
    return TimeRange(start: .zero, duration: target.duration).fraction(at: source.duration, orInfinity: .infinity)
  }

  /// The inverse mapping.
  public var inverse: TimeMapping { TimeMapping(source: target, target: source) }

  /// The media time shown at a track time, exact if a timescale can represent it; invalid for an empty edit.
  ///
  /// `(time − target.start) · (source.duration / target.duration) + source.start`; not clamped to the source.
  public func sourceTime(forTarget time: MediaTime) -> MediaTime { time.mapped(from: target, to: source) }

  /// The track time at which a media time is shown; the target's start for a freeze frame, invalid for an empty edit.
  public func targetTime(forSource time: MediaTime) -> MediaTime { time.mapped(from: source, to: target) }
}

extension TimeRange {
  /// The fraction at a given time, or `limit` in a range of zero duration.
  fileprivate func fraction(at time: MediaTime, orInfinity limit: Double) -> Double {
    duration == .zero || time == .positiveInfinity ? limit : fraction(at: time)
  }
}

extension MediaTime {
  /// `(self − from.start) · (to.duration / from.duration) + to.start`, exact if a timescale can represent it.
  ///
  /// Two infinite ranges are mapped by a translation. If either range has zero duration, every time maps to the start of `to`.
  /// Invalid if the time or a range is invalid, or if the epochs of the time and `from.start` differ.
  public func mapped(from: TimeRange, to: TimeRange) -> MediaTime {
    guard isValid, from.isValid, to.isValid else { return .invalid }
    guard to.duration != .zero, from.duration != .zero, self != from.start else { return to.start }
    guard !isNumeric || !from.start.isNumeric || epoch == from.start.epoch else { return .invalid }
    if from.duration == to.duration { return self - from.start + to.start }
    guard from.duration.isNumeric else { return from.duration.isIndefinite ? .indefinite : to.start }
    guard to.duration.isNumeric else {
      return to.duration.isIndefinite ? .indefinite : self < from.start ? .negativeInfinity : .positiveInfinity
    }
    if self == from.end { return to.end }
    let offset = self - from.start
    guard offset.isNumeric else { return offset + to.start }
    return offset.scaled(by: to.duration, over: from.duration) + to.start
  }

  /// `self · numerator / denominator` for finite times; `denominator` > 0.
  private func scaled(by numerator: MediaTime, over denominator: MediaTime) -> MediaTime {
    let top = UInt128(numerator.value.magnitude) * UInt128(denominator.timescale)
    let bottom = UInt128(denominator.value.magnitude) * UInt128(numerator.timescale)
    let common = greatestCommonDivisor(top, bottom)
    var product = exact()
    product.right = UInt128(value.magnitude)
    product.left = top / common
    product.denominator = UInt128(timescale) * (bottom / common)
    product.hasBeenRounded = hasBeenRounded || numerator.hasBeenRounded || denominator.hasBeenRounded
    return product.time(preferring: timescale)
  }
}
