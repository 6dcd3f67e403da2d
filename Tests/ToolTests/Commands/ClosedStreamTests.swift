import CompositorTestSupport
import Foundation
import Testing

/// Commands of services and scripts that close standard streams, or without `/proc`.
@Suite(.enabled(if: hasFFmpeg)) struct ClosedStreamTests {
  @Test(arguments: ["2>&-", "<&-", "2>&- <&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
  func render_endsAndIsWhole(_ closing: String) throws {
    let scratch = try Scratch()
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, assets: { a: { generate: \"bars\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }] }")
    let output = scratch.folder.appending(path: "o.mkv").path
    let command = "exec timeout 60 '\(ToolRun.tool.path)' render '\(project.path)' -o '\(output)' \(closing)"
    #expect(try ToolRun.program("bash", "-c", command).status == 0)
    #expect(try ToolRun.streams(URL(filePath: output)).first?["nb_read_frames"] == "30")
    let mistaken = "exec timeout 60 '\(ToolRun.tool.path)' render '\(scratch.folder.path)/none.json5' -o '\(output)' \(closing)"
    #expect(try ToolRun.program("bash", "-c", mistaken).status == 66)
  }

  /// A result that nobody can receive is an error.
  @Test func result_toAClosedStream_fails() throws {
    let command = "exec timeout 60 '\(ToolRun.tool.path)' presets --json >&-"
    #expect(try ToolRun.program("bash", "-c", command).status == 74)
  }

  @Test(.enabled(if: getuid() == 0)) func command_withoutProc_isAnError() throws {
    let command = "umount -l /proc && exec '\(ToolRun.tool.path)' validate none.json5"
    let result = try ToolRun.program("unshare", "--mount", "--pid", "--fork", "bash", "-c", command)
    #expect(result.status == 74 && result.errors.contains("mount -t proc"), "\(result.status) \(result.errors)")
  }
}
