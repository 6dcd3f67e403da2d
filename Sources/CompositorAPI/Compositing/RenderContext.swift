/// What speed may cost in quality.
public enum RenderQuality: String, Hashable, Sendable, Codable {
  /// For scrubbing: the cheapest sampling.
  case draft
  /// For export: no visible aliasing.
  case normal
}

/// The route an instruction's frame took through a compositor.
public enum RenderRoute: String, Hashable, Sendable, Codable, CaseIterable {
  /// A source frame was handed on untouched.
  case passthrough
  /// Composed plane by plane in the sources' own Y′CbCr.
  case planar
  /// Composed as RGB in 16 bits or float, with conversion of colour and format on the way.
  case general
  /// Composed by a compositor that does not say how.
  case custom
}

/// Is told which route each frame took. Called on any thread, possibly several at a time; must not block.
public protocol RenderObserver: Sendable {
  /// A frame was composed.
  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime)
}

/// The surface that a compositor renders to. A changed context makes a new compositor instance.
public struct RenderContext: Sendable {
  /// The frame to make, in pixels.
  public var size: PixelSize
  /// Pixels per unit of the composition; ``size`` is the composition's size times this.
  public var renderScale: Double
  /// From the composition's space to the frame's pixels.
  public var compositionToPixels: AffineMatrix
  /// Format of the frame to make.
  public var outputFormat: PixelFormat
  /// Colour, pixel aspect and alpha of the frame to make.
  public var outputAttributes: FrameAttributes
  /// In which signal layers are mixed.
  public var blending: BlendingSpace
  /// How sources of another kind (SDR, HLG, PQ) become the output's.
  public var colorConversion: ColorConversionPolicy
  /// What speed may cost in quality.
  public var quality: RenderQuality
  /// Where frames come from.
  public var pool: FramePool
  /// Is told which route each frame took; nil for nobody.
  public var observer: (any RenderObserver)?

  /// Makes a context for frames of `size` pixels, each unit of the composition being `renderScale` pixels.
  public init(
    size: PixelSize, renderScale: Double = 1, outputFormat: PixelFormat = .yuv420p,
    outputAttributes: FrameAttributes = FrameAttributes(), blending: BlendingSpace = .encoded,
    colorConversion: ColorConversionPolicy = .standard, quality: RenderQuality = .normal, pool: FramePool = FramePool(),
    observer: (any RenderObserver)? = nil
  ) {
    self.size = size
    self.renderScale = renderScale
    self.compositionToPixels = .scale(x: renderScale, y: renderScale)
    self.outputFormat = outputFormat
    self.outputAttributes = outputAttributes
    self.blending = blending
    self.colorConversion = colorConversion
    self.quality = quality
    self.pool = pool
    self.observer = observer
  }

  /// Lends a frame of the context's size, format and attributes; contents are undefined until written.
  ///
  /// - Throws: `.framePoolExhausted` where too many frames are kept.
  public func makeFrame() throws(CompositorError) -> MutableFrame {
    try pool.makeFrame(format: outputFormat, size: size, attributes: outputAttributes)
  }
}
