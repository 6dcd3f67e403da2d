import CompositorAPI
import CompositorHost
import Foundation
import Testing

/// Values that are out of range or of another kind: the message has the range, and what to write.
@Suite struct ValueMistakeTests {
  private static func project(_ clip: String, output: String = "frameRate: 30") -> String {
    """
    { version: 1, output: { size: "64x36", \(output) }, assets: { a: { generate: "bars", size: "64x36", tone: 440 } },
      tracks: [{ clips: [{ asset: "a", \(clip) }] }] }
    """
  }

  static let arguments: [(arguments: [String], says: [String])] = [
    (
      ["render", "p.json5", "-o", "x.mp4", "--quality", "high"],
      ["'high' is invalid for '--quality", "Write a number, such as 20. Smaller is better: 0 to 51 for h264 and hevc"]
    ),
    (["render", "p.json5", "-o", "x.mp4", "--quality", "120"], ["Smaller is better: 0 to 51 for h264 and hevc"]),
    (["render", "p.json5", "-o", "x.mp4", "--quality", "60"], ["no quality 60 of h264. Use 0 to 51; smaller is better."]),
    (
      ["frame", "p.json5", "--at", "0", "-o", "x.jpg", "--quality", "best"],
      ["an integer from 1 to 100, such as 90; larger is better."]
    ),
    (["render", "p.json5", "-o", "%03d.jpg", "--quality", "120"], ["an integer from 1 to 100, such as 90; larger is better."]),
    (
      ["frame", "p.json5", "--at", "00:00:01:30", "-o", "x.png"],
      ["At 30 frames a second, the frames of a timecode go from 0 to 29, but this is frame 30. Write \"00:00:02:00\""]
    ),
    (["render", "p.json5", "-o", "x.mp4", "--range", "0..00:00:01;45"], ["At 30 frames a second", "go from 0 to 29"]),
  ]

  @Test(arguments: arguments.indices) func argument_outOfRange_isAnsweredWithTheRange(_ index: Int) throws {
    let (arguments, says) = Self.arguments[index]
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project("duration: \"2s\""))
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    for words in says { #expect(result.errors.contains(words), "\(arguments): \(result.errors)") }
    #expect(result.status == 64)
    #expect(try scratch.names() == ["p.json5"])
  }

  static let projects: [(text: String, says: String)] = [
    (
      project("duration: \"00:00:01:30\""),
      "the frames of a timecode go from 0 to 29, but this is frame 30. Write \"00:00:02:00\""
    ),
    (
      project("duration: \"00:00:59:30\"", output: "frameRate: \"30000/1001\""),
      "At 30000/1001 frames a second, the frames of a timecode go from 0 to 29, but this is frame 30. Write \"00:01:00:00\""
    ),
    (project("duration: \"fill\""), "Give it a duration, such as \"5s\", or add a track with clips that have one."),
    (
      project("duration: \"fill\" }, { asset: \"a\", duration: \"1s\""),
      "Only the last clip of a track can: give this one a duration, such as \"5s\", or move it to a track of its own."
    ),
    (project("duration: \"1s\"", output: "audio: { codec: 'mp3', channels: 6 }"), "Use 1 or 2 channels, or another codec."),
    (project("duration: \"1s\"", output: "audio: { codec: 'flac', bitRate: '128k' }"), "flac has no bit rate to choose."),
    (project("duration: \"1s\"", output: "audio: { codec: 'pcm-s16', bitRate: 128000 }"), "pcm-s16 has no bit rate to choose."),
    (
      project("duration: \"1s\"", output: "video: { codec: 'prores', encoderSpeed: 'slow' }"),
      "encoderSpeed is for h264, hevc, av1 and vp9, but the codec is prores. Remove it, or choose h264, hevc, av1 or vp9."
    ),
    (
      project("duration: \"1s\"", output: "audio: false, audioTracks: [{ from: 0 }]"),
      "\"audio\" is false, so the output has no audio tracks. Keep one of the two."
    ),
  ]

  @Test(arguments: projects.indices) func project_valueOutOfRange_isAnsweredWithTheRange(_ index: Int) throws {
    let (text, says) = Self.projects[index]
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mkv"], in: scratch.folder)
    #expect(result.status == 65 && result.errors.contains("p.json5:") && result.errors.contains(says), "\(result.errors)")
  }

