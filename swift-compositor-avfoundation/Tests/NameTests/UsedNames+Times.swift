import AVFoundation

extension UsedNames {
  /// Times and ranges.
  mutating func times() {
    use("CMTime.timescale", \CMTime.timescale)
    use("CMTime.value", \CMTime.value)
    use("CMTimeRange.duration", \CMTimeRange.duration)
    use("CMPersistentTrackID", CMPersistentTrackID.self)
    use("CMTime", CMTime.self)
    use("CMTimeRange", CMTimeRange.self)
    use("CMTimeScale", CMTimeScale.self)
    use("CMTimeValue", CMTimeValue.self)
    use("CMTime.init(seconds:preferredTimescale:)", CMTime.init(seconds:preferredTimescale:))
    use("CMTime.init(value:timescale:)", CMTime.init(value:timescale:))
    use("CMTimeRange.init(start:duration:)", CMTimeRange.init(start:duration:))
    use("CMTimeRange.init(start:end:)", CMTimeRange.init(start:end:))
    use("CMTimeScale.init(_:)", CMTimeScale.init(_:) as (Int) -> CMTimeScale)
    use("CMTimeValue.init(_:)", CMTimeValue.init(_:) as (Int) -> CMTimeValue)
    use("CMTime.invalid", CMTime.invalid)
    use("CMTime.isPositiveInfinity", \CMTime.isPositiveInfinity)
    use("CMTime.isValid", \CMTime.isValid)
    use("CMTime.seconds", \CMTime.seconds)
    use("CMTime.zero", CMTime.zero)
    use("CMTimeRange.end", \CMTimeRange.end)
    use("CMTimeRange.invalid", CMTimeRange.invalid)
    use("CMTimeRange.isValid", \CMTimeRange.isValid)
    use("CMTimeRange.start", \CMTimeRange.start)
    use("CMTimeRange.zero", CMTimeRange.zero)
    use("kCMPersistentTrackID_Invalid", kCMPersistentTrackID_Invalid)
  }

  /// Functions of times and ranges.
  mutating func functions() {
    use("CMTimeAdd(_:_:)", CMTimeAdd(_:_:))
    use("CMTimeCompare(_:_:)", CMTimeCompare(_:_:))
    use("CMTimeGetSeconds(_:)", CMTimeGetSeconds(_:))
    use("CMTimeMake(value:timescale:)", CMTimeMake(value:timescale:))
    use("CMTimeMakeWithSeconds(_:preferredTimescale:)", CMTimeMakeWithSeconds(_:preferredTimescale:))
    use("CMTimeMinimum(_:_:)", CMTimeMinimum(_:_:))
    use("CMTimeMultiply(_:multiplier:)", CMTimeMultiply(_:multiplier:))
    use("CMTimeMultiplyByFloat64(_:multiplier:)", CMTimeMultiplyByFloat64(_:multiplier:))
    use("CMTimeMultiplyByRatio(_:multiplier:divisor:)", CMTimeMultiplyByRatio(_:multiplier:divisor:))
    use("CMTimeRangeFromTimeToTime(start:end:)", CMTimeRangeFromTimeToTime(start:end:))
    use("CMTimeRangeGetEnd(_:)", CMTimeRangeGetEnd(_:))
    use("CMTimeRangeMake(start:duration:)", CMTimeRangeMake(start:duration:))
    use("CMTimeSubtract(_:_:)", CMTimeSubtract(_:_:))
  }
}
