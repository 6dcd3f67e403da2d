/// From one stretch of time to another, linearly: media time on one side, track time on the other.
public struct TimeMapping: Hashable, Sendable, Codable {
  /// In the media. An empty edit has an invalid start here; a freeze frame has zero duration.
  public var source: TimeRange
  /// In the track.
  public var target: TimeRange

  /// Makes a mapping.
  public init(source: TimeRange, target: TimeRange) {
    self.source = source
    self.target = target
  }

  /// Nothing, for the time of `target`.
  public init(emptyEdit target: TimeRange) {
    self.init(source: .invalid, target: target)
  }

  /// Whether the target is mapped from no media.
  public var isEmptyEdit: Bool { !source.start.isValid }

  /// Whether both ranges are valid, or the mapping is an empty edit with a valid target.
  public var isValid: Bool { target.isValid && (isEmptyEdit || source.isValid) }

  /// Whether the media runs at its own speed.
  public var isUnitRate: Bool { isValid && !isEmptyEdit && source.duration == target.duration }

  /// Media seconds for each track second: 2 is double speed, 0 a freeze frame. 0 in an empty edit, 1 where both durations are
  /// equal; ∞ where only the target has none.
  public var rate: Double {
    guard isValid, !isEmptyEdit else { return 0 }
    guard source.duration != target.duration else { return 1 }
    guard source.duration != .zero, target.duration != .positiveInfinity else { return 0 }
    return TimeRange(start: .zero, duration: target.duration).fraction(at: source.duration, orInfinity: .infinity)
  }

  /// The mapping the other way.
  public var inverse: TimeMapping { TimeMapping(source: target, target: source) }

  /// The media time shown at a track time, exactly wherever a timescale holds it; invalid in an empty edit.
  ///
  /// `(time − target.start) · (source.duration / target.duration) + source.start`; not clamped to the source.
  public func sourceTime(forTarget time: MediaTime) -> MediaTime { time.mapped(from: target, to: source) }

  /// The track time at which a media time is shown; the target's start for a freeze frame, invalid in an empty edit.
  public func targetTime(forSource time: MediaTime) -> MediaTime { time.mapped(from: source, to: target) }
}

extension TimeRange {
  /// The fraction at a time, and `limit` in a range of no duration.
  fileprivate func fraction(at time: MediaTime, orInfinity limit: Double) -> Double {
    duration == .zero || time == .positiveInfinity ? limit : fraction(at: time)
  }
}

extension MediaTime {
  /// `(self − from.start) · (to.duration / from.duration) + to.start`, exactly wherever a timescale holds it.
  ///
  /// Two ranges without an end are shifted onto each other. A `to` range of zero duration maps every time to its start, and so
  /// does a `from` range of zero duration. Invalid for an invalid time or range, or where the epochs of the time and
  /// `from.start` differ.
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
