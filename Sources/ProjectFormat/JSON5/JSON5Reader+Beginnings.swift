import CompositorAPI

/// Texts that are no JSON5 from their beginning.
extension JSON5Reader {
  /// The smallest project, for messages.
  private static let smallest = "{ version: 1, assets: { a: \"movie.mp4\" }, tracks: [{ clips: [{ asset: \"a\" }] }] }"

  /// The error for a file with neither a value nor anything else but space and comments.
  var empty: CompositorError {
    error(
      bytes.isEmpty ? "The file is empty." : "The file has only space or comments.",
      recoverySuggestion: "Write a project, such as \(Self.smallest).", at: offset)
  }

  /// The error for a text that begins as YAML and TOML do.
  func notJSON5(_ beginning: String) -> CompositorError {
    error(
      "The text begins with \(quoted(beginning)), as YAML or TOML does; a project is JSON5.",
      recoverySuggestion:
        "Write it in braces, with quotes around text, such as \(Self.smallest), or convert it: yq -o=json FILE > project.json.",
      at: 0)
  }
}
