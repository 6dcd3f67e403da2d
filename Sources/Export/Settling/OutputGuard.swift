package import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorValidation

/// Checks that an output may be written, before anything is done.
package enum OutputGuard {
  /// - Throws: `.outputIsInput` if an output file is one of the sources, under any name, even if overwriting; `.outputExists`
  ///   if it exists and must not be overwritten; `.writeFailed` if there is no such folder.
  package static func check(_ files: [String], sources: some Sequence<MediaSource>, overwrites: Bool) throws(CompositorError) {
    try check(files, inputs: sources.flatMap(paths), overwrites: overwrites)
  }

  /// The same for the media of a composition, and for the files that it names.
  static func check(_ files: [String], of composition: ValidatedComposition, overwrites: Bool) throws(CompositorError) {
    try check(
      files, inputs: composition.media.keys.flatMap(paths) + composition.catalog.namedFiles.sorted(), overwrites: overwrites)
  }

  /// The output files that sources read, under any name, each with the name of the input; none of files that do not exist.
  package static func inputs(
    among files: [String], sources: some Sequence<MediaSource>
  ) -> [(output: String, input: String)] {
    inputs(among: files, sources.flatMap(paths))
  }

  private static func inputs(among files: [String], _ inputs: [String]) -> [(output: String, input: String)] {
    let outputs = Dictionary(
      files.compactMap { path in FileIdentity(path: path).map { ($0, path) } }, uniquingKeysWith: { first, _ in first })
    guard !outputs.isEmpty else { return [] }
    return inputs.compactMap { input in FileIdentity(path: input).flatMap { outputs[$0] }.map { ($0, input) } }
  }

  private static func check(_ files: [String], inputs: [String], overwrites: Bool) throws(CompositorError) {
    if let (file, input) = self.inputs(among: files, inputs).first {
      throw CompositorError(
        .outputIsInput, "The output is the input \(input).", recoverySuggestion: "Choose another name.",
        at: ErrorLocation(file: file))
    }
    if let file = files.first { try checkFolder(FileName.folder(of: file), file: file) }
    for file in files {
      switch FileKind(path: file, followsLinks: false) {
      case .missing: continue
      case .folder:
        throw CompositorError(
          .writeFailed, "The output is a folder.", recoverySuggestion: "Name a file in it.", at: ErrorLocation(file: file))
      case .regular, .other:
        try checkReplacing(file, overwrites: overwrites)
      }
    }
  }

  private static func checkReplacing(_ file: String, overwrites: Bool) throws(CompositorError) {
    guard overwrites else {
      throw CompositorError(
        .outputExists, "The output exists already.",
        advice: "Choose another name, or give \(setting: .overwrites).",
        at: ErrorLocation(file: file))
    }
    guard FileKind(path: file, followsLinks: true) != .other else {
      throw CompositorError(
        .writeFailed, "The output is not a regular file.", recoverySuggestion: "Choose another name.",
        at: ErrorLocation(file: file))
    }
  }

  private static func checkFolder(_ folder: String, file: String) throws(CompositorError) {
    guard FileKind(path: folder, followsLinks: true) == .folder else {
      throw CompositorError(
        .writeFailed, "There is no folder \(folder).",
        recoverySuggestion: PathAdvice.advice(onMissing: file) ?? "Create it first.", at: ErrorLocation(file: file))
    }
  }

  /// The files that a source reads.
  private static func paths(of source: MediaSource) -> [String] {
    switch source {
    case .file(let path): return [path]
    case .imageSequence(let pattern, let first, _, _):
      let files = NumberedName(pattern).flatMap {
        try? NumberedFiles($0, first: first, missing: .skip, description: pattern)
      }
      return files?.paths ?? [pattern]
    case .generated, .custom: return []
    }
  }
}

import CompositorPlatform

/// Identifies the file at a path, however the path is spelled: symbolic and hard links to one file are equal.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  /// `nil` if there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// The kind of a directory entry.
enum FileKind {
  case missing
  case regular
  case folder
  case other

  /// - Parameter followsLinks: Whether a symbolic link is resolved.
  init(path: String, followsLinks: Bool) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      self = .missing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}

/// The system's message for a failed call.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
