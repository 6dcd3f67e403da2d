import CCompositorKernels
public import CompositorAPI
import CompositorConversion
import CompositorPlatform

/// Adjusts brightness, contrast, saturation, hue, temperature and tint: a matrix on Y′CbCr, applied to each plane on its own
/// grid.
public struct ColorEffect: VideoCompositor {
  /// Parameters, all animatable: `brightness` (−1 … 1 of white), `contrast` and `saturation` (0 … 4, 1 is neutral), `hue`
  /// (−180 … 180 degrees), `temperature` and `tint` (−1 … 1). By default, colors are unchanged.
  public static let descriptor = CompositorDescriptor.effect(
    "color", "Color", "Brightness, contrast, saturation, hue, temperature and tint.",
    [
      .amount("brightness", -1...1, "of white", 0, "The amount added to luma."),
      .amount("contrast", 0...4, "times", 1, "The factor on luma and chroma about gray."),
      .amount("saturation", 0...4, "times", 1, "The factor on chroma; 0 gives gray."),
      .amount("hue", -180...180, "degrees", 0, "The angle of the hue rotation, from red to yellow."),
      .amount("temperature", -1...1, "", 0, "The color temperature, from blue to orange."),
      .amount("tint", -1...1, "", 0, "The tint, from green to magenta."),
    ],
    identity: [
      "brightness": .integer(0), "contrast": .integer(1), "saturation": .integer(1), "hue": .integer(0),
      "temperature": .integer(0), "tint": .integer(0),
    ])

  private let parameters: BuiltinParameters
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    self.parameters = try BuiltinParameters(parameters, Self.descriptor)
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let scene = try EffectScene(request, alpha: .straight, made: parameters, compositor: compositor)
    let context = scene.surface.context
    let matrix = try ColorAdjustment(scene.parameters, context: context)
    var output = try context.makeFrame()
    output.withUnsafeMutablePlanes { output in
      scene.frame.withUnsafePlanes { matrix.apply(from: $0, to: output) }
    }
    return try scene.surface.finish(output.freeze())
  }
}

/// The adjustment as a matrix on code values.
struct ColorAdjustment {
  private let scale: Float
  private let offset: Float
  private let chroma: cpk_effect_chroma_matrix
  private let format: PixelFormat

  init(_ parameters: BuiltinParameters, context: RenderContext) throws(CompositorError) {
    format = context.outputFormat
    let codes = format.quantization(color: context.outputColor)
    let contrast = try parameters.number("contrast")
    let shift = 0.5 * (1 - contrast) + (try parameters.number("brightness"))
    scale = Float(contrast)
    offset = Float(codes[0].offset * (1 - contrast) + shift * codes[0].scale)

    let angle = try parameters.number("hue") * .pi / 180
    let strength = contrast * (try parameters.number("saturation"))
    let (cosine, sine) = (strength * cos(angle), strength * sin(angle))
    let (temperature, tint) = (try parameters.number("temperature"), try parameters.number("tint"))
    chroma = cpk_effect_chroma_matrix(
      // From red (Cr) to yellow (less Cb): clockwise in the plane with Cb to the right and Cr upward.
      uu: Float(cosine), uv: Float(-sine), vu: Float(sine), vv: Float(cosine),
      u: Float(codes[1].offset + (0.05 * tint - 0.1 * temperature) * codes[1].scale),
      v: Float(codes[1].offset + (0.05 * tint + 0.1 * temperature) * codes[1].scale),
      neutral: Float(codes[1].offset), top: Float(codes[1].maximumCode))
  }

  func apply(from source: Planes, to output: MutablePlanes) {
    let top = chroma.top
    for y in 0..<output[0].height {
      let (out, row) = (output[0].base + y * output[0].stride, source[0].base + y * source[0].stride)
      if format.bytesPerSample == 1 {
        cpk_effect_line_8(
          out.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt8.self), scale, offset, output[0].width)
      } else {
        cpk_effect_line_16(
          out.assumingMemoryBound(to: UInt16.self), row.assumingMemoryBound(to: UInt16.self), scale, offset, top,
          output[0].width)
      }
    }
    applyToChroma(from: source, to: output)
    guard output.count == 4 else { return }
    output[3].copyRows(of: source[3], bytesPerSample: format.bytesPerSample)
  }

  private func applyToChroma(from source: Planes, to output: MutablePlanes) {
    let (u, v, outU, outV) = (source[1], source[2], output[1], output[2])
    for y in 0..<outU.height {
      let (a, b) = (u.base + y * u.stride, v.base + y * v.stride)
      let (c, d) = (outU.base + y * outU.stride, outV.base + y * outV.stride)
      if format.bytesPerSample == 1 {
        cpk_effect_chroma_8(
          c.assumingMemoryBound(to: UInt8.self), d.assumingMemoryBound(to: UInt8.self),
          a.assumingMemoryBound(to: UInt8.self), b.assumingMemoryBound(to: UInt8.self), chroma, outU.width)
      } else {
        cpk_effect_chroma_16(
          c.assumingMemoryBound(to: UInt16.self), d.assumingMemoryBound(to: UInt16.self),
          a.assumingMemoryBound(to: UInt16.self), b.assumingMemoryBound(to: UInt16.self), chroma, outU.width)
      }
    }
  }
}

extension MutablePlane {
  /// Copies a plane of the same size.
  func copyRows(of source: Plane, bytesPerSample: Int) {
    for y in 0..<height {
      (base + y * stride).copyMemory(from: source.base + y * source.stride, byteCount: width * bytesPerSample)
    }
  }
}
