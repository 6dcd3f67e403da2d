import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation
import Synchronization

/// An export in progress: the pipeline, and the writer at its end.
struct ExportJob {
  /// What is written.
  let plan: ExportPlan
  /// The audio tracks to write; empty if there are none.
  private var audio: [ExportAudio] = []
  /// The encoding pass, with the statistics of a previous one.
  private var encoderPass = EncodingPass.only
  private var palette: ColorPalette?
  /// The movie's cover, once it was read or made.
  var cover: CoverPicture?
  private let pipeline: FrameScheduler

  init(_ plan: ExportPlan) throws(CompositorError) {
    self.plan = plan
    pipeline = try plan.scheduler()
    guard let encoding = plan.audio else { return }
    audio = ExportAudio.all(
      of: plan.composition, encoding: encoding, start: plan.range.start, damaged: plan.settings.render.damaged)
  }

  /// Mixes everything once or more without encoding it, and stores the gain that reaches the requested loudness.
  mutating func measureLoudness(progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) {
    try await audio.measureLoudness(until: plan.range.end) { [frameCount = plan.frames.count] in
      progress(Int($0 * Double(frameCount)))
    }
  }

  /// Renders everything once for the encoder's statistics: the first of two passes, or the palette of a GIF.
  mutating func measureFrames(
    into partial: AtomicOutput, progress: @escaping @Sendable (Int) -> Void
  ) async throws(CompositorError) {
    guard let container = plan.container, let track = try description(container).video else { return }
    let path = partial.path(for: "measured")
    let isPalette = plan.settings.video.codec == .gif
    let writer = try OutputWriter { () throws(CompositorError) in
      let sink: any MovieSink =
        isPalette
        ? try PalettePass(size: track.size, keepsAlpha: track.attributes.alphaMode != .opaque, path: path)
        : try StatisticsPass(track, path: path)
      return OutputWriter.Parts(sink: sink, sounds: [], channelCount: 0)
    }
    let pass = try plan.scheduler()
    let origin = plan.range.start
    try await pass.render(plan.frames) { [first = plan.frames.lowerBound] rendered in
      _ = try await writer.append(rendered.frame, at: rendered.time - origin, duration: rendered.duration)
      progress(rendered.index - first + 1)
    }
    _ = try await writer.finish()
    if isPalette { palette = try ColorPalette(contentsOf: path) } else { encoderPass = .second(statistics: path) }
  }

  func run(
    into destination: OutputDestination, _ meter: ExportMeter
  ) async throws(CompositorError) -> (MovieSummary, MediaLosses, AudioLoudness?) {
    let writer = try OutputWriter { () throws(CompositorError) in try open(in: destination) }
    let (origin, frames) = (plan.range.start, plan.frames)
    do throws(CompositorError) {
      try await pipeline.render(frames) { [clock = pipeline.clock] rendered in
        let beginning = ContinuousClock.now
        let encoded = try await writer.append(
          rendered.frame, at: rendered.time - origin, duration: rendered.duration, clock: clock)
        clock.add(since: beginning, to: \.write, isTraced: false)
        meter.count(rendered: rendered.index - frames.lowerBound + 1, encoded: encoded)
      }
      while let encoded = try await writer.drain() { meter.count(rendered: frames.count, encoded: encoded) }
      meter.finish()
      var damage = plan.composition.undecodable(withAudio: await writer.hasAudio)
      damage.add(await pipeline.statistics().damage)
      damage.add(await writer.audioDamage)
      let loudness = try await writer.loudness(ofTrack: plan.composition.edit.defaultAudioTrack)
      return (try await writer.finish(), damage, loudness)
    } catch {
      await writer.abandon()
      throw error
    }
  }

  func result(_ summary: MovieSummary, damage: MediaLosses, wallTime: Duration) async -> ExportResult {
    let statistics = await pipeline.statistics()
    var result = ExportResult(
      path: plan.output.path, frameCount: summary.frameCount, duration: summary.duration, byteCount: Int(summary.byteCount),
      routes: statistics.routes, repeatedFrameCount: statistics.repeatedFrameCount, wallTime: wallTime,
      stages: statistics.stages,
      peakDecoderCount: statistics.peakDecoderCount,
      losses: damage.losses, warnings: damage.warnings)
    result.pixelAllocationCount = statistics.pixelAllocationCount
    result.frameCopyCount = statistics.frameCopyCount
    result.audioSampleCount = summary.audioSampleCounts.first ?? 0
    result.measuredPeaks = plan.peaks
    return result
  }

  private func open(in destination: OutputDestination) throws(CompositorError) -> OutputWriter.Parts {
    switch (plan.output, destination) {
    case (.images(let pattern, _), .files(let partial)):
      let sink = ImageSequenceWriter(settings: plan.settings.images) { partial.path(for: pattern.path(number: $0 + 1)) }
      return OutputWriter.Parts(sink: sink, sounds: [], channelCount: 0)
    default:
      let description = try description(plan.container ?? .nut)
      return OutputWriter.Parts(
        sink: try destination.writer(description, plan.output), sounds: audioAhead(),
        channelCount: description.audio?.channelCount ?? 0)
    }
  }

  /// The audio of each track, mixed on threads other than the encoder's.
  private func audioAhead() -> [AudioAhead] {
    audio.map { audio in
      AudioAhead(
        sampleCount: audio.encoding.sampleCount(lasting: plan.range.duration), channelCount: audio.encoding.channelCount,
        on: plan.settings.render.budget.decoding
      ) { audio.mixer() }
    }
  }

  /// The movie's description, as far as it is known by now.
  private func description(_ container: MovieContainer) throws(CompositorError) -> MovieDescription {
    try plan.description(container, cover: cover, pass: encoderPass, palette: palette)
  }
}
