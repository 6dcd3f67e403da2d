import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import Synchronization

/// An export in progress: the pipeline, and the writer at its end.
struct ExportJob {
  private let plan: RenderPlan
  private let frames: Range<Int>
  private let output: OutputName
  private let settings: ExportSettings
  let delivery: DeliveryFormat
  /// Measured light levels for the movie's header.
  var measuredLight: HDRMetadata?
  /// The audio tracks to write; empty if there are none.
  private var audio: [ExportAudio] = []
  /// The encoding pass, with the statistics of a previous one.
  private var encoderPass = EncodingPass.only
  private var palette: ColorPalette?
  /// Notes on how the output differs from the edit because of the file's limits.
  private(set) var notes: [String] = []
  /// The movie's cover, once it was read or made.
  var cover: CoverPicture?
  private let pipeline: FrameScheduler

  init(
    _ plan: RenderPlan, frames: Range<Int>, output: OutputName, settings: ExportSettings
  ) throws(CompositorError) {
    self.plan = plan
    self.frames = frames
    self.output = output
    self.settings = settings
    measuredLight = settings.measuredLight
    let whole = DeliveryFormat(plan.format, as: try output.pixelFormat(for: plan.format, settings: settings))
    if output.movieContainer?.isAnimation == true {
      delivery = whole.asAnimation
    } else if case .images = output {
      delivery = whole.asImage(plan.composition.edit.videoComposition.colorConversion)
    } else {
      delivery = whole
    }
    pipeline = try FrameScheduler(plan, settings: settings.render, delivery: delivery)
    if let container = try output.container(), plan.composition.hasAudio, let encoding = settings.audio {
      audio = ExportAudio.all(
        of: plan.composition, encoding: encoding.settled(for: container),
        start: plan.schedule.time(ofFrame: frames.lowerBound), damaged: settings.render.damaged)
    }
  }

