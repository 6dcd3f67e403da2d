import CompositorHost
import Foundation
import Testing

/// The tool's options by their current names, and by those of before.
@Suite struct DialectTests {
  private static let project = """
    { version: 2, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36", tone: 440 } },
      tracks: [{ clips: [{ asset: "a", duration: "5f" }] }] }
    """

  private func render(_ scratch: Scratch, _ name: String, _ options: [String]) throws -> ToolRun.Result {
    _ = try scratch.file("p.json5", Self.project)
    return try ToolRun.compositor(["render", "p.json5", "-o", name, "--progress", "none"] + options, in: scratch.folder)
  }

  /// Streams of a movie: kind, codec, matrix.
  private func streams(_ scratch: Scratch, _ name: String) throws -> [String] {
    try ToolRun.streams(scratch.folder.appending(path: name)).map {
      "\($0["codec_type"] ?? "") \($0["codec_name"] ?? "") \($0["color_space"] ?? "")"
    }
  }

  @Test(arguments: [
    (["--color", "hlg"], ["--colour", "hlg"], ""), (["--no-audio"], ["--no-sound"], "Write --no-audio."),
    (["--preset", "hevc-hlg"], ["--export-preset", "hevc-hlg"], "Write --preset hevc-hlg."),
    (["--encoder-speed", "ultrafast"], ["--preset", "ultrafast"], "Write --encoder-speed ultrafast."),
    (["--codec", "ffv1", "--audio-codec", "pcm-s24"], ["--codec", "ffv1", "--audio-codec", "pcm_s24"], ""),
  ])
  func olderOptions_doTheSame(_ current: [String], _ older: [String], _ warning: String) throws {
    let scratch = try Scratch()
    let (new, old) = (try render(scratch, "new.mov", current), try render(scratch, "old.mov", older))
    #expect(new.status == 0 && old.status == 0, "\(new.errors) \(old.errors)")
    #expect(new.errors.isEmpty, "\(new.errors)")
    #expect(warning.isEmpty ? old.errors.isEmpty : old.errors.contains(warning), "\(old.errors)")
    #expect(old.errors.components(separatedBy: "older spelling").count <= 2, "\(old.errors)")
    #expect(try streams(scratch, "new.mov") == streams(scratch, "old.mov"))
  }

  @Test(arguments: ["render", "join", "frame", "validate", "explain"])
  func help_andCompletions_nameTheCurrentOptionsOnly(_ command: String) throws {
    let help = try ToolRun.compositor([command, "--help"]).output
    #expect(help.contains("--color"))
    for older in ["--colour", "--no-sound", "--export-preset"] { #expect(!help.contains(older), "\(command): \(older)") }
    guard ["render", "join"].contains(command) else { return }
    for current in ["--no-audio", "--preset <preset>", "--encoder-speed", "hevc-pq", "veryslow", "pcm-s16"] {
      #expect(help.contains(current), "\(current): \(help)")
    }
    let completions = try ToolRun.compositor(["--generate-completion-script", "bash"]).output
    #expect(completions.contains("--encoder-speed") && completions.contains("--no-audio"))
    for older in ["--colour", "--no-sound", "--export-preset"] { #expect(!completions.contains(older), "\(older)") }
  }

  /// An older project renders with a warning for each place, once.
  @Test func project_inTheOlderDialect_rendersWithWarnings() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "old.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36" } },
        tracks: [{ clips: [{ asset: "a", duration: "5f", sound: false }] }],
        titles: [{ layer: { bounds: [20, 20], position: [32, 18], backgroundColor: "red", transform: { rotationZ: 0.7853981633974483 },
          animations: [{ property: "opacity", from: 0, duration: 0.2, curve: "easeIn" }] } }] }
      """)
    _ = try scratch.file(
      "new.json5",
      """
      { version: 2, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36" } },
        tracks: [{ clips: [{ asset: "a", duration: "5f", audio: false }] }],
        titles: [{ layer: { bounds: [20, 20], position: ["50%", "50%"], backgroundColor: "red", transform: { rotationZ: 45 },
          animations: [{ property: "opacity", from: 0, duration: "5f", easing: "ease-in" }] } }] }
      """)
    let stills = try ["old", "new"].map { name in
      let result = try ToolRun.compositor(["frame", "\(name).json5", "--at", "3f", "-o", "\(name).png"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      let warnings = result.errors.components(separatedBy: "warning: ").count - 1
      #expect(warnings == (name == "old" ? 5 : 0), "\(result.errors)")
      return try Data(contentsOf: scratch.folder.appending(path: "\(name).png"))
    }
    #expect(stills[0] == stills[1])
  }
}
