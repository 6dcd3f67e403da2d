import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// A batch as a program uses it.
@Suite struct BatchExporterTests {
  private static func composition(seconds: String) throws(CompositorError) -> ValidatedComposition {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: 25, audio: false },
        assets: { a: { generate: "bars", size: "64x36" } }, tracks: [{ clips: [{ asset: "a", duration: "${T}" }] }] }
      """, variables: ["T": seconds])
    let catalog = MediaCatalog()
    return try CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog).get()
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "batch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func word(_ outcome: BatchOutcome) -> String {
    switch outcome.status {
    case .completed: "completed"
    case .skipped: "skipped"
    case .failed(let error): "failed \(error.code)"
    case .canceled: "canceled"
    }
  }

  /// Runs a batch of rows with these durations.
  private static func run(
    _ batch: BatchExporter, _ durations: [String], report: (BatchOutcome) -> Void = { _ in }
  ) async -> (words: [String], summary: BatchSummary) {
    var words: [String] = []
    let summary = await batch.run { row throws(CompositorError) in
      (try composition(seconds: durations[row]), ExportSettings())
    } report: { outcome in
      words.append(word(outcome))
      report(outcome)
    }
    return (words, summary)
  }

  @Test func rows_afterAFailure_goOnAndAreSkippedTheNextTime() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let durations = ["0.2s", "long", "0.2s", "0.2s"]
    var outputs: [Result<String, CompositorError>] = durations.indices.map { .success("\(folder.path)/a/b\($0)/\($0).mp4") }
    outputs[2] = .failure(CompositorError(.invalidValue, "no name"))
    let first = await Self.run(BatchExporter(outputs: outputs), durations)
    #expect(first.words == ["completed", "failed invalidProject", "failed invalidValue", "completed"])
    #expect(first.summary.completed == 2 && first.summary.failed == 2 && first.summary.firstError?.code == .invalidProject)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a").sorted() == ["b0", "b3"])
    let date = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a/b0/0.mp4")[.modificationDate] as? Date
    let mended = ["0.2s", "0.2s", "0.2s", "0.2s"]
    let second = await Self.run(BatchExporter(outputs: outputs), mended)
    #expect(second.words == ["skipped", "completed", "failed invalidValue", "skipped"] && second.summary.skipped == 2)
    #expect(
      try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a/b0/0.mp4")[.modificationDate] as? Date == date)
    let third = await Self.run(BatchExporter(outputs: outputs, overwrites: true), mended)
    #expect(third.words == ["completed", "completed", "failed invalidValue", "completed"])
  }

  @Test func images_thatAreThere_areSkipped() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let batch = BatchExporter(outputs: [.success("\(folder.path)/x/%02d.png")])
    #expect(await Self.run(batch, ["0.2s"]).words == ["completed"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/x").count == 5)
    #expect(await Self.run(batch, ["0.2s"]).words == ["skipped"])
  }

  @Test func folder_thatCannotBeMade_failsTheRow() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "file"))
    let batch = BatchExporter(outputs: [.success("\(folder.path)/file/x/a.mp4"), .success("\(folder.path)/b.mp4")])
    #expect(await Self.run(batch, ["0.2s", "0.2s"]).words == ["failed writeFailed", "completed"])
  }

  @Test func rows_ofACanceledBatch_areReportedAndLeaveNothing() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let batch = BatchExporter(outputs: (0..<5).map { .success("\(folder.path)/out\($0)/\($0).mp4") })
    let canceled = Mutex<ContinuousClock.Instant?>(nil)
    let task = Task {
      var words: [String] = []
      let summary = await batch.run { row throws(CompositorError) in
        (try Self.composition(seconds: row == 1 ? "600s" : "0.2s"), ExportSettings())
      } progress: { row, progress in
        guard row == 1, progress.framesDone > 3 else { return }
        canceled.withLock { $0 = $0 ?? .now }
      } report: {
        words.append(Self.word($0))
      }
      return (words, summary)
    }
    while canceled.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let (words, summary) = await task.value
    let elapsed = try #require(canceled.withLock { $0 }).duration(to: .now)
    #expect(words == ["completed", "canceled", "canceled", "canceled", "canceled"])
    #expect(summary.completed == 1 && summary.canceled == 4 && summary.firstError == nil)
    #expect(elapsed < .seconds(2))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out0"])
  }
}
