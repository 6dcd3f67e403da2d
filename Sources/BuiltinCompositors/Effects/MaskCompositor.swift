public import CompositorAPI

/// Shows its first layer through a matte, another track's luma or alpha, over the other layers.
///
/// The matte is the first of the instruction's additional tracks. It is placed by the instruction's layer of that track, which
/// isn't shown; without one, like a layer that shows it unchanged.
public struct MaskCompositor: VideoCompositor {
  /// Parameters: `channel` of the matte, and `inverted`, false by default.
  public static let descriptor = CompositorDescriptor(
    id: "builtin.mask", name: "Mask", summary: "Shows the first layer through a track matte."
  ) {
    $0.sourceFormats = .any
    $0.colorHandling = .conformsItself
    $0.parameters = [
      .choice("channel", EffectMask.Channel.allCases.map(\.rawValue), "The channel of the matte to use"),
      ParameterDescription("inverted", .bool, default: .bool(false), summary: "Whether to invert the matte."),
    ]
    $0.isTimeInvariant = true
  }

  private let channel: EffectMask.Channel
  private let isInverted: Bool
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    channel = try parameters.choice("channel", EffectMask.Channel.self)
    isInverted = try parameters.bool("inverted")
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  ///
  /// - Throws: `.invalidComposition` if the instruction names no additional track.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    guard let matteID = request.instruction.additionalTrackIDs.first else {
      throw CompositorError(
        .invalidComposition, "A mask needs a matte.",
        recoverySuggestion: "Name its track as the instruction's first additional track.",
        at: ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: Self.descriptor.id))
    }
    let surface = PlanarSurface(request.context)
    let layers = request.instruction.layers.filter { $0.trackID != matteID }
    let placed = request.instruction.layers.first { $0.trackID == matteID } ?? LayerInstruction(trackID: matteID)
    let (background, context) = (request.instruction.backgroundColor, surface.context)
    let with = try compositor.draw(layers, of: request, over: background, into: context)
    let without = try compositor.draw(Array(layers.dropFirst()), of: request, over: background, into: context)
    let matte = try Matte(
      of: placed, channel: channel, isInverted: isInverted, in: request, on: context, compositor: compositor)
    let painted = try matte.mixing(without, with, context: context, compositor: compositor)
    return try surface.finish(painted)
  }
}
