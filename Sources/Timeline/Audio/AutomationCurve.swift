import CompositorAPI
import CompositorPlatform

/// A number over time, consisting of smooth pieces. It has its first value before them, and holds the last value after each.
struct AutomationCurve: Sendable {
  /// The shape of a piece between its first and last value.
  enum Shape: Sendable {
    case easing(Easing)
    /// The sine of a quarter turn, the fade-in of an equal-power cross-fade.
    case sine
    /// One minus the cosine of a quarter turn, the fade-out of an equal-power cross-fade.
    case cosine

    /// Progress for a linear progress of 0 … 1; 0 and 1 at the ends.
    func progress(at fraction: Double) -> Double {
      switch self {
      case .easing(let easing): easing.value(at: fraction)
      case .sine: fraction < 1 ? sin(fraction * .pi / 2) : 1
      case .cosine: fraction < 1 ? 1 - cos(fraction * .pi / 2) : 1
      }
    }

    var isLinear: Bool { if case .easing(.linear) = self { true } else { false } }
  }

  struct Piece: Sendable {
    let range: ExactRange
    let start: Double
    let end: Double
    let shape: Shape
    /// Times inside at which the slope jumps.
    var corners: [ExactTime] = []

    func value(at seconds: Double, within limits: ClosedRange<Double>) -> Double {
      let length = range.end.seconds - range.start.seconds
      let fraction = length > 0 ? min(max((seconds - range.start.seconds) / length, 0), 1) : 1
      let progress = shape.progress(at: fraction)
      let value = progress == 1 ? end : start + (end - start) * progress
      return min(max(value, limits.lowerBound), limits.upperBound)
    }
  }

  /// The curve between two of its breakpoints.
  enum Stretch {
    case held(Double)
    case piece(Piece)

    var isLinear: Bool { if case .piece(let piece) = self { piece.shape.isLinear } else { true } }
    var isHeld: Bool { if case .held = self { true } else { false } }
  }

  /// The value before the first piece.
  private let before: Double
  /// The pieces in order of time, without overlaps.
  private var pieces: [Piece] = []
  /// The limits of an easing that overshoots.
  let limits: ClosedRange<Double>

  /// The times between which the curve is smooth.
  var breakpoints: [ExactTime] { pieces.flatMap { [$0.range.start] + $0.corners + [$0.range.end] } }

  /// The curve between two times without a breakpoint in between.
  func stretch(_ range: ExactRange) -> Stretch {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].range.start > range.start { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return .held(before) }
    let piece = pieces[low - 1]
    return piece.range.end > range.start && piece.start != piece.end ? .piece(piece) : .held(piece.end)
  }
}

extension AutomationCurve {
  /// The maximum number of steps of one change.
  private static let maximumStepCount = 100_000

  /// Creates a curve from a constant or from keyframes with times relative to `origin`.
  ///
  /// - Throws: `.invalidValue` if a value is outside of `limits`, if keyframes are missing or out of order, or if an easing is
  ///   invalid.
  init(
    _ animated: Animated<Double>, from origin: ExactTime, limits: ClosedRange<Double>, name: String
  ) throws(CompositorError) {
    func check(_ value: Double) throws(CompositorError) {
      guard value.isFinite, limits.contains(value) else {
        throw CompositorError(
          .invalidValue, "A \(name) of \(value) is not possible.",
          recoverySuggestion: "Use \(limits.lowerBound) to \(limits.upperBound).")
      }
    }
    self.limits = limits
    switch animated {
    case .constant(let value):
      try check(value)
      before = value
    case .keyframes(let keyframes):
      guard let first = keyframes.first else {
        throw CompositorError(.invalidValue, "Keyframes must be in rising order of time, and at least one.")
      }
      for keyframe in keyframes { try check(keyframe.value) }
      before = first.value
      var times: [ExactTime] = []
      for keyframe in keyframes { times.append(try origin + ExactTime(keyframe.time)) }
      for index in keyframes.indices.dropLast() {
        guard times[index] < times[index + 1] else {
          throw CompositorError(.invalidValue, "Keyframes must be in rising order of time, and at least one.")
        }
        let (from, to) = (keyframes[index], keyframes[index + 1])
        try add(from.value, to.value, over: ExactRange(times[index], times[index + 1]), .easing(from.easing))
      }
    }
  }

  /// Creates a fade between silence and full level over `range`.
  init(_ curve: AudioFadeCurve, rising: Bool, over range: ExactRange) throws(CompositorError) {
    limits = 0...1
    before = rising ? 0 : 1
    let shape: Shape =
      switch curve {
      case .easing(let easing): .easing(easing)
      case .equalPower: rising ? .sine : .cosine
      }
    try add(rising ? 0 : 1, rising ? 1 : 0, over: range, shape)
  }

