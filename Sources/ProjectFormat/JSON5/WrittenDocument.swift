import CompositorAPI
import Synchronization

/// The document of a project's source text, which is either kept or parsed again when needed.
///
/// After its timeline is read, a project with 100,000 instructions needs its document (50 MB) only to locate mistakes.
final class WrittenDocument: Sendable {
  private let text: SourceText
  private let directory: String
  private let variables: [String: String]
  private let kept: Mutex<JSON5Node?>

  /// - Parameters:
  ///   - text: Source text without mistakes.
  ///   - directory: The directory of the project: empty, or ending in a slash.
  ///   - variables: The values of the variables.
  ///   - document: The parsed document, to keep it; `nil` to parse it again when needed.
  init(_ text: SourceText, directory: String, variables: [String: String], document: JSON5Node?) {
    self.text = text
    self.directory = directory
    self.variables = variables
    kept = Mutex(document)
  }

  /// The document, which is kept after the first call. O(n) for the first call, then O(1).
  var document: JSON5Node {
    kept.withLock { kept in
      if let kept { return kept }
      let document = read()
      kept = document
      return document
    }
  }

  private func read() -> JSON5Node {
    do {
      return try ProjectVariables.fill(
        try JSON5Reader.read(text), text, directory: directory, set: variables, ignoringUnused: true)
    } catch {
      preconditionFailure("a text that was read cannot be read again: \(error.message)")
    }
  }
}
