import CCompositorKernels
public import CompositorAPI
import CompositorConversion

/// Blends its first layer with the layers below, using a mode of *Compositing and Blending Level 1*.
///
/// Blending is done on the output's encoded R′G′B′ in 16 bits, or in linear light if the context asks for it.
public struct BlendModeCompositor: VideoCompositor {
  /// Parameter: `mode`, a raw value of `BlendMode`; the default is `normal`.
  public static let descriptor = CompositorDescriptor(
    id: "builtin.blend", name: "Blend mode", summary: "Blends the first layer with the layers below."
  ) {
    $0.sourceFormats = .any
    $0.colorHandling = .conformsItself
    $0.parameters = [.choice("mode", BlendMode.allCases.map(\.rawValue), "The blend mode")]
    $0.isTimeInvariant = true
  }

  private let mode: BlendMode
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    mode = try BuiltinParameters(parameters, Self.descriptor).choice("mode", BlendMode.self)
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request. Opacity, transform and crop of the first layer are honored.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    guard let top = request.instruction.layers.first else { return try compositor.compose(request) }
    var surface = request.context
    surface.outputFormat = .rgba16
    surface.outputAttributes.color = surface.outputColor
    (surface.outputAttributes.color.matrix, surface.outputAttributes.color.range) = (.identity, .full)
    surface.outputAttributes.alphaMode = .straight
    let under = try compositor.draw(
      Array(request.instruction.layers.dropFirst()), of: request, over: request.instruction.backgroundColor, into: surface)
    let over = try compositor.draw([top], of: request, over: .clear, into: surface)
    let sources = request.sources.values.map(\.frame)
    if surface.blending == .linear {
      let mixer = LightMixer(surface, curves: compositor.curves)
      return try request.context.stored(mixer.frame(mixer.blending(over, on: under, mode: mode)), madeOf: sources)
    }
    var output = try surface.makeFrame()
    output.withUnsafeMutablePlanes { output in
      under.withUnsafePlanes { under in
        over.withUnsafePlanes { over in
          for y in 0..<output[0].height {
            cpk_effect_blend_row(
              (output[0].base + y * output[0].stride).assumingMemoryBound(to: UInt16.self),
              (under[0].base + y * under[0].stride).assumingMemoryBound(to: UInt16.self),
              (over[0].base + y * over[0].stride).assumingMemoryBound(to: UInt16.self), mode.kernelNumber, 1, output[0].width)
          }
        }
      }
    }
    return try request.context.stored(output.freeze(), madeOf: sources)
  }
}
