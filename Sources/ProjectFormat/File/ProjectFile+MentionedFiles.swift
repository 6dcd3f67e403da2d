import CompositorAPI
import CompositorMediaIO

extension ProjectFile {
  /// Every file that a string of the project may refer to, resolved as for reading: media, images, fonts, plugins, title
  /// templates and the files that these refer to, captions, tables. Except for templates, it isn't checked whether they exist
  /// or are files at all.
  ///
  /// - Parameter limit: Maximum number of paths. Since any string may be one, a long project has more than a program can watch.
  /// - Complexity: O(n) in the text of the project and its templates.
  package func mentionedFiles(limit: Int = .max) -> Set<String> {
    var found = MentionedFiles(limit: limit)
    found.gather(document, relativeTo: directory, depth: 0)
    return found.paths
  }
}

/// Collects strings that may be file names.
private struct MentionedFiles {
  private(set) var paths: Set<String> = []
  private let limit: Int
  /// Templates refer to images, but not to other templates.
  private static let maximumDepth = 2

  init(limit: Int) { self.limit = limit }

  mutating func gather(_ node: JSON5Node, relativeTo directory: String, depth: Int) {
    switch node.value {
    case .object(let members): for member in members { gather(member.value, relativeTo: directory, depth: depth) }
    case .array(let elements): for element in elements { gather(element, relativeTo: directory, depth: depth) }
    case .string(let text): add(text, relativeTo: directory, depth: depth)
    default: break
    }
  }

  private mutating func add(_ text: String, relativeTo directory: String, depth: Int) {
    guard !text.isEmpty, text.utf8.count <= 4096, !text.contains("\n"), !text.contains("\0"), paths.count < limit else {
      return
    }
    let path = text.hasPrefix("/") ? text : directory + text
    guard paths.insert(path).inserted, depth < Self.maximumDepth else { return }
    guard ProjectFile.isProject(text),
      let bytes = try? RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount),
      let source = try? SourceText(name: path, bytes: bytes), let document = try? JSON5Reader.read(source)
    else { return }
    gather(document, relativeTo: ProjectFile.directory(of: path), depth: depth + 1)
    // Names in a template are relative to the project that uses it.
    gather(document, relativeTo: directory, depth: depth + 1)
  }
}
