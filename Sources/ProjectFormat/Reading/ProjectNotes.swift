import CompositorAPI
import CompositorPlugins

/// Collects observations while a project is read.
///
/// It records the dependencies of values: a project is read again only if something in it depends on media or plugins.
final class ProjectNotes {
  /// Whether a time in frames was read.
  var countsFrames = false
  /// Whether a length relative to the canvas was read.
  var measuresCanvas = false
  /// The compositors and audio processors that were named and aren't built in.
  private(set) var pluginIDs: Set<CompositorID> = []
  /// Whether a parameter refers to a file, which is checked once the compositors are known.
  var namesFiles = false
  /// The probable intention of invalid strings.
  private(set) var near: [Place: NearWord] = [:]

  /// A location in a text with a name, because titles may be in separate files.
  struct Place: Hashable {
    var text: String
    var offset: Int
  }

  /// A valid string that is similar to an invalid one.
  struct NearWord {
    var word: String
    /// Whether it is a key rather than a value.
    var isKey: Bool
    var fix: ProjectFix
  }

  fileprivate func add(_ word: NearWord, at place: Place) { near[place] = word }

  /// Notes a compositor, unless it is built in.
  func use(_ id: CompositorID) {
    if CompositorRegistry.builtIn[id] == nil { pluginIDs.insert(id) }
  }

  /// Notes an audio processor, unless it is built in.
  func use(_ id: AudioProcessorID) {
    if CompositorRegistry.builtIn.audioProcessor(id) == nil { pluginIDs.insert(CompositorID(rawValue: id.rawValue)) }
  }
}

extension ProjectValue {
  /// The range of this value in the text; `nil` if variables determine it.
  private var writtenRange: Range<Int>? { node.isLiteral ? text.range(ofValueAt: node.offset) : nil }

  /// The error for an invalid string. The valid one of which it is a misspelling becomes a fix that
  /// requires confirmation.
  func error(_ message: String, for word: String, among words: [String]) -> CompositorError {
    let friends = FalseFriend.values(word, among: words)
    guard friends.isEmpty else {
      if friends.count == 1, case .string = node.value { offer(friends[0]) }
      return error(message, recoverySuggestion: "Did you mean \(alternatives(friends.map(quoted)))?")
    }
    if let near = suggestion(for: word, among: words), isMisspelling(word, of: near), case .string = node.value { offer(near) }
    let related = relatedNames(to: word, among: words)
    if related.count == 1, related[0].lowercased().hasSuffix("." + word.lowercased()), case .string = node.value {
      offer(related[0])
    }
    return error(message, recoverySuggestion: recoverySuggestion(for: word, among: words))
  }

  /// Records the string that was probably intended here.
  func offer(_ word: String) {
    guard let range = writtenRange else { return }
    let fix = ProjectFix("Write \(quoted(word))", isSafe: false, [TextEdit(range, text.string(word, likeAt: node.offset))])
    notes?.add(
      ProjectNotes.NearWord(word: word, isKey: false, fix: fix),
      at: ProjectNotes.Place(text: text.name, offset: node.offset))
  }

  /// The error for an invalid key of this object, with the valid one that is meant as for ``error(_:for:among:)``.
  ///
  /// A key whose values are of another kind is named, but not written.
  ///
  /// - Parameters:
  ///   - shape: The object's shape, which decides what other programs and other objects call its keys.
  ///   - keys: The valid keys; `nil` for those of the shape.
  func error(
    _ message: String, ofKey member: JSON5Member, in shape: ObjectShape, among keys: [String]? = nil
  ) -> CompositorError {
    let keys = keys ?? shape.keys.map(\.key)
    let friend = FalseFriend(of: member.key, in: shape, among: keys)
    // A key of another meaning is not a misspelling, however similar.
    let near = suggestion(for: member.key, among: keys)
    let meant = friend == nil ? near.flatMap { isMisspelling(member.key, of: $0) ? $0 : nil } : friend?.key
    var isFree = true
    var displaced: String?
    if case .object(let members) = node.value {
      isFree = !members.contains { $0.key == meant }
      if near == nil {
        displaced = DisplacedPart.advice(on: member, beside: members, in: shape)
      }
    }
    let fits = shape.keys.first { $0.key == meant }.map { $0.value.mayHold(member.value) } ?? true
    let isRule = ElementRule.isKey(member.key)
    if isRule { displaced = "Only elements of a list are repeated or conditional." }
    if let meant, isFree, fits, !isRule, !member.value.isElsewhere, let range = text.range(ofKeyAt: member.keyOffset) {
      let fix = ProjectFix(
        "Write \(meant)", isSafe: false, [TextEdit(range, text.key(meant, likeAt: member.keyOffset))])
      notes?.add(
        ProjectNotes.NearWord(word: meant, isKey: true, fix: fix),
        at: ProjectNotes.Place(text: text.name, offset: member.keyOffset))
    }
    return text.error(
      message.ending(with: node.variableOrigin ?? ""),
      recoverySuggestion: displaced ?? friend?.recoverySuggestion ?? recoverySuggestion(for: member.key, among: keys),
      atByte: member.keyOffset, path: NodePath.key(path, member.key).description)
  }
}

extension ValueShape {
  /// Whether a written value may be one of this shape, by its kind alone. Strings may hold variables of any kind.
  fileprivate func mayHold(_ node: JSON5Node) -> Bool {
    switch (self, node.value) {
    case (.any(let shapes), _): shapes.contains { $0.mayHold(node) }
    case (_, .string), (.animationValue, _), (.parameter, _): !isComposed
    case (.bool, let value): if case .bool = value { true } else { false }
    case (.null, let value): if case .null = value { true } else { false }
    case (.list, let value), (.tuple, let value): if case .array = value { true } else { false }
    case (.map, let value), (.object, let value): if case .object = value { true } else { false }
    case (.color, _): true
    case (.text, let value), (.string, let value), (.choice, let value), (.size, let value):
      // Numbers are read as strings in some places.
      if case .number = value { true } else { false }
    default: if case .number = node.value { true } else { false }
    }
  }

  /// Whether its values are lists or objects.
  private var isComposed: Bool {
    switch self {
    case .list, .tuple, .map, .object: true
    default: false
    }
  }
}
