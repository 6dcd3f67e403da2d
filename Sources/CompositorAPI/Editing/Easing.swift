/// An easing curve: a function that maps linear progress 0 … 1 to eased progress, as defined by CSS Easing Functions Level 1.
///
/// Transitions, keyframes of clips, effects and compositors, and animations of titles accept the same easings, in CSS syntax:
/// `linear`, `ease`, `ease-in`, `ease-out`, `ease-in-out`, `cubic-bezier(0.3, 1.5, 0.6, 1)`, `steps(4, jump-end)`.
///
/// ```swift
/// let easing = Easing("cubic-bezier(0.3, 1.5, 0.6, 1)") ?? .easeOut
/// let middle = easing.value(at: 0.5)
/// ```
public enum Easing: Hashable, Sendable {
  /// Identity: eased progress equals linear progress.
  case linear
  /// A cubic Bézier curve from (0, 0) to (1, 1) with the control points (x1, y1) and (x2, y2). x1 and x2 are 0 … 1; y1 and y2
  /// are any finite numbers, so progress may overshoot 0 … 1.
  case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)
  /// Equal steps. At least 1, or at least 2 with ``Jump/none``.
  case steps(Int, Jump = .end)

  /// The position of the jumps.
  public enum Jump: String, Hashable, Sendable, CaseIterable {
    /// At the start of each step, so that the first jump is at progress 0.
    case start = "jump-start"
    /// At the end of each step, so that the last jump is at progress 1.
    case end = "jump-end"
    /// Between the steps only: the first holds 0, the last holds 1.
    case none = "jump-none"
    /// At both ends and between the steps.
    case both = "jump-both"
  }

  /// Fast at first, then slow: `cubic-bezier(0.25, 0.1, 0.25, 1)`.
  public static let ease = Easing.cubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)
  /// Slow at first: `cubic-bezier(0.42, 0, 1, 1)`.
  public static let easeIn = Easing.cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
  /// Slow at the end: `cubic-bezier(0, 0, 0.58, 1)`.
  public static let easeOut = Easing.cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
  /// Slow at both ends: `cubic-bezier(0.42, 0, 0.58, 1)`.
  public static let easeInOut = Easing.cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

  /// The easings that have a name. An easing is written with its first name.
  private static let named: [(name: String, easing: Easing)] = [
    ("linear", .linear), ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut), ("ease-in-out", .easeInOut),
    ("step-start", .steps(1, .start)), ("step-end", .steps(1, .end)),
  ]

  /// The names of all easings that have one, such as `ease-in-out`.
  public static var names: [String] { named.map(\.name) }

  /// Eased progress. Exact at both ends; steps jump at 1/n, 2/n …, with a tolerance of 1e-9; a Bézier curve is solved for x to less than 1e-12.
  ///
  /// - Parameter progress: Linear progress. Values below 0 are treated as 0, values above 1 as 1.
  /// - Returns: Eased progress in 0 … 1, or outside it for a Bézier curve that overshoots.
  public func value(at progress: Double) -> Double {
    let progress = min(max(progress, 0), 1)
    switch self {
    case .linear: return progress
    case .cubicBezier(let x1, let y1, let x2, let y2):
      guard progress > 0, progress < 1 else { return progress }
      return BezierCoordinate(y1, y2).value(BezierCoordinate(x1, x2).parameter(for: progress))
    case .steps(let count, let jump): return Easing.step(progress, Double(max(count, 1)), jump)
    }
  }

  private static func step(_ progress: Double, _ count: Double, _ jump: Jump) -> Double {
    var step = (progress * count).rounded(.down)
    // Progress that is calculated from times is seldom exactly 1/n, 2/n ….
    if (step + 1) / count <= progress + .progressTolerance { step += 1 }
    let jumps =
      switch jump {
      case .start, .end: count
      case .none: max(count - 1, 1)
      case .both: count + 1
      }
    return min(jump == .start || jump == .both ? step + 1 : step, jumps) / jumps
  }

  /// The reason why the easing is invalid; `nil` if it is valid.
  private var fault: String? {
    switch self {
    case .linear: return nil
    case .cubicBezier(let x1, let y1, let x2, let y2):
      guard !(0...1).contains(x1) || !(0...1).contains(x2) || !y1.isFinite || !y2.isFinite else { return nil }
      return "x1 and x2 of a cubic-bezier are 0 to 1, so that the curve never goes back in time."
    case .steps(let count, let jump):
      let least = jump == .none ? 2 : 1
      return count < least ? "steps with \(jump.rawValue) are at least \(least)." : nil
    }
  }

  /// Checks that the easing is valid.
  ///
  /// - Throws: `.invalidValue` if control points go back in time or aren't finite, or if there are too few steps.
  package func requireUsable() throws(CompositorError) {
    if let fault {
      throw CompositorError(.invalidValue, "\(self) is not a valid easing: \(fault)", recoverySuggestion: Easing.forms)
    }
  }
}