  /// Checks everything about a movie that can be checked before anything is opened.
  func validate(_ path: String) async throws(CompositorError) {
    guard let container = try output.container() else {
      if case .images(_, let kind) = output {
        try settings.images.validate(for: kind, path: path)
        try ImageFileWriter.validate(delivery.pixelFormat, plan.format.size, delivery.attributes, as: kind, path: path)
      }
      guard plan.composition.edit.captions.contains(where: \.presentation.isTrack) else { return }
      throw CompositorError(
        .unsupportedOutput, "Images cannot hold captions.",
        recoverySuggestion: "Burn them in, or write \(MovieContainer.namesHoldingCaptions).", at: ErrorLocation(file: path))
    }
    do throws(CompositorError) {
      try settings.video.validate(for: delivery)
      let description = try description(container)
      try description.validate()
      if let video = description.video { try await HardwareProbe.check(video) }
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
  }

  /// Whether a pass before the export has to measure light levels for the header.
  var measuresLight: Bool {
    if case .images = output { return false }
    return measuredLight == nil && plan.composition.edit.output.hdrMetadata == .generate
      && delivery.attributes.color.transfer == .pq
  }

  /// Renders everything once without encoding it, and stores the measured light levels for the header.
  mutating func measureLight(progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) {
    let levels = try await LightPass(plan, frames: frames, delivery: delivery, settings: settings.render).run(progress)
    measuredLight = levels.metadata(for: delivery.attributes.color, peak: plan.composition.sdrPeak)
  }

  /// Whether a pass before the export has to measure the loudness of the audio.
  var measuresLoudness: Bool { audio.first?.measuresLoudness == true }

  /// Mixes everything once or more without encoding it, and stores the gain that reaches the requested loudness.
  mutating func measureLoudness(progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) {
    let last = frames.upperBound - 1
    let end = plan.schedule.time(ofFrame: last) + plan.schedule.duration(ofFrame: last, until: plan.duration)
    try await audio.measureLoudness(until: end) { [frameCount = frames.count] in progress(Int($0 * Double(frameCount))) }
  }

  /// Whether a pass over the frames has to collect statistics for the encoder.
  var measuresFrames: Bool {
    if case .images = output { return false }
    return settings.video.isTwoPass || (settings.video.codec == .gif && settings.video.animation.palette == .shared)
  }

  /// Renders everything once for the encoder's statistics: the first of two passes, or the palette of a GIF.
  mutating func measureFrames(
    into partial: AtomicOutput, progress: @escaping @Sendable (Int) -> Void
  ) async throws(CompositorError) {
    guard let container = try output.container(), let track = try description(container).video else { return }
    let path = partial.path(for: "measured")
    let isPalette = settings.video.codec == .gif
    let writer = try OutputWriter { () throws(CompositorError) in
      let sink: any MovieSink =
        isPalette
        ? try PalettePass(size: track.size, keepsAlpha: track.attributes.alphaMode != .opaque, path: path)
        : try StatisticsPass(track, path: path)
      return OutputWriter.Parts(sink: sink, sounds: [], channelCount: 0)
    }
    let pass = try FrameScheduler(plan, settings: settings.render, delivery: delivery)
    let origin = plan.schedule.time(ofFrame: frames.lowerBound)
    try await pass.render(frames) { [first = frames.lowerBound] rendered in
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
    let origin = plan.schedule.time(ofFrame: frames.lowerBound)
    do throws(CompositorError) {
      try await pipeline.render(frames) { [frames, clock = pipeline.clock] rendered in
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
      path: output.path, frameCount: summary.frameCount, duration: summary.duration, byteCount: Int(summary.byteCount),
      routes: statistics.routes, repeatedFrameCount: statistics.repeatedFrameCount, wallTime: wallTime,
      stages: statistics.stages,
      peakDecoderCount: statistics.peakDecoderCount,
      losses: damage.losses, warnings: damage.warnings)
    result.pixelAllocationCount = statistics.pixelAllocationCount
    result.frameCopyCount = statistics.frameCopyCount
    return result
  }

  private func open(in destination: OutputDestination) throws(CompositorError) -> OutputWriter.Parts {
    switch (output, destination) {
    case (.images(let pattern, _), .files(let partial)):
      let sink = ImageSequenceWriter(settings: settings.images) { partial.path(for: pattern.path(number: $0 + 1)) }
      return OutputWriter.Parts(sink: sink, sounds: [], channelCount: 0)
    default:
      let container = if let known = try output.container() { known } else { MovieContainer.nut }
      let description = try description(container)
      return OutputWriter.Parts(
        sink: try destination.writer(description, output), sounds: audioAhead(),
        channelCount: description.audio?.channelCount ?? 0)
    }
  }

  /// The audio of each track, mixed on threads other than the encoder's.
  private func audioAhead() -> [AudioAhead] {
    let origin = plan.schedule.time(ofFrame: frames.lowerBound)
    let last = frames.upperBound - 1
    let end = plan.schedule.time(ofFrame: last) + plan.schedule.duration(ofFrame: last, until: plan.duration)
    return audio.map { audio in
      AudioAhead(
        sampleCount: audio.encoding.sampleCount(lasting: end - origin), channelCount: audio.encoding.channelCount,
        on: settings.render.budget.decoding
      ) { audio.mixer() }
    }
  }

  /// The movie's description, as far as it is known by now.
  func description(_ container: MovieContainer) throws(CompositorError) -> MovieDescription {
    var attributes = delivery.attributes
    attributes.hdr = measuredLight ?? attributes.hdr
    var video = VideoTrackDescription(
      size: plan.format.frameSize, format: delivery.pixelFormat, attributes: attributes, timing: try timing(),
      encoding: settings.video)
    (video.pass, video.palette) = (encoderPass, palette)
    var description = MovieDescription(
      container: container, video: video,
      audioTracks: audio.first.map { plan.composition.audioDescriptions($0.encoding, in: container) } ?? [])
    let last = frames.upperBound - 1
    let range = TimeRange(
      start: plan.schedule.time(ofFrame: frames.lowerBound),
      end: plan.schedule.time(ofFrame: last) + plan.schedule.duration(ofFrame: last, until: plan.duration))
    try description.say(settings, in: range, of: plan.duration, cover: cover)
    description.subtitleTracks = plan.composition.edit.captions.filter(\.presentation.isTrack).map {
      SubtitleTrackDescription($0, timeRange: range)
    }
    return description
  }

  private func timing() throws(CompositorError) -> MovieTimeUnits {
    let frameDuration = plan.composition.edit.videoComposition.frameDuration
    if let timescale = output.movieContainer?.timescale {
      let rate = Rational(Int(frameDuration.timescale), Int(frameDuration.value))
      return .variable(timescale: timescale, nominalFrameRate: rate)
    }
    switch plan.schedule {
    case .constant: return .constant(frameDuration: frameDuration)
    case .listed(let times):
      let rate = Rational(Int(frameDuration.timescale), Int(frameDuration.value))
      return .variable(timescale: times.commonTimescale ?? 90_000, nominalFrameRate: rate)
    }
  }
}

extension [MediaTime] {
  /// The timescale that holds every time exactly; `nil` if that would be finer than a microsecond.
  fileprivate var commonTimescale: Int32? {
    var common = 1
    for timescale in Set(map(\.timescale)) {
      guard timescale > 0 else { return nil }
      var (a, b) = (common, Int(timescale))
      while b != 0 { (a, b) = (b, a % b) }
      common = common / a * Int(timescale)
      guard common <= 1_000_000 else { return nil }
    }
    return Int32(common)
  }
}
