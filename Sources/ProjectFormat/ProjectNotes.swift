import CompositorAPI

/// What is noticed while a project is read, beside its values.
///
/// Warnings: what it says in a way that is still understood, but no longer written, each place once. Everything that is renamed in the
/// format reports its old name through ``ProjectValue/warn(_:recoverySuggestion:)``.
///
/// And on what its values depend: a project is read once, and again only if something in it depends on what the media or plugins say.
final class ProjectNotes {
  /// A time that counts frames was read.
  var countsFrames = false
  /// A length that is a part of the canvas was read.
  var measuresCanvas = false
  /// A compositor was named that isn't built in.
  var namesOtherCompositors = false
  /// A parameter names a file, which is looked at once the compositors are known.
  var namesFiles = false
  private var warnings: [Int: CompositorError] = [:]

  /// In the order of the text.
  var sorted: [CompositorError] { warnings.sorted { $0.key < $1.key }.map(\.value) }

  fileprivate func add(_ warning: CompositorError, atByte offset: Int) {
    warnings[offset] = warning
  }
}

extension ProjectValue {
  /// Adds a warning about this value, with its place.
  func warn(_ message: String, recoverySuggestion: String) {
    notes?.add(error(message, recoverySuggestion: recoverySuggestion), atByte: node.offset)
  }

  /// Adds a warning about a key that has another name now.
  func warn(ofOlderKey member: JSON5Member, for key: String) {
    let warning = text.error(
      "The key \(quoted(member.key)) is called \(quoted(key)) now.", recoverySuggestion: "Write \(key).",
      atByte: member.keyOffset,
      path: NodePath.key(path, member.key).description)
    notes?.add(warning, atByte: member.keyOffset)
  }

  /// Adds a warning if a value that was read from here is written otherwise now.
  func warn<T: SpelledValue>(ofOlderSpelling value: T) {
    var written = node.kind
    if case .string(let word) = node.value {
      guard T(spelling: word) == nil else { return }
      written = quoted(word)
    }
    warn(
      "\(written) is an older spelling of \(quoted(value.spelling)).", recoverySuggestion: "Write \(quoted(value.spelling)).")
  }
}
