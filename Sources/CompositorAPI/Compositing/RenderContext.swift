/// What speed may cost in quality.
public enum RenderQuality: String, Hashable, Sendable, Codable {
  /// For scrubbing: the cheapest sampling, whatever layers say.
  case draft
  /// For export: no visible aliasing.
  case normal
}

/// How pictures are resampled that are not shown sample for sample.
///
/// Unless one is named, layers whose size and rotation hold still during their instruction are sampled as ``good``, others as ``fast``. Samples that
/// fall on samples of the source are copied, whatever the quality.
public enum SamplingQuality: String, Hashable, Sendable, Codable, CaseIterable {
  /// Area means where the picture is reduced, then bilinear interpolation.
  case fast
  /// A separable filter along the picture's axes: a cubic through the samples (Keys' with a = −0.6) where it is enlarged, a Lanczos window of three
  /// lobes, which widens with the reduction, where it is reduced. Pictures that are turned by other than half turns, or reduced by more than
  /// ``largestReduction``, are sampled as ``fast``.
  case good
  /// The Lanczos window of three lobes for both, and for pictures that move, grow or turn: about ten times the cost of ``fast`` where they turn.
  case best

  /// The most samples under one of the output, along an axis, that are filtered.
  public static let largestReduction = 64.0
}

/// The route an instruction's frame took through a compositor.
public enum RenderRoute: String, Hashable, Sendable, Codable, CaseIterable {
  /// A source frame was handed on untouched.
  case passthrough
  /// Composed plane by plane in the output's own Y′CbCr. Layers in front that aren't in it are converted where they reach.
  case planar
  /// Composed as RGB in 16 bits or float, with conversion of color and format on the way.
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
  /// Color, pixel aspect and alpha of the frame to make.
  public var outputAttributes: FrameAttributes
  /// In which signal layers are mixed.
  public var blending: BlendingSpace
  /// How sources of another kind (SDR, HLG, PQ) become the output's.
  public var colorConversion: ColorConversionPolicy
  /// What speed may cost in quality.
  public var quality: RenderQuality
  /// How layers are resampled that do not say it themselves; see ``VideoComposition/sampling``.
  public var sampling: SamplingQuality?
  /// Where frames come from.
  public var pool: FramePool
  /// Receives the route taken by each frame. `nil` disables reporting.
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
    self.sampling = nil
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

extension RenderContext {
  /// Lends a frame of the context's size, format and attributes in one color.
  ///
  /// ```swift
  /// let black = try request.context.makeFrame(filledWith: .black)
  /// ```
  ///
  /// Where the output keeps no alpha, a color that is not opaque is seen over black. O(bytes of the frame).
  ///
  /// - Throws: `.framePoolExhausted` where too many frames are kept; `.invalidValue` and `.conversionNotPossible` as
  ///   ``Color/codes(format:attributes:policy:)``.
  public func makeFrame(filledWith color: Color) throws(CompositorError) -> Frame {
    var attributes = outputAttributes
    attributes.color = attributes.color.resolved(for: size)
    let codes = try color.codes(format: outputFormat, attributes: attributes, policy: colorConversion)
    var frame = try makeFrame()
    frame.fill(codes: codes)
    return frame.freeze()
  }
}

extension MutableFrame {
  /// Writes one color everywhere.
  ///
  /// - Parameter codes: Code values as ``Color/codes(format:attributes:policy:)`` gives them: Y′, Cb, Cr, A or R, G, B, A.
  public mutating func fill(codes: [Double]) {
    precondition(codes.count == 4, "four codes: Y′, Cb, Cr, A or R, G, B, A")
    let format = format
    withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let order = format.components(plane: index)
        switch format.sample {
        case .unsigned where format.bitDepth == 8: planes[index].fill(order.map { UInt8(codes[$0]) })
        case .unsigned: planes[index].fill(order.map { UInt16(codes[$0]) << UInt16(format.lowPadding) })
        case .half: planes[index].fill(order.map { Float16(codes[$0]) })
        case .float: planes[index].fill(order.map { Float(codes[$0]) })
        }
      }
    }
  }
}

extension PixelFormat {
  /// Which components (0 Y′ or R, 1 Cb or G, 2 Cr or B, 3 A) stand side by side in a plane, in order.
  package func components(plane: Int) -> [Int] {
    switch layout {
    case .planar: [plane]
    case .semiPlanar: plane == 0 ? [0] : [1, 2]
    case .packedRGBA: [0, 1, 2, 3]
    case .packedBGRA: [2, 1, 0, 3]
    }
  }
}

extension MutablePlane {
  /// Repeats a position's samples over the whole plane: the first row sample by sample, the others copied from it.
  fileprivate func fill<T: BitwiseCopyable>(_ position: [T]) {
    let count = position.count
    let first = base.assumingMemoryBound(to: T.self)
    for x in 0..<width {
      for sample in 0..<count { first[x * count + sample] = position[sample] }
    }
    let byteCount = width * count * MemoryLayout<T>.stride
    for y in 1..<max(height, 1) { (base + y * stride).copyMemory(from: base, byteCount: byteCount) }
  }
}
