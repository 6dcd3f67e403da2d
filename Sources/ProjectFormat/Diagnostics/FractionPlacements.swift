import CompositorAPI

/// Clips and layers that are placed at fractions of a pixel: usually fractions of the canvas are meant, as `anchor` takes those of the
/// clip. The edit doesn't tell this from a place that was computed, so the text is checked.
struct FractionPlacements {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  func diagnostics() -> [ValidationDiagnostic] {
    owners(of: "clips", in: "tracks") + owners(of: "layers", in: "instructions")
  }

  private func owners(of key: String, in list: String) -> [ValidationDiagnostic] {
    (document.member(list)?.elements ?? []).enumerated().flatMap { index, owner in
      (owner.member(key)?.elements ?? []).enumerated().compactMap { place, node in
        node.member("transform").flatMap { found(in: $0, path: "\(list)[\(index)].\(key)[\(place)].transform") }
      }
    }
  }

  /// The warning about a transform, or about the keyframes of one, that all are at fractions.
  private func found(in transform: JSON5Node, path: String) -> ValidationDiagnostic? {
    let parts = transform.elements.isEmpty ? [transform] : transform.elements
    let written = parts.flatMap { part in ["x", "y"].compactMap { part.member($0)?.value } }
    let numbers = written.compactMap { value -> Double? in if case .number(let digits) = value { Double(digits) } else { nil } }
    // Integers are pixels.
    guard numbers.count == written.count, numbers.allSatisfy({ (0...1).contains($0) }),
      let fraction = numbers.first(where: { $0 > 0 && $0 < 1 })
    else { return nil }
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "x and y place the clip less than a pixel from the top left corner of the canvas.",
      cause: "They are in pixels. Fractions are those of anchor.",
      recoverySuggestion: "Write percent of the canvas, such as \"\((fraction * 100).plain)%\".", path: path)
  }
}
