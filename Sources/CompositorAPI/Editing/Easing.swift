/// An easing curve: a function that maps linear progress 0 … 1 to eased progress, as defined by CSS Easing Functions Level 2,
/// or by Robert Penner's equations.
///
/// Transitions, keyframes of clips, effects and compositors, and animations of titles accept the same easings, in CSS syntax:
/// `linear`, `ease`, `ease-in`, `ease-out`, `ease-in-out`, `cubic-bezier(0.3, 1.5, 0.6, 1)`, `steps(4, jump-end)`,
/// `linear(0, 0.25 25% 75%, 1)`, and `bounce-out`, `elastic-out`, `back-out` with their `-in` and `-in-out` forms.
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
  /// Straight lines between stops, which is CSS's `linear(…)`: at least one stop, in order of ``Stop/percent``. Beyond the first
  /// and the last stop the nearest line continues. Where two stops have the same position, the value jumps to that of the last.
  case linearStops([Stop])
  /// One of Penner's equations.
  case penner(Equation, Direction)

  /// A point of ``linearStops(_:)``.
  public struct Stop: Hashable, Sendable {
    /// Eased progress; any finite number.
    public var value: Double
    /// Linear progress in percent, finite; usually 0 … 100.
    public var percent: Double

    /// Creates a stop.
    public init(_ value: Double, percent: Double) {
      self.value = value
      self.percent = percent
    }
  }

  /// The shape of a curve by Robert Penner.
  public enum Equation: String, Hashable, Sendable, CaseIterable {
    /// A ball that falls to the end and bounces three times.
    case bounce
    /// A rubber band that swings about the end. It overshoots by 37 %, or 12 % with ``Direction/inOut``.
    case elastic
    /// A move that first draws back, or passes its end and returns, by 10 %.
    case back
  }

  /// The end at which a curve by Penner has its shape.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// At the start.
    case `in`
    /// At the end.
    case out
    /// At both ends, each in half of the time.
    case inOut = "in-out"
  }

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
  static let named: [(name: String, easing: Easing)] =
    [
      ("linear", .linear), ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut), ("ease-in-out", .easeInOut),
      ("step-start", .steps(1, .start)), ("step-end", .steps(1, .end)),
    ]
    + Equation.allCases.flatMap { equation in
      Direction.allCases.map { ("\(equation.rawValue)-\($0.rawValue)", .penner(equation, $0)) }
    }

  /// The names of all easings that have one, such as `ease-in-out`.
  public static var names: [String] { named.map(\.name) }

  /// Eased progress. Exact at both ends; steps and stops jump at their positions with a tolerance of 1e-9; a Bézier curve is
  /// solved for x to less than 1e-12.
  ///
  /// - Parameter progress: Linear progress. Values below 0 are treated as 0, values above 1 as 1.
  /// - Returns: Eased progress in 0 … 1, or outside it for a curve that overshoots.
  public func value(at progress: Double) -> Double { value(at: progress, isBefore: false) }

  /// Eased progress, or that just before a jump.
  ///
  /// - Parameter isBefore: Whether an animation waits at this progress, so that steps don't jump there yet: CSS's before flag.
  package func value(at progress: Double, isBefore: Bool) -> Double {
    let progress = min(max(progress, 0), 1)
    switch self {
    case .linear: return progress
    case .cubicBezier(let x1, let y1, let x2, let y2):
      guard progress > 0, progress < 1 else { return progress }
      return BezierCoordinate(y1, y2).value(BezierCoordinate(x1, x2).parameter(for: progress))
    case .steps(let count, let jump): return Easing.step(progress, Double(max(count, 1)), jump, isBefore: isBefore)
    case .linearStops(let stops): return Stop.value(of: stops, at: progress)
    case .penner(let equation, let direction): return PennerCurve(equation, direction).value(at: progress)
    }
  }

  private static func step(_ progress: Double, _ count: Double, _ jump: Jump, isBefore: Bool) -> Double {
    var step = (progress * count).rounded(.down)
    // Progress that is calculated from times is seldom exactly 1/n, 2/n ….
    if (step + 1) / count <= progress + .progressTolerance { step += 1 }
    let jumps =
      switch jump {
      case .start, .end: count
      case .none: max(count - 1, 1)
      case .both: count + 1
      }
    let isAtJump = step / count + .progressTolerance >= progress
    if jump == .start || jump == .both { step += 1 }
    if isBefore, isAtJump { step -= 1 }
    return min(max(step, 0), jumps) / jumps
  }

  /// The reason why the easing is invalid; `nil` if it is valid.
  var fault: String? {
    switch self {
    case .linear, .penner: return nil
    case .linearStops(let stops): return Stop.fault(of: stops)
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
  /// - Throws: `.invalidValue` if control points or stops go back in time or aren't finite, or if there are too few steps
  ///   or stops.
  package func requireUsable() throws(CompositorError) {
    if let fault {
      throw CompositorError(.invalidValue, "\(self) is not a valid easing: \(fault)", recoverySuggestion: Easing.forms)
    }
  }
}
