public import CompositorAPI
public import CompositorHost
import CompositorAudio
import CompositorMediaIO
public import CompositorMediaWriting
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
  /// - Parameter progress: Called after each frame that is composed and each that leaves the encoder (of audio alone after each block),
  ///   in order, never at the same time; at the end once with ``ExportProgress/Phase/completed``, unless the export throws.
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
    let path = output.path
    let leftOut = try settings.audioLeftOut(of: composition, in: output)
    let (settled, omissions) = try settings.settled(for: output, of: composition)
    let settings = settled.followingSourceAudio(of: composition)
    // The file a movie goes to is known at once; images only once their number is.
    if case .movie(let path) = output { try check([path], composition, settings) }
    if let mode = settings.passthrough {
      return try await CopyExport(composition, to: output, mode: mode, settings: settings).run(since: start, progress: progress)
    }
    if composition.isExportedAsAudio(to: output, settings) {
      try check(Array(output.files(frameCount: 1)), composition, settings)
      return try await AudioExport(composition, to: output, settings: settings).run(since: start, progress: progress)
    }
    let fitted = try settings.fitting(composition, into: output.movieContainer)
    let (composition, peaks) = try await fitted.composition.measuringPeaks(settings: settings.render)
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
      result.notes = fitted.notes + leftOut + omissions + job.notes
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

/// One export under way: the pipeline, and the writer at its end.
private struct ExportJob {
  private let plan: RenderPlan
  private let frames: Range<Int>
  private let output: OutputName
  private let settings: ExportSettings
  private let delivery: DeliveryFormat
  /// Light levels that were measured for the header of the movie.
  private var measuredLight: HDRMetadata?
  /// What is heard; nil without audio.
  private var audio: ExportAudio?
  /// What a pass over the frames measured for the encoder.
  private var encoderPass = EncodingPass.only
  private var palette: ColorPalette?
  /// What is different because the file cannot be otherwise.
  private(set) var notes: [String] = []
  /// The cover that the movie gets, once it was read or made.
  var cover: CoverPicture?
  private let pipeline: FrameScheduler

