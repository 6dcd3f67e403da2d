public import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
public import CompositorMediaWriting
import CompositorOverlay

/// A project on the command line.
struct ProjectArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A .json5 project, a media file, or - for a project on the standard input.", valueName: "project"),
    completion: .file())
  var path: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("A value for ${NAME} in the project's strings; may be given several times.", valueName: "name=value")
  )
  var assignments: [String] = []

  @OptionGroup var plugins: PluginArguments

  func validate() throws {
    for assignment in assignments where !assignment.contains("=") || assignment.hasPrefix("=") {
      throw ValidationError("--set takes NAME=VALUE, not \(assignment).")
    }
  }

  /// What messages call it.
  var name: String { path == "-" ? ProjectFile.standardInputName : path }

  /// What ``assignments`` say.
  var variables: [String: String] {
    let pairs = assignments.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { _, last in last }
  }

  /// The project, with its media described and everything checked; warnings go to the standard error stream.
  func load(
    catalog: MediaCatalog, captions: CaptionOptions? = nil, colors: ColorOverrides = ColorOverrides(),
    audio: AudioOverrides = AudioOverrides(),
    damaged: DamagePolicy = .fail,
    mediaTypes: Set<MediaType> = [.video, .audio], canvas: PixelSize? = nil
  ) throws(CompositorError) -> LoadedProject {
    var file = try ProjectFile(opening: path, variables: variables)
    Terminal.warn(of: file)
    if let canvas { file.layOut(on: canvas) }
    return try LoadedProject(
      file, catalog: catalog, captions: captions, colors: colors, audio: audio, plugins: plugins,
      damaged: damaged, mediaTypes: mediaTypes)
  }
}

/// A project that can be rendered.
struct LoadedProject {
  let file: ProjectFile
  let composition: ValidatedComposition

  init(
    _ file: ProjectFile, catalog: MediaCatalog, captions: CaptionOptions? = nil, colors: ColorOverrides, audio: AudioOverrides,
    fonts: FontLibrary? = nil, plugins: PluginArguments,
    damaged: DamagePolicy, mediaTypes: Set<MediaType> = [.video, .audio]
  ) throws(CompositorError) {
    let draft = try file.edit(catalog: catalog, fonts: fonts)
    let loaded = try plugins.edit(of: file, draft: draft, catalog: catalog, fonts: fonts)
    var edit = loaded.edit
    try captions?.add(to: &edit)
    colors.apply(to: &edit)
    try audio.apply(to: &edit)
    let report = CompositionValidator.validate(
      edit, catalog: catalog, registry: loaded.registry, damaged: damaged, fonts: fonts, mediaTypes: mediaTypes)
    Terminal.warn(of: report)
    self.file = file
    do {
      composition = try report.get()
    } catch {
      throw file.locating(error)
    }
  }

  /// Frames a second of the output.
  var frameRate: Rational {
    let frame = composition.edit.videoComposition.frameDuration
    return Rational(Int(frame.timescale), Int(frame.value))
  }
}

