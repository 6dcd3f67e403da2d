package import CompositorAPI

// Times of this module and of the compositor have the same parts.

extension CMTime {
  /// The same time of the compositor.
  package var media: MediaTime {
    MediaTime(value: value, timescale: timescale, flags: MediaTime.Flags(rawValue: flags.rawValue), epoch: epoch)
  }

  /// The same time.
  package init(_ time: MediaTime) {
    self.init(
      value: time.value, timescale: time.timescale, flags: CMTimeFlags(rawValue: time.flags.rawValue), epoch: time.epoch)
  }
}

extension CMTimeRange {
  /// The same range of the compositor.
  package var media: TimeRange { TimeRange(start: start.media, duration: duration.media) }

  /// The same range.
  package init(_ range: TimeRange) { self.init(start: CMTime(range.start), duration: CMTime(range.duration)) }
}

extension CMTimeRoundingMethod {
  var media: MediaTime.RoundingMethod {
    switch self {
    case .roundHalfAwayFromZero: .halfAwayFromZero
    case .roundTowardZero: .towardZero
    case .roundAwayFromZero: .awayFromZero
    case .quickTime: .quickTime
    case .roundTowardPositiveInfinity: .towardPositiveInfinity
    case .roundTowardNegativeInfinity: .towardNegativeInfinity
    }
  }
}