  @Test func frame_says_whatItWrote() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project("duration: \"2s\""))
    let result = try ToolRun.compositor(["frame", "p.json5", "--at", "1.5s", "-o", "x.png"], in: scratch.folder)
    #expect(result.status == 0 && result.output.isEmpty)
    #expect(result.errors == "compositor: wrote x.png: 64x36, the frame at 1.5 s\n", "\(result.errors)")
  }

  /// `99 frames/s`, not `99/1 frames/s`.
  @Test(arguments: [("99", "99 frames/s"), ("30000/1001", "30000/1001 frames/s")])
  func rate_isShownAsPeopleWriteIt(_ rate: String, _ shown: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("a.mkv", seconds: 1, rate: rate, sound: false)
    for command in ["probe", "explain"] {
      let result = try ToolRun.compositor([command, clip.path])
      #expect(result.output.contains(", \(shown)") && !result.output.contains("/1 frames"), "\(result.output)")
    }
  }

  /// An HDR movie comes of an HDR clip that is first, unless SDR is asked for.
  @Test func join_ofAnHDRClipFirst_saysSo_andOfOneClip_thatATransitionIsUnused() throws {
    let scratch = try Scratch()
    let clip = try scratch.file("hdr.mkv")
    _ = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.2", "-vf",
      "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv", "-pix_fmt", "yuv420p10", "-c:v",
      "ffv1", clip.path)
    let join = ["join", "hdr.mkv", "--progress", "none", "--transition", "dissolve:0.1s"]
    let hdr = try ToolRun.compositor(join + ["-o", "x.mkv"], in: scratch.folder)
    #expect(hdr.status == 0 && hdr.errors.contains("note: the movie is HDR (PQ), as hdr.mkv is; --color sdr"), "\(hdr)")
    #expect(hdr.errors.contains("note: one clip has no use for --transition"), "\(hdr)")
    let sdr = try ToolRun.compositor(join + ["-o", "y.mkv", "--color", "sdr"], in: scratch.folder)
    #expect(sdr.status == 0 && !sdr.errors.contains("is HDR"), "\(sdr)")
  }

  @Test func join_surroundAudio_notesThatItIsMixedDown() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mkv", seconds: 0.4)
    let surround = try scratch.file("b.mkv")
    _ = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4", "-ac",
      "6",
      surround.path)
    let joined = try ToolRun.compositor(["join", "a.mkv", "b.mkv", "-o", "x.mkv", "--progress", "none"], in: scratch.folder)
    #expect(joined.status == 0, "\(joined.errors)")
    #expect(
      joined.errors.contains(
        "note: audio of b.mkv has 6 channels, mixed down to 1, as the first clip: --channels 6 keeps them"),
      "\(joined.errors)")
    let silent = try ToolRun.compositor(
      ["join", "a.mkv", "b.mkv", "-o", "y.mkv", "--no-audio", "--progress", "none"], in: scratch.folder)
    #expect(silent.status == 0 && !silent.errors.contains("mixed down"), "\(silent.errors)")
  }

  /// Every clip that loses something is named, the one that loses most first; from the fourth on they are counted.
  @Test func join_afterAClipOfLowQuality_notesWhatEachOfTheOthersLoses() throws {
    let scratch = try Scratch()
    for (name, rate, channels) in [("a", 11_025, 1), ("b", 44_100, 2), ("c", 48_000, 6), ("d", 22_050, 2), ("e", 22_050, 2)] {
      _ = try ToolRun.program(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.2:r=\(rate)", "-ac", "\(channels)",
        scratch.file("\(name).wav").path)
    }
    func notes(_ clips: String...) throws -> [String] {
      let result = try ToolRun.compositor(
        ["join"] + clips + ["-o", "x.wav", "--overwrite", "--progress", "none"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      return result.errors.split(separator: "\n").map(String.init).filter { $0.contains("note: audio of") }
    }
    let three = try notes("a.wav", "b.wav", "c.wav")
    #expect(
      three == [
        "compositor: note: audio of c.wav has 48000 Hz, the output 11025 Hz, as the first clip: --sample-rate 48000 keeps it",
        "compositor: note: audio of b.wav has 44100 Hz, the output 11025 Hz, as the first clip",
        "compositor: note: audio of c.wav has 6 channels, mixed down to 1, as the first clip: --channels 6 keeps them",
        "compositor: note: audio of b.wav has 2 channels, mixed down to 1, as the first clip",
      ], "\(three)")
    let five = try notes("a.wav", "b.wav", "c.wav", "d.wav", "e.wav")
    #expect(five.count == 8 && five[3].hasSuffix("audio of 1 more source has more than 11025 Hz"), "\(five)")
    #expect(five.last?.hasSuffix("audio of 1 more source is mixed down to 1") == true, "\(five)")
  }

  @Test func render_inTwoPasses_countsThem() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project("duration: \"2s\""))
    let arguments = ["render", "p.json5", "-o", "x.mp4", "--bit-rate", "400k", "--two-pass", "--progress"]
    let lines = try ToolRun.compositor(arguments + ["openjd"], in: scratch.folder)
    #expect(lines.status == 0 && lines.output.contains("openjd_status: pass 1 of 2, "), "\(lines)")
    #expect(lines.output.contains("/60 frames, "), "\(lines.output)")
    let bar = try ToolRun.compositor(arguments + ["bar", "--overwrite"], in: scratch.folder)
    #expect(bar.status == 0 && bar.errors.contains("] pass 1 of 2, "), "\(bar.errors)")
    let once = try ToolRun.compositor(
      ["render", "p.json5", "-o", "y.mp4", "--bit-rate", "400k", "--progress", "openjd"], in: scratch.folder)
    #expect(once.status == 0 && !once.output.contains("pass"), "\(once.output)")
  }

  @Test func characters_thatNoFontHas_areLocatedAtTheText() throws {
    let scratch = try Scratch()
    let text = Self.project("duration: \"1s\"").replacing(
      "tracks:", with: "titles: [{ font: \"DejaVu Sans\",\n  text: \"a\\uffff\" }], tracks:")
    _ = try scratch.file("p.json5", text)
    let validated = try ToolRun.compositor(["validate", "p.json5", "--format", "json"], in: scratch.folder)
    #expect(validated.status == 66, "\(validated)")
    for words in ["\"titleResourceMissing\"", "titles[0].text", "has 1 of the characters of"] {
      #expect(validated.output.contains(words), "\(validated.output)")
    }
    let rendered = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    #expect(rendered.status == 66, "\(rendered)")
    for words in ["p.json5:3:", "at titles[0].text: No font has 1 of the characters of", "U+FFFF"] {
      #expect(rendered.errors.contains(words), "\(rendered.errors)")
    }
  }
}
