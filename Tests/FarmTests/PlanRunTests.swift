import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorMedia
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Synchronization
import Testing

/// A run renders what is missing of a plan, in an order of its own, and is not held up by a part that fails.
@Suite struct PlanRunTests {
  /// A plan of a movie with audio, whose project and parts are files.
  private static func plan(in folder: TemporaryFolder, segments: Int = 3) async throws -> SegmentPlanFile {
    let path = folder.file("project.json5")
    try Data(PlannedMovie.project(rate: Rational(25, 1), frames: 24).utf8).write(to: URL(filePath: path))
    let loader = ProjectLoader(catalog: MediaCatalog())
    let (file, composition, _) = try loader.load(try loader.open(path)).validated()
    let project = PlannedProject(file, path: path, composition: composition, optionFiles: [], plugins: [:])
    let settings = ExportSettings(video: VideoEncodingSettings(codec: .ffv1))
    let maker = PlanMaker(
      project, at: PlanPaths(ofPlan: folder.file("plan.json")), tool: "test", cache: DigestCache(folder: nil))
    let (plan, _) = try await maker.plan(settings, movie: folder.file("movie.mkv"), length: .count(segments))
    return try SegmentPlanFile(plan, writingTo: folder.file("plan.json"), overwrites: false)
  }

  /// What a run told, and what it ended with.
  private struct Record {
    var completed: [(part: PlanPart, alreadyExisted: Bool)] = []
    var failed: [PlanPart] = []
    var result: Result<Int, CompositorError>
    var progress: [ExportProgress] = []
  }

  private static func run(_ file: SegmentPlanFile, _ parts: [PlanPart]) async -> Record {
    var record = Record(result: .success(0))
    let progress = Mutex<[ExportProgress]>([])
    let run = PlanRun(PlanRenderer(file, toolVersion: "test")) { seen in
      progress.withLock { $0.append(seen) }
    } completed: { outcome in
      record.completed.append((outcome.part, outcome.alreadyExisted))
    } failed: { part, _ in
      record.failed.append(part)
    }
    do throws(CompositorError) {
      record.result = .success(try await run.render(parts))
    } catch {
      record.result = .failure(error)
    }
    record.progress = progress.withLock { $0 }
    return record
  }

  @Test func parts_areRenderedOnce_theAudioFirst() async throws {
    let folder = try TemporaryFolder()
    let file = try await Self.plan(in: folder)
    let one = await Self.run(file, [.segment(1)])
    #expect(try one.result.get() == 1 && one.completed.map(\.part) == [.segment(1)])
    let all = await Self.run(file, file.plan.parts)
    #expect(try all.result.get() == 3 && all.failed.isEmpty)
    // Parts that exist are reported first.
    #expect(all.completed.map(\.part) == [.segment(1), .audio, .segment(0), .segment(2)])
    #expect(all.completed.map(\.alreadyExisted) == [true, false, false, false])
    let frames = file.plan.frames(ofSegment: 0).count + file.plan.frames(ofSegment: 2).count
    // 24 frames in all: their audio counts as one more.
    #expect(all.progress.filter { $0.phase != .queued }.allSatisfy { $0.frameCount == frames + 1 })
    #expect(all.progress.last?.framesDone == frames + 1)
    let again = await Self.run(file, file.plan.parts)
    #expect(try again.result.get() == 0 && again.completed.allSatisfy(\.alreadyExisted))
  }

  @Test func part_thatFails_holdsUpNoOther_andIsNamed() async throws {
    let folder = try TemporaryFolder()
    let file = try await Self.plan(in: folder)
    // A folder cannot be replaced by a part.
    for part in [PlanPart.segment(0), .segment(2)] {
      try FileManager.default.createDirectory(atPath: PartsFolder(file).path(of: part), withIntermediateDirectories: true)
    }
    let record = await Self.run(file, file.plan.parts)
    #expect(record.completed.map(\.part) == [.audio, .segment(1)] && record.failed == [.segment(0), .segment(2)])
    let error = try #require(throws: CompositorError.self) { try record.result.get() }
    #expect(error.code == .writeFailed && error.message.hasPrefix("segment 0 failed, as 1 more of 4 parts: "))
    // The only part's error is its own.
    let single = await Self.run(file, [.segment(2)])
    let own = try #require(throws: CompositorError.self) { try single.result.get() }
    #expect(own.message == "The output is a folder." && single.failed.isEmpty)
  }

  @Test func failures_ofTheWholeRun_endIt() throws {
    let full = CompositorError(.writeFailed, "The disk is full.", systemErrorNumber: ENOSPC)
    let canceled = CompositorError(.cancelled, "The export was canceled.")
    for error in [full, canceled] {
      var failures = PartFailures(of: 3)
      #expect(throws: CompositorError.self) { try failures.note(error, of: .segment(1)) }
      #expect(failures.summary == nil)
    }
    var failures = PartFailures(of: 2)
    try failures.note(CompositorError(.writeFailed, "No."), of: .audio)
    #expect(failures.summary?.message == "audio failed: No.")
  }

  @Test func progress_ofOnePart_isAShareOfAll() async throws {
    let folder = try TemporaryFolder()
    let plan = try await Self.plan(in: folder).plan
    let counts = (0..<3).map { plan.frames(ofSegment: $0).count }
    var meter = PartMeter(plan.parts.filter { $0 == .audio } + plan.parts.filter { $0 != .audio }, of: plan)
    func seen(_ done: Int, of count: Int, _ phase: ExportProgress.Phase = .encoding) -> ExportProgress {
      meter.progress(ExportProgress(framesDone: done, frameCount: count, elapsed: .zero, phase: phase))
    }
    #expect(seen(48_000, of: 96_000).framesDone == 0)
    meter.finish(.audio)
    #expect(seen(0, of: counts[0]).framesDone == 1 && seen(0, of: counts[0]).frameCount == 25)
    #expect(seen(counts[0], of: counts[0], .finishing).framesDone == counts[0] + 1)
    // A part's end is not that of the run.
    #expect(seen(counts[0], of: counts[0], .completed).phase == .encoding)
    #expect(seen(0, of: 0, .queued).phase == .queued)
  }
}