extension Easing: LosslessStringConvertible {
  /// Parses an easing in CSS syntax; `nil` if it is invalid.
  public init?(_ description: String) {
    guard let easing = Easing.parsed(description), easing.fault == nil else { return nil }
    self = easing
  }

  /// Parses an easing without checking its numbers.
  private static func parsed(_ description: String) -> Easing? {
    let text = Easing.trimmed(description[...])
    if let known = Easing.named.first(where: { $0.name == text }) {
      return known.easing
    } else if let arguments = Easing.arguments(of: "cubic-bezier", in: text) {
      let numbers = arguments.compactMap(Easing.number)
      guard arguments.count == 4, numbers.count == 4 else { return nil }
      return .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    } else if let arguments = Easing.arguments(of: "steps", in: text), let count = arguments.first.flatMap({ Int($0) }) {
      let words = ["start": Jump.start, "end": Jump.end]
      guard arguments.count <= 2, let jump = arguments.count == 1 ? .end : words[arguments[1]] ?? Jump(rawValue: arguments[1])
      else { return nil }
      return .steps(count, jump)
    }
    return nil
  }

  /// The easing in CSS syntax, by name if it has one.
  public var description: String {
    if let known = Easing.named.first(where: { $0.easing == self }) { return known.name }
    switch self {
    case .linear: return "linear"
    case .cubicBezier(let x1, let y1, let x2, let y2):
      let numbers = [x1, y1, x2, y2].map { "\($0)".hasSuffix(".0") ? "\("\($0)".dropLast(2))" : "\($0)" }
      return "cubic-bezier(\(numbers.joined(separator: ", ")))"
    case .steps(let count, let jump): return "steps(\(count), \(jump.rawValue))"
    }
  }

  /// The accepted syntax, for messages.
  package static let forms: String = {
    let jumps = Jump.allCases.map(\.rawValue).joined(separator: "|")
    return "Write \(names.joined(separator: ", ")), cubic-bezier(x1, y1, x2, y2) or steps(n, \(jumps))."
  }()

  /// A short form of ``forms``.
  package static var examples: String { "\(names.joined(separator: ", ")), cubic-bezier(…) or steps(…)" }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func arguments(of function: String, in text: String) -> [String]? {
    guard text.hasPrefix("\(function)("), text.hasSuffix(")") else { return nil }
    return text.dropFirst(function.count + 1).dropLast().split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
  }

  /// Parses a number in CSS syntax; hexadecimal numbers and `inf` or `nan` aren't accepted.
  private static func number(_ text: String) -> Double? {
    guard text.allSatisfy({ "0123456789+-.eE".contains($0) }), let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

extension Easing: Codable {
  /// The spellings to suggest to an author.
  package static var spellings: [String] { names + ["cubic-bezier(x1, y1, x2, y2)", "steps(n, jump-end)"] }

  /// Decodes an easing in CSS syntax.
  ///
  /// - Throws: `DecodingError` for anything else; ``CompositorError`` `.invalidValue` if the numbers aren't valid.
  public init(from decoder: any Decoder) throws {
    let easing = Easing.parsed(try decoder.singleValueContainer().decode(String.self))
    guard let easing else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "This is not an easing. \(Easing.forms)"))
    }
    try easing.requireUsable()
    self = easing
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
