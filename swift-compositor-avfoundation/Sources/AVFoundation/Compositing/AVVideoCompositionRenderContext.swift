internal import Compositor
public import Foundation

/// The shape of a pixel: its width and its height in a common unit.
public struct AVPixelAspectRatio: Sendable {
  /// The width.
  public var horizontalSpacing: Int
  /// The height.
  public var verticalSpacing: Int

  /// A ratio of 0 to 0.
  public init() { self.init(horizontalSpacing: 0, verticalSpacing: 0) }

  /// A ratio of these numbers.
  public init(horizontalSpacing: Int, verticalSpacing: Int) {
    (self.horizontalSpacing, self.verticalSpacing) = (horizontalSpacing, verticalSpacing)
  }
}

/// The widths of the edges around an image, in pixels.
public struct AVEdgeWidths: Sendable {
  /// To the left.
  public var left: CGFloat
  /// Above.
  public var top: CGFloat
  /// Below.
  public var bottom: CGFloat
  /// To the right.
  public var right: CGFloat

  /// No pixels.
  public init() { self.init(left: 0, top: 0, bottom: 0, right: 0) }

  /// Widths of these numbers.
  public init(left: CGFloat, top: CGFloat, bottom: CGFloat, right: CGFloat) {
    (self.left, self.top, self.bottom, self.right) = (left, top, bottom, right)
  }
}

/// The size and format of the frames that a compositor makes.
open class AVVideoCompositionRenderContext: NSObject, @unchecked Sendable {
  /// The size of the frames in pixels.
  public let size: CGSize
  /// The transform from the video composition's space to pixels.
  public let renderTransform: CGAffineTransform
  /// Pixels per unit of the video composition.
  public let renderScale: Float
  /// The shape of a pixel.
  public let pixelAspectRatio: AVPixelAspectRatio
  /// The widths of the edges around the frames, which are 0.
  public let edgeWidths = AVEdgeWidths()
  /// Whether quality matters more than speed.
  public let highQualityRendering: Bool
  /// The video composition as it was when the export began.
  public let videoComposition: AVVideoComposition
  let context: RenderContext
  private let pool: CVPixelBufferPool?

  /// A context for frames of a compositor's format.
  init(_ context: RenderContext, format: PixelBufferFormat, videoComposition: AVVideoComposition) {
    self.context = context
    self.videoComposition = videoComposition
    size = CGSize(width: context.size.width, height: context.size.height)
    renderTransform = CGAffineTransform(context.compositionToPixels)
    renderScale = Float(context.renderScale)
    let aspect = context.outputAttributes.pixelAspectRatio
    pixelAspectRatio = AVPixelAspectRatio(horizontalSpacing: aspect.numerator, verticalSpacing: aspect.denominator)
    highQualityRendering = context.quality == .normal
    pool = AVVideoCompositionRenderContext.makePool(context, format)
    super.init()
  }

  private static func makePool(_ context: RenderContext, _ format: PixelBufferFormat) -> CVPixelBufferPool? {
    let attachments = PixelBufferFormat.attachments(of: context.outputAttributes, alpha: format.hasAlpha)
    var pool: CVPixelBufferPool?
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: format.type),
      kCVPixelBufferWidthKey as String: context.size.width, kCVPixelBufferHeightKey as String: context.size.height,
      kCVBufferPropagatedAttachmentsKey as String: attachments,
    ]
    _ = CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes as CFDictionary, &pool)
    return pool
  }

  /// A buffer of the context's size, in the format that the compositor asked for, tagged with the color of the output; `nil` if there is
  /// too little memory. Its pixels are those of an earlier frame.
  open func newPixelBuffer() -> CVPixelBuffer? {
    guard let pool else { return nil }
    var buffer: CVPixelBuffer?
    _ = CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &buffer)
    return buffer
  }
}
