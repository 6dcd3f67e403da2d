import CompositorTestSupport
import Foundation
import Testing

/// What `validate` says of an output is what `render` does with it.
@Suite struct ValidatedOutputTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Members of the project, and of its clip.
    var output: String
    var clip = ""
    var rest = ""
    /// The file to write.
    var file = "o.mp4"
    /// Whether it can be written; and what is said, as an error or as a warning.
    var isValid: Bool
    var said = ""
    var testDescription: String { "\(output) \(clip) \(rest)" }
  }

  static let rows = [
    Row(output: "audio: { codec: 'alac' }", isValid: true),
    Row(output: "audio: { codec: 'alac' }, video: { codec: 'prores' }", file: "o.mov", isValid: true),
    Row(output: "audio: { codec: 'opus', bitRate: 320000, channels: 1 }", file: "o.mkv", isValid: false, said: "256000"),
    Row(output: "audio: { codec: 'opus', bitRate: 320000 }", file: "o.mkv", isValid: true),
    Row(output: "metadata: { title: 'a\\u0007b' }", isValid: false, said: "control characters"),
    Row(output: "metadata: { title: 'a b', artist: 'c' }", isValid: true),
    Row(
      output: "video: { codec: 'h264' }, format: 'yuv444p12'", file: "o.mkv", isValid: true, said: "is to have yuv444p12"),
    Row(
      output: "", clip: "audioEffects: [{ use: 'avfilter.aecho', delays: '60|70', decays: '0.5' }]", isValid: false,
      said: "avfilter.aecho"),
    Row(output: "", clip: "audioEffects: [{ use: 'avfilter.aecho', delays: '60', decays: '0.5' }]", isValid: true),
    Row(output: "audio: { effects: [{ use: 'avfilter.volume', volume: 'xx' }] }", isValid: false, said: "avfilter.volume"),
    Row(
      output: "alpha: true, video: { codec: 'prores', profile: 'hq' }", file: "o.mov", isValid: true,
      said: "the profile hq of prores stores none"),
    Row(
      output: "alpha: true, video: { codec: 'prores' }, format: 'yuv422p10'", file: "o.mov", isValid: true,
      said: "the format yuv422p10 stores none"),
    Row(output: "alpha: true, video: { codec: 'prores', profile: '4444' }", file: "o.mov", isValid: true),
    Row(
      output: "", rest: "effects: [{ at: '0s', duration: '1s', compositor: 'builtin.mask' }]", isValid: false,
      said: "give an effect a mask instead"),
    Row(output: "", clip: "effects: [{ use: 'builtin.mask' }]", isValid: false, said: "A mask needs a matte"),
    Row(
      output: "", clip: "effects: [{ use: 'builtin.blend', mode: 'multiply' }]", isValid: true,
      said: "The effect blend has no layer below it: multiply blends the frame with black"),
    Row(output: "", clip: "effects: [{ use: 'builtin.wipe' }]", isValid: false, said: "needs two tracks"),
    Row(
      output: "", rest: "instructions: [{ duration: '1s', compositor: 'builtin.dissolve', layers: [{ track: 'A' }] }]",
      isValid: false, said: "needs two tracks"),
    Row(
      output: "", rest: "instructions: [{ duration: '1s', compositor: 'builtin.mask', layers: [{ track: 'A' }] }]",
      isValid: false, said: "A mask needs a matte"),
  ]

  @Test(arguments: rows) func render_doesWhatValidateSays(_ row: Row) throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=r=25:d=1:s=64x36", "-f", "lavfi", "-i",
      "sine=440:d=1:r=48000",
      "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", try scratch.file("a.mp4").path)
    try #require(made.status == 0, "\(made.errors)")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25\(row.output.isEmpty ? "" : ", " + row.output) }, assets: { a: "a.mp4" },
        tracks: [{ name: "A", clips: [{ asset: "a"\(row.clip.isEmpty ? "" : ", " + row.clip) }] }]\(row.rest.isEmpty ? "" : ", " + row.rest) }
      """)
    let validated = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    let rendered = try ToolRun.compositor(["render", "p.json5", "-o", row.file, "--progress", "none"], in: scratch.folder)
    #expect(validated.status == (row.isValid ? 0 : 65), "\(validated.output)\(validated.errors)")
    #expect(rendered.status == (row.isValid ? 0 : 65), "\(rendered.errors)")
    let said = validated.output + validated.errors
    #expect(row.said.isEmpty ? !said.contains("error:") && !said.contains("warning:") : said.contains(row.said), "\(said)")
  }

  /// Tracks that lose channels or samples to the first one are counted, as clips are.
  @Test(arguments: [["render"], ["join"]]) func keptTracks_thatLoseChannels_areSaid(_ command: [String]) throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=r=25:d=1:s=64x36", "-f", "lavfi", "-i",
      "sine=440:d=1:r=44100", "-f", "lavfi", "-i", "anoisesrc=d=1:r=48000", "-map", "0", "-map", "1", "-map", "2", "-c:v",
      "libx264",
      "-pix_fmt", "yuv420p", "-c:a", "flac", "-ac:a:0", "2", "-ac:a:1", "6", try scratch.file("a.mkv").path)
    try #require(made.status == 0, "\(made.errors)")
    let result = try ToolRun.compositor(
      command + (command == ["join"] ? ["a.mkv", "a.mkv"] : ["a.mkv"]) + [
        "--audio-tracks", "all", "-o", "o.mkv", "--progress", "none",
      ],
      in: scratch.folder)
    #expect(result.status == 0 && result.errors.contains("has 6 channels, mixed down to 2"), "\(result.errors)")
    #expect(result.errors.contains("has 48000 Hz, the output 44100 Hz"), "\(result.errors)")
  }
}
