import CompositorAPI
import CompositorMediaIO

extension ProjectFile {
  /// Every file that a string of the project may name, as it is resolved when the project is read: media, images, fonts, plugins, templates of
  /// titles and what these name, captions, tables. Which of them are there, or are files at all, is not asked, but for templates.
  ///
  /// - Complexity: O(n) in the project's text, and its templates' as far as they are files.
  package var mentionedFiles: Set<String> {
    var found = MentionedFiles()
    found.gather(document, relativeTo: directory, depth: 0)
    return found.paths
  }
}

/// Gathers names that may be files.
private struct MentionedFiles {
  private(set) var paths: Set<String> = []
  /// A project of generated names must not make a preview look at the whole disk.
  private static let limit = 4096
  /// Templates name images, not further templates.
  private static let maximumDepth = 2

  mutating func gather(_ node: JSON5Node, relativeTo directory: String, depth: Int) {
    switch node.value {
    case .object(let members): for member in members { gather(member.value, relativeTo: directory, depth: depth) }
    case .array(let elements): for element in elements { gather(element, relativeTo: directory, depth: depth) }
    case .string(let text): add(text, relativeTo: directory, depth: depth)
    default: break
    }
  }

  private mutating func add(_ text: String, relativeTo directory: String, depth: Int) {
    guard !text.isEmpty, text.utf8.count <= 4096, !text.contains("\n"), !text.contains("\0"), paths.count < Self.limit else {
      return
    }
    let path = text.hasPrefix("/") ? text : directory + text
    guard paths.insert(path).inserted, depth < Self.maximumDepth else { return }
    let name = text.lowercased()
    guard name.hasSuffix(".json5") || name.hasSuffix(".json"),
      let bytes = try? RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount),
      let source = try? SourceText(name: path, bytes: bytes), let document = try? JSON5Reader.read(source)
    else { return }
    gather(document, relativeTo: path.lastIndex(of: "/").map { String(path[...$0]) } ?? "", depth: depth + 1)
    // Names in a template are relative to the project that uses it.
    gather(document, relativeTo: directory, depth: depth + 1)
  }
}
