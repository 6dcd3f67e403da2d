import CompositorTestSupport
import Foundation
import Testing

/// Sample rate and channels of the output are those of the first clip with audio, as far as its codec has them.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct FirstClipAudioTests {
  private static func source(_ name: String, rate: Int, channels: Int, video: Bool = false, in scratch: Scratch) throws {
    let layout = [1: "mono", 2: "stereo", 4: "quad", 6: "5.1", 8: "7.1"][channels] ?? "stereo"
    let tones = (0..<channels).map { "sin(2*PI*\(300 + 100 * $0)*t)/10" }.joined(separator: "|")
    var arguments = ["ffmpeg", "-v", "error", "-y"]
    if video { arguments += ["-f", "lavfi", "-i", "testsrc2=r=25:s=160x90:d=1"] }
    arguments += ["-f", "lavfi", "-i", "aevalsrc=\(tones):s=\(rate):d=1:c=\(layout)"]
    if video { arguments += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"] }
    let result = try ToolRun.run(URL(filePath: "/usr/bin/env"), arguments + [scratch.folder.appending(path: name).path])
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func audio(_ arguments: [String], in scratch: Scratch) throws -> (
    rate: String, channels: String, errors: String
  ) {
    let result = try ToolRun.compositor(arguments + ["--overwrite", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    let place = try #require(arguments.firstIndex(of: "-o")) + 1
    let stream = try ToolRun.streams(scratch.folder.appending(path: arguments[place])).first { $0["codec_type"] == "audio" }
    return (stream?["sample_rate"] ?? "", stream?["channels"] ?? "", result.errors)
  }

  @Test(arguments: [(96_000, 2), (44_100, 1), (48_000, 6), (22_050, 1), (48_000, 8)])
  func aFile_keepsItsRateAndChannels(_ rate: Int, _ channels: Int) throws {
    let scratch = try Scratch()
    try Self.source("a.wav", rate: rate, channels: channels, in: scratch)
    for name in ["o.wav", "o.flac", "o.m4a", "o.mka"] {
      let found = try Self.audio(["render", "a.wav", "-o", name], in: scratch)
      #expect(found.rate == "\(rate)" && found.channels == "\(channels)", "\(name): \(found)")
      #expect(!found.errors.contains("note"), "\(name): \(found.errors)")
    }
    let opus = try Self.audio(["render", "a.wav", "-o", "o.opus"], in: scratch)
    #expect(opus.channels == "\(channels)" && opus.errors.contains("Hz") == (rate != 48_000), "\(opus)")
    let mp3 = try Self.audio(["render", "a.wav", "-o", "o.mp3"], in: scratch)
    #expect(mp3.channels == "\(min(2, channels))" && mp3.rate == "\(min(48_000, rate))", "\(mp3)")
    #expect(mp3.errors.contains("channels") == (channels > 2) && mp3.errors.contains("Hz") == (rate > 48_000), "\(mp3.errors)")
    let asked = try Self.audio(["render", "a.wav", "-o", "o.wav", "--sample-rate", "32000", "--channels", "2"], in: scratch)
    #expect(asked.rate == "32000" && asked.channels == "2", "\(asked)")
    let project = try scratch.file(
      "p.json5", "{ version: 1, assets: { a: \"a.wav\" }, tracks: [{ clips: [{ asset: \"a\" }] }] }")
    let usual = try Self.audio(["render", project.path, "-o", "o.wav"], in: scratch)
    #expect(usual.rate == "48000" && usual.channels == "2", "\(usual)")
  }

  @Test func aMovie_keepsThem() throws {
    let scratch = try Scratch()
    try Self.source("a.mov", rate: 44_100, channels: 1, video: true, in: scratch)
    for arguments in [
      ["render", "a.mov", "-o", "o.mp4"], ["join", "a.mov", "a.mov", "-o", "o.mkv"], ["render", "a.mov", "-o", "o.webm"],
    ] {
      let found = try Self.audio(arguments, in: scratch)
      let isOpus = arguments.contains("o.webm")
      #expect(found.rate == (isOpus ? "48000" : "44100") && found.channels == "1", "\(arguments): \(found)")
    }
  }

  @Test func mixedFiles_followTheFirst() throws {
    let scratch = try Scratch()
    try Self.source("mono.wav", rate: 44_100, channels: 1, in: scratch)
    try Self.source("wide.wav", rate: 96_000, channels: 6, in: scratch)
    let first = try Self.audio(["join", "mono.wav", "wide.wav", "-o", "o.wav"], in: scratch)
    #expect(first.rate == "44100" && first.channels == "1")
    #expect(first.errors.contains("--sample-rate 96000 keeps it") && first.errors.contains("--channels 6 keeps them"))
    let second = try Self.audio(["join", "wide.wav", "mono.wav", "-o", "o.wav"], in: scratch)
    #expect(second.rate == "96000" && second.channels == "6" && !second.errors.contains("note"), "\(second)")
  }

  @Test func unusualLayouts_keepEveryChannel() throws {
    let scratch = try Scratch()
    try Self.source("quad.wav", rate: 48_000, channels: 4, in: scratch)
    let found = try Self.audio(["render", "quad.wav", "-o", "o.wav"], in: scratch)
    #expect(found.channels == "6" && found.errors.contains("which the output holds in 6"), "\(found)")
    let path = scratch.folder.appending(path: "o.wav").path
    // The back channels, 500 and 600 Hz, keep their level in channels of their own.
    let levels = try (0..<6).map { try DecodedAudio(path, channel: $0) }
    for frequency in [300.0, 400, 500, 600] {
      #expect(levels.contains { abs($0.amplitude(of: frequency, at: 0.3, over: 0.1) - 0.1) < 0.002 }, "\(frequency)")
    }
  }
}

/// Which channels of a source are heard.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SourceChannelTests {
  /// 300 Hz on the left, 400 Hz on the right, each with an amplitude of 0.2.
  private static func scratch() throws -> Scratch {
    let scratch = try Scratch()
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
      "aevalsrc=sin(2*PI*300*t)/5|sin(2*PI*400*t)/5:s=48000:d=1:c=stereo", scratch.folder.appending(path: "a.wav").path)
    try #require(result.status == 0, "\(result.errors)")
    return scratch
  }

  /// Amplitudes of 300 and 400 Hz in left and right.
  private static func levels(_ arguments: [String], in scratch: Scratch) throws -> [Double] {
    let all = arguments + ["-o", "o.wav", "--overwrite", "--progress", "none"]
    let result = try ToolRun.compositor(all, in: scratch.folder)
    try #require(result.status == 0, "\(all): \(result.errors)")
    let path = scratch.folder.appending(path: "o.wav").path
    return try (0..<2).flatMap { channel in
      let audio = try DecodedAudio(path, channel: channel)
      return [300, 400].map { (audio.amplitude(of: $0, at: 0.3, over: 0.1) * 1000).rounded() / 1000 }
    }
  }

  static let selections: [(text: String, levels: [Double])] = [
    ("left", [0.2, 0, 0.2, 0]), ("right", [0, 0.2, 0, 0.2]), ("swap", [0, 0.2, 0.2, 0]), ("mono", [0.1, 0.1, 0.1, 0.1]),
    ("all", [0.2, 0, 0, 0.2]), ("1", [0, 0.2, 0, 0.2]), ("1,1", [0, 0.2, 0, 0.2]),
  ]

  @Test(arguments: selections.indices) func aSelection_isHeardAtFullLevel(_ index: Int) throws {
    let (text, expected) = Self.selections[index]
    let scratch = try Self.scratch()
    #expect(try Self.levels(["render", "a.wav", "--source-channels", text], in: scratch) == expected, "\(text)")
    let isWord = text.first?.isLetter == true
    let written = isWord ? "\"\(text)\"" : text.contains(",") ? "[\(text)]" : text
    for keys in [("", "channels: \(written)"), ("channels: \(written), ", "")] {
      let project = try scratch.file(
        "p.json5",
        "{ version: 1, assets: { a: \"a.wav\" }, tracks: [{ \(keys.0)clips: [{ asset: \"a\"\(keys.1.isEmpty ? "" : ", " + keys.1) }] }] }"
      )
      #expect(try Self.levels(["render", project.path], in: scratch) == expected, "\(keys)")
    }
  }

  @Test func aMissingChannel_isAMistakeAtItsKey() throws {
    let scratch = try Self.scratch()
    let project = try scratch.file(
      "p.json5", "{ version: 1, assets: { a: \"a.wav\" },\n tracks: [{ clips: [{ asset: \"a\", channels: 2 }] }] }")
    let result = try ToolRun.compositor(["validate", project.path], in: scratch.folder)
    #expect(
      result.status != 0 && result.output.contains("p.json5:2:") && result.output.contains("no channel 2: it has 2"),
      "\(result.output)")
  }

  @Test(arguments: [
    ("{ use: \"avfilter.pan\", args: \"stereo|c0=c1|c1=c0\" }", [0, 0.2, 0.2, 0]),
    ("{ use: \"avfilter.channelmap\", map: \"1|0\" }", [0, 0.2, 0.2, 0]),
    ("{ use: \"avfilter.pan\", args: \"stereo|c0=c0|c1=c0\" }", [0.2, 0, 0.2, 0]),
  ]) func filtersOfChannels_work(_ effect: String, _ expected: [Double]) throws {
    let scratch = try Self.scratch()
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, assets: { a: \"a.wav\" }, tracks: [{ clips: [{ asset: \"a\", audioEffects: [\(effect)] }] }] }")
    #expect(try Self.levels(["render", project.path], in: scratch) == expected)
  }

  @Test(arguments: [
    ("stereowiden", nil), ("extrastereo", nil), ("stereotools", nil), ("surround", "more channels"),
    ("aresample", "sample rate"),
  ])
  func filters_areOfferedOrRefusedWithTheirReason(_ name: String, _ reason: String?) throws {
    let scratch = try Self.scratch()
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, assets: { a: \"a.wav\" }, tracks: [{ clips: [{ asset: \"a\", audioEffects: [{ use: \"avfilter.\(name)\" }] }] }] }"
    )
    let result = try ToolRun.compositor(["render", project.path, "-o", "o.wav", "--progress", "none"], in: scratch.folder)
    #expect(reason.map { result.status != 0 && result.errors.contains($0) } ?? (result.status == 0), "\(result.errors)")
  }
}

