import CompositorPlugins
import Foundation
import Testing

/// What is trusted is bytes: those that the digest was computed from are those that run.
@Suite(.serialized) struct TrustedFileTests {
  /// A preloaded library puts another plugin in the file's place when the tool loads it. The other would print to the tool's output.
  @Test(arguments: [false, true]) func file_replacedBeforeItIsLoaded_isNotRun(_ isNamedByDigest: Bool) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("PRINT", fromFrame: 1000)
    let elsewhere = try PluginWorkshop()
    let other = try elsewhere.hostile("PRINT", fromFrame: 0)
    let swap = workshop.scratch.folder.appending(path: "swap.so")
    let made = try ToolRun.program(
      "cc", "-shared", "-fPIC", "-o", swap.path, PluginWorkshop.fixtures.appending(path: "swap.c").path, "-ldl")
    try #require(made.status == 0, "\(made.errors)")
    let digest = try PluginTrust.digest(of: plugin.path)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let result = try ToolRun.compositor(
      [
        "render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path, "--progress", "none",
        "--trust-plugin", isNamedByDigest ? "sha256:\(digest)" : plugin.path,
      ], environment: ["LD_PRELOAD": swap.path, "SWAP_FROM": other.path, "SWAP_TO": plugin.path])
    #expect(result.errors.contains("swapped"), "nothing was swapped: \(result.errors)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty, "the other plugin ran: \(result.output)")
    #expect(try PluginTrust.digest(of: plugin.path) != digest)
  }
}
