import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting

/// An export that copies packets.
struct CopyExport {
  private let composition: ValidatedComposition
  private let path: String
  private let settings: ExportSettings
  private let container: MovieContainer
  private let plan: CopyPlan
  private let mode: PassthroughMode
  /// What the file says of itself as a whole.
  private let entries: MovieDescription

  /// Finds out what is to be copied. Opens no file.
  ///
  /// - Throws: `.unsupportedOutput` with the first thing that cannot be copied.
  init(
    _ composition: ValidatedComposition, to output: OutputName, mode: PassthroughMode, settings: ExportSettings
  ) throws(CompositorError) {
    guard case .movie(let path) = output, settings.pictures != .never else {
      throw CopyObstacles.refusal(
        "The output is no movie.", "Name it .mp4, .mov, .m4v or .mkv.", at: ErrorLocation(file: output.path))
    }
    (self.composition, self.path, self.settings) = (composition, path, settings)
    container = try MovieContainer(path: path)
    plan = try CopyPlan(composition, range: settings.timeRange, takesAudio: settings.audio != nil)
    self.mode = try plan.mode(mode, container)
    try CopyObstacles.check(settings, path: path)
    var entries = MovieDescription(container: container, audioTracks: [])
    do throws(CompositorError) {
      try entries.say(settings, in: plan.range, of: composition.edit.composition.duration, cover: nil)
      try entries.validateEntries()
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
    self.entries = entries
  }

  /// Writes the file.
  func run(
    since start: ContinuousClock.Instant, progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> ExportResult {
    let coverFrame = try await settings.cover?.frame(of: composition, settings: settings.render)
    let partial = try PartialOutput(in: OutputName.folder(of: path), overwrites: settings.overwrites)
    do throws(CompositorError) {
      var entries = entries
      entries.cover = try settings.cover?.picture(coverFrame, in: partial)
      var delay: Int?
      while true {
        let file = partial.path(for: path)
        let worker = try CopyWorker { [self, entries] () throws(CompositorError) in
          try CopyJob(
            composition, plan, mode: mode, container: container, path: file, settings: settings, entries: entries, delay: delay)
        }
        guard let summary = try await run(worker, since: start, progress) else {
          // The file was wrong about its frames' order: once more with more room.
          delay = await worker.delay + 2
          continue
        }
        _ = try Exporter.changes(of: composition, .fail)
        try partial.commit([path])
        var result = ExportResult(
          path: path, frameCount: summary.report.copiedFrameCount + summary.report.encodedFrameCount, duration: plan.duration,
          byteCount: summary.byteCount, routes: [:], repeatedFrameCount: 0, wallTime: ContinuousClock.now - start,
          stages: StageTimings(), peakDecoderCount: summary.report.encodedFrameCount > 0 ? 1 : 0, losses: [], warnings: [])
        result.audioSampleCount = summary.audioSampleCount
        result.passthrough = summary.report
        return result
      }
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }

  /// - Returns: nil if frames turned out to be reordered more than the file says.
  private func run(
    _ worker: CopyWorker, since start: ContinuousClock.Instant, _ progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> CopyJob.Summary? {
    let frameDuration = composition.edit.videoComposition.frameDuration
    let total = max(1, Int((plan.duration.seconds / frameDuration.seconds).rounded()))
    do throws(CompositorError) {
      while let done = try await worker.work() {
        guard !Task.isCancelled else { throw CompositorError(.cancelled, "The export was cancelled.") }
        progress?(ExportProgress(framesDone: min(done, total), frameCount: total, elapsed: ContinuousClock.now - start))
      }
      progress?(ExportProgress(framesDone: total, frameCount: total, elapsed: ContinuousClock.now - start))
      return try await worker.finish()
    } catch {
      let again = await worker.needsMoreDelay
      await worker.abandon()
      if again, await worker.delay < 16 { return nil }
      throw error
    }
  }
}

/// Copies on a thread of its own.
private actor CopyWorker {
  private let thread = SerialThread(name: "copy")
  private let job: CopyJob

  init(_ open: sending () throws(CompositorError) -> CopyJob) throws(CompositorError) { job = try open() }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Works for a while. Gives the number of frames done; nil once all are.
  func work() throws(CompositorError) -> Int? { try job.work() }

  func finish() throws(CompositorError) -> CopyJob.Summary { try job.finish() }
  func abandon() { job.abandon() }
  var needsMoreDelay: Bool { job.needsMoreDelay }
  var delay: Int { job.delay }
}
