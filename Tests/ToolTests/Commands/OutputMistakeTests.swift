import CompositorAPI
import CompositorValidation
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// Output that cannot be made: a mistake of the command line ends with 64, one of the project with 65, before anything is done.
@Suite struct OutputMistakeTests {
  private func expect(_ result: ToolRun.Result, _ status: ProcessStatus, _ word: String) {
    #expect(result.status == status.rawValue, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1 && result.errors.contains(word), "\(result.errors)")
  }

  @Test(arguments: [
    (["x.mp4", "--codec", "prores"], "cannot hold prores"), (["x.m4v", "--codec", "hevc"], "cannot hold hevc"),
    (["x.mov", "--codec", "av1"], "or write .mp4, .mkv or .webm"),
    (["x.mov", "--codec", "prores", "--quality", "40"], "1 to 31"),
    (["x.mov", "--codec", "ffv1", "--quality", "4"], "lossless"),
    (["x.mov", "--codec", "ffv1", "--encoder-speed", "fast"], "--encoder-speed is for h264, hevc, av1, vp9"),
    (["x.mp4", "--audio-codec", "pcm-s16"], "cannot hold pcm-s16"), (["x.mp4", "--quality", "52"], "0 to 51"),
    (["f_%d.png", "--codec", "h264"], "--codec is for movies"), (["f_%d.png", "--quality", "1"], "--quality is for movies"),
    (["x.png"], "one number"), (["f_%d%d.png"], "one number"), (["f_%%.png"], "one number"), (["f_%s.png"], "one number"),
    (["%d/f.png"], "one number"), (["x.avi"], "avi"), (["x"], "no extension"),
  ])
  func commandLine_wrongPairing_ends64(_ options: [String], _ word: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    expect(try ToolRun.compositor(["render", "p.json5", "-o"] + options, in: scratch.folder), .usage, word)
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test(arguments: [
    ("size: '161x90'", "161x90"), ("size: '160x91'", "160x91"), ("size: '1x1'", "1x1"),
    ("size: '16384x16384'", "too many pixels"), ("size: '8x8', video: { codec: 'hevc' }", "16x16"),
    ("size: '160x90', video: { codec: 'ffv1', quality: 3 }", "lossless"),
    ("size: '160x90', video: { codec: 'prores', quality: 40 }", "1 to 31"),
    ("size: '160x90', audio: { sampleRate: 12345 }", "12345"), ("size: '160x90', audio: { channels: 9 }", "8"),
    ("size: '160x90', audio: { sampleRate: 400000 }", "192000"),
  ])
  func project_outputThatNoEncoderTakes_ends65InValidateAndRender(_ output: String, _ word: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { \(output), frameRate: 25 }, tracks: [{ clips: [{ asset: "a", duration: "1s" }] }],
        assets: { a: { generate: "bars", size: "160x90", tone: 440 } } }
      """)
    for command in [["validate", "p.json5"], ["render", "p.json5", "-o", "x.mov"]] {
      expect(try ToolRun.compositor(command, in: scratch.folder), .invalidProject, word)
    }
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test func project_codecThatTheContainerCannotHold_ends65() throws {
    let scratch = try Scratch()
    let text = CommandLineTests.project.replacing("frameRate: 25", with: "frameRate: 25, video: { codec: 'prores' }")
    _ = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    expect(result, .invalidProject, "cannot hold prores")
    #expect(try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder).status == 0)
  }

  @Test func output_oddSizeAndUnusualSound_isWrittenWhereTheCodecsTakeIt() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, tracks: [{ clips: [{ asset: "a", duration: "0.2s" }] }],
        output: { size: "33x17", frameRate: 25, video: { codec: "ffv1" },
          audio: { codec: "pcm-s16", sampleRate: 12345, channels: 7 } },
        assets: { a: { generate: "bars", size: "160x90", tone: 440 } } }
      """)
    for command in [["validate", "p.json5"], ["render", "p.json5", "-o", "x.mkv"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
    }
    let streams = try ToolRun.streams(scratch.file("x.mkv"))
    #expect(streams.contains { $0["width"] == "33" && $0["height"] == "17" })
    #expect(streams.contains { $0["sample_rate"] == "12345" && $0["channels"] == "7" }, "\(streams)")
  }

  @Test func images_percentSignsInTheirName_areWrittenAsSuchAndReadAgain() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("1s", with: "0.12s"))
    let folder = scratch.folder.appending(path: "100%")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let made = try ToolRun.compositor(["render", "p.json5", "-o", "100%%/50%%_%03d.png"], in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["50%_001.png", "50%_002.png", "50%_003.png"])
    let again = try ToolRun.compositor(["render", "p.json5", "-o", "100%%/50%%_%03d.png"], in: scratch.folder)
    #expect(again.status == ProcessStatus.inputOutput.rawValue)
    _ = try scratch.file(
      "q.json5",
      """
      { version: 1, assets: { a: { images: "100%%/50%%_%03d.png", frameRate: 25, first: 1 } },
        tracks: [{ clips: [{ asset: "a" }] }] }
      """)
    let read = try ToolRun.compositor(["render", "q.json5", "-o", "x.mkv"], in: scratch.folder)
    #expect(read.status == 0, "\(read.errors)")
    #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "3")
  }

  @Test func pictures_ofAudioAlone_areRefused() throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", scratch.folder.appending(path: "s.wav").path)
    try #require(made.status == 0)
    for command in [["render", "s.wav", "-o", "%03d.png"], ["frame", "s.wav", "--at", "0", "-o", "x.png"]] {
      expect(try ToolRun.compositor(command, in: scratch.folder), .invalidProject, "There is audio, but no video")
    }
  }

  /// A song with a title: what `render` makes a movie of has frames.
  @Test func pictures_ofAudioAndTitles_areMade() throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", scratch.folder.appending(path: "s.wav").path)
    try #require(made.status == 0)
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { song: "s.wav" },
        tracks: [{ clips: [{ asset: "song", duration: "1s" }] }], titles: [{ text: "Hello", fade: "0s" }] }
      """)
    for command in [
      ["frame", "p.json5", "--at", "0.5s", "-o", "x.png"], ["thumbnails", "p.json5", "--count", "2", "-o", "t%d.jpg"],
      ["render", "p.json5", "-o", "%03d.png"],
    ] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(result.status == 0, "\(command[0]): \(result.errors)")
    }
    let movie = try ToolRun.compositor(["render", "p.json5", "-o", "x.mkv"], in: scratch.folder)
    #expect(movie.status == 0, "\(movie.errors)")
  }
}
