import CCompositorKernels
public import CompositorAPI
import CompositorConversion

/// Makes a key color transparent and removes its spill from the rest of the frame.
public struct ChromaKeyEffect: VideoCompositor {
  /// Parameters: `color` (sRGB, green by default), `similarity`, `smoothness` and `spill` (0 … 1, animatable).
  public static let descriptor = CompositorDescriptor.effect(
    "chroma-key", "Chroma key", "Makes a key color transparent and removes its spill from the rest.",
    [
      ParameterDescription(
        "color", .color, default: .list([.integer(0), .integer(1), .integer(0)]), isAnimatable: true,
        summary: "The key color, in sRGB; green by default."),
      .amount("similarity", 0...1, "of chroma", 0.18, "The distance from the key color up to which pixels are transparent."),
      .amount("smoothness", 0...1, "of chroma", 0.1, "The further distance over which pixels become opaque."),
      .amount("spill", 0...1, "", 0.5, "How much of the key color is removed from the remaining pixels."),
    ], makesAlpha: true)

  private let parameters: BuiltinParameters
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    self.parameters = try BuiltinParameters(parameters, Self.descriptor)
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request. If the output has no alpha, the transparent parts are black.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let surface = KeySurface(request.context)
    let parameters = try parameters.updated(with: request.instruction.parameters)
    let picture = try EffectScene.picture(of: request, in: surface.opaque, compositor: compositor)
    let key = try KeyMaker(parameters, color: parameters.color("color"), context: surface.keyed)
    return try surface.finish(key.apply(to: picture, context: surface.keyed))
  }
}

/// The surfaces of a key: the opaque frame, and the same planes with straight alpha.
struct KeySurface {
  let opaque: RenderContext
  let keyed: RenderContext
  private let output: RenderContext

  init(_ output: RenderContext) {
    self.output = output
    var opaque = PlanarSurface(output, alpha: .straight).context
    let format = opaque.outputFormat
    opaque.outputFormat = .planar(format.subsampling, bitDepth: format.bitDepth)
    opaque.outputAttributes.alphaMode = .opaque
    var keyed = opaque
    keyed.outputFormat = .planar(format.subsampling, bitDepth: format.bitDepth, alpha: true)
    keyed.outputAttributes.alphaMode = .straight
    (self.opaque, self.keyed) = (opaque, keyed)
  }

  func finish(_ frame: Frame) throws(CompositorError) -> Frame {
    try output.stored(frame, madeOf: [])
  }
}

/// A key color and its thresholds, in code values.
struct KeyMaker {
  private let key: cpk_effect_key
  private let format: PixelFormat

  init(_ parameters: BuiltinParameters, color: Color, context: RenderContext) throws(CompositorError) {
    format = context.outputFormat
    guard !context.outputColor.transfer.isLog else {
      throw CompositorError(
        .conversionNotPossible, "A color can't be keyed out of camera log, whose colors depend on the exposure.",
        recoverySuggestion: "Render the clip to \"hlg\" or \"sdr\" first, and key that file.",
        at: ErrorLocation(compositor: ChromaKeyEffect.descriptor.id))
    }
    let chroma = format.quantization(color: context.outputColor)[1]
    let way = try KeyWay(of: color, format, context.outputAttributes, policy: context.colorConversion)
    guard way.length > chroma.scale / 64 else {
      throw CompositorError(
        .invalidParameter, "The key's color has no chroma.", recoverySuggestion: "Choose a color such as green or blue.",
        at: ErrorLocation(compositor: ChromaKeyEffect.descriptor.id))
    }
    let unit = chroma.scale * (try Self.scale(of: way, color, context))
    let smoothness = max(try parameters.number("smoothness") * unit, 0.5)
    key = cpk_effect_key(
      u: Float(way.end.u), v: Float(way.end.v), neutral: Float(chroma.offset), top: Float(chroma.maximumCode),
      inner: Float(try parameters.number("similarity") * unit), slope: Float(1 / smoothness),
      wayU: Float(way.u / way.length), wayV: Float(way.v / way.length), spill: Float(try parameters.number("spill")))
  }

