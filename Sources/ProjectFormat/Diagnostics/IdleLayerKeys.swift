import CompositorAPI

/// Keys of a layer that change nothing beside others, or whose value is not possible and taken for another one.
struct IdleLayerKeys {
  let layer: JSON5Node
  /// The key path of the layer.
  let path: String

  /// A warning for each such key of the layer itself.
  func diagnostics() -> [ValidationDiagnostic] {
    [beside(), arrangement()].compactMap(\.self) + belowZero() + limits()
  }

  /// A radius for all corners beside those of each corner.
  private func beside() -> ValidationDiagnostic? {
    guard layer.member("cornerRadius") != nil, layer.member("cornerRadii") != nil else { return nil }
    return .idle("cornerRadius", "cornerRadii states the radius of each corner.", "Remove one of the two.", at: path)
  }

  /// A flexible layout of nothing. Its padding may be the size of the layer.
  private func arrangement() -> ValidationDiagnostic? {
    guard let flex = layer.member("flex"), flex.member("padding") == nil, layer.member("sublayers")?.elements.isEmpty ?? true
    else { return nil }
    return .idle("flex", "the layer has no sublayers to arrange.", "Give it sublayers, or remove flex.", at: path)
  }

  /// Radii below 0.
  private func belowZero() -> [ValidationDiagnostic] {
    let radii = layer.member("cornerRadii")?.elements.enumerated().map { ("cornerRadii[\($0.offset)]", $0.element) } ?? []
    let single = layer.member("cornerRadius").map { [("cornerRadius", $0)] } ?? []
    return (single + radii).compactMap { key, node in
      guard let radius = node.length, radius.value < 0 else { return nil }
      return .idle(key, "it is below 0, which is taken for 0.", "Write 0 or more.", at: path)
    }
  }

  /// A maximum below the minimum, which wins as in CSS.
  private func limits() -> [ValidationDiagnostic] {
    guard let layout = layer.member("layout") else { return [] }
    return ["Width", "Height"].compactMap { side in
      guard let least = layout.member("minimum\(side)")?.length, let most = layout.member("maximum\(side)")?.length,
        least.unit == most.unit, least.value > most.value
      else { return nil }
      return .idle(
        "maximum\(side)", "minimum\(side) is larger.", "Write a maximum that isn't below the minimum.", at: "\(path).layout")
    }
  }
}

extension ValidationDiagnostic {
  /// A warning about a key that changes nothing.
  ///
  /// - Parameter path: The key path of the object that has the key.
  static func idle(_ key: String, _ reason: String, _ advice: String, at path: String) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .effectUnchanging, severity: .warning, "\(key) changes nothing: \(reason)", recoverySuggestion: advice,
      path: "\(path).\(key)")
  }
}

extension JSON5Node {
  /// A length in pixels (`unit` is empty) or in percent; `nil` for other values.
  var length: (value: Double, unit: String)? {
    switch value {
    case .number(let digits): return Double(digits).map { ($0, "") }
    case .string(let text):
      guard text.hasSuffix("%") else { return Double(text).map { ($0, "") } }
      return Double(text.dropLast()).map { ($0, "%") }
    default: return nil
    }
  }
}
