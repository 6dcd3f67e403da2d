public import CompositorAPI

/// A linear map from composition times to positions.
public struct DiagramScale: Hashable, Sendable {
  /// The first visible time, in seconds; finite.
  public let start: Double
  /// The visible duration, in seconds; finite and > 0.
  public let duration: Double
  /// The position of ``start``, in user units.
  public let x0: Double
  /// The position of the end, in user units.
  public let x1: Double

  init(start: Double, duration: Double, x0: Double, x1: Double) {
    self.start = start
    self.duration = duration
    self.x0 = x0
    self.x1 = x1
  }

  /// The last visible time, in seconds.
  public var end: Double { start + duration }
  /// User units per second.
  public var unitsPerSecond: Double { (x1 - x0) / duration }

  /// The position of a time: `x0 + (t − start) / duration · (x1 − x0)`, clamped to the edges; the left edge for invalid
  /// times.
  public func x(_ time: MediaTime) -> Double { x(seconds: time.seconds) }

  /// The position of a time in seconds; see ``x(_:)``.
  public func x(seconds: Double) -> Double {
    guard !seconds.isNaN else { return x0 }
    return min(max(x0 + (seconds - start) / duration * (x1 - x0), x0), x1)
  }

  /// Both ends of a range in seconds. Infinite ends stay infinite, a range without a start begins at 0, and the ends of a
  /// negative range are swapped.
  static func seconds(of range: TimeRange) -> ClosedRange<Double> {
    let start = range.start.seconds.isNaN ? 0 : range.start.seconds
    let length = range.duration.seconds
    let sum = start + (length.isNaN ? 0 : length)
    let end = sum.isNaN ? start : range.isNumeric ? range.end.seconds : sum
    return min(start, end)...max(start, end)
  }

  /// The positions of both ends of a range; `nil` if it is not visible.
  public func extent(of range: TimeRange) -> ClosedRange<Double>? {
    let seconds = Self.seconds(of: range)
    guard seconds.upperBound > start || (seconds.lowerBound == start && seconds.upperBound == start),
      seconds.lowerBound < end || (start...end).contains(seconds.lowerBound) && seconds.lowerBound == seconds.upperBound
    else { return nil }
    return x(seconds: seconds.lowerBound)...x(seconds: seconds.upperBound)
  }
}
