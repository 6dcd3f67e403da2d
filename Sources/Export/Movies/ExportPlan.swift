import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

/// What an export of frames writes, made once from a composition, an output and settings: everything is measured, planned and
/// described, but nothing is opened, and no thread has started. ``SettledExport`` and ``FittedExport`` are its first two steps.
struct ExportPlan: Sendable {
  let output: OutputName
  /// The container; `nil` for images.
  let container: MovieContainer?
  /// The settings, without anything that the output cannot hold, bounded by the memory of their budget.
  let settings: ExportSettings
  /// Peaks of sources that were measured; empty unless requested.
  let peaks: [MeasuredPeak]
  /// The frame times, with the composition to render: at the size and the rate of the output, with measured peaks.
  let plan: RenderPlan
  /// The frames of the timeline to write; at least one.
  let frames: Range<Int>
  /// The format of the writer's input.
  let delivery: DeliveryFormat
  /// Measured light levels for the movie's header.
  private(set) var measuredLight: HDRMetadata?

  /// Measures and plans.
  ///
  /// - Parameters:
  ///   - fitted: The export, fitted to its output and the memory of its budget.
  ///   - peaks: Peaks that were measured before.
  /// - Throws: `.invalidValue` if the range holds no frame; `.encoderNotFound`; the error of media that are missing in it.
  init(of fitted: FittedExport, peaks: [MeasuredPeak] = []) async throws(CompositorError) {
    (output, settings) = (fitted.output, fitted.settings)
    container = output.container
    let composition: ValidatedComposition
    (composition, self.peaks) = try await fitted.composition.measuringPeaks(settings: settings.render, known: peaks)
    // Measured peaks are color of the sources, which the frames' color may follow.
    let pictures = self.peaks.isEmpty ? fitted.pictures : try ExportedFrames(of: composition, to: output, settings)
    if let times = settings.frameTimes {
      plan = try RenderPlan(composition, frameTimes: times, format: pictures.format)
    } else {
      plan = try await RenderPlan.reading(composition, format: pictures.format)
    }
    frames = plan.frames(in: settings.timeRange ?? TimeRange(start: .zero, end: plan.duration))
    guard !frames.isEmpty else {
      throw CompositorError(
        .invalidValue, "No frame starts in the range to export.",
        recoverySuggestion: "Choose a range inside 0 … \(plan.duration).", at: ErrorLocation(file: output.path))
    }
    if settings.render.damaged == .fail, let error = plan.missingMedia(in: frames, settings, output) { throw error }
    delivery = pictures.delivery
    measuredLight = settings.measuredLight
  }

  /// The composition to render.
  var composition: ValidatedComposition { plan.composition }

  /// The part of the timeline to write, from the start of the first frame to the end of the last.
  var range: TimeRange { plan.timeRange(ofFrames: frames) }

  /// How the audio is encoded; `nil` if none is written.
  var audio: AudioEncodingSettings? {
    guard container != nil, composition.hasAudio else { return nil }
    return output.encoding(of: settings.audio)
  }

  /// Whether a pass before the export has to measure the loudness of the audio.
  var measuresLoudness: Bool { audio != nil && composition.edit.audioMix.loudness != nil }

  /// A pipeline that renders the frames.
  func scheduler() throws(CompositorError) -> FrameScheduler {
    try FrameScheduler(plan, settings: settings.render, delivery: delivery)
  }

  /// Checks everything about a movie that can be checked before anything is opened.
  func validate() async throws(CompositorError) {
    let path = output.path
    guard let container else {
      if case .images(_, let kind) = output {
        try settings.images.validate(for: kind, path: path)
        try ImageFileWriter.validate(delivery.pixelFormat, plan.format.size, delivery.attributes, as: kind, path: path)
      }
      guard composition.edit.captions.contains(where: \.presentation.isTrack) else { return }
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

  /// Notes on what the output loses of its sources.
  func notes(in codec: VideoEncodingSettings.Codec?) -> [ExportNote] {
    let losses = plan.losses(in: codec) + plan.refusedAlpha(by: codec, in: delivery.pixelFormat)
    guard let container else { return losses }
    // Animations have a palette, or a format of their own.
    let stored = container.isAnimation ? nil : codec.flatMap { plan.otherFormat(delivery.pixelFormat, by: $0) }
    return losses + [stored].compactMap(\.self) + plan.deliveryNotes(settings.video, delivery.pixelFormat)
  }

  /// Whether a pass before the export has to measure light levels for the header.
  var measuresLight: Bool {
    if case .images = output { return false }
    return measuredLight == nil && composition.edit.output.hdrMetadata == .generate
      && delivery.attributes.color.transfer == .pq
  }

  /// Renders everything once without encoding it, and stores the measured light levels for the header.
  mutating func measureLight(progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) {
    let levels = try await LightPass(plan, frames: frames, delivery: delivery, settings: settings.render).run(progress)
    measuredLight = levels.metadata(for: delivery.attributes.color, peak: composition.sdrPeak)
  }

  /// Whether a pass over the frames has to collect statistics for the encoder.
  var measuresFrames: Bool {
    if case .images = output { return false }
    return settings.video.isTwoPass || (settings.video.codec == .gif && settings.video.animation.palette == .shared)
  }

  /// The number of passes over the frames, including the one that writes them.
  var passCount: Int { 1 + [measuresLight, measuresLoudness, measuresFrames].count { $0 } }

  /// The movie's description, as far as it is known by now.
  ///
  /// - Parameters:
  ///   - cover: The cover, if it was read or made.
  ///   - pass: The encoding pass, with the statistics of a previous one.
  ///   - palette: The palette of a GIF, if it was made.
  func description(
    _ container: MovieContainer, cover: CoverPicture? = nil, pass: EncodingPass = .only, palette: ColorPalette? = nil
  ) throws(CompositorError) -> MovieDescription {
    var attributes = delivery.attributes
    attributes.hdr = measuredLight ?? attributes.hdr
    var video = VideoTrackDescription(
      size: plan.format.frameSize, format: delivery.pixelFormat, attributes: attributes, timing: try timing(),
      encoding: settings.video)
    (video.pass, video.palette) = (pass, palette)
    var description = MovieDescription(
      container: container, video: video,
      audioTracks: audio.map { composition.audioDescriptions($0, in: container) } ?? [])
    try description.apply(settings, in: range, of: plan.duration, cover: cover)
    description.subtitleTracks = composition.edit.captionTracks(in: range)
    return description
  }

  private func timing() throws(CompositorError) -> MovieTimeUnits {
    let frameDuration = composition.edit.videoComposition.frameDuration
    if let timescale = container?.timescale {
      return .variable(timescale: timescale, nominalFrameRate: frameDuration.frameRate)
    }
    switch plan.schedule {
    case .constant: return .constant(frameDuration: frameDuration)
    case .listed(let times):
      return .variable(timescale: times.commonTimescale ?? 90_000, nominalFrameRate: frameDuration.frameRate)
    }
  }
}

extension Edit {
  /// The caption tracks of a file with a part of the timeline.
  func captionTracks(in range: TimeRange) -> [SubtitleTrackDescription] {
    captions.filter(\.presentation.isTrack).map { SubtitleTrackDescription($0, timeRange: range) }
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
