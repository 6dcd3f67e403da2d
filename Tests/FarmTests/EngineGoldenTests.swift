import CompositorFarm
import Foundation
import Testing

/// The texts for engines are those in `Fixtures/Engines`, for people to read.
///
/// `COMPOSITOR_ACCEPT_ENGINES=1 scripts/test --filter EngineGoldenTests` rewrites them: read them before you commit them.
@Suite struct EngineGoldenTests {
  private static let isAccepting = ProcessInfo.processInfo.environment["COMPOSITOR_ACCEPT_ENGINES"] == "1"
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/Engines")

  private func compare(_ files: [FarmFile], with name: String) throws {
    let folder = Self.folder.appending(path: name)
    if Self.isAccepting {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in files { try Data(file.text.utf8).write(to: folder.appending(path: file.name)) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files.map(\.name).sorted())
    for file in files {
      #expect(file.text == (try String(contentsOf: folder.appending(path: file.name), encoding: .utf8)), "\(name)/\(file.name)")
    }
  }

  @Test func openjd_ofMovie() throws {
    try compare(
      OpenJDBundle(job: EngineFixtures.movie, planFolder: "/studio/holiday", settings: EngineFixtures.settings()).files,
      with: "movie.openjd")
  }

  @Test func openjd_ofWhatIsMissing() throws {
    let settings = EngineFixtures.settings {
      ($0.tool, $0.processorCount, $0.timeLimitSeconds) = ("/opt/compositor/bin/compositor", 4, 1800)
    }
    try compare(
      OpenJDBundle(job: EngineFixtures.rest, planFolder: "/studio/holiday", settings: settings).files, with: "rest.openjd")
  }

  @Test func openjd_ofBatch() throws {
    try compare(
      OpenJDBundle(job: EngineFixtures.batch, planFolder: "/studio/people", settings: EngineFixtures.settings()).files,
      with: "batch.openjd")
  }

  @Test func slurm_ofMovie() throws {
    try compare(
      SlurmScripts(job: EngineFixtures.movie, planFolder: "..", settings: EngineFixtures.settings()).files, with: "movie.slurm")
  }

  @Test func slurm_ofWhatIsMissing() throws {
    let settings = EngineFixtures.settings { ($0.processorCount, $0.timeLimitSeconds) = (4, 1800) }
    try compare(SlurmScripts(job: EngineFixtures.rest, planFolder: "..", settings: settings).files, with: "rest.slurm")
  }

  @Test func slurm_ofBatch_ofMoreRowsThanAnArrayHas() throws {
    let scripts = SlurmScripts(job: EngineFixtures.batch, planFolder: "..", settings: EngineFixtures.settings(), arrayLimit: 16)
    try compare(scripts.files, with: "batch.slurm")
  }

  @Test func commands_ofMovie() throws {
    let list = try CommandList(job: EngineFixtures.rest, folder: "holiday")
    #expect(
      list.text == """
        compositor render --plan holiday/holiday.plan.json --segment 1
        compositor render --plan holiday/holiday.plan.json --segment 4
        compositor render --plan holiday/holiday.plan.json --segment 5

        """)
    #expect(list.joining == "compositor concat holiday/holiday.plan.json -o holiday/holiday.mp4")
    #expect(try CommandList(job: EngineFixtures.movie).commands.first == "compositor render --plan holiday.plan.json --audio")
    #expect(try CommandList(job: EngineFixtures.batch).joining == nil)
  }
}
