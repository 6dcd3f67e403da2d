@_exported public import FacadeBase
internal import CompositorAPI

/// The numerator of a time.
public typealias CMTimeValue = Int64
/// The denominator of a time: units per second.
public typealias CMTimeScale = Int32
/// Which of several timelines a time belongs to, such as passes of a loop.
public typealias CMTimeEpoch = Int64

/// The finest timescale.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// What kind of time it is, and whether precision was lost.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public var rawValue: UInt32
  /// Creates flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Set on every time that is not invalid.
  public static let valid = CMTimeFlags(rawValue: 1 << 0)
  /// An operation before was inexact. It stays set.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
  /// After every finite time.
  public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
  /// Before every finite time.
  public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
  /// Not known, such as the duration of a live stream.
  public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
  /// The bits of which one is set if value, timescale and epoch say nothing.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// How a time that a timescale cannot represent is rounded.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  /// To nearest, halves away from zero. The default.
  case roundHalfAwayFromZero = 1
  /// Toward zero.
  case roundTowardZero = 2
  /// Away from zero.
  case roundAwayFromZero = 3
  /// Toward zero for a coarser timescale, away from zero for a finer one; a negative time never becomes 0.
  case quickTime = 4
  /// Toward +∞.
  case roundTowardPositiveInfinity = 5
  /// Toward −∞.
  case roundTowardNegativeInfinity = 6

  /// To nearest, halves away from zero.
  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

/// A time as a rational number of seconds, or a special value.
///
/// Field by field the compositor's `MediaTime`, whose arithmetic it uses. Deliberately without conformances that programs add
/// themselves: `CustomStringConvertible`, `Codable`; and without operators other than `+`, `-` and comparisons.
public struct CMTime: Sendable {
  /// The numerator, in units of `1 / timescale` seconds.
  public var value: CMTimeValue
  /// Units per second.
  public var timescale: CMTimeScale
  /// What kind of time it is.
  public var flags: CMTimeFlags
  /// The timeline that it belongs to; 0 as a rule.
  public var epoch: CMTimeEpoch

  /// The invalid time.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// A time of these parts, which are not checked.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// `value / timescale` seconds.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: .valid, epoch: 0)
  }

  /// The time nearest to a number of seconds at a timescale, or at a coarser one if the value would not fit.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self.init(MediaTime(seconds: seconds, preferredTimescale: preferredTimescale))
  }

  /// The time nearest to a number of seconds at a timescale.
  public init<Source: BinaryInteger>(value: Source, timescale: CMTimeScale) {
    self.init(value: CMTimeValue(value), timescale: timescale)
  }
}

extension CMTime {
  /// 0 seconds.
  public static let zero = CMTime(value: 0, timescale: 1)
  /// The invalid time.
  public static let invalid = CMTime()
  /// The indefinite time.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// After every finite time.
  public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Before every finite time.
  public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  /// Whether it is not the invalid time.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether it is +∞.
  public var isPositiveInfinity: Bool { flags.isSuperset(of: [.valid, .positiveInfinity]) }
  /// Whether it is −∞.
  public var isNegativeInfinity: Bool { flags.isSuperset(of: [.valid, .negativeInfinity]) }
  /// Whether it is the indefinite time.
  public var isIndefinite: Bool { flags.isSuperset(of: [.valid, .indefinite]) }
  /// Whether it is a number of seconds.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
  /// Whether precision was lost.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
  /// The seconds; NaN if invalid or indefinite, ±∞ if infinite.
  public var seconds: Double { media.seconds }

  /// The time at another timescale, rounded if necessary, which ``hasBeenRounded`` then says.
  public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    CMTime(media.converted(toTimescale: newTimescale, rounding: method.media))
  }
}

extension CMTime: Comparable, Hashable {
  /// Whether both are the same point in time: 1/2 equals 2/4.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { time1.media == time2.media }
  /// The order is total: −∞ < finite < indefinite < +∞ < invalid.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { time1.media < time2.media }
  /// The sum, exact if a timescale can represent it.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTime(addend1.media + addend2.media) }
  /// The difference, exact if a timescale can represent it.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime { CMTime(minuend.media - subtrahend.media) }
  /// Equal times have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(media) }
}
