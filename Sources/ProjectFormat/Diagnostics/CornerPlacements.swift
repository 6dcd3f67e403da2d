import CompositorAPI

/// Clips whose center is placed at a corner of the canvas, so that three quarters of them are outside: usually their corner
/// is meant, as in programs that place corners. The edit doesn't tell this from a place that was computed, so the text is checked.
struct CornerPlacements {
  private let document: JSON5Node
  /// `nil` if it depends on media: corners are then known by percentages only.
  private let canvas: PixelSize?

  init(_ document: JSON5Node, canvas: PixelSize?) { (self.document, self.canvas) = (document, canvas) }

  /// A warning for each such clip.
  func diagnostics() -> [ValidationDiagnostic] {
    (document.member("tracks")?.elements ?? []).enumerated().flatMap { track, node in
      (node.member("clips")?.elements ?? []).enumerated().compactMap { index, clip in
        clip.member("transform").flatMap { found(in: $0, path: "tracks[\(track)].clips[\(index)].transform") }
      }
    }
  }

  private func found(in transform: JSON5Node, path: String) -> ValidationDiagnostic? {
    guard let across = end(transform.member("x"), of: canvas?.width), let down = end(transform.member("y"), of: canvas?.height)
    else { return nil }
    // What is enlarged or rotated is often placed by its center on purpose.
    let isEnlarged = transform.member("scale").map { ($0.length?.value ?? 2) > 1 } ?? false
    guard !isEnlarged, transform.member("anchor") == nil, transform.member("rotation") == nil else { return nil }
    let corner = "\(down == 0 ? "top" : "bottom") \(across == 0 ? "left" : "right")"
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "x and y place the clip's center at the \(corner) corner of the canvas: three quarters of it are outside.",
      cause: "Positions are those of the anchor, which is the center by default.",
      recoverySuggestion: "Write anchor: [\(across), \(down)] to place the clip's \(corner) corner there.", path: path)
  }

  /// The end of a side of the canvas at which a length is: 0 or 1; `nil` for another place.
  private func end(_ node: JSON5Node?, of side: Int?) -> Int? {
    guard let length = node?.length else { return nil }
    if length.value == 0 { return 0 }
    return length.unit == "%" ? (length.value == 100 ? 1 : nil) : side.map { Double($0) } == length.value ? 1 : nil
  }
}
