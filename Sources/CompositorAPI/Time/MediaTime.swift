/// A time as an exact rational: `value / timescale` seconds, or one of the special times.
///
/// Shape and rules are those of the editing model: arithmetic never normalises, `1/2` equals `2/4`, and the order is total:
/// −∞ < finite < indefinite < +∞ < invalid.
public struct MediaTime: Sendable {
  /// What kind of time this is, and whether a conversion lost precision on the way.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The bits as stored.
    public var rawValue: UInt32
    /// Makes flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Clear on an invalid time.
    public static let valid = Flags(rawValue: 1 << 0)
    /// Some step on the way here was inexact. Sticky.
    public static let hasBeenRounded = Flags(rawValue: 1 << 1)
    /// +∞.
    public static let positiveInfinity = Flags(rawValue: 1 << 2)
    /// −∞.
    public static let negativeInfinity = Flags(rawValue: 1 << 3)
    /// Known to be unknown, for example the duration of a live stream.
    public static let indefinite = Flags(rawValue: 1 << 4)
  }

  /// The numerator, in units of `1 / timescale` seconds.
  public var value: Int64
  /// Units per second, 1 … 0x7fff_ffff for a numeric time.
  public var timescale: Int32
  /// Kind and rounding.
  public var flags: Flags
  /// Orders before the value; 0 in every time made by this package.
  public var epoch: Int64

  /// Makes a time from its stored parts, unchecked.
  public init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64 = 0) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// `value / timescale` seconds; invalid where `timescale` ≤ 0.
  public init(value: Int64, timescale: Int32) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [])
  }

  /// 0 seconds.
  public static let zero = MediaTime(value: 0, timescale: 1)
  /// No time at all.
  public static let invalid = MediaTime(value: 0, timescale: 0, flags: [])
  /// Known to be unknown.
  public static let indefinite = MediaTime(value: 0, timescale: 0, flags: [.valid, .indefinite])
  /// After every finite time.
  public static let positiveInfinity = MediaTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity])
  /// Before every finite time.
  public static let negativeInfinity = MediaTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity])

  /// The largest timescale: arithmetic that would need a finer one rounds.
  public static let maximumTimescale: Int32 = 0x7fff_ffff
}

extension MediaTime {
  /// What a time is, in the total order.
  enum Kind: Int {
    case negativeInfinity, finite, indefinite, positiveInfinity, invalid
  }

  /// What the stored parts mean. Parts that mean nothing (a finite time without a timescale) are invalid.
  var kind: Kind {
    guard flags.contains(.valid) else { return .invalid }
    if flags.contains(.positiveInfinity) { return .positiveInfinity }
    if flags.contains(.negativeInfinity) { return .negativeInfinity }
    if flags.contains(.indefinite) { return .indefinite }
    return timescale > 0 ? .finite : .invalid
  }

  /// Whether this is any time at all.
  public var isValid: Bool { kind != .invalid }
  /// Whether this is a finite number of seconds.
  public var isNumeric: Bool { kind == .finite }
  /// Whether this is `+∞` or `−∞`.
  public var isInfinite: Bool { kind == .positiveInfinity || kind == .negativeInfinity }
  /// Whether this is known to be unknown.
  public var isIndefinite: Bool { kind == .indefinite }
  /// Whether some step on the way here was inexact.
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }
}
