public import ArgumentParser
public import Compositor

/// Options for the level of the whole mix.
struct AudioMixOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bring the audio to a loudness in LUFS: -14 for the web, -23 for broadcast.", valueName: "lufs"))
  var loudness: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The level of the mix: -6dB, or a linear gain from 0 to 16.", valueName: "level"))
  var volume: String?

  @Flag(name: .customLong("no-limiter"), help: "Let peaks above full scale clip, instead of keeping them below it.")
  var omitsLimiter = false

  @Option(
    name: .customLong("source-channels"),
    help: ArgumentHelp(
      """
      The channels of the sources that are heard, at full level: left, right, swap, mono, or indices from 0 such as 2 or 1,0. Clips of \
      a project keep their own.
      """, valueName: "channels"))
  var sourceChannels: AudioChannels?

  @Option(
    help: ArgumentHelp(
      "The audio track of the media: its number as probe counts (0, 1 …), its language (deu), or default. By default 0.",
      valueName: "track"))
  var audioTrack: String?

  @Option(
    help: ArgumentHelp(
      """
      The audio tracks to keep, with their languages and titles: all, or a list such as eng,deu or 0,2. mix makes one of all, and \
      mix:0,2 one of some.
      """, valueName: "tracks"))
  var audioTracks: String?

  func validate() throws {
    if audioTrack != nil, audioTracks != nil {
      throw ValidationError("--audio-track chooses one track and --audio-tracks several: give one of them.")
    }
    _ = try overrides
  }

  /// The name of the first of these options that was given; `nil` if none was.
  var option: String? {
    [
      ("--loudness", loudness != nil), ("--volume", volume != nil), ("--no-limiter", omitsLimiter),
      ("--source-channels", sourceChannels != nil),
      ("--audio-track", audioTrack != nil), ("--audio-tracks", audioTracks != nil),
    ].first { $0.1 }?.0
  }

  /// The values of these options.
  var overrides: AudioOverrides {
    get throws {
      var overrides = AudioOverrides()
      if let loudness {
        overrides.loudness = try usage("--loudness") { () throws(CompositorError) in try ProjectDecibels.loudness(loudness) }
      }
      if let volume {
        overrides.gain = try usage("--volume") { () throws(CompositorError) in try ProjectDecibels.gain(volume) }
      }
      overrides.omitsLimiter = omitsLimiter
      overrides.sourceChannels = sourceChannels
      if let audioTrack {
        overrides.tracks = try usage("--audio-track") { () throws(CompositorError) in .one(try AudioTrackChoice(audioTrack)) }
      }
      if let audioTracks {
        overrides.tracks = try usage("--audio-tracks") { () throws(CompositorError) in
          try AudioTrackSelection(keeping: audioTracks)
        }
      }
      return overrides
    }
  }
}

extension AudioChannels: ExpressibleByArgument {
  /// Reads `left`, `right`, `swap`, `mono`, `all`, or indices such as `2` or `1,0`.
  public init?(argument: String) { self.init(argument) }
}

/// Music under joined clips.
struct MusicOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Music under the clips from start to end. It repeats if it is short, and fades out at the end.",
      valueName: "file"),
    completion: .file())
  var music: String?

  @Option(
    name: .customLong("music-volume"), parsing: .unconditional,
    help: ArgumentHelp("The level of the music: -12dB, or a linear gain from 0 to 16.", valueName: "level"))
  var volume: String?

  @Flag(help: "Lower the music by 12 dB while the clips are audible.")
  var duck = false

  func validate() throws {
    guard music == nil else {
      _ = try gain
      return
    }
    if volume != nil { throw ValidationError("--music-volume requires --music.") }
    if duck { throw ValidationError("--duck requires --music: it lowers the music while the clips are audible.") }
  }

  private var gain: Double {
    get throws {
      guard let volume else { return 1 }
      return try usage("--music-volume") { () throws(CompositorError) in try ProjectDecibels.gain(volume) }
    }
  }

  /// Adds the music to a timeline.
  func apply(to timeline: inout Timeline, catalog: MediaCatalog) throws {
    guard let music else { return }
    try timeline.addMusic(.file(path: music), volume: try gain, isDucked: duck, catalog: catalog)
  }
}

extension AudioCrossFade: ExpressibleByArgument {}
