package import CompositorAPI

extension AnimationValue {
  /// Interpolates between this value (0) and `other` (1), or extrapolates. Enumerated values, and paths with different
  /// elements, change at one half.
  ///
  /// - Parameter areColors: Whether the numbers are colors, which are interpolated with premultiplied alpha.
  package func interpolated(to other: AnimationValue, _ fraction: Double, areColors: Bool = false) -> AnimationValue {
    switch (self, other) {
    case (.numbers(let from), .numbers(let to)) where from.count == to.count:
      let numbers = zip(from, to).map { $0 + ($1 - $0) * fraction }
      guard areColors else { return .numbers(numbers) }
      return .numbers(ColorMixing.mix([from, to], straight: numbers) { $0[0] + ($0[1] - $0[0]) * fraction })
    case (.path(let from), .path(let to)) where from.steps == to.steps:
      var path = from
      path.coordinates = zip(from.coordinates, to.coordinates).map { $0 + ($1 - $0) * fraction }
      return .path(path)
    default: return fraction + .progressTolerance < 0.5 ? self : other
    }
  }

  /// The sum; the other value if the kinds differ.
  package func adding(_ other: AnimationValue, times factor: Double = 1) -> AnimationValue {
    switch (self, other) {
    case (.numbers(let left), .numbers(let right)) where left.count == right.count:
      return .numbers(zip(left, right).map { $0 + $1 * factor })
    case (.path(let left), .path(let right)) where left.steps == right.steps:
      var path = left
      path.coordinates = zip(left.coordinates, right.coordinates).map { $0 + $1 * factor }
      return .path(path)
    default: return other
    }
  }

  /// The distance between two values, used for paced animations.
  func distance(to other: AnimationValue) -> Double {
    switch (self, other) {
    case (.numbers(let from), .numbers(let to)) where from.count == to.count:
      return zip(from, to).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }.squareRoot()
    case (.path(let from), .path(let to)) where from.steps == to.steps:
      return AnimationValue.numbers(from.coordinates).distance(to: .numbers(to.coordinates))
    default: return self == other ? 0 : 1
    }
  }

  /// A point of the Catmull–Rom curve through four values, between the second and the third.
  ///
  /// - Parameter areColors: As for ``interpolated(to:_:areColors:)``.
  func cubic(
    before: AnimationValue, next: AnimationValue, after: AnimationValue, _ t: Double, areColors: Bool
  ) -> AnimationValue {
    guard case .numbers(let p0) = before, case .numbers(let p1) = self, case .numbers(let p2) = next,
      case .numbers(let p3) = after, p0.count == p1.count, p1.count == p2.count, p2.count == p3.count
    else { return interpolated(to: next, t, areColors: areColors) }
    func curve(_ p: [Double]) -> Double {
      let (m1, m2) = ((p[2] - p[0]) / 2, (p[3] - p[1]) / 2)
      let a = 2 * p[1] - 2 * p[2] + m1 + m2
      let b = -3 * p[1] + 3 * p[2] - 2 * m1 - m2
      return ((a * t + b) * t + m1) * t + p[1]
    }
    let numbers = p1.indices.map { curve([p0[$0], p1[$0], p2[$0], p3[$0]]) }
    return .numbers(areColors ? ColorMixing.mix([p0, p1, p2, p3], straight: numbers, curve) : numbers)
  }
}
