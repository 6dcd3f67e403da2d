package import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorTimeline
import Foundation

/// Paths of other programs and systems.
private enum MissingMedia {
  /// What to write instead of a path that a shell or Windows understands; `nil` for other paths.
  static func advice(onWritten value: JSON5Node.Value?) -> String? {
    guard case .string(let path) = value else { return nil }
    if path.hasPrefix("~") { return "~ is for shells: write the whole path, such as \"/home/ada/clip.mp4\"." }
    guard path.wholeMatch(of: /[A-Za-z]:[^\/].*/) != nil else { return nil }
    return "A backslash starts an escape in JSON5: write \"/\" or \"\\\\\" between the folders."
  }
}

extension ProjectFile {
  /// All missing files that clips use, each located at its asset.
  ///
  /// - Complexity: One file system lookup for each asset, and one directory listing for each missing one.
  package var missingMedia: [(error: CompositorError, fix: ProjectFix?)] {
    guard !isMadeUp else { return [] }
    let shown = Set(draft.tracks.flatMap(\.clips).map(\.source))
    let named = assets.compactMap { name, source -> (path: String, place: String)? in
      guard case .file(let path) = source, shown.contains(source), !FileManager.default.fileExists(atPath: path) else {
        return nil
      }
      return (path, document.existing(path: "assets.\(name).file"))
    }
    return named.sorted { (document.offset(ofPath: $0.place) ?? 0) < (document.offset(ofPath: $1.place) ?? 0) }
      .map { missing($0.path, namedAt: $0.place) }
  }

  private func missing(_ path: String, namedAt place: String) -> (error: CompositorError, fix: ProjectFix?) {
    let (folder, name) = (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "", path.split(separator: "/").last ?? "")
    let others = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let near = suggestion(for: String(name), among: others.sorted())
    let advice =
      MissingMedia.advice(onWritten: document.node(atPath: place)?.value)
      ?? near.map { "Did you mean \(quoted(folder + $0))?" }
      ?? (others.isEmpty ? "Check the path: there is no such folder, or nothing is in it." : "Check the path.")
    let error = locating(
      CompositorError(
        .fileNotFound, "There is no file \(quoted(path)).", recoverySuggestion: advice, at: ErrorLocation(path: place)))
    return (error, near.flatMap { fix(naming: $0, at: place) })
  }

  /// A fix that replaces a name by that of another file in the same folder.
  private func fix(naming name: String, at place: String) -> ProjectFix? {
    guard let node = document.node(atPath: place), node.pattern == nil, case .string(let written) = node.value,
      let range = text.range(ofValueAt: node.offset)
    else { return nil }
    let meant = (written.lastIndex(of: "/").map { String(written[...$0]) } ?? "") + name
    return ProjectFix(
      "Write \(quoted(meant))", isSafe: false, [TextEdit(range, text.string(meant, likeAt: node.offset))])
  }
}
