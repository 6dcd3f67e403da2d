public import CompositorMedia
public import CompositorPlugins
public import CompositorAPI
import CompositorExport
import CompositorHost
package import CompositorMediaIO
import CompositorMediaWriting
public import CompositorOverlay
public import CompositorTimeline
import CompositorValidation

extension ProjectFile {
  /// Converts the project to an edit. Values that it leaves open (canvas, frame rate, durations of clips) are determined by the
  /// media.
  ///
  /// - Parameters:
  ///   - catalog: The catalog that describes and opens media. The project's title assets are registered with it. They replace
  ///     those of the same project with other variables, so concurrent renders need separate
  ///     catalogs, such as `MediaCatalog(sharing: catalog)` for each.
  ///   - fonts: Loaded fonts for title assets, to share between variants of a project; `nil` to load them if needed.
  ///   - registry: All compositors that the project may use. Their parameters are checked at their location in the text, and
  ///     colors and files may be written as for built-in compositors (`"#ff8800"`, paths relative to the project). If `nil`,
  ///     the default, this applies only to built-in compositors, and others are left to validation.
  /// - Throws: The errors of the catalog, located at the clip that needs the media; `.invalidValue` with `file:line:column` if
  ///   clips, transitions and effects are incompatible; `.invalidProject` for parameters; `.compositorNotFound` if a compositor
  ///   isn't in `registry`.
  public func edit(
    catalog: MediaCatalog, fonts: FontLibrary? = nil, registry: CompositorRegistry? = nil
  ) throws(CompositorError) -> Edit {
    do {
      let timeline = try timeline(catalog: catalog, fonts: fonts, registry: registry)
      try timeline.checkTransitions(in: registry ?? .builtIn)
      return try timeline.edit(catalog: catalog)
    } catch {
      throw locating(advising(error))
    }
  }

  /// Converts the project to a timeline with canvas, frame rate and times resolved.
  ///
  /// - Throws: The errors of the catalog for the first clip that shows video, if the project doesn't specify canvas or rate;
  ///   `.invalidProject` if a timecode doesn't exist at the rate.
  public func timeline(
    catalog: MediaCatalog, fonts: FontLibrary? = nil, registry: CompositorRegistry? = nil
  ) throws(CompositorError) -> Timeline {
    let titles = try TitleAssets(self, fonts: fonts)
    // Titles with a size or a rate of their own may be the first video; what they lack is the output's.
    try titles.provide(to: catalog, canvas: output.size ?? OutputDefaults.defaultCanvas, frameRate: output.frameRate)
    let defaults = try OutputDefaults(draft, catalog: catalog)
    try titles.provide(to: catalog, canvas: defaults.canvas, frameRate: defaults.frameRate)
    var timeline = try settled(canvas: defaults.canvas, frameRate: defaults.frameRate, registry)
    if origin.isMedia { try timeline.giveStillsDuration(catalog: catalog) }
    if isAudioAlone { try timeline.playAudioAlone(catalog: catalog) }
    return timeline
  }

  /// Whether the project has parts that its edit may not contain: keyframes, places, crops, transitions by compositors, ducking,
  /// motion blur, or settings that need video or audio.
  ///
  /// - Parameter media: Descriptions of the project's media, as far as they are known.
  package func hasLosableParts(of media: [MediaSource: MediaInfo]) -> Bool {
    draft.hasKeyframes || !draft.audioTracks.isEmpty || !draft.effects.isEmpty || draft.instructions != nil
      || assets.values.contains(where: \.isTitles) || draft.tracks.contains { $0.audio.ducking != nil }
      || draft.captions.contains { !UnseenSettings.keys(of: $0).isEmpty }
      || draft.tracks.contains { $0.clips.contains { hasLosableParts($0, of: media[$0.source]) } }
  }