  private mutating func add(
    _ start: Double, _ end: Double, over range: ExactRange, _ shape: Shape
  ) throws(CompositorError) {
    guard case .easing(let easing) = shape else {
      pieces.append(Piece(range: range, start: start, end: end, shape: shape))
      return
    }
    try easing.requireUsable()
    switch easing {
    case .steps(let count, _):
      try requireCount(count, easing)
      try addSteps(start, end, over: range, easing, count)
    case .linearStops(let stops):
      try requireCount(stops.count, easing)
      try addLines(start, end, over: range, Easing.Stop.lines(of: stops))
    case .linear, .cubicBezier, .penner:
      var piece = Piece(range: range, start: start, end: end, shape: shape)
      if !easing.corners.isEmpty {
        let ticks = try TickRange(range)
        for corner in easing.corners { piece.corners.append(try ticks.range(0, corner).end) }
      }
      pieces.append(piece)
      return
    }
    // After the last step or stop the next keyframe's value holds, regardless of the value at their end.
    pieces.append(Piece(range: ExactRange(range.end, range.end), start: end, end: end, shape: .easing(.linear)))
  }

  private func requireCount(_ count: Int, _ easing: Easing) throws(CompositorError) {
    guard count > AutomationCurve.maximumStepCount else { return }
    let limit = AutomationCurve.maximumStepCount
    throw CompositorError(
      .invalidValue, "An easing has \(count) steps or stops, and at most \(limit) are possible here.",
      recoverySuggestion: "Use fewer.")
  }

  private mutating func addSteps(
    _ start: Double, _ end: Double, over range: ExactRange, _ easing: Easing, _ count: Int
  ) throws(CompositorError) {
    let ticks = try TickRange(range)
    for step in 0..<count {
      let held = start + (end - start) * easing.value(at: (Double(step) + 0.5) / Double(count))
      let part = try ticks.range(Double(step) / Double(count), Double(step + 1) / Double(count))
      if part.start < part.end { pieces.append(Piece(range: part, start: held, end: held, shape: .easing(.linear))) }
    }
  }

  /// Adds lines of progress, each cut where it leaves the limits.
  private mutating func addLines(
    _ start: Double, _ end: Double, over range: ExactRange, _ lines: [Easing.Stop.Line]
  ) throws(CompositorError) {
    let ticks = try TickRange(range)
    for line in lines {
      let (from, to) = (start + (end - start) * line.from, start + (end - start) * line.to)
      let crossings = [limits.lowerBound, limits.upperBound].map { ($0 - from) / (to - from) }.filter { $0 > 0 && $0 < 1 }
      let cuts = [0] + crossings.sorted() + [1]
      for (first, last) in zip(cuts, cuts.dropFirst()) {
        func limited(_ share: Double) -> Double {
          min(max(share == 1 ? to : from + (to - from) * share, limits.lowerBound), limits.upperBound)
        }
        let length = line.end - line.start
        let part = try ticks.range(line.start + length * first, line.start + length * last)
        guard part.start < part.end else { continue }
        pieces.append(Piece(range: part, start: limited(first), end: limited(last), shape: .easing(.linear)))
      }
    }
  }
}

/// A time range divided into integer ticks, fine enough for audio, which exactly add up to its duration.
struct TickRange {
  private let timescale: Int64
  let start: Int64
  let end: Int64

  init(_ range: ExactRange) throws(CompositorError) {
    let (first, second) = (Int64(range.start.denominator), Int64(range.end.denominator))
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    var common = first / a * second
    let farthest = max(range.start.seconds.magnitude, range.end.seconds.magnitude)
    guard common <= Int32.max, farthest * Double(common) < TickRange.limit else {
      throw CompositorError(
        .invalidValue, "The times \(range.start.mediaTime) and \(range.end.mediaTime) have no common timescale.",
        recoverySuggestion: "Write times whose denominators have more in common, such as frames.")
    }
    while common < 1 << 23, farthest * Double(2 * common) < TickRange.limit { common *= 2 }
    timescale = common
    start = range.start.numerator * (common / first)
    end = range.end.numerator * (common / second)
  }

  /// The maximum number of ticks, so that their differences are integers too.
  private static let limit = 0x1p61

  func time(_ tick: Int64) throws(CompositorError) -> ExactTime {
    try ExactTime(frame: tick, rate: Rational(Int(timescale), 1))
  }

  func seconds(_ tick: Int64) -> Double { Double(tick) / Double(timescale) }

  /// The part between two fractions, rounded to ticks.
  func range(_ first: Double, _ last: Double) throws(CompositorError) -> ExactRange {
    func tick(_ fraction: Double) -> Int64 { start + Int64((Double(end - start) * fraction).rounded()) }
    return ExactRange(try time(tick(first)), try time(tick(last)))
  }
}
