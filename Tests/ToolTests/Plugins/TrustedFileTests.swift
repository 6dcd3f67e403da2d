import CompositorAPI
import Foundation
import CompositorPlugins
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

  @Test func image_ofAFileThatIsOverwritten_keepsItsBytes() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("PRINT", fromFrame: 1000)
    let other = try workshop.compile(PluginWorkshop.fixtures.appending(path: "placed.c"), name: "placed")
    let digest = try PluginTrust.digest(of: plugin.path)
    let image = try PluginImage(of: plugin.path)
    #expect(image.digest == digest)
    // The same inode, other bytes.
    let file = try FileHandle(forWritingTo: plugin)
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(contentsOf: other))
    try file.close()
    let opened = try PluginSpecification.binary(path: plugin.path).open(image)
    #expect(opened.factories.map(\.descriptor.id.rawValue) == ["org.example.hostile"])
    let trust: Set<PluginTrust> = [.file(path: plugin.path, digest: digest), .digest(digest)]
    #expect(try trust.open(.binary(path: plugin.path)) == nil)
  }

  @Test func image_ofALinkOrAFolder_isRefused() throws {
    let scratch = try Scratch()
    let file = try scratch.file("plugin.so", "bytes")
    let link = scratch.folder.appending(path: "link.so")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    for path in [link.path, scratch.folder.path, scratch.folder.path + "/nothing.so"] {
      let error = #expect(throws: CompositorError.self) { try PluginImage(of: path) }
      #expect(error?.code == .fileNotFound, "\(path)")
    }
    #expect(try PluginImage(of: file.path).digest == PluginTrust.digest(of: file.path))
  }
}
