import Foundation
import Testing

/// What plugins write to the standard error stream, and what they could do to the terminal behind it.
@Suite(.serialized) struct PluginMessageTests {
  private func render(_ deed: String, in workshop: PluginWorkshop) throws -> (result: ToolRun.Result, arguments: [String]) {
    let plugin = try workshop.hostile(deed, fromFrame: 5)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let arguments = ["render", project.path, "-o", output.path, "--progress", "none", "--overwrite"]
    return (try ToolRun.compositor(arguments), arguments)
  }

  @Test func messages_haveThePluginsNameAndNoControlCharacters() throws {
    let (result, _) = try render("ESCAPES", in: PluginWorkshop())
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("compositor: plugin escapes.so: ?]0;owned??[31mred"), "\(result.errors)")
    let isClean = result.errors.unicodeScalars.allSatisfy {
      $0 == "\n" || ($0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) && $0.value != 0x202e)
    }
    #expect(isClean)
    #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("compositor: ") })
  }

  @Test func messages_tooMany_areCutAndTheRenderGoesOn() throws {
    // Whatever the number of processors is, of which each may have a worker.
    let (result, _) = try render("FLOOD", in: PluginWorkshop())
    #expect(result.status == 0)
    let size = result.errors.utf8.count
    #expect(size > 63 << 10 && size < 66 << 10, "\(size)")
    #expect(result.errors.components(separatedBy: "(more than 64 KiB; the rest is not shown)").count == 2)
  }

  /// With a terminal as the tool's standard error, as a person has it.
  @Test func terminal_isOutOfAPluginsReach() throws {
    let workshop = try PluginWorkshop()
    let (_, arguments) = try render("TERMINAL", in: workshop)
    let log = workshop.scratch.folder.appending(path: "log")
    let command = ([ToolRun.tool.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    _ = try ToolRun.program("script", "-q", "-e", "-c", command, log.path)
    let text = try String(contentsOf: log, encoding: .utf8)
    #expect(text.contains("terminal 0, typed 0, opened 0"), "\(text)")
  }

  /// Tables have no line of their own for each message.
  @Test(arguments: [[], ["--json"]]) func outputOfAPlugin_inABenchmark_isCleaned(_ options: [String]) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("PRINT", fromFrame: 0)
    let result = try ToolRun.compositor(
      ["bench", "--compositor", plugin.path, "--work", "W2", "--repetitions", "1", "--size", "64x36"] + options)
    let said = result.output + result.errors
    #expect(said.contains("?]0;owned?"), "\(said)")
    #expect(!said.contains("\u{1b}") && !said.contains("\u{7}"))
  }

  @Test func errorText_withControlCharacters_isCleaned() throws {
    let (result, _) = try render("LONG_ERROR", in: PluginWorkshop())
    #expect(result.status == 69)
    #expect(!result.errors.contains("\u{1b}"))
  }
}
