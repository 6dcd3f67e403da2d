import CompositorFarm
import CompositorTestSupport
import Foundation
import Testing

/// What the commands do again, and what they leave alone, after something went wrong.
@Suite(.enabled(if: hasFFmpeg)) struct RecoveryTests {
  private static let quiet = CommandTests.quiet

  private func bytes(_ name: String, _ folder: TemporaryFolder) throws -> Data { try CommandTests.bytes(name, folder) }

  /// A part that another encoder's settings made, with an honest receipt: the command that concat names renders it again.
  @Test func part_encodedOtherwise_isRenderedAgain_byTheCommandThatConcatNames() throws {
    let folder = try CommandTests.folder(titles: false)
    let plan = ["plan", "project.json5", "--segments", "3", "--movie", "movie.mp4"] + Self.quiet
    try FarmTool.succeed(plan, in: folder)
    try FarmTool.succeed(plan + ["--encoder-speed", "slow", "-o", "other.json"], in: folder)
    let render = ["render", "--plan", "plan.json"] + Self.quiet
    try FarmTool.succeed(render, in: folder)
    let movie = try bytes("movie.mp4", folder)
    try FarmTool.succeed(["render", "--plan", "other.json", "--segment", "1"] + Self.quiet, in: folder)
    let own = try SegmentPlanFile(contentsOf: folder.file("plan.json")).name
    let other = try SegmentPlanFile(contentsOf: folder.file("other.json")).name
    try bytes("other.parts/00001.mp4", folder).write(to: URL(filePath: folder.file("plan.parts/00001.mp4")))
    let receipt = String(decoding: try bytes("other.parts/00001.json", folder), as: UTF8.self)
    try Data(receipt.replacing(other, with: own).utf8).write(to: URL(filePath: folder.file("plan.parts/00001.json")))
    let refused = try FarmTool.run(["concat", "plan.json", "-o", "again.mp4"] + Self.quiet, in: folder)
    #expect(refused.status == 75, "\(refused.errors)")
    #expect(refused.errors.contains("compositor render --plan plan.json --segment 1"), "\(refused.errors)")
    try FarmTool.succeed(render + ["--segment", "1"], in: folder)
    try FarmTool.succeed(["concat", "plan.json", "-o", "again.mp4"] + Self.quiet, in: folder)
    #expect(try bytes("again.mp4", folder) == movie)
  }
}
