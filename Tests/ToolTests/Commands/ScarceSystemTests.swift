import Foundation
import Testing

/// A system that gives the tool too few threads, or too little address space: one error, and no waiting.
@Suite(.serialized) struct ScarceSystemTests {
  private static let canChangeUser = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  /// - Parameter limit: The arguments of `ulimit`.
  private func render(_ limit: String, asUser: Bool) throws -> ToolRun.Result {
    let scratch = try Scratch()
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25, audio: false }, assets: { bars: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "bars", duration: "5f" }] }] }
      """)
    let output = scratch.folder.appending(path: "out")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    for (folder, mode) in [(scratch.folder, 0o755), (output, 0o777)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    }
    let command = "ulimit \(limit); exec \"$0\" render \"$1\" -o \"$2/o.mp4\" --progress none"
    let user = asUser ? ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"] : []
    return try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["timeout", "60"] + user + ["bash", "-c", command, ToolRun.tool.path, project.path, output.path])
  }

  @Test(arguments: [400_000, 600_000]) func addressSpace_tooLittle_isSaid(_ kibibytes: Int) throws {
    let result = try render("-v \(kibibytes)", asUser: false)
    #expect(result.status == 75 && result.errors.contains("ulimit -v"), "\(result.status): \(result.errors)")
  }

  @Test(.enabled(if: canChangeUser, "needs root and setpriv: limits of processes do not hold for root"))
  func threads_tooFew_areSaid() throws {
    let result = try render("-u 6", asUser: true)
    #expect(result.status == 75 && result.errors.contains("ulimit -u"), "\(result.status): \(result.errors)")
  }
}
