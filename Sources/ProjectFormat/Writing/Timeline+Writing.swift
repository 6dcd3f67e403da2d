public import CompositorAPI
import CompositorMediaIO
import CompositorPlatform
public import CompositorTimeline

/// Timelines as project files.
extension Timeline {
  /// Writes the timeline as a project file, which ``init(contentsOf:variables:)`` reads back equal.
  ///
  /// ```swift
  /// try movie.write(to: "cut.json5")
  /// let copy = try Timeline(contentsOf: "cut.json5")
  /// ```
  ///
  /// Times, ratios and colors are written exactly. Floating-point numbers that differ from a short number by what arithmetic rounds are
  /// read as that number. Files in the project's folder are named relative to it, others by their absolute paths. Images that no title
  /// shows aren't written. How a movie is encoded isn't part of a timeline: the project has the default encoding.
  ///
  /// - Parameters:
  ///   - path: The path of the project, which should end in `.json5` or `.json`. The file is JSON in either case.
  ///   - overwriting: Whether an existing file is replaced, atomically. By default it is an error if the file exists.
  /// - Throws: `.invalidValue`, located at what no project can hold (`tracks[0].clips[2].transition`): media that a program provides,
  ///   captions without a file, and values outside the ranges of projects; `.outputExists`, `.writeFailed`.
  public func write(to path: String, overwriting: Bool = false) throws(CompositorError) {
    let text = try projectText(inFolder: ProjectFile.directory(of: path))
    let bytes = Array(text.utf8)
    guard overwriting else { return try TextFileRewriting.create(path, bytes) }
    let old: [UInt8]
    do throws(CompositorError) {
      old = try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount)
    } catch {
      guard error.code == .fileNotFound else { throw error }
      return try TextFileRewriting.create(path, bytes)
    }
    _ = try TextFileRewriting.replace(path, holding: old, by: bytes)
  }

  /// The timeline as the text of a project whose paths are relative to the current directory.
  ///
  /// - Throws: `.invalidValue`, located at what no project can hold.
  public func projectText() throws(CompositorError) -> String { try projectText(inFolder: "") }

  /// Reads the timeline of a project file. Paths in it are relative to its folder.
  ///
  /// What the project says about encoding and metadata isn't part of a timeline; use ``ProjectFile`` for a whole project, and for one whose
  /// assets are titles.
  ///
  /// - Parameter variables: Values for `${name}` in the project's strings.
  /// - Throws: The errors of `ProjectFile.init(contentsOf:variables:ignoringUnused:)`; `.invalidProject` if times are in frames or
  ///   lengths in percent of a canvas that the media determines.
  public init(contentsOf path: String, variables: [String: String] = [:]) throws(CompositorError) {
    try self.init(of: try ProjectFile(contentsOf: path, variables: variables))
  }

  /// The timeline of a project.
  package init(of project: ProjectFile) throws(CompositorError) {
    guard !project.awaitsMedia else {
      throw CompositorError(
        .invalidProject, "The project has times in frames, or lengths relative to the canvas, that its media determine.",
        recoverySuggestion: "Write the output's size and frameRate, or use ProjectFile.timeline(catalog:).",
        at: ErrorLocation(file: project.text.name))
    }
    self = try project.draft.withoutIdleValues()
  }

  private func projectText(inFolder folder: String) throws(CompositorError) -> String {
    let written = try ProjectWriter(self).document()
    try check(written)
    let names = ProjectPaths(folder: folder)
    return try ProjectWriter(self, path: names.written).document().json() + "\n"
  }

  /// Checks that a document is read as this timeline, so that nothing is lost.
  private func check(_ document: JSON5Node) throws(CompositorError) {
    let read: Timeline
    do throws(CompositorError) {
      read = try Timeline(of: try ProjectFile(document.json()))
    } catch {
      throw CompositorError(
        .invalidValue, "A project file cannot hold this timeline. \(error.message)", advice: error.advice,
        at: ErrorLocation(path: error.location.path))
    }
    let original = try withoutIdleValues()
    guard read != original, let path = TimelineDifference.path(from: original, to: read) else { return }
    throw ProjectWriter.unsupported("this value of \(path.isEmpty ? "the timeline" : path)", at: path)
  }

  /// The timeline without values that mean nothing: images that no title shows, settings of media that are default, and the audio of
  /// still frames.
  func withoutIdleValues() throws(CompositorError) -> Timeline {
    var timeline = self
    let shown = images.isEmpty ? [] : WrittenLayers.assetNames(in: Array(try WrittenLayers.trees(of: self).values))
    timeline.images = images.filter { shown.contains($0.key) }
    timeline.deinterlacing = deinterlacing.filter { $0.value != .off }
    timeline.sourceColors = sourceColors.filter { $0.value != SourceColor() }
    // A project says so by leaving out the size.
    timeline.output.roundsCanvas = false
    for track in tracks.indices {
      for clip in tracks[track].clips.indices where tracks[track].clips[clip].speed.isStill {
        timeline.tracks[track].clips[clip].audio = .unused
      }
    }
    return timeline
  }
}

/// How a project names files.
struct ProjectPaths {
  /// The project's folder: empty, or ending in a slash.
  let folder: String

  /// The path relative to the project's folder if the file is in it, otherwise the absolute path. A URL is left unchanged.
  func written(_ path: String) -> String {
    if !folder.isEmpty, path.hasPrefix(folder), path.utf8.count > folder.utf8.count {
      let name = path.dropFirst(folder.count)
      // A project would read the rest as a file at the root, or as an address.
      let isRelative = !name.hasPrefix("/") && !name.prefix { $0 != "/" }.contains(":")
      return isRelative ? String(name) : path
    }
    guard !folder.isEmpty, !path.hasPrefix("/"), !path.contains("://"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }
}
