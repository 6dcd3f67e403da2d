package import CompositorAPI
import CompositorHost
package import CompositorMedia
package import CompositorMediaIO
package import CompositorTimeline

/// Values that override those of a project: what a command line or a plan says beside it. Paths are relative to the current
/// folder.
package struct ProjectOverrides: Hashable, Sendable, Codable {
  /// Values for `${name}` in the project's strings.
  package var variables: [String: String] = [:]
  /// Where clips without `ends` begin and end if their video and audio differ; `nil` for the longest.
  package var ends: ClipEnds?
  /// The canvas of a project that doesn't specify its size; `nil` for that of its media.
  package var canvas: PixelSize?
  /// Frames per second of the output of a media file, if its end may be on no frame of its own rate: see
  /// ``ProjectFile/layOut(atRate:catalog:)``; `nil` for its own.
  package var frameRate: Rational?
  /// Whether only the audio of a media file is used; see ``ProjectFile/playAudioAlone()``.
  package var playsAudioAlone = false
  /// The types of tracks to render, without duplicates.
  package var mediaTypes: [MediaType] = [.video, .audio]
  /// The policy for damaged media.
  package var damaged = DamagePolicy.fail
  /// Overrides of colors.
  package var colors = ColorOverrides()
  /// Overrides of the mix.
  package var audio = AudioOverrides()
  /// Captions to add.
  package var captions = CaptionOverrides()
  /// How plugins are found and run.
  package var plugins = PluginOverrides()

  /// Creates overrides that leave a project as it is.
  package init() {}
}

extension ProjectOverrides {
  /// Changes a project before its clips are laid out.
  ///
  /// - Parameter note: Receives notes for people.
  /// - Throws: `.invalidValue` for audio tracks of a project; `.trackNotFound` if the media file has no such track.
  func apply(
    to file: inout ProjectFile, catalog: MediaCatalog, note: (String) -> Void
  ) throws(CompositorError) {
    if let canvas { file.layOut(on: canvas) }
    if let frameRate { file.layOut(atRate: frameRate, catalog: catalog) }
    if playsAudioAlone { file.playAudioAlone() }
    if let tracks = audio.tracks {
      for text in try file.selectAudio(tracks, catalog: catalog) { note("note: \(text)") }
    }
    if let ends { file.ends = ends }
  }

  /// Changes the edit of a project.
  ///
  /// - Parameters:
  ///   - origin: What the edit is made from. Subtitle tracks are those of media files.
  ///   - note: Receives notes for people.
  package func apply(
    to edit: inout Edit, of origin: ProjectOrigin, catalog: MediaCatalog, note: (String) -> Void
  ) throws(CompositorError) {
    try captions.keep(in: &edit, of: origin, catalog: catalog, note: note)
    try captions.add(to: &edit)
    colors.apply(to: &edit)
    try audio.apply(to: &edit)
  }
}

/// Captions that are added to those of an edit.
package struct CaptionOverrides: Hashable, Sendable, Codable {
  /// Files of captions, or media with a subtitle track.
  package var files: [String] = []
  /// The languages of ``files`` as BCP 47 tags; files without one have none.
  package var languages: [String] = []
  /// How ``files`` are shown.
  package var presentation = CaptionPresentation.burnedIn
  /// The encoding of ``files`` that aren't Unicode; `nil` to detect it.
  package var encoding: String?
  /// The subtitle tracks of media files to keep, as `--subtitle-tracks` takes them; `nil` for none.
  package var keptTracks: String?

  /// Creates overrides without captions.
  package init() {}

  /// Adds the subtitle tracks of the edit's own files.
  fileprivate func keep(
    in edit: inout Edit, of origin: ProjectOrigin, catalog: MediaCatalog, note: (String) -> Void
  ) throws(CompositorError) {
    guard let keptTracks else { return }
    guard origin.isMedia else {
      throw CompositorError(
        .invalidValue, "Subtitle tracks are chosen of media files only.", recoverySuggestion: "In a project, write captions.")
    }
    for text in try edit.keepSubtitles(try SubtitleSelection(keptTracks), catalog: catalog) { note("note: \(text)") }
  }

  /// Adds the files after the captions of the edit.
  fileprivate func add(to edit: inout Edit) throws(CompositorError) {
    for (index, path) in files.enumerated() {
      let captions = TimelineCaptions(
        contentsOf: path, encoding: encoding, language: languages.indices.contains(index) ? languages[index] : nil,
        presentation: presentation)
      edit.captions.append(try captions.track())
    }
  }
}