  init(
    _ plan: RenderPlan, frames: Range<Int>, output: OutputName, settings: ExportSettings
  ) throws(CompositorError) {
    self.plan = plan
    self.frames = frames
    self.output = output
    self.settings = settings
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
      audio = ExportAudio(
        plan.composition, encoding: encoding.settled(for: container),
        start: plan.schedule.time(ofFrame: frames.lowerBound), damaged: settings.render.damaged)
    }
  }

  /// Checks what can be known of a movie before anything is opened.
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

  /// Whether a pass before the export has to find out what the header says.
  var measuresLight: Bool {
    if case .images = output { return false }
    return plan.composition.edit.output.hdrMetadata == .generate && delivery.attributes.color.transfer == .pq
  }

  /// Renders everything once without encoding it, and puts what was measured into the header to be written.
  mutating func measureLight(progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) {
    let levels = try await LightPass(plan, frames: frames, delivery: delivery, settings: settings.render).run(progress)
    measuredLight = levels.metadata(for: delivery.attributes.color)
  }

  /// Whether a pass before the export has to find out how loud the audio is.
  var measuresLoudness: Bool { audio?.measuresLoudness == true }

  /// Mixes everything once or more without encoding it, and keeps the gain that brings it to its loudness.
  mutating func measureLoudness(progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) {
    let last = frames.upperBound - 1
    let end = plan.schedule.time(ofFrame: last) + plan.schedule.duration(ofFrame: last, until: plan.duration)
    try await audio?.measureLoudness(until: end) { [frameCount = frames.count] in progress(Int($0 * Double(frameCount))) }
  }

  /// Whether a pass over the frames has to find out what their encoder wants to know.
  var measuresFrames: Bool {
    if case .images = output { return false }
    return settings.video.isTwoPass || (settings.video.codec == .gif && settings.video.animation.palette == .shared)
  }

  /// Renders everything once for the encoder alone: the first of two passes, or the palette of a GIF.
  mutating func measureFrames(
    into partial: PartialOutput, progress: @escaping @Sendable (Int) -> Void
  ) async throws(CompositorError) {
    guard let container = try output.container(), let track = try description(container).video else { return }
    let path = partial.path(for: "measured")
    let isPalette = settings.video.codec == .gif
    let writer = try OutputWriter { () throws(CompositorError) in
      let sink: any MovieSink =
        isPalette
        ? try PalettePass(size: track.size, keepsAlpha: track.attributes.alphaMode != .opaque, path: path)
        : try StatisticsPass(track, path: path)
      return OutputWriter.Parts(sink: sink, sound: nil, channelCount: 0)
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
        let encoded = try await writer.append(rendered.frame, at: rendered.time - origin, duration: rendered.duration)
        clock.add(ContinuousClock.now - beginning, to: \.write)
        meter.count(rendered: rendered.index - frames.lowerBound + 1, encoded: encoded)
      }
      while let encoded = try await writer.drain() { meter.count(rendered: frames.count, encoded: encoded) }
      meter.finish()
      var damage = plan.composition.undecodable(withAudio: await writer.hasAudio)
      damage.add(await pipeline.statistics().damage)
      damage.add(await writer.audioDamage)
      let loudness = try await writer.loudness()
      return (try await writer.finish(), damage, loudness)
    } catch {
      await writer.abandon()
      throw error
    }
  }

  func result(_ summary: MovieSummary, damage: MediaLosses, wallTime: Duration) async -> ExportResult {
    let statistics = await pipeline.statistics()
    return ExportResult(
      path: output.path, frameCount: summary.frameCount, duration: summary.duration, byteCount: Int(summary.byteCount),
      routes: statistics.routes, repeatedFrameCount: statistics.repeatedFrameCount, wallTime: wallTime,
      stages: statistics.stages,
      peakDecoderCount: statistics.peakDecoderCount,
      losses: damage.losses, warnings: damage.warnings)
  }

  private func open(in destination: OutputDestination) throws(CompositorError) -> OutputWriter.Parts {
    switch (output, destination) {
    case (.images(let pattern, _), .files(let partial)):
      let sink = ImageSequenceWriter(settings: settings.images) { partial.path(for: pattern.path(number: $0 + 1)) }
      return OutputWriter.Parts(sink: sink, sound: nil, channelCount: 0)
    default:
      let container = if let known = try output.container() { known } else { MovieContainer.nut }
      let description = try description(container)
      return OutputWriter.Parts(
        sink: try destination.writer(description, output), sound: audio?.mixer(),
        channelCount: description.audio?.channelCount ?? 0)
    }
  }

  private func description(_ container: MovieContainer) throws(CompositorError) -> MovieDescription {
    var attributes = delivery.attributes
    attributes.hdr = measuredLight ?? attributes.hdr
    var video = VideoTrackDescription(
      size: plan.format.frameSize, format: delivery.pixelFormat, attributes: attributes, timing: try timing(),
      encoding: settings.video)
    (video.pass, video.palette) = (encoderPass, palette)
    var description = MovieDescription(
      container: container, video: video,
      audio: audio?.encoding)
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

extension OutputName {
  /// The movie's container; nil for images and audio alone.
  fileprivate var movieContainer: MovieContainer? {
    switch self {
    case .movie(let path): try? MovieContainer(path: path)
    case .stream(_, let container) where !container.isAudioOnly: container
    default: nil
    }
  }

  /// The codec that frames are encoded with; `nil` for images.
  fileprivate func codec(_ settings: ExportSettings) -> VideoEncodingSettings.Codec? {
    if case .images = self { nil } else { settings.video.codec }
  }

  /// The format that frames are handed to the writer in: the one that loses least.
  fileprivate func pixelFormat(for format: RenderFormat, settings: ExportSettings) throws(CompositorError) -> PixelFormat {
    switch self {
    case .movie, .audio, .stream:
      guard let accepted = settings.video.acceptedFormat(nearest: format.pixelFormat, in: try container()) else {
        throw CompositorError(
          .encoderNotFound, "There is no encoder for \(settings.video.codec.rawValue) on this machine.",
          recoverySuggestion: "Install FFmpeg's libraries with it, or choose another codec.")
      }
      return accepted
    case .images(_, let kind):
      return kind.layout(for: format.pixelFormat.bitDepth > 8 ? .rgba16 : .rgba)
    }
  }
}

extension ExportSettings {
  /// The same with the channels and the sample rate of the richest source, where that is wanted and nothing else is asked for.
  fileprivate func followingSourceAudio(of composition: ValidatedComposition) -> ExportSettings {
    let usual = AudioEncodingSettings()
    guard keepsSourceAudio, let wanted = audio, wanted.sampleRate == usual.sampleRate,
      wanted.channelCount == usual.channelCount
    else { return self }
    let tracks = composition.edit.composition.tracks(.audio).flatMap(\.segments).compactMap { segment in
      segment.source.flatMap { composition.media[$0] }?.audioTracks.first { $0.index == segment.sourceTrackIndex }
    }
    guard let channelCount = tracks.map(\.channelCount).max(), let sampleRate = tracks.map(\.sampleRate).max() else {
      return self
    }
    var settings = self
    settings.audio?.channelCount = min(max(channelCount, 1), 8)
    settings.audio?.sampleRate = min(max(sampleRate, 8000), 192_000)
    return settings
  }

  /// A note about audio that an image cannot hold. Whoever asks for video alone, as Y4M is, needs none.
  fileprivate func audioLeftOut(of composition: ValidatedComposition, in output: OutputName) throws(CompositorError) -> [String]
  {
    guard audio != nil, composition.hasAudio, let container = try output.container(), container.isAnimation else {
      return []
    }
    return ["a .\(container.rawValue) file holds no audio: it is left out"]
  }

  /// The same without what the output cannot hold by its kind: audio in a container of video alone, and what images do not say.
  ///
  /// - Returns: With notes of what a person would miss.
  /// - Throws: `.unsupportedOutput` if nothing is left.
  fileprivate func settled(
    for output: OutputName, of composition: ValidatedComposition
  ) throws(CompositorError) -> (ExportSettings, notes: [String]) {
    guard let container = try output.container() else { return settledForImages() }
    guard container.audioCodecs.isEmpty else { return (self, []) }
    guard pictures == .always || (pictures == .whereShown && composition.edit.showsPictures) else {
      throw CompositorError(
        .unsupportedOutput, "There is no video to write.", recoverySuggestion: "Write a file that holds audio, such as wav.",
        at: ErrorLocation(file: output.path))
    }
    var settled = self
    settled.audio = nil
    return (settled, [])
  }

  private func settledForImages() -> (ExportSettings, notes: [String]) {
    let missing = [
      ("metadata", !metadata.isEmpty), ("chapters", !chapters.isEmpty), ("a cover", cover != nil),
      ("a rotation", orientation != .upright),
    ].filter(\.1).map(\.0)
    guard !missing.isEmpty else { return (self, []) }
    var settled = self
    (settled.metadata, settled.chapters, settled.cover, settled.orientation) = ([:], [], nil, .upright)
    return (settled, ["numbered images cannot hold \(missing.joined(separator: ", ")): left out"])
  }
}

extension [MediaTime] {
  /// The timescale that holds every time exactly; nil where that would be finer than a microsecond.
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

extension RenderPlan {
  /// Why some of the frames, or the audio beside them, cannot be made; nil if nothing that is missing is shown or heard.
  fileprivate func missingMedia(in frames: Range<Int>, _ settings: ExportSettings, _ output: OutputName) -> CompositorError? {
    if let error = missingPictures(in: frames) { return error }
    if case .images = output { return nil }
    guard settings.audio != nil, let last = frames.last else { return nil }
    return composition.missingSound(from: order(forFrame: frames.lowerBound).time, through: order(forFrame: last).time)
  }
}
