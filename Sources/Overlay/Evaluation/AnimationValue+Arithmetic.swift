package import CompositorAPI

extension AnimationValue {
  /// Interpolates between this value (0) and `other` (1), or extrapolates. Enumerated values, and paths with different
  /// elements, change at one half.
  package func interpolated(to other: AnimationValue, _ fraction: Double) -> AnimationValue {
    switch (self, other) {
    case (.numbers(let from), .numbers(let to)) where from.count == to.count:
      return .numbers(zip(from, to).map { $0 + ($1 - $0) * fraction })
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
  func cubic(before: AnimationValue, next: AnimationValue, after: AnimationValue, _ t: Double) -> AnimationValue {
    guard case .numbers(let p0) = before, case .numbers(let p1) = self, case .numbers(let p2) = next,
      case .numbers(let p3) = after, p0.count == p1.count, p1.count == p2.count, p2.count == p3.count
    else { return interpolated(to: next, t) }
    return .numbers(
      p1.indices.map { i in
        let (m1, m2) = ((p2[i] - p0[i]) / 2, (p3[i] - p1[i]) / 2)
        let a = 2 * p1[i] - 2 * p2[i] + m1 + m2
        let b = -3 * p1[i] + 3 * p2[i] - 2 * m1 - m2
        return ((a * t + b) * t + m1) * t + p1[i]
      })
  }
}
