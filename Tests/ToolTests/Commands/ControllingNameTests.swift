import CompositorTestSupport
import Foundation
import Testing

/// Names of files, plugins and keys cannot control the terminal, in whatever message they are.
@Suite struct ControllingNameTests {
  private static let name = "a\u{1B}[2J\r\u{202E}b"

  private func isHarmless(_ result: ToolRun.Result) -> Bool {
    !(result.output + result.errors).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" || $0 == "\u{202E}" }
  }

  @Test(arguments: ["render", "validate", "explain", "diagram"]) func pathOfAPlugin(_ command: String) throws {
    let scratch = try Scratch()
    let escaped = "a\\u001b[2J\\r\\u202eb"
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, plugins: [\"\(escaped).so\"], assets: { c: { generate: \"bars\" }, \"\(escaped)\": \"\(escaped).mp4\" }, "
        + "tracks: [{ clips: [{ asset: \"c\", duration: \"1s\", effects: [{ use: \"builtin.blur\", \"\(escaped)\": 1 }] }, "
        + "{ asset: \"\(escaped)\" }] }] }")
    let arguments = [command, project.path] + (command == "render" ? ["-o", "o.mkv"] : [])
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    #expect(isHarmless(result), "\(command): \(result.output.debugDescription) \(result.errors.debugDescription)")
  }

  @Test(arguments: ["render", "validate", "probe", "frame"]) func pathOfAFile(_ command: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("\(Self.name).mp4", "no movie")
    let options = ["render": ["-o", "o.mkv"], "frame": ["--at", "0", "-o", "o.png"]][command] ?? []
    let result = try ToolRun.compositor([command, "\(Self.name).mp4"] + options, in: scratch.folder)
    #expect(result.status != 0 && isHarmless(result), "\(command): \(result.errors.debugDescription)")
  }
}
