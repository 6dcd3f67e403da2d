public import CompositorAPI
public import CompositorHost
import CompositorMediaIO

/// A picture of a moment.
public struct GeneratedImage: Sendable {
  /// The picture.
  public let frame: Frame
  /// The time that was asked for.
  public let requestedTime: MediaTime
  /// The time of the picture: the one that was asked for, since any time of a composition can be composed.
  public let actualTime: MediaTime
}

/// Which color images have where the composition is HDR.
public enum ImageColor: String, Hashable, Sendable, Codable, CaseIterable {
  /// sRGB, tone-mapped: what every viewer shows rightly.
  case sdr
  /// The composition's: PQ or HLG, which wants 16 bits and a viewer that knows PNG's cICP chunk.
  case composition
}

/// How images are made.
public struct ImageSettings: Sendable {
  /// The format of the images. Default 8-bit RGBA.
  public var format: PixelFormat
  /// The color of images of an HDR composition; SDR ones keep theirs.
  public var color: ImageColor
  /// The largest image: a larger canvas is rendered smaller, in its own shape. Nil for the full size.
  public var maximumSize: PixelSize?
  /// How frames are made.
  public var render: RenderSettings

  /// Makes settings.
  public init(
    format: PixelFormat = .rgba, color: ImageColor = .composition, maximumSize: PixelSize? = nil,
    render: RenderSettings = RenderSettings()
  ) {
    self.format = format
    self.color = color
    self.maximumSize = maximumSize
    self.render = render
  }
}

/// Makes single images of a composition or of a source, at exactly the times asked for.
///
/// Decoders stay open from one image to the next, and keep what they decoded within bounds: scrubbing is cheap. Any task may
/// ask; images are made one after another. Call ``close()`` when done.
///
/// ```swift
/// let generator = try ImageGenerator(composition)
/// let image = try await generator.image(at: MediaTime(value: 5, timescale: 2))
/// await generator.close()
/// ```
public final class ImageGenerator: Sendable {
  private let pipeline: FrameScheduler

  /// Makes images of a composition, as its video composition says.
  ///
  /// - Throws: `.invalidValue` for a maximum size that is not positive.
  public init(_ composition: ValidatedComposition, settings: ImageSettings = ImageSettings()) throws(CompositorError) {
    let plan = try RenderPlan(composition.limited(to: settings.maximumSize).keepingStills(as: settings.format))
    let whole = DeliveryFormat(plan.format, as: settings.format)
    let policy = plan.composition.edit.videoComposition.colorConversion
    let delivery = (settings.color == .sdr ? whole.toneMappedToSDR : whole).asImage(policy)
    self.pipeline = try FrameScheduler(plan, settings: settings.render, delivery: delivery, cacheByteCount: 64 << 20)
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

  /// The image at a time.
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
    let rendered = try await pipeline.frame(at: time)
    return GeneratedImage(frame: rendered.frame, requestedTime: time, actualTime: time)
  }

  /// Images at several times, in the order asked for: `receive` is called exactly once for each, with an image or the reason
  /// why there is none. After a cancellation that is `.cancelled` for all that are left.
  public func images(
    at times: [MediaTime], receive: (MediaTime, Result<GeneratedImage, CompositorError>) async -> Void
  ) async {
    for time in times {
      do throws(CompositorError) {
        await receive(time, .success(try await image(at: time)))
      } catch {
        await receive(time, .failure(error))
      }
    }
  }

  /// The damage that was met, as far as decoders are closed.
  var damage: MediaLosses {
    get async { await pipeline.statistics().damage }
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
  func limited(to maximum: PixelSize?) throws(CompositorError) -> ValidatedComposition {
    guard let maximum else { return self }
    guard maximum.width > 0, maximum.height > 0 else {
      throw CompositorError(.invalidValue, "The maximum size is \(maximum).", recoverySuggestion: "Give at least 1x1.")
    }
    var edit = edit
    let video = edit.videoComposition
    let full = RenderFormat(self).size
    let factor = min(
      1, Double(maximum.width) / Double(full.width), Double(maximum.height) / Double(full.height))
    edit.videoComposition.renderScale = video.renderScale * factor
    return replacing(edit)
  }
}
