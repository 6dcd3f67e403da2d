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
  /// Changes of the text that put the current spelling in place of an older one.
  private(set) var fixes: [Place: ProjectFix] = [:]
  /// What was probably meant where a word is not possible.
  private(set) var near: [Place: NearWord] = [:]

  /// A place in a text by its name: titles may be in files of their own.
  struct Place: Hashable {
    var text: String
    var offset: Int
  }

  /// A word that is near one that is not possible.
  struct NearWord {
    var word: String
    /// Whether it is a key rather than a value.
    var isKey: Bool
    var fix: ProjectFix
  }

  /// In the order of the text.
  var sorted: [CompositorError] { warnings.sorted { $0.key < $1.key }.map(\.value) }

  fileprivate func add(_ warning: CompositorError, atByte offset: Int) {
    warnings[offset] = warning
  }

  fileprivate func add(_ fix: ProjectFix, at place: Place) { fixes[place] = fix }
  fileprivate func add(_ word: NearWord, at place: Place) { near[place] = word }
}

extension ProjectValue {
  /// Adds a warning about this value, with its place.
  ///
  /// - Parameter current: The current spelling in JSON5, which is put in its place if the author wishes; `nil` if that takes more.
  func warn(_ message: String, recoverySuggestion: String, current: String? = nil) {
    notes?.add(error(message, recoverySuggestion: recoverySuggestion), atByte: node.offset)
    guard let current, let range = writtenRange else { return }
    notes?.add(
      ProjectFix("Write \(current)", isSafe: true, [TextEdit(range, current)]),
      at: ProjectNotes.Place(text: text.name, offset: node.offset))
  }

  /// Where this value is in the text; `nil` if variables made it.
  private var writtenRange: Range<Int>? { node.pattern == nil ? text.range(ofValueAt: node.offset) : nil }

  /// An error about a word that isn't possible here. The nearest one that is becomes a fix that its author has to ask for.
  func error(_ message: String, for word: String, among words: [String]) -> CompositorError {
    if let friend = FalseFriend.value(word, among: words) {
      if case .string = node.value { offer(friend) }
      return error(message, recoverySuggestion: "Did you mean \(quoted(friend))?")
    }
    if let near = suggestion(for: word, among: words), case .string = node.value { offer(near) }
    return error(message, recoverySuggestion: recoverySuggestion(for: word, among: words))
  }

  /// Notes the word that was probably meant here.
  func offer(_ word: String) {
    guard let range = writtenRange else { return }
    let fix = ProjectFix("Write \(quoted(word))", isSafe: false, [TextEdit(range, text.string(word, likeAt: node.offset))])
    notes?.add(
      ProjectNotes.NearWord(word: word, isKey: false, fix: fix),
      at: ProjectNotes.Place(text: text.name, offset: node.offset))
  }

  /// An error about a key of this object that isn't possible, with the nearest one that is as for ``error(_:for:among:)``.
  func error(_ message: String, ofKey member: JSON5Member, among keys: [String]) -> CompositorError {
    let friend = FalseFriend(of: member.key, among: keys)
    let meant = suggestion(for: member.key, among: keys) ?? friend?.key
    var isFree = true
    if case .object(let members) = node.value { isFree = !members.contains { $0.key == meant } }
    if let near = meant, isFree, let range = text.range(ofKeyAt: member.keyOffset) {
      let fix = ProjectFix(
        "Write \(near)", isSafe: false, [TextEdit(range, text.key(near, likeAt: member.keyOffset))])
      notes?.add(
        ProjectNotes.NearWord(word: near, isKey: true, fix: fix),
        at: ProjectNotes.Place(text: text.name, offset: member.keyOffset))
    }
    return text.error(
      message, recoverySuggestion: friend?.recoverySuggestion ?? recoverySuggestion(for: member.key, among: keys),
      atByte: member.keyOffset, path: NodePath.key(path, member.key).description)
  }

  /// Adds a warning about a key that has another name now.
  func warn(ofOlderKey member: JSON5Member, for key: String) {
    let warning = text.error(
      "The key \(quoted(member.key)) is called \(quoted(key)) now.", recoverySuggestion: "Write \(key).",
      atByte: member.keyOffset,
      path: NodePath.key(path, member.key).description)
    notes?.add(warning, atByte: member.keyOffset)
    guard let range = text.range(ofKeyAt: member.keyOffset) else { return }
    notes?.add(
      ProjectFix("Write \(key)", isSafe: true, [TextEdit(range, text.key(key, likeAt: member.keyOffset))]),
      at: ProjectNotes.Place(text: text.name, offset: member.keyOffset))
  }

  /// Adds a warning if a value that was read from here is written otherwise now.
  func warn<T: SpelledValue>(ofOlderSpelling value: T) {
    var written = node.kind
    if case .string(let word) = node.value {
      guard T(spelling: word) == nil else { return }
      written = quoted(word)
    }
    warn(
      "\(written) is an older spelling of \(quoted(value.spelling)).", recoverySuggestion: "Write \(quoted(value.spelling)).",
      current: text.string(value.spelling, likeAt: node.offset))
  }
}
