import CCompositorKernels
public import CompositorAPI
import CompositorConversion

/// Applies a color look-up table: a `.cube` file with a cube (tetrahedral interpolation) or three curves.
///
/// The table is applied to the frame's own R′G′B′ in 16 bits, full range.
public struct LUTEffect: VideoCompositor {
  /// Parameters: `file`, the contents of a `.cube` file, and `intensity`, 0 … 1, 1 by default; animatable.
  public static let descriptor = CompositorDescriptor.effect(
    "lut", "Look-up table", "Applies a one- or three-dimensional look-up table from a .cube file.",
    [
      ParameterDescription(
        "file", .textFile(maximumByteCount: ColorCube.maximumByteCount), summary: "The .cube file."),
      .amount("intensity", 0...1, "", 1, "The strength of the effect; 0 leaves colors unchanged."),
    ], identity: ["intensity": .integer(0)])

  private let parameters: BuiltinParameters
  private let cube: ColorCube
  private let compositor: LayerCompositor

  /// Creates an instance. `file` holds the contents of the `.cube` file; the host reads files.
  ///
  /// - Throws: `.invalidParameter` with the line number if the contents aren't a valid table.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    var parameters = parameters
    cube = try ColorCube(try BuiltinParameters(parameters, Self.descriptor).string("file"))
    // The table has been parsed; its source need not be kept.
    parameters["file"] = .string("read")
    self.parameters = try BuiltinParameters(parameters, Self.descriptor)
    compositor = try LayerCompositor(context: context)
  }

  /// Checks the text of a `.cube` file.
  ///
  /// - Throws: `.invalidParameter`, with the line of the text where it is not a table.
  package static func check(_ text: String) throws(CompositorError) { _ = try ColorCube(text) }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let scene = try EffectScene(request, alpha: .straight, made: parameters, compositor: compositor)
    let intensity = try scene.parameters.number("intensity")
    let context = scene.surface.context
    let source = try scene.frame.rgb(in: context)
    var output = try context.pool.makeFrame(format: .rgba16, size: source.size, attributes: source.attributes)
    let scale = (0..<3).map { Float(Double(cube.side - 1) / (cube.domain.high[$0] - cube.domain.low[$0])) }
    let low = cube.domain.low.map { Float($0) }
    cube.table.withUnsafeBufferPointer { table in
      var look = cpk_effect_cube(
        table: table.baseAddress, side: Int32(cube.side), low: (low[0], low[1], low[2]), scale: (scale[0], scale[1], scale[2]),
        isOneDimensional: cube.isOneDimensional ? 1 : 0)
      output.withUnsafeMutablePlanes { output in
        source.withUnsafePlanes { source in
          for y in 0..<output[0].height {
            let (to, from) = (output[0].base + y * output[0].stride, source[0].base + y * source[0].stride)
            cpk_effect_cube_row(
              to.assumingMemoryBound(to: UInt16.self), from.assumingMemoryBound(to: UInt16.self), &look, output[0].width)
          }
        }
      }
    }
    let looked = try context.stored(output.freeze(), madeOf: [scene.frame])
    guard intensity < 1 else { return try scene.surface.finish(looked) }
    return try scene.surface.finish(scene.frame.mixed(with: looked, weight: intensity, context, compositor.curves))
  }
}

extension Frame {
  /// The frame as R′, G′, B′, A in 16 bits, in its own primaries and transfer function, with straight alpha.
  func rgb(in context: RenderContext) throws(CompositorError) -> Frame {
    var attributes = context.outputAttributes
    (attributes.color.matrix, attributes.color.range) = (.identity, .full)
    attributes.alphaMode = context.keepsAlpha ? .straight : .opaque
    return try FrameConverter.convert(
      self, to: .rgba16, attributes: attributes, pool: context.pool, policy: context.colorConversion)
  }
}
