public import CompositorAPI
public import CompositorHost
import CompositorMediaIO
import CompositorScheduling

/// Makes single images of a composition or of a source.
///
/// By default an image may be off the time that was asked for as far as it likes: the key frame before the time is taken, which is decoded
/// alone. ``ImageSettings/exact`` takes the frame that is shown at the very time; ``GeneratedImage/actualTime`` says which one came. Whatever
/// the tolerance, an image is the one that is shown at its actual time.
///
/// Decoders stay open from one image to the next, and keep what they decoded within bounds: scrubbing is cheap. A strip of images is decoded in
/// one pass, whatever the order of its times. Any task may ask; images are made one after another. Call ``close()`` when done.
///
/// ```swift
/// let generator = try ImageGenerator(.file(path: "clip.mp4"), settings: .exact)
/// let times = (0..<100).map { MediaTime(value: $0 * 18, timescale: 5) }
/// for await answer in generator.requests(at: times) {
///   if case .success(let image) = answer.result { print(answer.index, image.actualTime.seconds) }
/// }
/// await generator.close()
/// ```
public final class ImageGenerator: Sendable {
  private let pipeline: FrameScheduler
  private let settings: ImageSettings

  /// Makes images of a composition, as its video composition says.
  ///
  /// - Throws: `.invalidValue` for a maximum size that is not positive, and a tolerance that is negative.
  public init(_ composition: ValidatedComposition, settings: ImageSettings = ImageSettings()) throws(CompositorError) {
    try settings.validateTolerances()
    let plan = try RenderPlan(composition.limited(to: settings.maximumSize).keepingStills(as: settings.format))
    let whole = DeliveryFormat(plan.format, as: settings.format)
    let policy = plan.composition.edit.videoComposition.colorConversion
    let delivery = (settings.color == .sdr ? whole.toneMappedToSDR : whole).asImage(policy)
    var render = settings.render
    // Nothing else is to do while the frames up to an image are decoded.
    if render.decoderThreadCount == nil {
      render.decoderThreadCount = min(Self.mostDecoderThreads, render.budget.decoderThreadCount(besides: 1))
    }
    self.settings = settings
    self.pipeline = try FrameScheduler(plan, settings: render, delivery: delivery, cacheByteCount: 64 << 20)
  }

  /// Makes images of a source's first video track, turned upright as its preferred transform says.
  ///
  /// - Throws: What keeps the source from being read; `.trackNotFound` where it has no video.
  public convenience init(
    _ source: MediaSource, catalog: MediaCatalog = MediaCatalog(), settings: ImageSettings = ImageSettings()
  ) throws(CompositorError) {
    let edit = try Edit(showing: source, catalog: catalog)
    try self.init(CompositionValidator.validate(edit, catalog: catalog).get(), settings: settings)
  }

  /// Threads that each decoder has unless settings say so: more hold more frames in memory and are hardly faster.
  private static let mostDecoderThreads = 8

  /// The image at a time, or near it as the settings' tolerances allow. Canceling the task cancels it.
  ///
  /// - Throws: `.noFrame` outside the timeline; what decoding and composing throw; `.cancelled`.
  public func image(at time: MediaTime) async throws(CompositorError) -> GeneratedImage {
    guard time.isNumeric, time >= .zero, time < pipeline.plan.duration else {
      throw CompositorError(
        .noFrame, "There is no frame at \(time).",
        recoverySuggestion: "Ask for a time from 0 to before \(pipeline.plan.duration).",
        at: ErrorLocation(time: time))
    }
    guard !Task.isCancelled else { throw CompositorError(.cancelled, "The image was cancelled.") }
    let rendered = try await pipeline.image(at: try await composedTime(for: time))
    return GeneratedImage(frame: rendered.frame, requestedTime: time, actualTime: rendered.time)
  }

  /// The time that is composed for a time that is asked for.
  private func composedTime(for time: MediaTime) async throws(CompositorError) -> MediaTime {
    guard !settings.isExact else { return time }
    let last = pipeline.plan.duration
    let earliest = settings.toleranceBefore.isNumeric ? max(.zero, time - settings.toleranceBefore) : .zero
    let latest = settings.toleranceAfter.isNumeric ? min(last, time + settings.toleranceAfter) : last
    return try await pipeline.keyFrameTime(near: time, from: earliest, through: latest)
  }

  /// Asks for images at several times: in any order, some of them more than once, invalid ones among them. Nothing is done until answers are
  /// taken.
  ///
  /// - Returns: The requests, which can be canceled one by one or together. Their answers come in the order of time.
  public func requests(at times: [MediaTime]) -> ImageRequests {
    ImageRequests(at: times) { time throws(CompositorError) in try await self.image(at: time) }
  }

  /// Makes images at several times, in the order of time: `receive` is called exactly once for each time that was asked for, with an image or
  /// the reason why there is none. After a cancellation of the task that is `.cancelled` for all that are left.
  public func images(
    at times: [MediaTime], receive: (MediaTime, Result<GeneratedImage, CompositorError>) async -> Void
  ) async {
    for await answer in requests(at: times) { await receive(answer.requestedTime, answer.result) }
  }

  /// The damage that was met, as far as decoders are closed.
  var damage: MediaLosses {
    get async { await pipeline.statistics().damage }
  }

  /// Frames that were decoded, as far as decoders are closed.
  package var decodedFrameCount: Int {
    get async { await pipeline.statistics().decodedPictureCount }
  }

  /// Closes the decoders. The next image opens them again.
  public func close() async { await pipeline.close() }
}

extension ValidatedComposition {
  /// The same composition in R, G, B of its stills' own color, where all that it shows are R, G, B stills of one SDR color and nothing is said
  /// about the output: then an image of a still has the still's codes.
  fileprivate func keepingStills(as format: PixelFormat) -> ValidatedComposition {
    let tracks = RenderFormat.sourceTracks(of: self).map(\.info)
    let video = edit.videoComposition
    let isSaid = video.colorPrimaries != nil || video.transferFunction != nil || video.matrix != nil
    guard let first = tracks.first?.attributes.color, !first.transfer.isHDR, first.isCodePoint, format.isRGB,
      tracks.allSatisfy({ $0.format.isRGB && $0.isStill && $0.attributes.color == first })
    else { return self }
    var edit = edit
    if edit.output.format == nil { edit.output.format = format.bitDepth > 8 ? .rgba16 : .rgba }
    if edit.output.color == nil, !isSaid { edit.output.color = first }
    return replacing(edit)
  }

  /// The same composition on a canvas that fits a size.
  ///
  /// - Throws: `.invalidValue` for a size that is not positive.
  package func limited(to maximum: PixelSize?) throws(CompositorError) -> ValidatedComposition {
    guard let maximum else { return self }
    guard maximum.width > 0, maximum.height > 0 else {
      throw CompositorError(.invalidValue, "The maximum size is \(maximum).", recoverySuggestion: "Give at least 1x1.")
    }
    var edit = edit
    let video = edit.videoComposition
    let full = RenderFormat(self).frameSize
    let factor = min(
      1, Double(maximum.width) / Double(full.width), Double(maximum.height) / Double(full.height))
    if let frame = edit.output.size {
      let (width, height) = (Double(frame.width) * factor, Double(frame.height) * factor)
      edit.output.size = PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    } else {
      edit.videoComposition.renderScale = video.renderScale * factor
    }
    return replacing(edit)
  }
}
