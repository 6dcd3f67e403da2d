public import CompositorAPI
public import CompositorHost
import CompositorAudio
import CompositorMediaIO
public import CompositorMediaWriting
import CompositorScheduling
import Synchronization

/// Renders compositions into files.
public enum Exporter {
  /// Renders a composition into a movie (`.mp4`, `.mov`, `.m4v`, `.mkv`, `.webm`), an animated image (`.gif`, `.webp`), a file of audio
  /// alone (`.m4a`, `.wav`, `.flac`, `.mp3`, `.opus`, `.ogg`, `.mka`) or numbered images (`frame_%04d.png`, `.jpg` or `.webp`, from 1 on).
  ///
  /// For audio alone no picture is decoded or composed, and the audio has the exact length of the range.
  ///
  /// The final name appears with the complete file, or not at all; what is written until then stands in a hidden folder
  /// beside it. Decoding, composing and encoding go on side by side. A cancelled task ends in under two seconds and leaves
  /// nothing behind.
  ///
  /// ```swift
  /// let result = try await Exporter.export(composition, to: "holiday.mp4") { print($0.fraction) }
  /// ```
  ///
  /// Exports of one program share a ``CompositorScheduling/RenderBudget``: what does not fit beside those that run waits for its turn.
  ///
  /// - Parameter progress: Called after each frame that is composed and each that leaves the encoder (of audio alone after each block),
  ///   in order, never at the same time; at the end once with ``ExportProgress/Phase/completed``, unless the export throws. While the
  ///   export waits, called with ``ExportProgress/Phase/queued`` whenever its place in the queue changes.
  /// - Throws: `.outputExists`, `.outputIsInput`, `.unsupportedOutput`, `.encoderNotFound` before anything is done; then what
  ///   decoding, composing and encoding throw; `.writeFailed` on a full disk; `.cancelled`.
  public static func export(
    _ composition: ValidatedComposition, to path: String, settings: ExportSettings = ExportSettings(),
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    try await export(composition, to: try OutputName(path: path), settings: settings, progress: progress)
  }

  /// Renders a composition to a stream as it is made: to a pipe, a socket, a file that is open already.
  ///
  /// A reader that is slow holds the render back. A canceled task ends in under two seconds, also if the reader takes nothing.
  ///
  /// ```swift
  /// let player = Process()
  /// player.arguments = ["ffplay", "-"]
  /// let pipe = Pipe()
  /// player.standardInput = pipe
  /// let stream = MovieStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
  /// try await Exporter.export(composition, to: stream, settings: ExportSettings(video: .init(codec: .raw)))
  /// ```
  ///
  /// - Parameters:
  ///   - container: One that is ``CompositorMediaWriting/MovieContainer/isStreamable``: NUT by default, with video of the codec `.raw`.
  ///   - settings: How frames and audio are encoded. A container of video alone gets no audio, whatever they say.
  /// - Throws: What the export to a file throws; `.unsupportedOutput` for a container that cannot be streamed, and for a terminal;
  ///   `.writeFailed` if the reader goes away.
  @discardableResult
  public static func export(
    _ composition: ValidatedComposition, to stream: MovieStream, container: MovieContainer = .nut,
    settings: ExportSettings = ExportSettings(video: VideoEncodingSettings(codec: .raw)),
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    try stream.validate(container)
    return try await export(composition, to: .stream(stream, container), settings: settings, progress: progress)
  }

