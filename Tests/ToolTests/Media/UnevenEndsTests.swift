import CompositorTestSupport
import Foundation
import Testing

/// Files whose video and audio begin or end at different times, through every command: the longest of them rules.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct UnevenEndsTests {
  /// When video and audio of a file begin, and how long they last, in seconds.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let video, audio: (start: Double, duration: Double)
    var testDescription: String { name }
    /// The length by the rule.
    var length: Double { max(video.start + video.duration, audio.start + audio.duration) }
  }

  static let cases = [
    Case(name: "video longer", video: (0, 3), audio: (0, 1)), Case(name: "audio longer", video: (0, 1), audio: (0, 3)),
    Case(name: "video starts later", video: (0.52, 1.48), audio: (0, 2)),
    Case(name: "audio starts later", video: (0, 2), audio: (0.52, 1.48)),
  ]

  struct Format: Sendable, CustomTestStringConvertible {
    let container, video, audio: String
    var testDescription: String { "\(container) \(video) \(audio)" }
  }

  static let formats = [
    Format(container: "mp4", video: "libx264", audio: "aac"), Format(container: "mp4", video: "libvpx-vp9", audio: "libopus"),
    Format(container: "mov", video: "libx264", audio: "aac"), Format(container: "mov", video: "mpeg4", audio: "pcm_s16le"),
    Format(container: "mkv", video: "libx264", audio: "aac"), Format(container: "mkv", video: "libvpx-vp9", audio: "libopus"),
    Format(container: "mkv", video: "mpeg4", audio: "libmp3lame"), Format(container: "ts", video: "libx264", audio: "aac"),
    Format(container: "webm", video: "libvpx-vp9", audio: "libopus"),
    Format(container: "avi", video: "mpeg4", audio: "libmp3lame"), Format(container: "avi", video: "mpeg4", audio: "pcm_s16le"),
  ]

  private static func source(_ item: Case, _ format: Format, in scratch: Scratch) throws -> String {
    let name = "source.\(format.container)"
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-itsoffset", "\(item.video.start)", "-f", "lavfi", "-i",
      "testsrc2=r=25:s=160x90:d=\(item.video.duration)", "-itsoffset", "\(item.audio.start)", "-f", "lavfi", "-i",
      "sine=440:r=48000:d=\(item.audio.duration)", "-map", "0:v", "-map", "1:a", "-fps_mode", "passthrough", "-c:v",
      format.video, "-pix_fmt", "yuv420p",
      "-deadline", "realtime", "-c:a", format.audio, scratch.folder.appending(path: name).path)
    try #require(result.status == 0, "\(result.errors)")
    return name
  }

  /// What a render of a source has: frames, samples of 48 kHz, and where the tone is heard.
  private struct Rendered {
    var frames: Int
    var seconds: Double
    var audio: DecodedAudio
    var notes: String

    func hears(at time: Double) -> Bool { audio.amplitude(of: 440, at: time, over: 0.1) > 0.08 }
    func isSilent(at time: Double) -> Bool { audio.power(at: time, over: 0.1) < 1e-8 }
  }

  private static func render(_ arguments: [String], to name: String, in scratch: Scratch) throws -> Rendered {
    var all = arguments + ["-o", name, "--overwrite", "--progress", "none"]
    if name.hasSuffix("mkv") { all += ["--audio-codec", "pcm-s16"] }
    let result = try ToolRun.compositor(all, in: scratch.folder)
    try #require(result.status == 0, "\(all): \(result.errors)")
    let file = scratch.folder.appending(path: name)
    let audio = try DecodedAudio(file.path)
    let frames = try ToolRun.streams(file).first { $0["codec_type"] == "video" }?["nb_read_frames"].flatMap { Int($0) } ?? 0
    return Rendered(
      frames: frames, seconds: Double(audio.samples.count) / Double(DecodedAudio.sampleRate), audio: audio, notes: result.errors
    )
  }

  /// A frame and what containers and codecs add at an end.
  private static let slack = 0.081

  /// AVI has no times before which a stream is silent: ffmpeg writes the delayed stream with empty chunks or none.
  static let rows =
    TableSelection.pairs(formats.filter { $0.container != "avi" }, cases, each: 1)
    + TableSelection.pairs(formats.filter { $0.container == "avi" }, Array(cases.prefix(2)), each: 1)

  /// `make test` runs two of four commands for each row beside a plain render.
  @Test(arguments: rows) func everyCommand_keepsTheLongest(_ format: Format, _ item: Case) throws {
    let scratch = try Scratch()
    let source = try Self.source(item, format, in: scratch)
    func project(_ keys: String) throws -> String {
      try scratch.file(
        "p.json5", "{ version: 1, assets: { a: \"\(source)\" }, tracks: [{ clips: [{ asset: \"a\"\(keys) }] }] }"
      ).path
    }
    func check(_ rendered: Rendered, _ command: String, passes: Int = 1, isReversed: Bool = false) {
      let length = item.length
      for pass in 0..<passes {
        let start = Double(pass) * rendered.seconds / Double(passes)
        for part in stride(from: 0.15, to: length - 0.2, by: 0.3) {
          let media = isReversed ? rendered.seconds - part : part
          let (low, high) = (item.audio.start, item.audio.start + item.audio.duration)
          if media > low + 0.1, media < high - 0.2 {
            #expect(rendered.hears(at: start + part), "\(command): no tone at \(part)")
          } else if media < low - 0.2 || media > high + 0.1 {
            #expect(rendered.isSilent(at: start + part), "\(command): a sound at \(part)")
          }
        }
      }
      #expect(abs(rendered.seconds / Double(passes) - length) <= Self.slack, "\(command): \(rendered.seconds)")
      #expect(abs(Double(rendered.frames) / 25 - rendered.seconds) < 0.041, "\(command): \(rendered.frames) frames")
      #expect(rendered.notes.contains("note: the "), "\(command): no note")
    }
    let once = try Self.render(["render", source], to: "o.mkv", in: scratch)
    check(once, "render")
    let row = Self.rows.firstIndex { $0.0.testDescription == format.testDescription && $0.1.name == item.name } ?? 0
    let others = ["join", "project", "loop", "reverse"]
    // Rows four apart have the same case, and other commands.
    for command in TableSelection.columns(others, ofRow: row + row / 4, each: 2) {
      let keys = ["loop": ", loop: 2", "reverse": ", reverse: true"][command] ?? ""
      let arguments = try command == "join" ? ["join", source, source] : ["render", project(keys)]
      let passes = ["join", "loop"].contains(command) ? 2 : 1
      check(
        try Self.render(arguments, to: "o.mkv", in: scratch), command, passes: passes, isReversed: command == "reverse")
    }
    let alone = try Self.render(["render", source], to: "o.wav", in: scratch)
    let packets = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=duration", "-of", "csv=p=0",
      scratch.folder.appending(path: source).path)
    #expect(abs(alone.seconds - item.audio.duration) <= Self.slack, "audio alone: \(alone.seconds)")
    #expect(alone.hears(at: 0.1) && alone.hears(at: alone.seconds - 0.25), "audio alone")
    print(
      "\(format.testDescription), \(item.name): \(once.frames) frames, \(once.seconds) s; audio alone \(alone.seconds) s; "
        + "ffprobe's audio \(packets.output.trimmingCharacters(in: .whitespacesAndNewlines))")
  }

  /// The held frames are the last one, and those before the video its first.
  @Test func heldFrames_equalTheOnesBesideThem() throws {
    let scratch = try Scratch()
    for (item, held, shown) in [(Self.cases[1], 60, 24), (Self.cases[2], 3, 13)] {
      let source = try Self.source(item, Self.formats[0], in: scratch)
      _ = try Self.render(["render", source, "--codec", "ffv1"], to: "o.mkv", in: scratch)
      let hashes = try ToolRun.program(
        "ffmpeg", "-v", "error", "-i", scratch.folder.appending(path: "o.mkv").path, "-map", "0:v", "-f", "framemd5", "-")
      let frames = hashes.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",").last }
      #expect(frames[held] == frames[shown], "\(item.name)")
      #expect(frames[shown - 1] != frames[shown + 1] || item.name == "audio longer", "\(item.name)")
      #expect(Set(frames.compactMap(\.self)).count > 20, "\(item.name): \(Set(frames.compactMap(\.self)).count)")
    }
  }

  @Test(arguments: [("video", 1.0), ("shortest", 1.0), ("audio", 3.0), ("longest", 3.0)])
  func theChoice_isMadeOnTheCommandLineAndInTheProject(_ ends: String, _ seconds: Double) throws {
    let scratch = try Scratch()
    let source = try Self.source(Self.cases[1], Self.formats[0], in: scratch)
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, assets: { a: \"\(source)\" }, tracks: [{ clips: [{ asset: \"a\", ends: \"\(ends)\" }] }] }"
    ).path
    for arguments in [["render", source, "--ends", ends], ["join", source, "--ends", ends], ["render", project]] {
      for name in ["o.mkv", "o.wav"] {
        let rendered = try Self.render(arguments, to: name, in: scratch)
        #expect(abs(rendered.seconds - seconds) < 0.001, "\(arguments) \(name): \(rendered.seconds)")
        #expect(
          rendered.notes.contains(seconds == 1 ? "96000 samples left out" : "its last frame is held, for 50 frames")
            || name == "o.wav")
      }
    }
    // A chosen end is no diagnostic, a default one is.
    let checked = try ToolRun.compositor(["validate", project, "--strict"], in: scratch.folder)
    #expect(checked.status == 0, "\(checked.output)")
    let file = try ToolRun.compositor(["validate", source], in: scratch.folder)
    #expect(file.status == 0 && file.output.contains("unevenEnds"), "\(file.output)")
  }

  @Test func aDuration_mayReachToTheEndOfTheAudioOrHold() throws {
    let scratch = try Scratch()
    let source = try Self.source(Self.cases[1], Self.formats[0], in: scratch)
    func project(_ keys: String) throws -> String {
      try scratch.file(
        "p.json5", "{ version: 1, assets: { a: \"\(source)\" }, tracks: [{ clips: [{ asset: \"a\", \(keys) }] }] }"
      ).path
    }
    for (keys, seconds) in [
      ("duration: \"3s\"", 3.0), ("in: \"1.5s\"", 1.5), ("in: \"0.5s\", duration: \"2s\"", 2.0),
      ("duration: \"5s\", hold: true", 5.0), ("speed: 2", 1.5),
    ] {
      let rendered = try Self.render(["render", try project(keys)], to: "o.mkv", in: scratch)
      #expect(
        abs(rendered.seconds - seconds) < 0.041 && abs(Double(rendered.frames) / 25 - seconds) < 0.021,
        "\(keys): \(rendered.seconds)")
    }
    for keys in ["duration: \"3.5s\"", "duration: \"2s\", ends: \"video\""] {
      let result = try ToolRun.compositor(["render", try project(keys), "-o", "o.mkv", "--overwrite"], in: scratch.folder)
      #expect(result.status == 65 && result.errors.contains("hold: true"), "\(keys): \(result.status) \(result.errors)")
    }
  }

  private static let differences = [-0.039, -0.02, 0, 0.02, 0.039]

  /// Differences that a frame explains change nothing and are not mentioned. `make test` takes two of four formats for each.
  @Test(arguments: differences) func smallDifferences_keepTheVideo(_ difference: Double) throws {
    let scratch = try Scratch()
    let item = Case(name: "small", video: (0, 2), audio: (0, 2 + difference))
    let formats = [Self.formats[0], Self.formats[3], Self.formats[4], Self.formats[7]]
    let row = Self.differences.firstIndex(of: difference) ?? 0
    for format in TableSelection.columns(formats, ofRow: row, each: 2) {
      let source = try Self.source(item, format, in: scratch)
      let rendered = try Self.render(["render", source], to: "o.mkv", in: scratch)
      // Matroska and transport streams don't say how much of the last AAC packet is filled: 39 ms are 61 there, more than a frame, which is said.
      if difference > 0.03, ["mkv", "ts"].contains(format.container) {
        #expect(
          rendered.frames == 52 && abs(rendered.seconds - 2.061) < 0.02, "\(format): \(rendered.frames) \(rendered.seconds)")
        #expect(rendered.notes.contains("its last frame is held, for 2 frames"), "\(format): \(rendered.notes)")
        continue
      }
      #expect(rendered.frames == 50 && abs(rendered.seconds - 2) < 1e-4, "\(format): \(rendered.frames)")
      #expect(!rendered.notes.contains("note"), "\(format): \(rendered.notes)")
      let checked = try ToolRun.compositor(["validate", source, "--strict"], in: scratch.folder)
      #expect(checked.status == 0, "\(format): \(checked.output)")
    }
  }

  /// Silence is counted in the movie, whose time runs faster or backward.
  @Test(arguments: [
    ("speed: 2", "begins 0.26 s after the clip: silence for 12480 samples"),
    ("speed: 0.5", "begins 1.04 s after the clip: silence for 49920 samples"),
    ("reverse: true", "ends 0.52 s before the clip, which plays it backward: silence for 24960 samples"),
    ("speed: 2, reverse: true", "ends 0.26 s before the clip, which plays it backward: silence for 12480 samples"),
  ]) func silence_isCountedInTheMovie(_ keys: String, _ sentence: String) throws {
    let scratch = try Scratch()
    let source = try Self.source(Self.cases[3], Format(container: "mov", video: "mpeg4", audio: "pcm_s16le"), in: scratch)
    _ = try scratch.file(
      "p.json5", "{ version: 1, assets: { a: \"\(source)\" }, tracks: [{ clips: [{ asset: \"a\", \(keys) }] }] }")
    let validated = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect((validated.output + validated.errors).contains(sentence), "\(validated)")
    let rendered = try Self.render(["render", "p.json5", "--audio-codec", "pcm-f32"], to: "out.mov", in: scratch)
    #expect(rendered.notes.contains(sentence), "\(rendered.notes)")
    // Where the sentence says so, and nowhere else.
    let (isBackward, length) = (keys.contains("reverse"), keys.contains("0.5") ? 1.04 : keys.contains("2") ? 0.26 : 0.52)
    let silent = isBackward ? rendered.seconds - length / 2 - 0.05 : length / 2 - 0.05
    let heard = isBackward ? 0.05 : rendered.seconds - 0.15
    #expect(rendered.isSilent(at: silent) && !rendered.isSilent(at: heard), "\(keys)")
  }

  /// A part of the movie that ends where the video does has no held frame, and nothing is said of any.
  @Test(arguments: [("0s..1s", false), ("0.5s..1s", false), ("0.5s..1.5s", true), ("1s..2s", true), ("0s..3s", true)])
  func range_saysOnlyWhatItHas(_ range: String, _ isHeld: Bool) throws {
    let scratch = try Scratch()
    let source = try Self.source(Self.cases[1], Self.formats[0], in: scratch)
    let rendered = try Self.render(["render", source, "--range", range], to: "o.mkv", in: scratch)
    #expect(rendered.notes.contains("its last frame is held") == isHeld, "\(rendered.notes)")
  }
}
