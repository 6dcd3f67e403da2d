import Foundation
import Testing

/// A plugin that wants its frames in order is refused, since its frames would depend on those before.
@Suite struct PluginOrderTests {
  @Test(arguments: ["inspect", "check"]) func plugin_inOrder_isRefusedWithTheReason(_ command: String) throws {
    let workshop = try PluginWorkshop()
    var text = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    text.replace("COMPOSITOR_CONCURRENT", with: "COMPOSITOR_IN_ORDER")
    let plugin = try workshop.compile(try workshop.scratch.file("ordered.c", text), name: "ordered")
    let result = try ToolRun.compositor(["plugins", command, plugin.path])
    #expect(result.status != 0, "\(result)")
    let said = result.output + result.errors
    #expect(said.contains("keeps state from frame to frame (in order), which plugins cannot."), "\(said)")
    #expect(said.contains("ask for the frames of other times"), "\(said)")
  }
}
