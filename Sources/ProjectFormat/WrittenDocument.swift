import CompositorAPI
import Synchronization

/// The document of a project's text: kept, or read again if somebody asks for it.
///
/// Once its timeline is read, a project of 100,000 instructions needs its document, 50 MB, for the places of mistakes alone.
final class WrittenDocument: Sendable {
  private let text: SourceText
  private let variables: [String: String]
  private let kept: Mutex<JSON5Node?>

  /// - Parameters:
  ///   - text: A text that was read without a mistake.
  ///   - variables: The values that were set.
  ///   - document: What was read, if it is to be kept.
  init(_ text: SourceText, variables: [String: String], document: JSON5Node?) {
    self.text = text
    self.variables = variables
    kept = Mutex(document)
  }

  /// The document; kept from the first call on. O(n) then, O(1) later.
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
      return try ProjectVariables.fill(try JSON5Reader.read(text), text, set: variables, ignoringUnused: true)
    } catch {
      preconditionFailure("a text that was read cannot be read again: \(error.message)")
    }
  }
}