/// Where output goes and how it is encoded.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: """
      What to write: .mp4, .mov, .m4v, .mkv or .webm; moving images: .gif or .webp; audio alone: .m4a, .wav, .flac, .mp3, .opus, .ogg \
      or .mka; or numbered images such as frames/%04d.png (or .jpg, .webp). For other programs: .nut and .y4m, or - for the \
      standard output.
      """,
    completion: .file(extensions: MovieContainer.allCases.map(\.rawValue) + ImageFileFormat.extensions))
  var output: String

  @Option(
    help: """
      What goes to the standard output: \(MovieContainer.streamableNames). By default nut: the frames as they are, and PCM. Messages and \
      progress go to the standard error then.
      """)
  var container: MovieContainer?

  @Flag(help: "Replace an existing file, at once, when the new one is complete.")
  var overwrite = false

  @Option(help: "Frames to compose at a time, 1 to 64. The result does not depend on it.")
  var threads: Int?

  @Option(help: "How to show progress: bar, plain, json (lines on the standard output) or none.")
  var progress: ProgressStyle?

  @Option(help: "The video codec: \(VideoEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")).")
  var codec: VideoEncodingSettings.Codec?

  @OptionGroup var colors: ColorOptions

  @Option(
    help: """
      Everything about how the movie is written, by name; `compositor presets` says what each is: \
      \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var preset: PresetArgument?

  @Option(name: .customLong("export-preset"), help: .hidden)
  var olderPreset: ExportPreset?

  @Option(
    help: """
      Copy video instead of encoding it: edit-list (.mp4, .mov, .m4v), smart (only what lies around cuts is encoded) or auto.
      """)
  var passthrough: PassthroughMode?

  @Option(
    help: """
      Constant quality, smaller is better: 0 to 51 for h264 and hevc, 0 to 63 for av1 and vp9, 1 to 31 for prores; for webp 0 to 100 and \
      for .jpg and .webp images 1 to 100, larger is better.
      """)
  var quality: Double?

  @Option(
    name: .customLong("encoder-speed"),
    help: """
      Speed against size for h264, hevc, av1 and vp9: \(VideoEncodingSettings.Speed.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var givenSpeed: VideoEncodingSettings.Speed?

  @Option(
    help: """
      The audio codec: \(AudioEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")). By default aac in a movie, what \
      the name says in a file of audio alone.
      """)
  var audioCodec: AudioEncodingSettings.Codec?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether a movie has video, though it be black, or audio alone. By default it has video if there is anything to see.")
  var video: Bool?

  @Flag(name: .customLong("no-audio"), help: "Write no audio.")
  var omitsAudio = false

  @Flag(name: .customLong("no-sound"), help: .hidden)
  var olderOmitsAudio = false

  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var audio: AudioMixOptions
  @OptionGroup var metadata: MetadataOptions
  @OptionGroup var damage: DamageOptions

  /// What `--preset` names, by either spelling.
  private var exportPreset: ExportPreset? { preset?.export ?? olderPreset }

  /// The encoder's speed, which `--preset` said once.
  private var encoderSpeed: VideoEncodingSettings.Speed? { givenSpeed ?? preset?.speed }

  private var writesAudio: Bool { !omitsAudio && !olderOmitsAudio }

  /// The kinds of tracks that are rendered.
  var mediaTypes: Set<MediaType> {
    guard var types = try? target().mediaTypes else { return [.video] }
    if types.contains(.audio), video == false { return [.audio] }
    if types.contains(.video), !writesAudio { types.remove(.audio) }
    return types
  }

  /// What `--output` names.
  func target() throws(CompositorError) -> OutputName {
    guard output == "-" else { return try OutputName(path: output) }
    return .stream(StandardOutput.stream, container ?? .nut)
  }

  func validate() throws {
    if let speed = preset?.speed?.rawValue {
      Terminal.complain("warning: --preset \(speed) is an older spelling. Write --encoder-speed \(speed).")
    }
    if let preset = olderPreset?.rawValue {
      Terminal.complain("warning: --export-preset is an older spelling. Write --preset \(preset).")
    }
    if olderOmitsAudio { Terminal.complain("warning: --no-sound is an older spelling. Write --no-audio.") }
    if let threads, !(1...64).contains(threads) { throw ValidationError("--threads takes 1 to 64.") }
    let name = try usage("--output") { () throws(CompositorError) in try target() }
    if container != nil, output != "-" {
      throw ValidationError("--container is for --output -; a file's name says what it is.")
    }
    if case .stream(_, let container) = name {
      if overwrite { throw ValidationError("--overwrite is for files, and --output is a stream.") }
      try usage("--output") { () throws(CompositorError) in try StandardOutput.validate(container) }
    }
    var imageKind: ImageFileFormat?
    if case .images(_, let kind) = name { imageKind = kind }
    let hasImageQuality = imageKind?.hasQuality == true
    if let quality, !hasImageQuality, !(0...100).contains(quality) { throw ValidationError("--quality takes 0 to 100.") }
    if let quality, hasImageQuality, Int(exactly: quality).map((1...100).contains) != true {
      throw ValidationError("--quality of images takes 1 to 100.")
    }
    if imageKind != nil,
      let option = encodingOption(besides: hasImageQuality ? "--quality" : nil) ?? audio.option ?? metadata.option
    {
      throw ValidationError("\(option) is for movies, and --output names images.")
    }
    if let exportPreset, let container = try? name.container() {
      try usage("--preset") { () throws(CompositorError) in try exportPreset.check(container, path: output) }
    }
    let holdsAudioOnly = (try? name.container())?.isAudioOnly == true
    if (try? name.container())?.audioCodecs.isEmpty == true,
      let option = audio.option ?? (audioCodec != nil ? "--audio-codec" : nil)
    {
      throw ValidationError("\(option) is for audio, and --output holds video alone.")
    }
    if holdsAudioOnly, let option = videoOption ?? encoding.frameOption {
      throw ValidationError("\(option) is for video, and --output names a file of audio alone.")
    }
    if passthrough != nil, let option = videoOption ?? exportPreset.map({ _ in "--preset" }) {
      throw ValidationError("\(option) is for encoding, and --passthrough copies.")
    }
    if quality != nil, encoding.bitRate != nil { throw ValidationError("--quality and --bit-rate exclude each other.") }
    if let exportPreset, let depth = exportPreset.definition.format?.bitDepth, depth < 10, let color = colors.color,
      color.tags.transfer.isHDR
    {
      throw ValidationError("--color: \(color.rawValue) needs 10 bits, and the preset \(exportPreset.rawValue) has \(depth).")
    }
    if !writesAudio, video == false { throw ValidationError("--no-video and --no-audio leave nothing to write.") }
    if holdsAudioOnly, !writesAudio {
      throw ValidationError("--no-audio leaves nothing to write to a file of audio alone.")
    }
  }

  /// The first option given that says how a movie is encoded.
  private var encodingOption: String? { encodingOption(besides: nil) }

  /// The first option given that says how a movie is encoded, another one left aside.
  private func encodingOption(besides other: String?) -> String? {
    videoOptions.first { $0 != other } ?? encoding.videoOption
      ?? (audioCodec != nil ? "--audio-codec" : encoding.audioBitRate != nil ? "--audio-bit-rate" : nil)
  }

  /// The first option given that says something of video.
  private var videoOption: String? { videoOptions.first ?? encoding.videoOption }

  /// The options given that say something of video.
  private var videoOptions: [String] {
    let options = [
      ("--codec", codec != nil), ("--quality", quality != nil), ("--encoder-speed", encoderSpeed != nil),
      ("--video", video == true),
    ]
    return options.filter(\.1).map(\.0)
  }

  /// What the command line chose must go together with the rest and with the kind of file it named; what only the project
  /// says is left to the exporter, as the project's mistake.
  private func check(_ video: VideoEncodingSettings, _ audio: AudioEncodingSettings?) throws {
    guard let option = encodingOption, imageFormat == nil else { return }
    try usage(option) { () throws(CompositorError) in
      guard let container = try? target().container() else { return }
      if codec != nil { try container.validate(video.codec, nil) }
      if codec != nil || quality != nil || encoding.videoOption != nil { try video.validateRanges() }
      if audioCodec != nil { try container.validate(nil, audio?.codec) }
    }
    if encoderSpeed != nil, !video.codec.hasRateControl {
      throw ValidationError(
        "--encoder-speed is for \(VideoEncodingSettings.Codec.namesWithRateControl), and the codec is \(video.codec.rawValue).")
    }
    if let container = try? target().container() { try encoding.check(video, audio, in: container) }
  }

  /// What the project alone says of its encoder is the project's mistake, and known before anything is written.
  private func checkRanges(ofProject video: VideoEncodingSettings) throws(CompositorError) {
    guard codec == nil, quality == nil, encoding.videoOption == nil, imageFormat == nil, self.video != false,
      passthrough == nil,
      let container = try? target().container(), !container.isAudioOnly
    else { return }
    try video.validateRanges()
  }

  /// The kind of numbered images that are written; nil for other output.
  private var imageFormat: ImageFileFormat? {
    if case .images(_, let format)? = try? OutputName(path: output) { format } else { nil }
  }

  /// The colors of the command line.
  var colorOverrides: ColorOverrides {
    var overrides = colors.overrides
    overrides.export = exportPreset
    return overrides
  }

  /// Settings of the project with those of the command line over them.
  func settings(
    _ output: ProjectOutput, for composition: ValidatedComposition, range: TimeRange? = nil
  ) throws -> ExportSettings {
    if exportPreset == nil, let preset = output.preset, let container = try? target().container() {
      do throws(CompositorError) {
        try preset.check(container, path: self.output)
      } catch {
        throw error.locating(ErrorLocation(path: "output.preset"))
      }
    }
    let video = video(of: output, for: composition)
    let audio = audio(of: output)
    try check(video, audio)
    try checkRanges(ofProject: video)
    var settings = ExportSettings(
      video: video, audio: audio, timeRange: range, overwrites: overwrite,
      render: RenderSettings(threadCount: threads, damaged: damage.damaged),
      pictures: self.video.map { $0 ? .always : .never } ?? .whereShown)
    let limits = exportPreset ?? output.preset
    settings.keepsSourceAudio = limits?.definition.keepsSourceAudio ?? false
    // What the project says itself counts more than its preset.
    if exportPreset != nil || output.size == nil { settings.largestSize = limits?.definition.largestSize }
    if exportPreset != nil || output.frameRate == nil { settings.highestFrameRate = limits?.definition.highestFrameRate }
    if let quality, imageFormat != nil { settings.images.quality = Int(quality) }
    encoding.apply(to: &settings)
    try metadata.apply(output.metadata, to: &settings, of: composition, output: try target())
    settings.passthrough = passthrough
    return settings
  }

  private func video(of output: ProjectOutput, for composition: ValidatedComposition) -> VideoEncodingSettings {
    var video = output.video
    if (try? target().container())?.isForPrograms == true {
      // What the project says of codecs is for its file.
      video = VideoEncodingSettings(codec: .raw)
    } else if !output.choosesVideoCodec {
      let container = try? target().container()
      video.codec =
        container.map { VideoEncodingSettings.usualCodec(for: composition, in: $0) }
        ?? VideoEncodingSettings.usualCodec(for: composition)
    }
    if let exportPreset, exportPreset.definition.video != nil { video = exportPreset.video }
    if let codec { video = VideoEncodingSettings(codec: codec, speed: video.speed) }
    if let quality, imageFormat == nil { video.quality = .constant(quality) }
    encoding.apply(to: &video)
    if let encoderSpeed { video.speed = encoderSpeed }
    return video
  }

  private func audio(of output: ProjectOutput) -> AudioEncodingSettings? {
    guard writesAudio, var audio = output.audio else { return nil }
    if (try? target().container())?.isForPrograms == true || self.output == "-" { audio.chosenCodec = nil }
    if let chosen = exportPreset?.definition.audio, canHold(chosen.codec) {
      audio = AudioEncodingSettings(
        codec: chosen.chosenCodec, sampleRate: audio.sampleRate, channelCount: audio.channelCount, bitRate: chosen.bitRate,
        bitDepth: chosen.bitDepth)
    }
    if let audioCodec {
      audio = AudioEncodingSettings(
        codec: audioCodec, sampleRate: audio.sampleRate, channelCount: audio.channelCount,
        bitDepth: audio.chosenCodec == audioCodec ? audio.bitDepth : nil)
    }
    if let rate = encoding.audioBitRate { audio.bitRate = rate.bitsPerSecond }
    return audio
  }

  /// Whether the file named can hold a codec; a preset of movies says nothing about files of audio alone.
  private func canHold(_ codec: AudioEncodingSettings.Codec) -> Bool {
    (try? target().container())?.audioCodecs.contains(codec) == true
  }
}

/// Reads something from the command line: what is wrong with it is a mistake of usage.
func usage<T>(_ option: String, _ read: () throws(CompositorError) -> T) throws -> T {
  do {
    return try read()
  } catch {
    throw ValidationError("\(option): \(error)")
  }
}

/// What `--preset` takes: an export preset, or as it did once an encoder's speed.
enum PresetArgument: ExpressibleByArgument {
  case export(ExportPreset)
  case speed(VideoEncodingSettings.Speed)

  init?(argument: String) {
    if let preset = ExportPreset(rawValue: argument) {
      self = .export(preset)
    } else if let speed = VideoEncodingSettings.Speed(rawValue: argument) {
      self = .speed(speed)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { ExportPreset.allCases.map(\.rawValue) }

  var export: ExportPreset? { if case .export(let preset) = self { preset } else { nil } }
  var speed: VideoEncodingSettings.Speed? { if case .speed(let speed) = self { speed } else { nil } }
}

extension MovieContainer: ExpressibleByArgument {}
extension VideoEncodingSettings.Codec: ExpressibleByArgument {}
extension PassthroughMode: ExpressibleByArgument {}
extension VideoEncodingSettings.Speed: ExpressibleByArgument {}

extension AudioEncodingSettings.Codec: ExpressibleByArgument {
  /// Names with underscores (`pcm_s16`) are an older spelling.
  public init?(argument: String) { self.init(anySpelling: argument) }
}