  /// Warnings about what the timeline says and its edit doesn't contain, so that the edit's validation cannot find it. Their paths are
  /// those of the project.
  ///
  /// - Parameters:
  ///   - places: The places of the edit's parts, with its placed clips.
  ///   - catalog: The catalog with which the edit was made.
  package func timelineDiagnostics(_ places: ProjectPlaces, catalog: MediaCatalog) -> [ValidationDiagnostic] {
    guard origin == .project, let timeline = places.timeline, let tracks = places.tracks else { return [] }
    let edit = places.edit
    return TimelineChecks.diagnostics(of: timeline, tracks: tracks, instructions: edit.videoComposition.instructions)
      + TitleAssetChecks(self, edit, catalog: catalog).diagnostics()
      + CornerPlacements(document, timeline, tracks, canvas: edit.videoComposition.renderSize).diagnostics()
  }

  /// Warnings about what is written, which an edit doesn't tell. No clip has to be placed for them.
  ///
  /// - Parameter named: The variables that the output's name uses.
  package func writtenDiagnostics(catalog: MediaCatalog, named: Set<String> = []) -> [ValidationDiagnostic] {
    guard origin == .project else { return [] }
    return UnusedVariables(document, text, directory: directory, named: named).diagnostics()
      + LastEasings(document).diagnostics() + FractionPlacements(document).diagnostics()
      + ZeroDurations(document).diagnostics() + ByteColors(document).diagnostics()
      + MissingSwitches(document).diagnostics() + IdleFlexKeys(document).diagnostics()
      + AssetSettingChecks(self, catalog: catalog).diagnostics()
  }

  private func hasLosableParts(_ clip: TimelineClip, of media: MediaInfo?) -> Bool {
    if CornerPlacements.concern(clip) || clip.crop != nil || clip.holdsLastFrame && clip.duration == nil
      || !UnheardSettings.settings(of: clip).isEmpty || clip.transition.map(StandingTransitions.mayStand) == true
    {
      return true
    }
    let isUnseen = !clip.showsVideo || media?.videoTracks.isEmpty == true
    return UnfilledClips.mayEndEarly(clip) || clip.motionBlur != nil || isUnseen && !UnseenSettings.keys(of: clip).isEmpty
  }

  /// The same for a catalog with which the project's titles are registered already.
  func placedTimeline(catalog: MediaCatalog) throws(CompositorError) -> Timeline {
    let defaults = try OutputDefaults(draft, catalog: catalog)
    return try settled(canvas: defaults.canvas, frameRate: defaults.frameRate, nil)
  }

  /// The timeline for a canvas and a frame rate. The document is read again only if something in it depends on media or
  /// plugins: a project is checked completely before any of them is opened, so what they decide is read afterward, at once.
  private func settled(
    canvas: PixelSize, frameRate: Rational, _ registry: CompositorRegistry?
  ) throws(CompositorError) -> Timeline {
    guard awaitsMedia || (awaitsPlugins && registry != nil) else {
      var timeline = draft
      (timeline.canvas, timeline.frameRate, timeline.ends) = (canvas, frameRate, ends)
      return timeline
    }
    let root = ProjectValue.root(of: document, text)
    let reader = ProjectReader(directory: directory, registry: registry)
    var timeline = try reader.timeline(root, try reader.header(root), canvas: canvas, frameRate: frameRate)
    timeline.ends = ends
    return timeline
  }

  /// What to do about a repeated clip with a transition, of which the first has no clip before it.
  private static let adviceOnFirstOfRepetition: Advice =
    "Write the element twice: first with unless: \"${index}\" and without the transition, then with if: \"${index}\" and with it."

