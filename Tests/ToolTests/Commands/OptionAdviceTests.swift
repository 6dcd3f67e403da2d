import CompositorValidation
import Testing

/// Options that people bring along from ffmpeg and other programs: each is answered with the option that does the same here.
@Suite struct OptionAdviceTests {
  /// The written option, and the option or the place that the message names.
  static let table: [(written: String, named: String)] = [
    ("--video-codec", "Use --codec."), ("--vcodec", "Use --codec."), ("-vcodec", "Use --codec."), ("-c:v", "Use --codec."),
    ("-codec:v", "Use --codec."), ("-c:a", "Use --audio-codec."), ("--acodec", "Use --audio-codec."),
    ("-acodec", "Use --audio-codec."), ("-c", "--passthrough auto"), ("--copy", "--passthrough auto"),
    ("--crf", "--quality 20"), ("-crf", "--quality 20"), ("--qp", "--quality 20"), ("-q:v", "--quality 20"),
    ("-preset", "--encoder-speed slow"), ("--bitrate", "--bit-rate 8M"), ("-b:v", "--bit-rate 8M"),
    ("--video-bitrate", "--bit-rate 8M"), ("-b:a", "--audio-bit-rate 160k"), ("--audio-bitrate", "--audio-bit-rate 160k"),
    ("-r", "--fps 25"), ("-fps", "--fps 25"), ("--framerate", "--fps 25"), ("--frame-rate", "--fps 25"),
    ("-s", "--size 1280x720"), ("--resolution", "--size 1280x720"), ("--width", "--size 1280x720"), ("-ss", "--range 2s..5s"),
    ("-t", "--range 2s..5s"), ("-to", "--range 2s..5s"), ("-y", "--overwrite"), ("-n", "--overwrite"), ("-an", "--no-audio"),
    ("-vn", "--no-video"), ("-g", "--key-interval 2s"), ("-pix_fmt", "--depth 10"), ("--pix-fmt", "--depth 10"),
    ("-ac", "Use --channels"), ("-ar", "Use --sample-rate"), ("-frames:v", "compositor frame"),
    ("-vframes", "compositor frame"),
    ("--loop", "--play-count"), ("--subtitles", "--captions movie.srt"), ("-loglevel", "--progress none"),
    ("--quiet", "--progress none"), ("-v", "--progress none"), ("-movflags", "--fast-start"), ("-pass", "--two-pass"),
    ("-filter_complex", "docs/effects.md"), ("-vf", "docs/effects.md"), ("--x265", "--codec hevc"),
    ("-f", "The extension of --output"),
  ]

  @Test(arguments: table.indices) func option_ofFFmpeg_isAnsweredWithOurs(_ index: Int) throws {
    let (written, named) = Self.table[index]
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", written, "1"], in: scratch.folder)
    #expect(result.status == ProcessStatus.usage.rawValue && result.output.isEmpty, "\(written): \(result)")
    #expect(result.errors.contains("Unknown option '\(written)'") && result.errors.contains(named), "\(result.errors)")
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test(arguments: ["-threads", "-metadata", "-size"]) func option_ofOurs_withOneDash_isAnsweredWithTwo(_ option: String) throws
  {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", option, "1"], in: scratch.folder)
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("Options with a name have two dashes: write -\(option), not \(option)."), "\(result.errors)")
  }

  /// They were read as several options of one letter, of which `h` printed the help and `o` took the next argument as the output.
  @Test(arguments: ["-shortest", "-profile:v", "-map", "-tune"]) func option_withOneDashAndManyLetters_isUnknown(
    _ option: String
  ) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", option, "1"], in: scratch.folder)
    #expect(result.status == 64 && result.errors.contains("Unknown option '\(option)'."), "\(result)")
    #expect(result.output.isEmpty && !result.errors.contains("--output"), "\(result)")
  }

  /// A command line of ffmpeg names no command of ours.
  @Test(arguments: [["-i", "a.mp4", "-c:v", "libx264", "z.mp4"], ["-y", "-i", "a.mp4", "z.mp4"]])
  func commandLine_ofFFmpeg_isToldToNameACommand(_ arguments: [String]) throws {
    let scratch = try Scratch()
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("no command is named") && result.errors.contains("compositor join"), "\(result.errors)")
  }

  @Test func output_withAnEqualSign_isAnOption() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o=x.mkv", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result)")
    #expect(try scratch.names() == ["p.json5", "x.mkv"])
  }
}
