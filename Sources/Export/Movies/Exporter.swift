public import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMedia
import CompositorMediaIO
public import CompositorMediaWriting
import CompositorScheduling
public import CompositorValidation
import Synchronization

/// Renders compositions to files and streams.
public enum Exporter {
  /// Renders a composition to a movie (`.mp4`, `.mov`, `.m4v`, `.mkv`, `.webm`), an animated image (`.gif`, `.webp`), an audio
  /// file (`.m4a`, `.wav`, `.flac`, `.mp3`, `.opus`, `.ogg`, `.mka`) or numbered images (`frame_%04d.png`, `.jpg` or `.webp`,
  /// from 1).
  ///
  /// For an audio file, no frame is decoded or composed, and the audio has the exact length of the range.
  ///
  /// The output gets its final name when it is complete, or not at all; until then it is written to a hidden folder beside it.
  /// Decoding, composing and encoding run in parallel. A canceled task ends in under two seconds and leaves nothing behind.
  ///
  /// ```swift
  /// let result = try await Exporter.export(composition, to: "holiday.mp4") { print($0.fraction) }
  /// ```
  ///
  /// Exports within a process share a `RenderBudget`: an export that doesn't fit beside those in progress waits.
  ///
  /// - Parameter progress: Called after each frame that is composed and each that leaves the encoder (for an audio file after
  ///   each block), in order and never concurrently; once at the end with ``ExportProgress/Phase/completed``, unless the export
  ///   throws. While the export waits, called with ``ExportProgress/Phase/queued`` when its position in the queue changes.
  /// - Throws: `.outputExists`, `.outputIsInput`, `.unsupportedOutput`, `.encoderNotFound` before anything is done; then the
  ///   errors of decoding, composing and encoding; `.writeFailed` on a full disk; `.cancelled`.
  public static func export(
    _ composition: ValidatedComposition, to path: String, settings: ExportSettings = ExportSettings(),
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    try await export(composition, to: try OutputName(path: path), settings: settings, progress: progress)
  }

  /// Renders a composition to a stream as it is made: a pipe, a socket, or a file that is already open.
  ///
  /// A slow reader slows down the render. A canceled task ends in under two seconds, even if the reader reads nothing.
  ///
  /// ```swift
  /// let player = Process()
  /// player.executableURL = URL(filePath: "/usr/bin/env")
  /// player.arguments = ["ffplay", "-"]
  /// let pipe = Pipe()
  /// player.standardInput = pipe
  /// try player.run()
  /// let stream = MovieStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
  /// try await Exporter.export(composition, to: stream)
  /// ```
  ///
  /// - Parameters:
  ///   - container: A container that can be streamed (`MovieContainer.isStreamable`). Default: NUT.
  ///   - settings: Export settings. The default codec of NUT and YUV4MPEG2 is uncompressed video (`.raw`). A container that
  ///     holds only video gets no audio, whatever the settings say.
  /// - Throws: The errors of exporting to a file; `.unsupportedOutput` if the container cannot be streamed or the stream is a
  ///   terminal; `.writeFailed` if the reader goes away.
  @discardableResult
  public static func export(
    _ composition: ValidatedComposition, to stream: MovieStream, container: MovieContainer = .nut,
    settings: ExportSettings = ExportSettings(), progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    try stream.validate(container)
    return try await export(composition, to: .stream(stream, container), settings: settings, progress: progress)
  }

  /// Renders a composition to any kind of output.
  package static func export(
    _ composition: ValidatedComposition, to output: OutputName, settings: ExportSettings,
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    let settled = try SettledExport(of: composition, to: output, settings: settings)
    var result = try await export(settled, progress: progress)
    result.notes += settled.notes + settled.settings.metadataNotes.map { ExportNote(.metadata, Wording($0)) }
    result.notes += settled.settings.unkeptMetadata(of: settled.composition, in: output) + settled.notesOnEnds
    return result
  }