/// Time lapses, and slow motion beyond what audio can do.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct TimeLapseTests {
  @Test(arguments: [("60", 10.0), ("168", 3.0), ("\"1/64\"", 0.05)])
  func video_playsAndItsAudioIsSilentWithAWarning(_ speed: String, _ media: Double) throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=r=25:s=160x90:d=20", "-f", "lavfi", "-i", "sine=440:d=20", "-c:v",
      "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", scratch.folder.appending(path: "a.mp4").path)
    try #require(made.status == 0, "\(made.errors)")
    let value = speed.contains("/") ? 1.0 / 64 : Double(speed) ?? 1
    let seconds = value > 1 ? 20 / value : media / value
    let keys = value > 1 ? "speed: \(speed)" : "speed: \(speed), duration: \"\(seconds)s\""
    let project = try scratch.file(
      "p.json5", "{ version: 1, assets: { a: \"a.mp4\" }, tracks: [{ clips: [{ asset: \"a\", \(keys) }] }] }")
    let result = try ToolRun.compositor(["render", project.path, "-o", "o.mkv", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0 && result.errors.contains("is silent from"), "\(result.errors)")
    let file = scratch.folder.appending(path: "o.mkv")
    let frames = try ToolRun.streams(file).first { $0["codec_type"] == "video" }?["nb_read_frames"].flatMap { Int($0) } ?? 0
    #expect(abs(Double(frames) - (seconds * 25).rounded(.up)) < 0.5, "\(frames) frames for \(seconds) s")
    #expect(try DecodedAudio(file.path).power(at: 0, over: seconds) < 1e-9)
    let quiet = try scratch.file(
      "q.json5", "{ version: 1, assets: { a: \"a.mp4\" }, tracks: [{ clips: [{ asset: \"a\", audio: false, \(keys) }] }] }")
    let checked = try ToolRun.compositor(["validate", quiet.path, "--strict"], in: scratch.folder)
    #expect(checked.status == 0, "\(checked.output)")
  }
}