  /// Renders a composition to whatever a name says.
  package static func export(
    _ composition: ValidatedComposition, to output: OutputName, settings: ExportSettings,
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    let start = ContinuousClock.now
    let leftOut = try settings.audioLeftOut(of: composition, in: output)
    let (settled, omissions) = try settings.settled(for: output, of: composition)
    let settings = settled.followingSourceAudio(of: composition)
    // The file a movie goes to is known at once; images only once their number is.
    if case .movie(let path) = output { try check([path], composition, settings) }
    var isQueued = true
    if case .stream = output { isQueued = false }
    if let mode = settings.passthrough {
      let export = try CopyExport(composition, to: output, mode: mode, settings: settings)
      return try await settings.withShare(ExportSettings.modestDemand, isQueued: isQueued, since: start, progress: progress) {
        () async throws(CompositorError) in try await export.run(since: start, progress: progress)
      }
    }
    if composition.isExportedAsAudio(to: output, settings) {
      try check(Array(output.files(frameCount: 1)), composition, settings)
      let export = try AudioExport(composition, to: output, settings: settings)
      return try await settings.withShare(
        ExportSettings.modestDemand, isQueued: isQueued, unit: .samples, since: start, progress: progress
      ) {
        () async throws(CompositorError) in try await export.run(since: start, progress: progress)
      }
    }
    let fitted = try settings.fitting(composition, into: output.movieContainer)
    let (bounded, demand) = try settings.demand(of: fitted.composition, in: output)
    return try await settings.withShare(demand, isQueued: isQueued, since: start, progress: progress) {
      () async throws(CompositorError) in
      var result = try await exportPictures(of: fitted.composition, to: output, bounded, since: start, progress)
      result.notes = fitted.notes + leftOut + omissions + result.notes
      return result
    }
  }

  /// Renders a composition that has the size and the rate of its output.
  private static func exportPictures(
    of composition: ValidatedComposition, to output: OutputName, _ settings: ExportSettings,
    since start: ContinuousClock.Instant, _ progress: (@Sendable (ExportProgress) -> Void)?
  ) async throws(CompositorError) -> ExportResult {
    let path = output.path
    let (composition, peaks) = try await composition.measuringPeaks(settings: settings.render)
    let plan = try await RenderPlan.reading(composition, codec: output.codec(settings))
    let frames = plan.frames(in: settings.timeRange ?? TimeRange(start: .zero, end: plan.duration))
    guard !frames.isEmpty else {
      throw CompositorError(
        .invalidValue, "No frame starts in the range to export.",
        recoverySuggestion: "Choose a range inside 0 … \(plan.duration).", at: ErrorLocation(file: path))
    }
    if settings.render.damaged == .fail, let error = plan.missingMedia(in: frames, settings, output) { throw error }
    if case .images(let pattern, _) = output {
      try check([pattern.path(number: 1)] + pattern.present(in: 1...frames.count), composition, settings)
    }
    var job = try ExportJob(plan, frames: frames, output: output, settings: settings)
    try await job.validate(path)
    // Passes that measure count as many frames as the one that writes.
    let passCount = 1 + [job.measuresLight, job.measuresLoudness, job.measuresFrames].count { $0 }
    let meter = ExportMeter(frames.count, passCount: passCount, since: start, report: progress)
    if job.measuresLight { try await job.measureLight { meter.measured($0, inPass: 0) } }
    let lightCount = job.measuresLight ? 1 : 0
    if job.measuresLoudness { try await job.measureLoudness { meter.measured($0, inPass: lightCount) } }
    let coverFrame = try await settings.cover?.frame(of: composition, settings: settings.render)
    let destination = try OutputDestination(
      output, overwrites: settings.overwrites, needsWorkingFiles: job.measuresFrames || coverFrame != nil)
    do throws(CompositorError) {
      job.cover = try settings.cover?.picture(coverFrame, in: destination.workingFiles)
      if job.measuresFrames, let files = destination.workingFiles {
        try await job.measureFrames(into: files) { meter.measured($0, inPass: passCount - 2) }
      }
      let (summary, met, loudness) = try await destination.writing { [job] () async throws(CompositorError) in
        try await job.run(into: destination, meter)
      }
      var damage = met
      damage.add(try changes(of: composition, settings.render.damaged))
      try destination.commit(output.files(frameCount: frames.count))
      var result = await job.result(summary, damage: damage, wallTime: ContinuousClock.now - start)
      result.audioSampleCount = summary.audioSampleCounts.first ?? 0
      result.measuredPeaks = peaks
      result.notes = job.notes
      result.loudness = loudness
      meter.complete()
      return result
    } catch {
      destination.discard()
      throw destination.naming(error, output: path)
    }
  }

  /// The sources that changed since they were probed.
  ///
  /// - Throws: With ``DamagePolicy/fail`` `.mediaChanged` if there are any.
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
    try OutputGuard.check(files, sources: composition.media.keys, overwrites: settings.overwrites)
  }
}
