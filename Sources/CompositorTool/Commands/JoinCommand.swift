import ArgumentParser
import Compositor

/// `compositor join`.
struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join clips one after another, with a transition between them.",
    discussion: """
      Size and frame rate are those of the first clip; the others are fitted to it. Each clip starts exactly where the one \
      before it ends, or earlier by the length of the transition. The movie has as many frames as it takes to show all of \
      that. A still image is shown for 5 seconds. Audio is cross-faded during transitions.

      EXAMPLES
        compositor join a.mp4 b.mp4 c.mp4 -o all.mp4
        compositor join a.mp4 b.mp4 --transition dissolve:1s -o all.mp4
        compositor join a.mp4 b.mp4 --transition iris-circle:1s -o all.mp4
        compositor join a.mp4 b.mp4 --transition org.example.reveal:1s --plugin reveal.so -o all.mp4
        compositor join *.mov --transition push-up:12f --codec hevc -o all.mp4
        compositor join a.mp4 b.mp4 --passthrough auto -o all.mp4
        compositor join a.mp4 b.mp4 --title "Magic" -o all.mp4
        compositor join a.mp4 b.mp4 --captions all.srt -o all.mp4
        compositor join a.mp4 b.mp4 --captions all.de.srt --caption-as track --caption-language de -o all.mp4
        compositor join *.mov --size 1080x1920 --preset phone -o story.mp4
        compositor join phone.mov camera.mp4 --color hlg -o all.mp4
        compositor join *.mp4 --transition dissolve:1s --music song.mp3 --music-volume -12dB --duck -o all.mp4
      """)

  @Argument(help: "Media files, in order.", completion: .file())
  var clips: [String]

  @Option(
    help:
      "NAME:LENGTH, such as dissolve:1s, push-up:12f or wipe-left:1s. `compositor compositors` lists the names; that of a plugin's compositor, such as org.example.reveal, is a name too. By default a cut."
  )
  var transition: String?

  @Option(
    name: .customLong("plugin"), parsing: .singleValue,
    help: ArgumentHelp(
      "A plugin with a compositor for --transition; may be given several times. Those of the search path are found by name.",
      valueName: "file"), completion: .file())
  var pluginFiles: [String] = []

  @OptionGroup var plugins: PluginArguments

  @Option(
    help: """
      The cross-fade of audio during transitions: \
      \(AudioCrossFade.allCases.map(\.rawValue).joined(separator: ", ")) (both at full level). By default equal-power.
      """)
  var audioCrossfade: AudioCrossFade?

  @Option(
    help: """
      Where clips begin and end if their video and audio differ: longest holds the last frame or is silent; shortest, video and \
      audio cut. By default longest; audio files hold the clips' audio alone.
      """)
  var ends: ClipEnds?

  @OptionGroup var music: MusicOptions

  @Option(help: "A title over the first seconds; \\n starts a new line.")
  var title: String?

  @OptionGroup var captions: CaptionOptions
  @OptionGroup var options: OutputOptions

  func validate() throws {
    if audioCrossfade != nil, transition == nil { throw ValidationError("--audio-crossfade requires --transition.") }
    if !pluginFiles.isEmpty, transition == nil { throw ValidationError("--plugin requires --transition.") }
    if let transition { _ = try usage("--transition") { () throws(CompositorError) in try Timeline.joint(transition) } }
  }

  func run() async throws {
    let (clips, transition, title, captions, options) = (clips, transition, title, captions, options)
    let (audioCrossfade, music, ends) = (audioCrossfade, music, ends)
    let (plugins, pluginFiles) = (plugins, pluginFiles)
    try await Interruption.guarding {
      try await Rendering.reporting(options) { reporter in
        try JoinCommand.rejectProjects(clips)
        let catalog = MediaCatalog()
        var edit = try JoinCommand.naming(clips, music: music.music) {
          var timeline = try Timeline(
            joining: clips, transition: transition, audio: audioCrossfade ?? .equalPower, catalog: catalog)
          if let size = options.encoding.size { timeline.canvas = size }
          timeline.ends = ends
          if ends == nil { try timeline.alignRecordings(catalog: catalog) }
          if options.mediaTypes == [.audio], ends == nil, captions.captions.isEmpty, title == nil {
            try timeline.playAudioAlone(catalog: catalog)
          }
          if let selection = try options.audio.overrides.tracks {
            for note in try timeline.selectAudio(selection, catalog: catalog) { Terminal.complain("note: \(note)") }
          }
          try music.apply(to: &timeline, catalog: catalog)
          return try timeline.edit(catalog: catalog)
        }
        if let title { edit.titles.layers = [JoinCommand.layer(title, over: edit)] }
        var overrides = try options.overrides
        overrides.captions = captions.overrides
        try overrides.apply(to: &edit, of: .joinedMedia, catalog: catalog, note: Terminal.complain)
        if options.mediaTypes.contains(.video) { JoinCommand.noteBlack(clips, catalog) }
        if transition != nil, clips.count == 1 { Terminal.complain("note: one clip has no use for --transition") }
        let registry = try plugins.registry(for: edit, files: pluginFiles)
        try JoinCommand.check(edit, registry)
        let composition = try JoinCommand.validated(edit, catalog, registry, options)
        let export = try ProjectExport(
          joining: composition, to: try options.target(), overrides: try options.outputOverrides(for: composition))
        let settings = try options.settings(export, of: composition)
        if options.mediaTypes.contains(.video), options.colors.color == nil { JoinCommand.noteHDR(clips, composition) }
        try await Rendering.run(composition, settings: settings, options, reporter)
      }
    }
  }

  /// Errors of a clip with the name of its file instead of a key path: there is no project.
  private static func naming<T>(_ clips: [String], music: String?, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CompositorError {
      let path = DocumentPath(error.location.path ?? "")
      if let music, path.index(of: "tracks", at: 0) == 1 {
        let isSilent = error.location.subject == .media
        throw CompositorError(
          error.code, "--music: " + (isSilent ? "This file has no audio." : error.message),
          advice: isSilent ? "Name a song, or a movie with audio." : error.advice, cause: error.cause,
          at: ErrorLocation(file: error.location.file ?? music))
      }
      guard path.index(of: "tracks", at: 0) == 0, let index = path.index(of: "clips", at: 2), clips.indices.contains(index)
      else { throw error }
      // An error about the clip before the one that it is located at.
      let isBefore = index > 0 && error.location.subject == .clipBefore
      throw CompositorError(
        error.code, error.message, advice: error.advice, cause: error.cause,
        at: ErrorLocation(file: error.location.file ?? clips[isBefore ? index - 1 : index]),
        systemErrorNumber: error.systemErrorNumber)
    }
  }

  private static func rejectProjects(_ clips: [String]) throws {
    guard let project = clips.first(where: UsageMessage.isProject) else { return }
    throw CompositorError(
      .unreadableMedia, "This is a project, not a media file.",
      recoverySuggestion: "Render it with `compositor render`; join takes movies, images and audio files.",
      at: ErrorLocation(file: project))
  }

  /// Validates the edit and shows the warnings.
  private static func validated(
    _ edit: Edit, _ catalog: MediaCatalog, _ registry: CompositorRegistry, _ options: OutputOptions
  ) throws -> ValidatedComposition {
    let report = CompositionValidator.validate(
      edit, catalog: catalog, registry: registry, damaged: options.damage.damaged, mediaTypes: options.mediaTypes)
    Terminal.warn(of: report)
    warn(ofTitleIn: report)
    return try report.get()
  }

  /// Rejects a transition by a compositor that no plugin has, or by an effect.
  private static func check(_ edit: Edit, _ registry: CompositorRegistry) throws {
    if let effect = edit.compositorIDs.first(where: { registry[$0]?.descriptor.role == .effect }) {
      throw CompositorError(
        .invalidValue, "--transition: \(quoted(effect.rawValue)) is an effect, which changes one clip.",
        recoverySuggestion: "Name a transition (`compositor compositors` lists them); in a project, a clip takes effects.")
    }
    guard let missing = edit.compositorIDs.first(where: { registry[$0] == nil }) else { return }
    throw CompositorError(
      .compositorNotFound, "--transition: There is no compositor \(quoted(missing.rawValue)).",
      recoverySuggestion: "Name its plugin with --plugin, or a transition that `compositor compositors` lists.")
  }

  /// Notes clips with audio only among others with video: the movie is black while they play.
  private static func noteBlack(_ clips: [String], _ catalog: MediaCatalog) {
    let silent = clips.filter { (try? catalog.info(for: .file(path: $0)))?.videoTracks.isEmpty == true }
    guard let first = silent.first, silent.count < clips.count else { return }
    Terminal.complain(
      "note: \(first) has no video: the movie is black while it plays. --music \(first) plays it under the other clips.")
  }

  /// Notes that the movie is HDR because the first clip that decides its color is.
  private static func noteHDR(_ clips: [String], _ composition: ValidatedComposition) {
    let transfer = RenderFormat(composition).attributes.color.transfer
    let first = clips.first { composition.media[.file(path: $0)]?.videoTracks.first?.decidesColor == true }
    guard transfer.isHDR, let first else { return }
    Terminal.complain("note: the movie is HDR (\(transfer.name)), as \(first) is; --color sdr makes it SDR, for every player")
  }

  /// The title in the middle of the frame for five seconds, or for the whole movie if it is shorter.
  private static func layer(_ title: String, over edit: Edit) -> Layer {
    let duration = min(edit.composition.duration, .seconds(5))
    return TitleTemplate.title(title.replacing("\\n", with: "\n"))
      .layer(canvas: edit.videoComposition.renderSize, start: .zero, duration: duration)
  }
}
