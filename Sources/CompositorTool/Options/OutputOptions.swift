import ArgumentParser
import Compositor

/// Options for the output and its encoding.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: """
      The file to write. Movies: .mp4, .mov, .m4v, .mkv or .webm; animated images: .gif or .webp; audio only: .m4a, .wav, .flac, .mp3, \
      .opus, .ogg or .mka; numbered images such as frames/%04d.png (or .jpg, .webp). For other programs: .nut and .y4m, or - for \
      the standard output.
      """,
    completion: .file(extensions: MovieContainer.allCases.map(\.rawValue) + ImageFileFormat.extensions))
  var output: String

  @Option(
    help: """
      The format of the standard output: \(MovieContainer.streamableNames). By default that of --preset, or without one nut: \
      uncompressed frames and PCM. Messages and progress go to the standard error then.
      """)
  var container: MovieContainer?

  @Flag(help: "Replace an existing file, atomically, when the new one is complete.")
  var overwrite = false

  @Option(help: "Frames to compose at a time, 1 to 64. The result does not depend on it.")
  var threads: Int?

  @OptionGroup var budget: BudgetOptions

  @Option(help: "How to show progress: bar, plain, json or openjd (lines on the standard output), or none.")
  var progress: ProgressStyle?

  @Option(help: "The video codec: \(VideoEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")).")
  var codec: VideoEncodingSettings.Codec?

  @OptionGroup var colors: ColorOptions

  @Option(
    help: """
      A preset for container, codecs and quality. `compositor presets` describes them: \
      \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var preset: ExportPreset?

  @Option(
    help: """
      Copy video instead of encoding it: edit-list (.mp4, .mov, .m4v), smart (encodes only around cuts) or auto.
      """)
  var passthrough: PassthroughMode?

  @Option(
    help: """
      Constant quality. Smaller is better: 0 to 51 for h264 and hevc, 0 to 63 for av1 and vp9, 1 to 31 for prores. Larger is better: 0 to \
      100 for webp, 1 to 100 for .jpg and .webp images.
      """)
  var quality: Double?

  @Option(
    help: """
      The trade-off between speed and size for h264, hevc, av1 and vp9: \(VideoEncodingSettings.Speed.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var encoderSpeed: VideoEncodingSettings.Speed?

  @Option(
    help: """
      The audio codec: \(AudioEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")). By default aac in a movie; in an \
      audio file, the codec of its extension.
      """)
  var audioCodec: AudioEncodingSettings.Codec?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether a movie has video, even if it is black, or audio only. By default it has video if the project shows any.")
  var video: Bool?

  @Flag(name: .customLong("no-audio"), help: "Write no audio.")
  var omitsAudio = false

  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var audio: AudioMixOptions
  @OptionGroup var metadata: MetadataOptions
  @OptionGroup var damage: DamageOptions

  var writesAudio: Bool { !omitsAudio }

  /// The kinds of tracks to render.
  var mediaTypes: Set<MediaType> {
    guard var types = try? target().mediaTypes else { return [.video] }
    if types.contains(.audio), video == false { return [.audio] }
    if types.contains(.video), !writesAudio { types.remove(.audio) }
    return types
  }

  /// The target that `--output` names.
  func target() throws(CompositorError) -> OutputName {
    guard output == "-" else { return try OutputName(path: output) }
    return .stream(StandardOutput.stream, container ?? preset?.streamableContainer ?? .nut)
  }

  func validate() throws {
    try require(threads, in: RenderSettings.threadCounts, for: "--threads")
    let name = try validatedTarget()
    let container = name.container
    try checkOptionsOfImages(name)
    try usage("--preset") { () throws(CompositorError) in try name.check(preset, named: output) }
    try checkMediaTypes(of: container)
    if quality != nil, encoding.bitRate != nil { throw ValidationError("--quality and --bit-rate exclude each other.") }
    if let preset, let depth = preset.definition.format?.bitDepth, depth < 10, let color = colors.color,
      color.tags.transfer.isHDR
    {
      throw ValidationError("--color: \(color.rawValue) needs 10 bits, but the preset \(preset.rawValue) has \(depth).")
    }
    if !writesAudio, video == false { throw ValidationError("--no-video and --no-audio leave nothing to write.") }
    if container?.isAudioOnly == true, !writesAudio {
      throw ValidationError("--no-audio leaves nothing to write to an audio file.")
    }
  }

  /// The target, after a check of the options that depend on nothing else.
  private func validatedTarget() throws -> OutputName {
    if (try? target()) == nil, let folder = UsageMessage.folder(named: output) {
      throw ValidationError("--output: \(output) is a folder. Name a file in it, such as \(folder)/movie.mp4.")
    }
    let name = try usage("--output") { () throws(CompositorError) in try target() }
    if container != nil, output != "-" {
      throw ValidationError("--container is for --output -; a file's extension sets its container.")
    }
    if case .stream(_, let container) = name {
      if overwrite { throw ValidationError("--overwrite is for files, but --output is a stream.") }
      try usage("--output") { () throws(CompositorError) in try StandardOutput.validate(container) }
    }
    return name
  }

  /// Checks the quality, which has another range for images, and that images have no options of movies.
  private func checkOptionsOfImages(_ name: OutputName) throws {
    var imageKind: ImageFileFormat?
    if case .images(_, let kind) = name { imageKind = kind }
    let hasImageQuality = imageKind?.hasQuality == true
    if let quality, !hasImageQuality, !(0...100).contains(quality) {
      throw ValidationError("--quality: \(QualityForm.ofMovies)")
    }
    if let quality, hasImageQuality, Int(exactly: quality).map((1...100).contains) != true {
      throw ValidationError("--quality: \(QualityForm.ofImages)")
    }
    if imageKind != nil,
      let option = encodingOption(besides: hasImageQuality ? "--quality" : nil) ?? audio.option ?? metadata.option
    {
      throw ValidationError("\(option) is for movies, but --output names images.")
    }
  }

  /// Checks that no option is for video or audio that the output cannot have, or for encoding if it is copied.
  private func checkMediaTypes(of container: MovieContainer?) throws {
    if container?.audioCodecs.isEmpty == true, let option = audio.option ?? (audioCodec != nil ? "--audio-codec" : nil) {
      throw ValidationError("\(option) is for audio, but --output holds video only.")
    }
    if container?.isAudioOnly == true, let option = videoOption ?? encoding.frameOption {
      throw ValidationError("\(option) is for video, but --output is audio only.")
    }
    if passthrough != nil, let option = videoOption ?? preset.map({ _ in "--preset" }) {
      throw ValidationError("\(option) is for encoding, but --passthrough copies.")
    }
  }

  /// The name of the first option given that affects the encoding of movies; `nil` if none was.
  var encodingOption: String? { encodingOption(besides: nil) }

  /// The same, ignoring another option.
  private func encodingOption(besides other: String?) -> String? {
    videoOptions.first { $0 != other } ?? encoding.videoOption
      ?? (audioCodec != nil ? "--audio-codec" : encoding.audioOption)
  }

  /// The name of the first option given that affects video; `nil` if none was.
  private var videoOption: String? { videoOptions.first ?? encoding.videoOption }

  /// The names of the options given that affect video.
  private var videoOptions: [String] {
    let options = [
      ("--codec", codec != nil), ("--quality", quality != nil), ("--encoder-speed", encoderSpeed != nil),
      ("--video", video == true),
    ]
    return options.filter(\.1).map(\.0)
  }
}
