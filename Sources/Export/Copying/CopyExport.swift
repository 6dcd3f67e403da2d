import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

/// An export that copies packets.
struct CopyExport {
  private let composition: ValidatedComposition
  private let path: String
  private let settings: ExportSettings
  private let container: MovieContainer
  private let plan: CopyPlan
  private let mode: PassthroughMode
  /// Metadata of the file as a whole.
  private let entries: MovieDescription

  /// Plans what to copy without opening a file.
  ///
  /// - Throws: `.unsupportedOutput` with the first obstacle to copying.
  init(
    _ composition: ValidatedComposition, to output: OutputName, mode: PassthroughMode, settings: ExportSettings
  ) throws(CompositorError) {
    guard case .movie(let path, _) = output, settings.videoTrack != .never else {
      throw CopyObstacles.refusal(
        "The output is not a movie.", "Name it .mp4, .mov, .m4v or .mkv.", at: ErrorLocation(file: output.path))
    }
    (self.composition, self.path, self.settings) = (composition, path, settings)
    container = try MovieContainer(path: path)
    plan = try CopyPlan(composition, range: settings.timeRange, takesAudio: settings.audio != nil)
    self.mode = try plan.mode(mode, container)
    try CopyObstacles.check(settings, path: path)
    var entries = MovieDescription(container: container, audioTracks: [])
    do throws(CompositorError) {
      try entries.apply(settings, in: plan.range, of: composition.edit.composition.duration, cover: nil)
      try entries.validateEntries()
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
    self.entries = entries
  }

  /// A note about seams of files that look like parts of one recording. Their encoders' delays stay in the copy.
  private var seams: [ExportNote] {
    guard settings.audio != nil else { return [] }
    let sources = composition.edit.composition.tracks(.audio).first?.segments.filter { !$0.isMuted }.compactMap(\.source) ?? []
    let paths = sources.compactMap { if case .file(let path) = $0 { path } else { nil } }
    let count = zip(paths, paths.dropFirst()).count { ConsecutiveNames.areConsecutive($0, $1) }
    guard count > 0 else { return [] }
    let seams = "\(count) \(count == 1 ? "seam" : "seams") of files that look like parts of one recording"
    return [
      ExportNote(
        .audioSeams,
        "\(seams): copied audio may drop out there for some milliseconds"
          + .advice("; without \(setting: .passthrough) it goes on"))
    ]
  }

  /// Notes about tracks of the sources that the copy lacks.
  private var leftOut: [ExportNote] {
    let unused = UnusedTracks(of: composition, takesAudio: settings.audio != nil)
    return seams + unused.notes(includesSubtitles: false)
      + composition.media.sorted { $0.key.description < $1.key.description }.compactMap { source, info in
        let kinds = Set(info.otherTracks.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        let words = kinds.map { kind in "\(info.otherTracks.count { $0.kind == kind }) of \(kind)" }
        guard !words.isEmpty else { return nil }
        return ExportNote(
          .unusedTracks, "\(source): tracks that are not copied: \(words.joined(separator: ", "))", source: source)
      }
  }

  /// Writes the file.
  func run(
    since start: ContinuousClock.Instant, progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> ExportResult {
    let coverFrame = try await settings.cover?.frame(of: composition, settings: settings.render)
    let partial = try AtomicOutput(in: FileName.folder(of: path), overwrites: settings.overwrites)
    do throws(CompositorError) {
      var entries = entries
      entries.cover = try settings.cover?.picture(coverFrame, in: partial)
      let total = max(1, Int((plan.duration.seconds / composition.edit.videoComposition.frameDuration.seconds).rounded()))
      let meter = ExportMeter(total, passCount: 1, since: start, report: progress)
      var attempt = CopyAttempt()
      while true {
        let file = partial.path(for: path)
        let worker = CopyWorker { [self, entries, attempt] () throws(CompositorError) in
          try CopyJob(
            composition, plan, mode: mode, container: container, path: file, settings: settings, entries: entries,
            attempt: attempt)
        }
        let summary: CopyJob.Summary
        switch try await run(worker, meter) {
        case .written(let written): summary = written
        case .failed(let next):
          attempt = next
          continue
        }
        _ = try Exporter.changes(of: composition, .fail)
        let lost = lostExtras(in: file)
        try partial.commit([path])
        let result = result(summary, wallTime: ContinuousClock.now - start, notes: leftOut + lost)
        meter.complete()
        return result
      }
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }

  private func result(_ summary: CopyJob.Summary, wallTime: Duration, notes: [ExportNote]) -> ExportResult {
    var result = ExportResult(
      path: path, frameCount: summary.report.copiedFrameCount + summary.report.encodedFrameCount, duration: plan.duration,
      byteCount: summary.byteCount, routes: [:], repeatedFrameCount: 0, wallTime: wallTime, stages: StageTimings(),
      peakDecoderCount: summary.report.encodedFrameCount > 0 ? 1 : 0, losses: [], warnings: [])
    result.audioSampleCount = summary.audioSampleCount
    result.passthrough = summary.report
    result.notes = notes
    return result
  }

  /// Notes about what the containers of the sources state and the copy doesn't.
  private func lostExtras(in file: String) -> [ExportNote] {
    let copy: MediaInfo
    do throws(CompositorError) {
      copy = try MediaProbe.probe(.file(path: file))
    } catch {
      return [
        ExportNote(
          .containerExtras, "what the copy states could not be compared with its sources: \(error.message)")
      ]
    }
    let written = Set(copy.extras.map(\.feature))
    var notes = lostOrientation(in: copy.videoTracks.first)
    for path in Set(plan.video.map(\.path)).sorted() {
      let extras = composition.media[.file(path: path)]?.extras ?? []
      let lost = extras.filter { !$0.isRendered && !written.contains($0.feature) }
      guard !lost.isEmpty else { continue }
      let names = lost.map { "\($0.name) (\($0.meaning))" }.joined(separator: ", ")
      notes.append(
        ExportNote(.containerExtras, "\(path): boxes that are not copied: \(names)", source: .file(path: path)))
    }
    return notes
  }

  /// A note if the copy is shown in another orientation, which some containers can say of quarter turns only.
  private func lostOrientation(in track: VideoTrackInfo?) -> [ExportNote] {
    guard let track, let piece = plan.video.first else { return [] }
    let source = composition.media[.file(path: piece.path)]
    let own = source?.videoTracks.first { $0.index == piece.trackIndex }?.preferredTransform
    guard let own, !own.isRotated(like: track.preferredTransform) else { return [] }
    return [
      ExportNote(
        .orientation, "\(piece.path): the orientation is not copied, the container cannot hold it",
        source: .file(path: piece.path))
    ]
  }

  private enum Outcome {
    case written(CopyJob.Summary)
    /// The file stated its frames incorrectly; the next attempt takes that into account.
    case failed(CopyAttempt)
  }

  private func run(_ worker: CopyWorker, _ meter: ExportMeter) async throws(CompositorError) -> Outcome {
    do throws(CompositorError) {
      try await worker.open()
      while let done = try await worker.work() {
        guard !Task.isCancelled else { throw CompositorError(.cancelled, "The export was canceled.") }
        meter.count(rendered: done, encoded: done)
      }
      meter.finish()
      return .written(try await worker.finish())
    } catch {
      let next = await worker.nextAttempt
      await worker.abandon()
      guard let next, !Task.isCancelled else { throw error }
      return .failed(next)
    }
  }
}

/// Copies on a thread of its own, which also opens the files.
private actor CopyWorker {
  private let thread = SerialThread(name: "copy")
  private let make: @Sendable () throws(CompositorError) -> CopyJob
  private var job: CopyJob?

  init(_ make: @escaping @Sendable () throws(CompositorError) -> CopyJob) { self.make = make }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens sources, encoders and the output file. Blocks.
  func open() throws(CompositorError) { job = try make() }

  /// Copies for a while. Returns the number of frames done; `nil` once all are.
  func work() throws(CompositorError) -> Int? { try opened().work() }

  func finish() throws(CompositorError) -> CopyJob.Summary { try opened().finish() }
  func abandon() { job?.abandon() }
  var nextAttempt: CopyAttempt? { job?.nextAttempt }

  private func opened() throws(CompositorError) -> CopyJob {
    guard let job else { throw CompositorError(.internalFault, "The copy was not opened.") }
    return job
  }
}
