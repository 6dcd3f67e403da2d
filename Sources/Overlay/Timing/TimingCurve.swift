/// How even progress becomes eased progress.
public enum TimingCurve: Hashable, Sendable {
  /// Unchanged.
  case linear
  /// A cubic Bézier from (0, 0) to (1, 1) with two control points; x1 and x2 are 0 … 1. CSS Easing Functions Level 1.
  case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)
  /// `count` equal steps; the jump is at the start or at the end of each. CSS Easing Functions Level 1.
  case steps(count: Int, jumpsAtStart: Bool)

  /// (.42, 0, 1, 1)
  public static let easeIn = TimingCurve.cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
  /// (0, 0, .58, 1)
  public static let easeOut = TimingCurve.cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
  /// (.42, 0, .58, 1)
  public static let easeInEaseOut = TimingCurve.cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
  /// (.25, .1, .25, 1)
  public static let standard = TimingCurve.cubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)

  /// Eased progress for a progress of 0 … 1; within 1e-7 of the exact curve.
  public func value(at progress: Double) -> Double {
    switch self {
    case .linear: return progress
    case .cubicBezier(let x1, let y1, let x2, let y2):
      if progress <= 0 { return 0 }
      if progress >= 1 { return 1 }
      return CubicUnit(y1, y2).value(CubicUnit(x1, x2).parameter(for: progress))
    case .steps(let count, let jumpsAtStart):
      let steps = Double(max(count, 1))
      let step = (progress * steps).rounded(.down) + (jumpsAtStart ? 1 : 0)
      return min(step, steps) / steps
    }
  }
}

/// One coordinate of a Bézier from 0 to 1: `a·s³ + b·s² + c·s`.
private struct CubicUnit {
  let a, b, c: Double

  init(_ first: Double, _ second: Double) {
    c = 3 * first
    b = 3 * (second - first) - c
    a = 1 - c - b
  }

  func value(_ s: Double) -> Double { ((a * s + b) * s + c) * s }

  /// The s with value `x`, for a coordinate that never falls: Newton's steps, kept inside a shrinking bracket.
  func parameter(for x: Double) -> Double {
    var (low, high, s) = (0.0, 1.0, x)
    for _ in 0..<64 {
      let error = value(s) - x
      if abs(error) < 1e-9 { break }
      if error > 0 { high = s } else { low = s }
      let slope = (3 * a * s + 2 * b) * s + c
      let next = s - error / slope
      s = slope > 1e-9 && next > low && next < high ? next : (low + high) / 2
    }
    return s
  }
}

extension TimingCurve: Codable {
  private static let names: [(String, TimingCurve)] = [
    ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInEaseOut", .easeInEaseOut),
    ("default", .standard), ("stepStart", .steps(count: 1, jumpsAtStart: true)),
    ("stepEnd", .steps(count: 1, jumpsAtStart: false)),
  ]

  private enum CodingKeys: CodingKey { case steps, jumpsAtStart }

  /// Reads a name (`easeIn`), four numbers `[x1, y1, x2, y2]`, or `{ steps: 4, jumpsAtStart: false }`.
  public init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .steps(count: try keyed.decode(Int.self, forKey: .steps), jumpsAtStart: try keyed.read(.jumpsAtStart, or: false))
      return
    }
    let single = try decoder.singleValueContainer()
    if let name = try? single.decode(String.self) {
      guard let entry = TimingCurve.names.first(where: { $0.0 == name }) else {
        let known = TimingCurve.names.map(\.0).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(in: single, debugDescription: "no curve \(name); there are: \(known)")
      }
      self = entry.1
      return
    }
    let numbers = try single.decode([Double].self)
    guard numbers.count == 4 else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "a cubic Bézier curve has 4 numbers")
    }
    self = .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    if let name = TimingCurve.names.first(where: { $0.1 == self })?.0 {
      var single = encoder.singleValueContainer()
      try single.encode(name)
      return
    }
    switch self {
    case .linear: break
    case .cubicBezier(let x1, let y1, let x2, let y2):
      var single = encoder.singleValueContainer()
      try single.encode([x1, y1, x2, y2])
    case .steps(let count, let jumpsAtStart):
      var keyed = encoder.container(keyedBy: CodingKeys.self)
      try keyed.encode(count, forKey: .steps)
      try keyed.encode(jumpsAtStart, forKey: .jumpsAtStart)
    }
  }
}
