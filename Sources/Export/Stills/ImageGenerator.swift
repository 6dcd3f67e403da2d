public import CompositorAPI
import CompositorHost
public import CompositorMedia
import CompositorMediaIO
import CompositorScheduling
public import CompositorValidation

/// Renders single images of a composition or of a source.
///
/// By default, an image may be arbitrarily far from the requested time: it shows the key frame before that time, which is
/// decoded alone. ``ImageSettings/exact`` requests the frame shown at exactly that time. ``GeneratedImage/actualTime`` states
/// the time of the result. Whatever the tolerance, an image is the one shown at its actual time.
///
/// Decoders stay open between images and keep a bounded number of decoded frames, which makes scrubbing cheap. A strip of
/// images is decoded in one pass, whatever the order of its times. Any task may request images; they are rendered one after
/// another. Call ``close()`` when done.
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

  /// Renders images of a composition as its video composition describes.
  ///
  /// - Throws: `.invalidValue` for a maximum size that is not positive or a negative tolerance.
  public init(_ composition: ValidatedComposition, settings: ImageSettings = ImageSettings()) throws(CompositorError) {
    try settings.validateTolerances()
    let plan = try RenderPlan(composition.limited(to: settings.maximumSize).keepingStills(as: settings.format))
    let whole = DeliveryFormat(plan.format, as: settings.format)
    let policy = plan.composition.edit.videoComposition.colorConversion
    let delivery = (settings.color == .sdr ? whole.toneMappedToSDR : whole).asImage(policy)
    var render = settings.render
    // Nothing else is done while frames up to an image are decoded.
    if render.decoderThreadCount == nil {
      render.decoderThreadCount = min(Self.mostDecoderThreads, render.budget.decoderThreadCount(besides: 1))
    }
    self.settings = settings
    self.pipeline = try FrameScheduler(plan, settings: render, delivery: delivery, cacheByteCount: 64 << 20)
  }

  /// Renders images of a source's first video track, upright by its preferred transform.
  ///
  /// - Throws: The errors of opening the source; `.trackNotFound` if it has no video.
  public convenience init(
    _ source: MediaSource, catalog: MediaCatalog = MediaCatalog(), settings: ImageSettings = ImageSettings()
  ) throws(CompositorError) {
    let edit = try Edit(showing: source, catalog: catalog)
    try self.init(CompositionValidator.validate(edit, catalog: catalog).get(), settings: settings)
  }

  /// Default number of threads per decoder. More threads hold more frames in memory and are hardly faster.
  private static let mostDecoderThreads = 8

  /// The image at a given time, or near it within the settings' tolerances. Canceling the task cancels the image.
  ///
  /// - Throws: `.noFrame` outside the timeline; the errors of decoding and composing; `.cancelled`.
  public func image(at time: MediaTime) async throws(CompositorError) -> GeneratedImage {
    guard time.isNumeric, time >= .zero, time < pipeline.plan.duration else {
      throw CompositorError(
        .noFrame, "There is no frame at \(time.readable).",
        recoverySuggestion: "Request a time from 0 to before \(pipeline.plan.duration.readable).",
        at: ErrorLocation(time: time))
    }
    guard !Task.isCancelled else { throw CompositorError(.cancelled, "The image was canceled.") }
    let rendered = try await pipeline.image(at: try await composedTime(for: time))
    return GeneratedImage(frame: rendered.frame, requestedTime: time, actualTime: rendered.time)
  }

  /// The time to compose for a requested time.
  private func composedTime(for time: MediaTime) async throws(CompositorError) -> MediaTime {
    guard !settings.isExact else { return time }
    let last = pipeline.plan.duration
    let earliest = settings.toleranceBefore.isNumeric ? max(.zero, time - settings.toleranceBefore) : .zero
    let latest = settings.toleranceAfter.isNumeric ? min(last, time + settings.toleranceAfter) : last
    return try await pipeline.keyFrameTime(near: time, from: earliest, through: latest)
  }

  /// Requests images at several times, which may be in any order, repeated or invalid. Nothing is rendered until answers are
  /// taken.
  ///
  /// - Returns: The requests, which can be canceled individually or together. Their answers come in order of time.
  public func requests(at times: [MediaTime]) -> ImageRequests {
    ImageRequests(at: times) { time throws(CompositorError) in try await self.image(at: time) }
  }

  /// Renders images at several times, in order of time. `receive` is called exactly once for each requested time, with an image
  /// or an error. If the task is canceled, the error of the remaining ones is `.cancelled`.
  public func images(
    at times: [MediaTime], receive: (MediaTime, Result<GeneratedImage, CompositorError>) async -> Void
  ) async {
    for await answer in requests(at: times) { await receive(answer.requestedTime, answer.result) }
  }

  /// The damage found, as far as decoders are closed.
  var damage: MediaLosses {
    get async { await pipeline.statistics().damage }
  }

  /// Number of decoded frames, as far as decoders are closed.
  package var decodedFrameCount: Int {
    get async { await pipeline.statistics().decodedPictureCount }
  }

  /// Closes the decoders. The next image reopens them.
  public func close() async { await pipeline.close() }
}

extension ValidatedComposition {
  /// The same composition in R, G, B of its stills' own color, if it shows only R, G, B stills of one SDR color and the output
  /// is not specified: an image of a still then has the still's codes.
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

  /// The same composition on a canvas that fits within a size.
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
