/// A time as an exact rational, `value / timescale` seconds, or a special value such as infinity.
///
/// The structure and rules are those of Core Media's `CMTime`: arithmetic never normalizes, `1/2` equals `2/4`, and the order
/// is total: −∞ < finite < indefinite < +∞ < invalid.
public struct MediaTime: Sendable {
  /// The kind of time, and whether precision was lost.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The bits as stored.
    public var rawValue: UInt32
    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Set on every time that isn't invalid.
    public static let valid = Flags(rawValue: 1 << 0)
    /// A preceding operation was inexact. Sticky.
    public static let hasBeenRounded = Flags(rawValue: 1 << 1)
    /// +∞.
    public static let positiveInfinity = Flags(rawValue: 1 << 2)
    /// −∞.
    public static let negativeInfinity = Flags(rawValue: 1 << 3)
    /// Indefinite, such as the duration of a live stream.
    public static let indefinite = Flags(rawValue: 1 << 4)
  }

  /// The numerator, in units of `1 / timescale` seconds.
  public var value: Int64
  /// Units per second, 1 … 0x7fff_ffff for a numeric time.
  public var timescale: Int32
  /// The kind of time, and whether precision was lost.
  public var flags: Flags
  /// The epoch, which is compared before the value; 0 in every time created by this package.
  public var epoch: Int64

  /// Creates a time from its stored parts without checking them.
  public init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64 = 0) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Creates a time of `value / timescale` seconds; invalid if `timescale` ≤ 0.
  public init(value: Int64, timescale: Int32) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [])
  }

  /// 0 seconds.
  public static let zero = MediaTime(value: 0, timescale: 1)
  /// The invalid time.
  public static let invalid = MediaTime(value: 0, timescale: 0, flags: [])
  /// The indefinite time.
  public static let indefinite = MediaTime(value: 0, timescale: 0, flags: [.valid, .indefinite])
  /// After every finite time.
  public static let positiveInfinity = MediaTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity])
  /// Before every finite time.
  public static let negativeInfinity = MediaTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity])

  /// The largest timescale. Arithmetic that would need a finer one rounds.
  public static let maximumTimescale: Int32 = 0x7fff_ffff
}

extension MediaTime {
  /// The kinds of time in the total order.
  enum Kind: Int {
    case negativeInfinity, finite, indefinite, positiveInfinity, invalid
  }

  /// The kind of time. Inconsistent parts, such as a finite time without a timescale, are invalid.
  var kind: Kind {
    guard flags.contains(.valid) else { return .invalid }
    if flags.contains(.positiveInfinity) { return .positiveInfinity }
    if flags.contains(.negativeInfinity) { return .negativeInfinity }
    if flags.contains(.indefinite) { return .indefinite }
    return timescale > 0 ? .finite : .invalid
  }

  /// Whether this isn't the invalid time.
  public var isValid: Bool { kind != .invalid }
  /// Whether this is a finite number of seconds.
  public var isNumeric: Bool { kind == .finite }
  /// Whether this is `+∞` or `−∞`.
  public var isInfinite: Bool { kind == .positiveInfinity || kind == .negativeInfinity }
  /// Whether this is the indefinite time.
  public var isIndefinite: Bool { kind == .indefinite }
  /// Whether a preceding operation was inexact.
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }
}

extension MediaTime {
  /// An integral number of seconds.
  public static func seconds(_ count: Int) -> MediaTime { MediaTime(value: Int64(count), timescale: 1) }

  /// A number of seconds, exact if it has at most nine decimals, otherwise rounded to a nanosecond; invalid if it isn't finite
  /// or exceeds 9 billion seconds. `.seconds(0.5)` is 1/2, `.seconds(1.001)` is 1001/1000.
  public static func seconds(_ seconds: Double) -> MediaTime {
    var timescale: Int32 = 1
    for _ in 0..<9 {
      let scaled = seconds * Double(timescale)
      // Decimals are rarely exact in binary, so the nearest decimal is the intended one.
      if abs(scaled - scaled.rounded()) <= scaled.magnitude.ulp * 2 { break }
      timescale *= 10
    }
    guard let value = Int64(exactly: (seconds * Double(timescale)).rounded()) else { return .invalid }
    return MediaTime(value: value, timescale: timescale)
  }

  /// The exact duration of a number of frames at a rate: `.frames(12, at: 25)` is 12/25, `.frames(1, at: Rational(30000,
  /// 1001))` is 1001/30000. Invalid if the rate isn't above 0 or the result doesn't fit.
  public static func frames(_ count: Int, at rate: Rational) -> MediaTime {
    let (value, overflow) = Int64(count).multipliedReportingOverflow(by: Int64(rate.denominator))
    guard !overflow, rate.denominator > 0, let timescale = Int32(exactly: rate.numerator), timescale > 0 else {
      return .invalid
    }
    return MediaTime(value: value, timescale: timescale)
  }

  /// The half-open range between two times: `.seconds(2) ..< .seconds(5)`.
  public static func ..< (start: MediaTime, end: MediaTime) -> TimeRange { TimeRange(start: start, end: end) }
}

extension Rational: ExpressibleByIntegerLiteral {
  /// Creates an integral ratio, as in `frameRate: 25`.
  public init(integerLiteral value: Int) { self.init(value, 1) }
}

extension MediaTime: Hashable, Comparable {
  /// Whether both are the same point in time. 1/2 equals 2/4, and all invalid times are equal.
  public static func == (left: MediaTime, right: MediaTime) -> Bool {
    let kind = left.kind
    guard kind == right.kind else { return false }
    guard kind == .finite else { return true }
    guard left.epoch == right.epoch else { return false }
    return left.timescale == right.timescale ? left.value == right.value : scaled(left, right) == scaled(right, left)
  }

  /// The total order: −∞ < finite < indefinite < +∞ < invalid. Finite times are compared by epoch first.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    let (leftKind, rightKind) = (left.kind, right.kind)
    guard leftKind == rightKind else { return leftKind.rawValue < rightKind.rawValue }
    guard leftKind == .finite else { return false }
    guard left.epoch == right.epoch else { return left.epoch < right.epoch }
    return left.timescale == right.timescale ? left.value < right.value : scaled(left, right) < scaled(right, left)
  }

  /// `left` in units of `1 / (left.timescale · right.timescale)` seconds.
  private static func scaled(_ left: MediaTime, _ right: MediaTime) -> Int128 {
    Int128(left.value) * Int128(right.timescale)
  }

  /// Hashes equal times alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    guard isNumeric else { return }
    let common = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    hasher.combine(epoch)
    hasher.combine(value < 0)
    hasher.combine(value.magnitude / common)
    hasher.combine(UInt64(timescale) / common)
  }

  /// This time, limited to `range`. An invalid time or range gives an invalid time.
  public func clamped(to range: TimeRange) -> MediaTime {
    guard isValid, range.isValid else { return .invalid }
    return min(max(self, range.start), range.end)
  }
}
