package import CompositorAPI
import CompositorHost
import CompositorTimeline

/// Reads a project and collects several mistakes at once, if they are independent of each other.
package enum ProjectMistakes {
  /// A mistake, and the change of the text that corrects it, if known.
  package typealias Mistake = (error: CompositorError, fix: ProjectFix?)

  /// The maximum number of mistakes to collect.
  package static let limit = 20

  /// Keys without which errors about the rest of the project are meaningless.
  private static let indispensable: Set<String> = [
    "version", "assets", "tracks", "clips", "name", "variables", "template",
  ]

  /// Reads a project's text.
  ///
  /// After a mistake it continues as if the key were absent, or as if the most similar value were written. It stops when
  /// further errors may be consequences of that.
  ///
  /// - Returns: The project, or all mistakes in text order, at least one.
  package static func read(
    _ text: SourceText, directory: String, variables: [String: String] = [:]
  ) -> Result<ProjectFile, MistakenProject> {
    var document: JSON5Node
    do {
      document = try ProjectVariables.fill(
        try JSON5Reader.read(text), text, directory: directory, set: variables, ignoringUnused: false)
    } catch {
      return .failure(MistakenProject(mistakes: [(error, text.insertingComma(before: error))], first: error))
    }
    var mistakes: [(offset: Int, mistake: Mistake)] = []
    var dropped: [DocumentPath] = []
    while mistakes.count < limit {
      let notes = ProjectNotes()
      do throws(CompositorError) {
        let file = try ProjectFile(
          text, document: document, directory: directory, variables: variables, notes: notes)
        if mistakes.isEmpty { return .success(file) }
        break
      } catch {
        let offset = text.offset(of: error) ?? 0
        let path = DocumentPath(error.location.path ?? "")
        let isNew = !mistakes.contains { $0.offset == offset } && !dropped.contains { follows(path, from: $0) }
        guard isNew || mistakes.isEmpty else { break }
        let near = notes.near[ProjectNotes.Place(text: text.name, offset: offset)]
        let isHere = text.isPlace(of: error)
        let fix =
          near?.fix
          ?? (isHere
            ? LiteralFixes(text: text, document: document).fix(error.advice?.literal, at: path.description) : nil)
        mistakes.append((offset, (error, fix)))
        guard isHere, let repaired = document.mended(at: path, near, indispensable, &dropped) else { break }
        document = repaired
      }
    }
    let sorted = mistakes.sorted { $0.offset < $1.offset }.map(\.mistake)
    return .failure(MistakenProject(mistakes: sorted, first: mistakes.first?.mistake.error))
  }

  /// Whether a mistake at a path may be a consequence of omitting a key.
  private static func follows(_ path: DocumentPath, from dropped: DocumentPath) -> Bool {
    dropped.starts(with: path) || path.starts(with: dropped)
  }
}

/// The mistakes in a project that cannot be read.
package struct MistakenProject: Error {
  /// The mistakes in text order, at least one.
  package var mistakes: [ProjectMistakes.Mistake]
  /// The mistake that was found first. Others may be consequences of it.
  package var first: CompositorError?
}

extension SourceText {
  /// The byte that an error refers to; `nil` if it isn't located in this text.
  package func offset(of error: CompositorError) -> Int? {
    guard let place = error.location.document, place.file == name, let column = place.column else { return nil }
    return offset(of: TextPosition(line: place.line, column: column))
  }

  /// Whether an error is located in this text.
  func isPlace(of error: CompositorError) -> Bool { error.location.document?.file == name }
}

extension JSON5Node {
  /// The document with the mistake at a path replaced by the most similar value, or removed.
  ///
  /// - Returns: `nil` if nothing else can be read without it.
  fileprivate func mended(
    at path: DocumentPath, _ near: ProjectNotes.NearWord?, _ indispensable: Set<String>, _ dropped: inout [DocumentPath]
  ) -> JSON5Node? {
    let steps = path.steps
    guard !steps.isEmpty else { return nil }
    if let near { return replacing(steps[...]) { near.isKey ? .renamed(near.word) : .word(near.word) } }
    // An element of a list is removed with the whole list, because the other elements' indices would change.
    guard let last = steps.indices.last(where: { path.key(at: $0) != nil }), let key = path.key(at: last) else { return nil }
    let isAsset = path.key(at: 0) == "assets" && last == 1
    guard !indispensable.contains(key), !isAsset else { return nil }
    dropped.append(DocumentPath(steps[...last]))
    return replacing(steps[...last]) { .nothing }
  }

  private enum Repair { case nothing, renamed(String), word(String) }

  private func replacing(_ steps: ArraySlice<DocumentPath.Step>, _ repair: () -> Repair) -> JSON5Node? {
    guard let step = steps.first else {
      guard case .word(let word) = repair() else { return nil }
      var node = self
      node.value = .string(word)
      return node
    }
    var node = self
    let name: String
    switch step {
    case .key(let key): name = key
    case .index(let index):
      guard case .array(var elements) = value, elements.indices.contains(index),
        let inner = elements[index].replacing(steps.dropFirst(), repair)
      else { return nil }
      elements[index] = inner
      node.value = .array(elements)
      return node
    }
    guard case .object(var members) = value, let index = members.firstIndex(where: { $0.key == name }) else { return nil }
    if steps.count == 1, case .nothing = repair() {
      members.remove(at: index)
    } else if steps.count == 1, case .renamed(let key) = repair() {
      guard !members.contains(where: { $0.key == key }) else { return nil }
      members[index].key = key
    } else {
      guard let inner = members[index].value.replacing(steps.dropFirst(), repair) else { return nil }
      members[index].value = inner
    }
    node.value = .object(members)
    return node
  }
}
