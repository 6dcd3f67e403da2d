import CompositorAPI
package import CompositorTimeline

/// Finds where two timelines differ, value by value, so that no property can be forgotten.
///
/// Floating-point numbers that differ by what arithmetic rounds are equal: 110.00000000000001 is written by a program that computed 110, and
/// is read as 110.
package struct TimelineDifference {
  /// The key path of the first difference, such as `tracks[0].clips[2].opacity`; `nil` if there is none.
  package static func path(from timeline: Timeline, to other: Timeline) -> String? {
    TimelineDifference().path(timeline, other, at: "")
  }

  private func path(_ left: Any, _ right: Any, at place: String) -> String? {
    if let isEqual = areEqual(left, right) { return isEqual ? nil : place }
    if let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] {
      return path(ofDictionaries: left, right, at: place)
    }
    let (first, second) = (Mirror(reflecting: left), Mirror(reflecting: right))
    guard first.children.count == second.children.count else { return place }
    if first.children.isEmpty { return isSame(left, right) ? nil : place }
    for (index, (a, b)) in zip(first.children, second.children).enumerated() {
      guard a.label == b.label else { return place }
      let inner = TimelineDifference.path(of: a.label, index, in: first.displayStyle, at: place)
      if let found = path(a.value, b.value, at: inner) { return found }
    }
    return nil
  }

  /// Whether values that have no parts of their own are equal; `nil` for others.
  private func areEqual(_ left: Any, _ right: Any) -> Bool? {
    switch (left, right) {
    case (let left as Double, let right as Double): isNear(left, right)
    case (let left as MediaTime, let right as MediaTime): left == right
    case (let left as Rational, let right as Rational): left.reduced == right.reduced
    case (let left as String, let right as String): left == right
    case (let left as ParameterValue, let right as ParameterValue):
      if let left = left.number, let right = right.number { isNear(left, right) } else { left == right ? true : nil }
    case (let left as Set<Int>, let right as Set<Int>): left == right
    default: nil
    }
  }

  private func isNear(_ left: Double, _ right: Double) -> Bool {
    left == right || abs(left - right) <= 1e-12 * max(abs(left), abs(right))
  }

  /// Compares values without parts, such as integers and cases without associated values.
  private func isSame(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return "\(left)" == "\(right)" }
    return left == right
  }

  private func path(ofDictionaries left: [AnyHashable: Any], _ right: [AnyHashable: Any], at place: String) -> String? {
    for key in Set(left.keys).union(right.keys).sorted(by: { "\($0.base)" < "\($1.base)" }) {
      let inner = "\(place).\(key.base)"
      guard let a = left[key], let b = right[key] else { return inner }
      if let found = path(a, b, at: inner) { return found }
    }
    return nil
  }

  /// The key path of a part, by the name of its property. What an optional and an enumeration hold has that of the whole.
  private static func path(
    of label: String?, _ index: Int, in style: Mirror.DisplayStyle?, at place: String
  ) -> String {
    switch style {
    case .collection: return "\(place)[\(index)]"
    case .struct, .class: break
    default: return place
    }
    guard var name = label else { return place }
    // Stored in a box that the property opens.
    if name.hasPrefix("boxed") { name = name.dropFirst(5).prefix(1).lowercased() + name.dropFirst(6) }
    return place.isEmpty ? name : "\(place).\(name)"
  }
}
