import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Machines that differ from each other or from the one that planned: what is refused, and what is noted.
@Suite struct DifferencesTests {
  private static func movie() async throws -> PlannedMovie {
    try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 30, segments: 3)
  }

  private func error(_ body: () async throws -> some Any) async -> CompositorError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? CompositorError
    }
  }

  @Test func versions_ofAnotherTool_areRefused_orNoted() async throws {
    let movie = try await Self.movie()
    let error = await error { try await movie.renderer(tool: "other") }
    #expect(error?.code == .versionMismatch && error?.message.contains("compositor is other, and test in the plan") == true)
    let renderer = try await movie.renderer(allows: true, tool: "other")
    let receipt = try await renderer.render(.segment(0)).receipt
    #expect(receipt.allowedVersions == ["compositor is other, and test in the plan"] && receipt.tool == "other")
    #expect(try await movie.renderer().render(.segment(1)).receipt.allowedVersions == nil)
  }

  /// What does not keep parts from being joined, but may show in the movie.
  @Test func differencesBetweenParts_areWarnings() async throws {
    let movie = try await Self.movie()
    try await movie.render()
    #expect(try PlanStatus(of: movie.file).warnings.isEmpty)
    #expect(try await MovieJoiner(movie.file).join(to: movie.folder.file("plain.mp4")).warnings.isEmpty)
    func change(_ part: PlanPart, host: String, _ fonts: [String], allowed: [String]? = nil) throws {
      let path = movie.parts.receiptPath(of: part)
      var receipt = try PartReceipt(contentsOf: path)
      let texts = fonts.map { "{ \"family\": \"Ink\", \"file\": \"\($0).ttf\", \"sha256\": \"\($0)\" }" }
      let text = "[\(texts.joined(separator: ","))]"
      receipt.otherFonts = try JSONDecoder().decode([SegmentPlan.Font].self, from: Data(text.utf8))
      (receipt.host, receipt.allowedVersions) = (host, allowed)
      try receipt.write(to: path)
    }
    // Two builds of one version.
    let path = movie.parts.receiptPath(of: .segment(1))
    let own = try PartReceipt(contentsOf: path)
    #expect(own.build?.count == 64)
    var other = own
    (other.build, other.host) = (String(repeating: "f", count: 64), "there")
    try other.write(to: path)
    let builds = try PlanStatus(of: movie.file).warnings
    #expect(builds.count == 1 && builds[0].hasPrefix("parts were rendered by different builds of the tool: "))
    #expect(builds.allSatisfy { $0.hasSuffix("; ffffffffffff on there") }, "\(builds)")
    try own.write(to: path)
    // One machine, and one that has a file in common with it: a family has several.
    try change(.segment(0), host: "one", ["a"])
    try change(.segment(1), host: "one", ["b"])
    try change(.segment(2), host: "two", ["b", "c"])
    #expect(try PlanStatus(of: movie.file).warnings.isEmpty)
    try change(.segment(1), host: "two", ["c"], allowed: ["libx264 is 1, and 2 in the plan"])
    try change(.segment(2), host: "two", ["d"], allowed: ["libx264 is 1, and 2 in the plan"])
    try change(.audio, host: "two", [], allowed: ["libx264 is 1, and 2 in the plan"])
    let expected = [
      "segments 1-2 and the audio were rendered with another version than planned: libx264 is 1, and 2 in the plan",
      "text in the font “Ink” may look different from segment to segment: one drew it with a.ttf, two with c.ttf, d.ttf",
    ]
    #expect(try PlanStatus(of: movie.file).warnings == expected)
    #expect(try await MovieJoiner(movie.file).join(to: movie.folder.file("movie.mp4")).warnings == expected)
  }

  /// A node whose processor would make other bytes is refused before its first frame.
  @Test func processor_thatWouldMakeOtherBytes_isRefused_orNoted() async throws {
    let movie = try await Self.movie()
    let current = ProcessorArchitecture.current
    #expect(movie.plan.processor.architecture == current.rawValue)
    let other = current == .aarch64 ? ProcessorArchitecture.x86_64 : .aarch64
    let difference = "the processor is \(other.rawValue), and \(current.rawValue) in the plan"
    let (composition, video) = (movie.project.composition, movie.settings.video)
    let checks = PlanChecks(movie.file, cache: DigestCache(folder: nil), processor: other)
    let refused = await error { try checks.checkProcessor(allows: false) }
    #expect(refused?.code == .versionMismatch && refused?.message.contains(difference) == true)
    #expect(try checks.checkProcessor(allows: true) == [difference])
    let row = await error {
      try checks.check(row: composition, video: video, audio: nil, tool: PlannedMovie.tool, allows: false)
    }
    #expect(row?.code == .versionMismatch && row?.message.contains(difference) == true)
  }
}
