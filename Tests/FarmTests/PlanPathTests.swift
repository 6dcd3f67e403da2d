import CompositorAPI
import CompositorFarm
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Testing

/// The paths of a plan are relative to its folder, whatever the current folder of the process is: that of these tests is another one.
@Suite(.enabled(if: hasFFmpeg)) struct PlanPathTests {
  /// A plan made by the tool in its folder.
  ///
  /// - Parameter arguments: What is planned.
  private static func plan(_ arguments: [String], in folder: TemporaryFolder) throws -> SegmentPlanFile {
    try Data("1\n00:00:00,200 --> 00:00:00,900\nBelow\n".utf8).write(to: URL(filePath: folder.file("media/a.srt")))
    try FarmTool.succeed(["plan"] + arguments + CommandTests.quiet, in: folder)
    return try SegmentPlanFile(contentsOf: folder.file("plan.json"))
  }

  /// A project, and a media file that is rendered as one, each with a file that only an option names.
  @Test(arguments: ["project.json5", "media/a.mp4"])
  func segment_renderedFromAnotherFolder_isTheToolsOwn(_ project: String) async throws {
    let folder = try CommandTests.folder()
    let file = try Self.plan(
      [project, "--captions", "media/a.srt", "--length", "1s", "--movie", "movie.mp4"], in: folder)
    #expect(!file.plan.media.isEmpty && (file.plan.media + file.plan.files).allSatisfy { !$0.path.hasPrefix("/") })
    try FarmTool.succeed(["render", "--plan", "plan.json", "--segment", "0"] + CommandTests.quiet, in: folder)
    let expected = try CommandTests.bytes("plan.parts/00000.mp4", folder)
    try FileManager.default.removeItem(atPath: folder.file("plan.parts"))
    #expect(try await PlanRenderer(file).renderSegment(0) == folder.file("plan.parts/00000.mp4"))
    #expect(try CommandTests.bytes("plan.parts/00000.mp4", folder) == expected)

    // An input that has changed is named by the path with which it was opened.
    try FileManager.default.removeItem(atPath: folder.file("plan.parts"))
    try Data("1\n00:00:00,200 --> 00:00:00,900\nAbove\n".utf8).write(to: URL(filePath: folder.file("media/a.srt")))
    let error = await #expect(throws: CompositorError.self) { try await PlanRenderer(file).renderSegment(0) }
    #expect(error?.code == .planChanged && error?.location.file == folder.file("media/a.srt"))
  }

  /// A plan in another folder than the project, made by the library, which is told where the plan's file will be.
  @Test(arguments: ["project.json5", "media/a.mp4"])
  func plan_madeFromAnotherFolder_isTheToolsOwn(_ name: String) async throws {
    let folder = try CommandTests.folder()
    try FileManager.default.createDirectory(atPath: folder.file("farm"), withIntermediateDirectories: true)
    try Data("1\n00:00:00,200 --> 00:00:00,900\nBelow\n".utf8).write(to: URL(filePath: folder.file("media/a.srt")))
    let arguments = [name, "--captions", "media/a.srt", "--segments", "2", "--movie", "movie.mp4", "-o", "farm/plan.json"]
    try FarmTool.succeed(["plan"] + arguments + CommandTests.quiet, in: folder)
    let file = try SegmentPlanFile(contentsOf: folder.file("farm/plan.json"))
    #expect(file.plan.project.path == "../\(name)" && file.plan.media.contains { $0.path == "../media/a.mp4" })

    let (paths, recipe) = (file.paths, file.paths.opened(file.plan.recipe))
    let loader = ProjectLoader(catalog: MediaCatalog(), overrides: recipe.overrides)
    let (opened, composition, _) = try loader.load(try loader.open(paths.opened("../\(name)"))).validated()
    let project = PlannedProject(
      opened, path: "../\(name)", composition: composition, optionFiles: recipe.overrides.captions.files, plugins: [:])
    let maker = PlanMaker(
      project, at: paths, overrides: recipe.overrides, tool: CompositorVersion.number, cache: DigestCache(folder: nil))
    let plan = try await maker.plan(recipe.settings.export, movie: "../movie.mp4", length: .count(2)).plan
    #expect(plan == file.plan)
  }

  @Test func row_renderedFromAnotherFolder_isTheToolsOwn() async throws {
    let folder = try CommandTests.folder()
    try Data("name\nAda\nGrace\n".utf8).write(to: URL(filePath: folder.file("people.csv")))
    let file = try Self.plan(["project.json5", "--batch", "people.csv", "--movie", "out/{name}.mp4"], in: folder)
    #expect(try await PlanRenderer(file).renderSegment(1) == folder.file("out/Grace.mp4"))
    let own = try CommandTests.bytes("out/Grace.mp4", folder)
    try FileManager.default.removeItem(atPath: folder.file("plan.parts"))
    try FileManager.default.removeItem(atPath: folder.file("out"))
    try FarmTool.succeed(["render", "--plan", "plan.json", "--segment", "1"] + CommandTests.quiet, in: folder)
    #expect(try CommandTests.bytes("out/Grace.mp4", folder) == own)
  }
}
