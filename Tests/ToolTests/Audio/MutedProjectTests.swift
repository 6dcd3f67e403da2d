import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Testing

/// Muting in projects gives the movie that a volume of 0 gives: the same samples, the same frames, the same diagnostics.
@Suite(.enabled(if: hasFFmpeg)) struct MutedProjectTests {
  struct Silence: Sendable, CustomTestStringConvertible {
    let name: String
    /// The project's tracks; SILENT stands for the key.
    let tracks: String
    let seconds: Double
    var output = "o.wav"
    var testDescription: String { name }
  }

  static let silences = [
    Silence(name: "alone", tracks: "{ clips: [{ asset: 's', SILENT }] }", seconds: 3),
    Silence(name: "beside", tracks: "{ clips: [{ asset: 's', SILENT }] }, { clips: [{ asset: 'm' }] }", seconds: 3),
    Silence(name: "after", tracks: "{ clips: [{ asset: 'm' }, { asset: 's', SILENT }] }", seconds: 4),
    Silence(name: "before", tracks: "{ clips: [{ asset: 's', SILENT }, { asset: 'm' }] }", seconds: 4),
    Silence(name: "track", tracks: "{ SILENT, clips: [{ asset: 's' }] }, { clips: [{ asset: 'm' }] }", seconds: 3),
    Silence(
      name: "audio longer than the video", tracks: "{ clips: [{ asset: 'v' }] }, { clips: [{ asset: 's', SILENT }] }",
      seconds: 3,
      output: "o.mkv"),
    Silence(name: "movie", tracks: "{ clips: [{ asset: 'v', SILENT }] }", seconds: 2, output: "o.mkv"),
    Silence(name: "movie's audio alone", tracks: "{ clips: [{ asset: 'v', SILENT }] }", seconds: 2),
    Silence(
      name: "transition", tracks: "{ clips: [{ asset: 'v' }, { asset: 'v', SILENT, transition: { duration: '0.4s' } }] }",
      seconds: 3.6, output: "o.mkv"),
    Silence(
      name: "echo of the clip before",
      tracks: "{ audioEffects: [{ use: 'avfilter.aecho', delays: '300' }], clips: [{ asset: 'm' }, { asset: 's', SILENT }] }",
      seconds: 4),
    Silence(
      name: "title", tracks: "{ clips: [{ asset: 's', SILENT }] }], titles: [{ text: 'Only', duration: '3s' }", seconds: 3,
      output: "o.mkv"),
  ]

  private static func media(_ scratch: Scratch) throws {
    let tone = ["-v", "error", "-f", "lavfi", "-i", "sine=441:r=48000"]
    try runProgram("ffmpeg", tone + ["-t", "3", scratch.file("s.wav").path])
    try runProgram("ffmpeg", tone + ["-t", "1", scratch.file("m.wav").path])
    try runProgram(
      "ffmpeg",
      tone + ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25", "-t", "2", "-c:v", "ffv1", "-c:a", "pcm_s16le"]
        + [scratch.file("v.mkv").path])
  }

  private static func text(_ tracks: String, _ key: String) -> String {
    """
    { version: 1, output: { size: "64x36", frameRate: 25, background: "black", video: { codec: "ffv1" },
        audio: { codec: "pcm-s16" } },
      assets: { s: "s.wav", m: "m.wav", v: "v.mkv" }, tracks: [\(tracks.replacing("SILENT", with: key))] }
    """
  }

  private static func frames(_ path: String) throws -> [String] {
    try runTool("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
  }

  @Test(arguments: silences) func mute_isAVolumeOfZero(_ silence: Silence) async throws {
    let scratch = try Scratch()
    try Self.media(scratch)
    var found: [[String]] = []
    for key in ["mute: true", "volume: 0"] {
      let file = try scratch.file("p.json5", Self.text(silence.tracks, key))
      let output = try scratch.file(silence.output).path
      let result = try ToolRun.compositor(
        ["render", "p.json5", "-o", output, "--overwrite", "--progress", "none"], in: scratch.folder)
      try #require(result.status == 0, "\(key): \(result.errors)")
      let opened = try #require(try ProjectText.opening(file.path))
      let loaded = await ProjectLoader(catalog: MediaCatalog()).check(file.path, opened)
      let told = loaded.diagnostics.map(\.diagnostic).filter { $0.code != .silentAudio }.map(\.description)
      let frames = silence.output.hasSuffix("mkv") ? try Self.frames(output) : []
      let samples = try DecodedAudio(output).samples
      #expect(samples.count == Int(silence.seconds * 48_000), "\(key): \(samples.count)")
      #expect(frames.count == (frames.isEmpty ? 0 : Int(silence.seconds * 25)), "\(key): \(frames.count)")
      found.append(told + frames + ["\(samples.hashValue)"])
      // It says no more than that, and only of the volume.
      #expect(loaded.failure == nil && told.isEmpty, "\(key): \(told)")
      #expect(loaded.diagnostics.isEmpty == (key == "mute: true"), "\(key)")
    }
    #expect(found[0] == found[1])
  }

  /// Tracks that others are lowered by while their clips play, loud or not, sound different once the clip is muted.
  @Test(arguments: [("", true), ("duck: { while: 'clips' }, ", false), ("duck: {}, ", true)])
  func fix_ofAVolumeOfZero_isSafeIfNothingElseChanges(_ duck: String, _ isSafe: Bool) throws {
    let scratch = try Scratch()
    try Self.media(scratch)
    let tracks = "{ \(duck)clips: [{ asset: 'm' }, { asset: 'm', SILENT }] }, { clips: [{ asset: 's' }] }"
    let file = try scratch.file("p.json5", Self.text(tracks, "volume: 0"))
    for (option, isFixed) in [("--fix", isSafe), ("--fix-unsafe", true)] {
      _ = try ToolRun.compositor(["validate", "p.json5", option], in: scratch.folder)
      #expect(try String(contentsOf: file, encoding: .utf8).contains("mute: true") == isFixed, "\(option)")
    }
  }

  @Test func explain_ofAMutedClip_saysSo() throws {
    let scratch = try Scratch()
    try Self.media(scratch)
    _ = try scratch.file("p.json5", Self.text("{ clips: [{ asset: 's', SILENT }] }", "mute: true"))
    let result = try ToolRun.compositor(["explain", "p.json5"], in: scratch.folder)
    #expect(result.status == 0 && result.output.contains("muted"), "\(result.output)")
  }

  /// The audio that is heard says what language the movie has.
  @Test(arguments: ["mute: true", "volume: 0"]) func language_isThatOfTheAudioThatIsHeard(_ key: String) throws {
    let scratch = try Scratch()
    try Self.media(scratch)
    for (name, language) in [("s", "eng"), ("m", "deu")] {
      try runProgram(
        "ffmpeg",
        ["-v", "error", "-i", scratch.file("\(name).wav").path, "-metadata:s:a", "language=\(language)"]
          + [scratch.file("\(name).mka").path])
    }
    let tracks = "{ clips: [{ asset: 's', SILENT }] }, { clips: [{ asset: 'm' }] }"
    _ = try scratch.file("p.json5", Self.text(tracks, key).replacing(".wav", with: ".mka").replacing("pcm-s16", with: "aac"))
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "o.m4a", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    let language = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "stream_tags=language", "-of", "csv=p=0", scratch.file("o.m4a").path])
    #expect(["deu", "ger"].contains(language.trimmingCharacters(in: .whitespacesAndNewlines)), "\(language)")
  }

  @Test(arguments: [("channels: [2]", false), ("channels: 'mono'", false), ("channels: [0, 1, 2]", true), ("fit: 'fit'", true)])
  func channelsThatAreChosen_areNotSaidToBeMixedDown(_ key: String, _ isSaid: Bool) throws {
    let scratch = try Scratch()
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=0.2:r=48000", "-ac", "6", scratch.file("s.wav").path])
    _ = try scratch.file("p.json5", "{ version: 1, assets: { s: 's.wav' }, tracks: [{ clips: [{ asset: 's', \(key) }] }] }")
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "o.wav", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0 && result.errors.contains("mixed down") == isSaid, "\(result.errors)")
  }
}