  /// The error with the location in the text that its key path refers to.
  package func locating(_ error: CompositorError) -> CompositorError {
    guard let written = error.location.path else { return error }
    let asset = path(ofAssetOfClip: written, for: error.code)
    let isResource = error.code == .fileNotFound
    let title = path(ofTitle: written).map { isResource ? resourcePath(inTitle: $0, error.location.subject) : $0 }
    let path = asset ?? title ?? path(ofOutput: written) ?? written
    var location = error.location
    location.path = path
    if origin != .project {
      location.path = nil
    } else if let offset = document.offset(ofPath: path), !text.isPlace(of: error) {
      // A source's own name stays: it is more important than the project's.
      location.file = location.file ?? text.name
      location.documents.insert(text.place(ofByte: offset), at: 0)
    }
    // An error of this text has already said where its value comes from.
    let node = document.node(atPath: path)
    let note = text.isPlace(of: error) ? nil : node?.variableOrigin
    let isRepeated = location.subject == .transition && node?.item != nil
    return CompositorError(
      error.code, error.message.ending(with: note ?? ""), advice: isRepeated ? Self.adviceOnFirstOfRepetition : error.advice,
      cause: error.cause, at: location, systemErrorNumber: error.systemErrorNumber)
  }
}

extension ProjectFile {
  /// The key path of the asset that a clip shows, if an error is about the asset rather than its use; `nil` for other paths.
  private func path(ofAssetOfClip path: String, for code: CompositorError.Code) -> String? {
    let steps = DocumentPath(path)
    guard let track = steps.index(of: "tracks", at: 0), let index = steps.index(of: "clips", at: 2),
      steps.steps.count == 4 || steps.dropFirst(4).steps == [.key("asset")],
      draft.tracks.indices.contains(track), draft.tracks[track].clips.indices.contains(index)
    else { return nil }
    let source = draft.tracks[track].clips[index].source
    var key = "file"
    if case .imageSequence = source { key = "images" }
    guard code == .sourceRefused || key == "images" else { return nil }
    let names = assets.filter { $0.value == source }.keys.sorted()
    return names.first.map { document.existing(path: "assets.\($0).\(key)") }
  }

  /// The project's key path for one of an export's description, such as `video.size` or `audioTracks[0].sampleRate`; `nil` for
  /// other paths.
  private func path(ofOutput path: String) -> String? {
    let steps = DocumentPath(path)
    let key: String
    switch steps.key(at: 0) {
    case "subtitleTracks":
      let tracks = draft.captions.indices.filter { draft.captions[$0].presentation.isTrack }
      guard let track = steps.index(of: "subtitleTracks", at: 0), tracks.indices.contains(track) else { return nil }
      return document.existing(path: "captions[\(tracks[track])]")
    case "video" where path == "video.size": key = "size"
    case "audioTracks" where steps.index(of: "audioTracks", at: 0) != nil:
      let isOwn = document.existing(path: "output." + path) == "output." + path
      key = isOwn ? path : (DocumentPath("audio") + steps.dropFirst(2)).description
    case "video", "audio": key = path
    case "cover" where steps.steps.count == 1: key = path
    case "chapters" where steps.index(of: "chapters", at: 0) != nil: key = path
    default: return nil
    }
    // An option of the command line may have set it.
    let existing = document.existing(path: "output." + key)
    return existing.isEmpty ? "output." + key : existing
  }
}

extension JSON5Node {
  /// The first byte of the value at a key path such as `tracks[0].clips[2].in`, or of the nearest enclosing value if the key is
  /// absent; `nil` if the path contains an element that doesn't exist.
  package func offset(ofPath path: String) -> Int? { node(atPath: path)?.offset }

  /// The value at a key path, or the nearest enclosing one; `nil` under the conditions of ``offset(ofPath:)``.
  func node(atPath path: String) -> JSON5Node? {
    var node = self
    for step in DocumentPath(path).steps {
      switch (step, node.value) {
      case (.index(let index), .array(let elements)) where elements.indices.contains(index): node = elements[index]
      case (.index, _): return nil
      case (.key(let key), .object(let members)):
        guard let member = members.first(where: { $0.key == key }) else { return node }
        node = member.value
      case (.key, _): return node
      }
    }
    return node
  }
}