  /// Renders a composition with settings that are settled for the output.
  private static func export(
    _ settled: SettledExport, progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> ExportResult {
    let (start, composition, output, settings) = (
      ContinuousClock.now, settled.composition, settled.output, settled.settings
    )
    // The path of a movie is known here; the paths of images are known once their number is.
    if case .movie(let path, _) = output { try check([path], composition, settings) }
    var isQueued = true
    if case .stream = output { isQueued = false }
    if let mode = settings.passthrough {
      let export = try CopyExport(composition, to: output, mode: mode, settings: settings)
      return try await settings.withShare(ExportSettings.modestDemand, isQueued: isQueued, since: start, progress: progress) {
        () async throws(CompositorError) in try await export.run(since: start, progress: progress)
      }
    }
    if settled.isOfAudio {
      try check(Array(output.files(frameCount: 1)), composition, settings)
      let export = try AudioExport(composition, to: output, settings: settings)
      return try await settings.withShare(
        ExportSettings.modestDemand, isQueued: isQueued, unit: .samples, since: start, progress: progress
      ) {
        () async throws(CompositorError) in try await export.run(since: start, progress: progress)
      }
    }
    let fitted = try settled.fitted()
    return try await settings.withShare(fitted.demand, isQueued: isQueued, since: start, progress: progress) {
      () async throws(CompositorError) in
      var result = try await exportMovie(of: fitted, since: start, progress)
      let captions = composition.edit.captionNotes(in: output.movieContainer)
      var dropped = fitted.composition.droppedAlpha
      if output.movieContainer?.isAnimation == false {
        let unused = UnusedTracks(of: composition, takesAudio: settings.audio != nil)
        dropped += unused.notes(includesSubtitles: true) + unused.undecodableNotes + unused.flagNotes
        dropped += unused.closedCaptionNotes
        dropped += composition.droppedExtras
      }
      let hidden = settings.frameRate == nil ? fitted.composition.notesOnRate : []
      result.notes = fitted.notes + captions + dropped + hidden + result.notes
      return result
    }
  }

  /// Renders a composition that already has the size and the rate of the output.
  private static func exportMovie(
    of fitted: FittedExport, since start: ContinuousClock.Instant, _ progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> ExportResult {
    var plan = try await ExportPlan(of: fitted)
    let (output, settings, composition, frames) = (plan.output, plan.settings, plan.composition, plan.frames)
    if case .images(let pattern, _) = output {
      try check([pattern.path(number: 1)] + pattern.present(in: 1...frames.count), composition, settings)
    }
    try await plan.validate()
    // A measuring pass processes as many frames as the pass that writes them.
    let measures = (light: plan.measuresLight, loudness: plan.measuresLoudness, frames: plan.measuresFrames)
    let passCount = plan.passCount
    let meter = ExportMeter(frames.count, passCount: passCount, since: start, report: progress)
    if measures.light { try await plan.measureLight { meter.measured($0, inPass: 0) } }
    var job = try ExportJob(plan)
    if measures.loudness { try await job.measureLoudness { meter.measured($0, inPass: measures.light ? 1 : 0) } }
    let coverFrame = try await settings.cover?.frame(of: composition, settings: settings.render)
    let destination = try OutputDestination(
      output, overwrites: settings.overwrites, needsWorkingFiles: measures.frames || coverFrame != nil)
    do throws(CompositorError) {
      job.cover = try settings.cover?.picture(coverFrame, in: destination.workingFiles)
      if measures.frames, let files = destination.workingFiles {
        try await job.measureFrames(into: files) { meter.measured($0, inPass: passCount - 2) }
      }
      let (summary, met, loudness) = try await destination.writing { [job] () async throws(CompositorError) in
        try await job.run(into: destination, meter)
      }
      var damage = met
      damage.add(try changes(of: composition, settings.render.damaged))
      try destination.commit(output.files(frameCount: frames.count))
      var result = await job.result(summary, damage: damage, wallTime: ContinuousClock.now - start)
      result.notes = plan.notes(in: output.codec(settings))
      result.loudness = loudness
      meter.complete()
      return result
    } catch {
      destination.discard()
      throw destination.naming(error, output: output.path)
    }
  }

  /// The sources that changed since they were probed.
  ///
  /// - Throws: `.mediaChanged` if there are any, with ``DamagePolicy/fail``.
  static func changes(
    of composition: ValidatedComposition, _ policy: DamagePolicy
  ) throws(CompositorError) -> MediaLosses {
    var losses = MediaLosses()
    for source in composition.catalog.changedSources(among: composition.media.keys) {
      let error = FileFacts.change(of: source.description)
      guard policy == .keep else { throw error }
      losses.add([error.damage(at: nil)], in: MediaLosses.Track(source, .video, 0))
    }
    return losses
  }

  private static func check(
    _ files: [String], _ composition: ValidatedComposition, _ settings: ExportSettings
  ) throws(CompositorError) {
    try OutputGuard.check(files, of: composition, overwrites: settings.overwrites)
  }
}
