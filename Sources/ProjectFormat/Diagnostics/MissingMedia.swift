package import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorTimeline
import Foundation

extension ProjectFile {
  /// All missing files that clips and masks use, each located at its asset.
  ///
  /// - Complexity: One file system lookup for each asset, and one directory listing for each missing one.
  package var missingMedia: [(error: CompositorError, fix: ProjectFix?)] {
    let shown = Set(draft.tracks.flatMap(\.clips).map(\.source) + draft.masks.map(\.source))
    return missing(where: shown.contains)
  }

  /// The missing files of assets that nothing uses: they prevent nothing, but may be what should be shown.
  package var unusedMissingMedia: [(error: CompositorError, fix: ProjectFix?)] {
    let used = Set(draft.tracks.flatMap(\.clips).map(\.source)).union(draft.masks.map(\.source)).union(draft.images.values)
    return missing { !used.contains($0) }
  }

  private func missing(where isMeant: (MediaSource) -> Bool) -> [(error: CompositorError, fix: ProjectFix?)] {
    guard origin == .project else { return [] }
    let named = assets.compactMap { name, source -> (path: String, place: String)? in
      guard case .file(let path) = source, isMeant(source), !FileManager.default.fileExists(atPath: path) else {
        return nil
      }
      return (path, document.existing(path: "assets.\(name).file"))
    }
    return named.sorted { (document.offset(ofPath: $0.place) ?? 0) < (document.offset(ofPath: $1.place) ?? 0) }
      .map { missing($0.path, namedAt: $0.place) }
  }

  /// A copy of the error with advice on its path, if it is that of an asset's missing file.
  func advising(_ error: CompositorError) -> CompositorError {
    guard error.code == .fileNotFound, origin == .project, let path = error.location.file,
      let name = assets.filter({ $0.value == .file(path: path) }).map(\.key).min()
    else { return error }
    return CompositorError(
      error.code, error.message,
      recoverySuggestion: advice(on: path, namedAt: document.existing(path: "assets.\(name).file")).text,
      cause: error.cause, at: error.location, systemErrorNumber: error.systemErrorNumber)
  }

  private func missing(_ path: String, namedAt place: String) -> (error: CompositorError, fix: ProjectFix?) {
    let (advice, near) = advice(on: path, namedAt: place)
    let error = locating(
      CompositorError(
        .fileNotFound, "There is no file \(quoted(path)).", recoverySuggestion: advice, at: ErrorLocation(path: place)))
    return (error, near.flatMap { fix(naming: $0, at: place) })
  }

  /// What to do about a missing file, and the name of a file in the same folder that may be meant.
  private func advice(on path: String, namedAt place: String) -> (text: String, near: String?) {
    if path.contains("%"), NumberedName(path) != nil {
      return (asWritten("Numbered images are written as { images: \(quoted(path)), frameRate: 25 }."), nil)
    }
    let (folder, near) = (String(FileName.prefix(of: path)), PathAdvice.neighbor(ofMissing: path))
    var isEmpty: Bool {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))?.isEmpty ?? true
    }
    let advice =
      PathAdvice.advice(onMissing: path) ?? adviceOnBackslashes(writtenAt: place)
      ?? near.map { "Did you mean \(quoted(folder + $0))?" }
      ?? (isEmpty ? "Check the path: there is no such folder, or nothing is in it." : "Check the path.")
    return (asWritten(advice), near)
  }

  /// Advice with the paths that it quotes relative to the project, as they are written in it.
  private func asWritten(_ advice: String) -> String {
    directory.isEmpty ? advice : advice.replacing("\"\(directory)", with: "\"")
  }

  /// Advice on a path written with single backslashes, which JSON5 has read as escapes: `'clips\a.mp4'` is `clipsa.mp4`.
  private func adviceOnBackslashes(writtenAt place: String) -> String? {
    guard let node = document.node(atPath: place), node.isWritten, case .string = node.value,
      let range = text.range(ofValueAt: node.offset)
    else { return nil }
    let written = String(decoding: text.bytes[range], as: UTF8.self).dropFirst().dropLast()
    guard written.contains("\\"), !written.contains("\\\\") else { return nil }
    let advice = PathAdvice.advice(onMissing: directory + written)
    return "A backslash starts an escape in JSON5.\(advice.map { " " + asWritten($0) } ?? "")"
  }

  /// A fix that replaces a name by that of another file in the same folder.
  private func fix(naming name: String, at place: String) -> ProjectFix? {
    guard let node = document.node(atPath: place), node.isWritten, case .string(let written) = node.value,
      let range = text.range(ofValueAt: node.offset)
    else { return nil }
    let meant = String(FileName.prefix(of: written)) + name
    return ProjectFix(
      "Write \(quoted(meant))", isSafe: false, [TextEdit(range, text.string(meant, likeAt: node.offset))])
  }
}
