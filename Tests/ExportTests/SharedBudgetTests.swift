import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorTestSupport
import Foundation
import Synchronization
import Testing

/// Many exports in one process share what there is.
@Suite(.enabled(if: hasFFmpeg)) struct SharedBudgetTests {
  /// What exports reported, by their number.
  private final class Log: Sendable {
    private let reports = Mutex<[Int: [ExportProgress]]>([:])
    let mostRunning = Mutex(0)

    func add(_ progress: ExportProgress, of number: Int, _ budget: RenderBudget) {
      let running = budget.status.runningExportCount
      mostRunning.withLock { $0 = max($0, running) }
      reports.withLock { $0[number, default: []].append(progress) }
    }

    subscript(_ number: Int) -> [ExportProgress] { reports.withLock { $0[number] ?? [] } }
  }

  private static func settings(_ budget: RenderBudget) -> ExportSettings {
    var settings = ExportSettings(video: VideoEncodingSettings(codec: .h264, speed: .ultrafast), audio: nil)
    settings.render.budget = budget
    return settings
  }

  private static func budget(exports: Int) -> RenderBudget {
    RenderBudget(RenderBudget.Limits(processorCount: 2, exportCount: exports))
  }

  private func wait(until condition: () -> Bool) async throws {
    for _ in 0..<4000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
    #expect(condition())
  }

  @Test func exports_beyondTheBudget_waitAndSayTheirPlace() async throws {
    let folder = try TemporaryFolder()
    let (budget, log) = (Self.budget(exports: 2), Log())
    let composition = try bars(seconds: 2, size: "320x180", hasAudio: false)
    _ = try await Exporter.export(composition, to: folder.file("alone.mp4"), settings: Self.settings(budget))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          _ = try await Exporter.export(composition, to: folder.file("\(number).mp4"), settings: Self.settings(budget)) {
            log.add($0, of: number, budget)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(log.mostRunning.withLock { $0 } == 2)
    let alone = try Data(contentsOf: URL(filePath: folder.file("alone.mp4")))
    var queued = 0
    for number in 0..<16 {
      #expect(try Data(contentsOf: URL(filePath: folder.file("\(number).mp4"))) == alone, "\(number)")
      let positions = log[number].prefix { $0.phase == .queued }.map { $0.queuePosition ?? 0 }
      #expect(positions == positions.sorted(by: >) && positions.allSatisfy { $0 > 0 }, "\(positions)")
      let rest = log[number].dropFirst(positions.count)
      #expect(rest.allSatisfy { $0.phase != .queued && $0.queuePosition == nil } && rest.last?.phase == .completed)
      queued += positions.isEmpty ? 0 : 1
    }
    #expect(queued >= 10, "\(queued) of 16 waited")
    #expect(budget.status.runningExportCount == 0 && budget.status.queuedExportCount == 0)
  }

  @Test(arguments: [false, true]) func cancel_ofOne_freesItsShareAtOnce(isQueued: Bool) async throws {
    let folder = try TemporaryFolder()
    let (budget, log) = (Self.budget(exports: 1), Log())
    let long = try bars(seconds: 600, size: "320x180", hasAudio: false)
    func export(_ number: Int) -> Task<Void, any Error> {
      Task {
        _ = try await Exporter.export(long, to: folder.file("\(number).mp4"), settings: Self.settings(budget)) {
          log.add($0, of: number, budget)
        }
      }
    }
    let first = export(0)
    try await wait { log[0].last?.phase == .encoding }
    let second = export(1)
    try await wait { log[1].last?.queuePosition == 1 }
    let third = export(2)
    try await wait { log[2].last?.queuePosition == 2 }
    (isQueued ? second : first).cancel()
    let error = await #expect(throws: CompositorError.self) { try await (isQueued ? second : first).value }
    #expect(error?.code == .cancelled)
    try await wait { log[2].last?.queuePosition == 1 }
    if !isQueued { try await wait { log[1].last?.phase == .encoding } }
    #expect(budget.status.runningExportCount == 1 && budget.status.queuedExportCount == 1)
    for task in [first, second, third] {
      task.cancel()
      await #expect(throws: CompositorError.self) { try await task.value }
    }
    #expect(budget.status.runningExportCount == 0 && budget.status.queuedExportCount == 0)
    #expect(try folder.names.isEmpty)
  }

  /// An image is not queued, and its frames take their turns with those of exports.
  @Test func stills_whileExportsRunAndWait_areAnswered() async throws {
    let folder = try TemporaryFolder()
    let (budget, log) = (Self.budget(exports: 2), Log())
    let long = try bars(seconds: 600, size: "320x180", hasAudio: false)
    let exports = (0..<8).map { number in
      Task {
        _ = try await Exporter.export(long, to: folder.file("\(number).mp4"), settings: Self.settings(budget)) {
          log.add($0, of: number, budget)
        }
      }
    }
    try await wait { budget.status.runningExportCount == 2 && budget.status.queuedExportCount == 6 }
    var images = ImageSettings.exact
    images.render.budget = budget
    let slowest = try await withThrowingTaskGroup(of: Duration.self) { group in
      for number in 0..<100 {
        group.addTask { [images] in
          let start = ContinuousClock.now
          let generator = try ImageGenerator(long, settings: images)
          let image = try await generator.image(at: MediaTime(value: Int64(number), timescale: 2))
          #expect(image.frame.size == PixelSize(width: 320, height: 180))
          await generator.close()
          return ContinuousClock.now - start
        }
      }
      return try await group.reduce(.zero) { max($0, $1) }
    }
    print("the slowest of a hundred stills, beside two exports that run and six that wait, took \(slowest)")
    #expect(budget.status.runningExportCount == 2 && budget.status.queuedExportCount == 6)
    for task in exports {
      task.cancel()
      await #expect(throws: CompositorError.self) { try await task.value }
    }
  }

  @Test func rows_sideBySide_areReportedInTheirOrder() async throws {
    let folder = try TemporaryFolder()
    let budget = Self.budget(exports: 2)
    let seconds = [3, 1, 1, 2, 1, 1]
    var outputs: [Result<String, CompositorError>] = seconds.indices.map { .success(folder.file("out/\($0).mp4")) }
    outputs[4] = .failure(CompositorError(.invalidValue, "no name"))
    let batch = BatchExporter(outputs: outputs, rowsAtATime: 4)
    let most = Mutex(0)
    var rows: [Int] = []
    let summary = await batch.run { row throws(CompositorError) in
      do {
        return (try bars(seconds: seconds[row], size: "320x180", hasAudio: false), Self.settings(budget))
      } catch {
        throw CompositorError(.internalFault, "\(error)")
      }
    } progress: { _, _ in
      let running = budget.status.runningExportCount
      most.withLock { $0 = max($0, running) }
    } report: {
      rows.append($0.row)
    }
    #expect(rows == [0, 1, 2, 3, 4, 5] && summary.completed == 5 && summary.failed == 1)
    #expect(most.withLock { $0 } == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).count == 5)
  }

  @Test func render_withoutMemoryForAFrame_isRefusedAndLeavesNothing() async throws {
    let folder = try TemporaryFolder()
    let large = try bars(seconds: 1, size: "3840x2160", hasAudio: false)
    let limit = RenderBudget.programByteCount + (64 << 20)
    let budget = RenderBudget(RenderBudget.Limits(memoryByteCount: limit))
    let error = await #expect(throws: CompositorError.self) {
      try await Exporter.export(large, to: folder.file("x.mp4"), settings: Self.settings(budget))
    }
    #expect(error?.code == .resourceExhausted && error?.message.contains("3840x2160 yuv420p") == true, "\(error as Any)")
    #expect(error?.message.contains("memory limit of 160 MiB") == true, "\(error as Any)")
    #expect(try folder.names.isEmpty)
    #expect(budget.status.runningExportCount == 0)
  }

  @Test func render_withLittleMemory_givesTheSameFile() async throws {
    let folder = try TemporaryFolder()
    let composition = try bars(seconds: 1, size: "640x360", hasAudio: false)
    _ = try await Exporter.export(composition, to: folder.file("much.mp4"), settings: Self.settings(Self.budget(exports: 2)))
    // As little as is not refused.
    var limit = RenderBudget.programByteCount
    while true {
      let budget = RenderBudget(RenderBudget.Limits(processorCount: 2, memoryByteCount: limit))
      do {
        _ = try await Exporter.export(composition, to: folder.file("little.mp4"), settings: Self.settings(budget))
        break
      } catch {
        try #require(error.code == .resourceExhausted && limit < 1 << 30)
        limit += 2 << 20
      }
    }
    #expect(limit > RenderBudget.programByteCount + (4 << 20))
    let files = try ["much.mp4", "little.mp4"].map { try Data(contentsOf: URL(filePath: folder.file($0))) }
    #expect(files[0] == files[1])
  }
}
