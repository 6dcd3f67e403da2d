/// A key path in an edit or a project, such as `tracks[0].clips[2].in`, taken apart into its steps.
///
/// ``ErrorLocation/path`` and the paths of diagnostics are such paths as text. Decisions by a part of one read it as a
/// `DocumentPath`.
package struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
  /// A step from an object or a list to a value in it.
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The steps from the root of the document.
  package var steps: [Step]

  /// Creates a path from its steps.
  package init(_ steps: some Sequence<Step>) { self.steps = Array(steps) }

  /// Takes a path apart. Brackets without a number are part of a key.
  package init(_ text: some StringProtocol) {
    steps = []
    for part in text.split(separator: ".") {
      var name = part[...]
      var indices: [Step] = []
      while name.last == "]", let open = name.lastIndex(of: "["),
        let index = Int(name[name.index(after: open)...].dropLast()), index >= 0
      {
        indices.append(.index(index))
        name = name[..<open]
      }
      if !name.isEmpty { steps.append(.key(String(name))) }
      steps += indices.reversed()
    }
  }

  package var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  /// The key at a step; `nil` if there is no such step or if it is an index.
  package func key(at place: Int) -> String? {
    guard steps.indices.contains(place), case .key(let key) = steps[place] else { return nil }
    return key
  }

  /// The index after a key: 2 for `clips` at step 2 of `tracks[0].clips[2].in`; `nil` if another key, or no index, is there.
  package func index(of key: String, at place: Int) -> Int? {
    guard self.key(at: place) == key, steps.indices.contains(place + 1), case .index(let index) = steps[place + 1] else {
      return nil
    }
    return index
  }

  /// Whether a key is one of the steps.
  package func contains(key: String) -> Bool { steps.contains(.key(key)) }

  /// Whether the path leads to what another leads to, or into it.
  package func starts(with other: DocumentPath) -> Bool { steps.starts(with: other.steps) }

  /// The rest of the path after some steps.
  package func dropFirst(_ count: Int) -> DocumentPath { DocumentPath(steps.dropFirst(count)) }

  /// The path with others behind it.
  package static func + (path: DocumentPath, rest: DocumentPath) -> DocumentPath { DocumentPath(path.steps + rest.steps) }
}
