import CompositorAPI

/// Clips whose center is placed at the top left corner of the canvas, so that three quarters of them are outside: usually their corner
/// is meant, as in programs that place corners. The edit doesn't tell this from a place that was computed, so the text is checked.
struct CornerPlacements {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  /// A warning for each such clip.
  func diagnostics() -> [ValidationDiagnostic] {
    (document.member("tracks")?.elements ?? []).enumerated().flatMap { track, node in
      (node.member("clips")?.elements ?? []).enumerated().compactMap { index, clip in
        clip.member("transform").flatMap { found(in: $0, path: "tracks[\(track)].clips[\(index)].transform") }
      }
    }
  }

  private func found(in transform: JSON5Node, path: String) -> ValidationDiagnostic? {
    let zero = ["x", "y"].allSatisfy { transform.member($0)?.length?.value == 0 }
    // What is enlarged or rotated is often placed by its center on purpose.
    let isEnlarged = transform.member("scale").map { ($0.length?.value ?? 2) > 1 } ?? false
    guard zero, !isEnlarged, transform.member("anchor") == nil, transform.member("rotation") == nil else { return nil }
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "x and y place the clip's center at the top left corner of the canvas: three quarters of it are outside.",
      cause: "Positions are those of the anchor, which is the center by default.",
      recoverySuggestion: "Write anchor: [0, 0] to place the clip's top left corner there.", path: path)
  }
}
