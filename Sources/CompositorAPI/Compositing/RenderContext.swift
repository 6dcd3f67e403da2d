/// The trade-off between speed and quality.
public enum RenderQuality: String, Hashable, Sendable, Codable {
  /// For scrubbing: uses the cheapest sampling, overriding that of layers.
  case draft
  /// For export: no visible aliasing.
  case normal
}

/// How frames are resampled if they aren't shown pixel for pixel.
///
/// Unless one is specified, layers whose size and rotation are constant during their instruction use ``good``, and others use
/// ``fast``. Output samples that coincide with source samples are copied in every quality.
public enum SamplingQuality: String, Hashable, Sendable, Codable, CaseIterable {
  /// Box-filters if the frame is reduced, then interpolates bilinearly.
  case fast
  /// A separable filter along the frame's axes: bicubic (Keys, a = −0.6) for enlargement, and 3-lobed Lanczos, which widens
  /// with the reduction, for reduction. Frames that are rotated by other than half turns, or reduced by more than
  /// ``largestReduction``, use ``fast``.
  case good
  /// 3-lobed Lanczos for both enlargement and reduction, and for frames that move, scale or rotate. Rotated frames take about
  /// ten times as long as with ``fast``.
  case best

  /// The maximum number of source samples per output sample along an axis that are filtered.
  public static let largestReduction = 64.0
}

/// The route that a frame took through a compositor.
public enum RenderRoute: String, Hashable, Sendable, Codable, CaseIterable {
  /// A source frame was passed through unchanged.
  case passthrough
  /// Composed plane by plane in the output's own Y′CbCr. Layers in front in other formats are converted within their bounds.
  case planar
  /// Composed as RGB with 16 bits or floating point, with conversion of color and format.
  case general
  /// Composed by a compositor that doesn't report its route.
  case custom
}

/// Receives the route taken by each frame. Called on any thread, possibly concurrently; must not block.
public protocol RenderObserver: Sendable {
  /// Called after each composed frame.
  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime)
}

/// The target that a compositor renders to. A compositor instance is created for each distinct context.
public struct RenderContext: Sendable {
  /// The size of the frame to make, in pixels.
  public var size: PixelSize
  /// Pixels per unit of the composition. ``size`` is the composition's size times this.
  public var renderScale: Double
  /// The transform from the composition's space to the frame's pixels.
  public var compositionToPixels: AffineMatrix
  /// The format of the frame to make.
  public var outputFormat: PixelFormat
  /// The color, pixel aspect ratio and alpha mode of the frame to make.
  public var outputAttributes: FrameAttributes
  /// The signal domain in which layers are blended.
  public var blending: BlendingSpace
  /// How sources of another dynamic range (SDR, HLG, PQ) are converted to the output's.
  public var colorConversion: ColorConversionPolicy
  /// The trade-off between speed and quality.
  public var quality: RenderQuality
  /// The default resampling of layers; see ``VideoComposition/sampling``.
  public var sampling: SamplingQuality?
  /// The view to make.
  public var view = StereoView.mono
  /// The pool that frames are allocated from.
  public var pool: FramePool
  /// Receives the route taken by each frame. `nil` disables reporting.
  public var observer: (any RenderObserver)?

  /// Creates a context for frames of `size` pixels, with `renderScale` pixels per unit of the composition.
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

  /// Allocates a frame of the context's size, format and attributes from the pool. Its contents are undefined until written.
  ///
  /// - Throws: `.framePoolExhausted` if too many frames are in use.
  public func makeFrame() throws(CompositorError) -> MutableFrame {
    try pool.makeFrame(format: outputFormat, size: size, attributes: outputAttributes)
  }
}

extension RenderContext {
  /// Allocates a frame of the context's size, format and attributes and fills it with one color.
  ///
  /// ```swift
  /// let black = try request.context.makeFrame(filledWith: .black)
  /// ```
  ///
  /// If the output has no alpha, a color that isn't opaque is shown over black. O(bytes of the frame).
  ///
  /// - Throws: `.framePoolExhausted` if too many frames are in use; `.invalidValue` and `.conversionNotPossible` under the
  ///   conditions of ``Color/codes(format:attributes:policy:)``.
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
  /// Fills the frame with one color.
  ///
  /// - Parameter codes: Code values as returned by ``Color/codes(format:attributes:policy:)``: Y′, Cb, Cr, A or R, G, B, A.
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
  /// The components (0 Y′ or R, 1 Cb or G, 2 Cr or B, 3 A) that are interleaved in a plane, in order.
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
  /// Repeats one position's samples over the whole plane: the first row sample by sample, the others copied from it.
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