  /// What a distance of BT.709 is in the frame's color: the share of the chroma range that the key takes there, divided by its
  /// share in BT.709. In HDR and in wide gamuts all colors lie closer to each other: white is nearer to the green of a screen in
  /// HLG than a similarity of BT.709 allows.
  private static func scale(of way: KeyWay, _ color: Color, _ context: RenderContext) throws(CompositorError) -> Double {
    let tags = context.outputColor
    guard tags.transfer.isHDR || [.bt2020, .displayP3, .dciP3].contains(tags.primaries) else { return 1 }
    var attributes = context.outputAttributes
    attributes.color = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: tags.range)
    let plain = try KeyWay(of: color, context.outputFormat, attributes, policy: context.colorConversion)
    return way.length / plain.length
  }

  func apply(to picture: Frame, context: RenderContext) throws(CompositorError) -> Frame {
    let chroma = format.planeSize(1, of: picture.size)
    var scratch = try ScratchArena.frame(byteCount: chroma.width * chroma.height * 4, pool: context.pool)
    var output = try context.makeFrame()
    let siting = ChromaSiting(format.subsampling, context.outputColor.chromaLocation)
    output.withUnsafeMutablePlanes { output in
      picture.withUnsafePlanes { source in
        scratch.withUnsafeMutablePlanes { scratch in
          let alpha = scratch[0].base.assumingMemoryBound(to: Float.self)
          output[0].copyRows(of: source[0], bytesPerSample: format.bytesPerSample)
          for y in 0..<chroma.height { keyRow(y, source, output, alpha + y * chroma.width) }
          for y in 0..<output[3].height { spreadRow(y, output[3], alpha, chroma, siting) }
        }
      }
    }
    return output.freeze()
  }

  /// Computes alpha at each chroma sample, and the chroma with its spill removed.
  private func keyRow(_ y: Int, _ source: Planes, _ output: MutablePlanes, _ alpha: UnsafeMutablePointer<Float>) {
    let (u, v) = (source[1].base + y * source[1].stride, source[2].base + y * source[2].stride)
    let (outU, outV) = (output[1].base + y * output[1].stride, output[2].base + y * output[2].stride)
    if format.bytesPerSample == 1 {
      cpk_effect_key_8(
        alpha, outU.assumingMemoryBound(to: UInt8.self), outV.assumingMemoryBound(to: UInt8.self),
        u.assumingMemoryBound(to: UInt8.self), v.assumingMemoryBound(to: UInt8.self), key, output[1].width)
    } else {
      cpk_effect_key_16(
        alpha, outU.assumingMemoryBound(to: UInt16.self), outV.assumingMemoryBound(to: UInt16.self),
        u.assumingMemoryBound(to: UInt16.self), v.assumingMemoryBound(to: UInt16.self), key, output[1].width)
    }
  }

  /// Interpolates the alpha of a row of pixels from the chroma samples around it.
  private func spreadRow(
    _ y: Int, _ plane: MutablePlane, _ alpha: UnsafePointer<Float>, _ chroma: PixelSize, _ siting: ChromaSiting
  ) {
    let (upper, lower, weight) = siting.rows(for: y, height: chroma.height)
    let h = siting.horizontalShift
    let phase: Float = h == 1 && siting.isCenteredHorizontally ? -0.25 : 0
    let (a, b) = (alpha + upper * chroma.width, alpha + lower * chroma.width)
    let to = plane.base + y * plane.stride
    if format.bytesPerSample == 1 {
      cpk_effect_spread_8(to.assumingMemoryBound(to: UInt8.self), a, b, weight, h, phase, plane.width)
    } else {
      cpk_effect_spread_16(
        to.assumingMemoryBound(to: UInt16.self), a, b, weight, h, phase, Float((1 << format.bitDepth) - 1), plane.width)
    }
  }
}

/// The way from gray to a key's color, in code values of chroma.
private struct KeyWay {
  /// The codes of the key itself.
  let end: (u: Double, v: Double)
  let u: Double
  let v: Double
  var length: Double { (u * u + v * v).squareRoot() }

  init(
    of color: Color, _ format: PixelFormat, _ attributes: FrameAttributes, policy: ColorConversionPolicy
  ) throws(CompositorError) {
    let codes = try color.codes(format: format, attributes: attributes, policy: policy)
    let neutral = format.quantization(color: attributes.color)[1].offset
    (end, u, v) = ((codes[1], codes[2]), codes[1] - neutral, codes[2] - neutral)
  }
}
