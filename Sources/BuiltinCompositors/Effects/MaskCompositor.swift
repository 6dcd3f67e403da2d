public import CompositorAPI
import CompositorKernels

/// Shows its first layer through a matte, another track's luma or alpha, over the other layers.
///
/// The matte is the first of the instruction's additional tracks, placed like a layer that shows it unchanged.
public struct MaskCompositor: VideoCompositor {
  enum Channel: String, CaseIterable, Sendable {
    case luma, alpha
  }

  /// Parameters: `channel` of the matte, and `inverted`, false by default.
  public static let descriptor = CompositorDescriptor(
    id: "builtin.mask", name: "Mask", summary: "Shows the first layer through a track matte.",
    sourceFormats: .any, colorHandling: .conformsItself,
    parameters: [
      .choice("channel", Channel.allCases.map(\.rawValue), "The channel of the matte to use"),
      ParameterDescription("inverted", .bool, default: .bool(false), summary: "Whether to invert the matte."),
    ], isTimeInvariant: true)

  private let channel: Channel
  private let isInverted: Bool
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    channel = try parameters.choice("channel", Channel.self)
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
    let with = try compose(layers, request.instruction.backgroundColor, request, surface.context)
    let without = try compose(Array(layers.dropFirst()), request.instruction.backgroundColor, request, surface.context)
    // 12 bits of R, G, B, A would do; the matte's gray and alpha must keep the full range.
    var matteSurface = surface.context
    matteSurface.outputFormat = .planar(.s444, bitDepth: 16, alpha: true)
    matteSurface.outputAttributes.color.range = .full
    matteSurface.outputAttributes.alphaMode = .premultiplied
    let matte = try compose([placed], .clear, request, matteSurface)
    let painted = try matte.withUnsafePlanes { (planes) throws(CompositorError) -> Frame in
      let mask = MatteMask(plane: planes[channel == .luma ? 0 : 3], isInverted: isInverted)
      return try MaskPainter(mask: mask, kernels: .fastest).paint(
        without, with, context: surface.context, curves: compositor.curves)
    }
    return try surface.finish(painted)
  }

  private func compose(
    _ layers: [LayerInstruction], _ background: Color?, _ request: CompositionRequest, _ surface: RenderContext
  ) throws(CompositorError) -> Frame {
    var request = request
    request.instruction.layers = layers
    request.instruction.backgroundColor = background
    request.context = surface
    request.context.observer = nil
    return try compositor.compose(request)
  }
}

/// A plane of 16 bits, as large as the frame, used as a mask.
struct MatteMask: TransitionMask {
  let plane: Plane
  let isInverted: Bool
  /// There is no uniform part: depth says nothing about neighbors.
  var feather: Double { .greatestFiniteMagnitude }
  func depth(x: Double, y: Double) -> Double { 0 }

  /// The mean of the samples within the run's step around each position.
  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    let step = Int(run.step)
    let rows = step == 2 && run.y.rounded(.down) == run.y ? 2 : 1
    let first = Int((run.y - Double(rows) / 2).rounded(.down))
    let left = Int((run.x - (run.x.rounded(.down) == run.x ? 1 : 0.5)).rounded(.down))
    let columns = step == 2 && run.x.rounded(.down) == run.x ? 2 : 1
    for index in 0..<run.count {
      var sum = 0
      for row in 0..<rows {
        let line = plane.base + min(max(first + row, 0), plane.height - 1) * plane.stride
        for column in 0..<columns {
          let x = min(max(left + index * step + column, 0), plane.width - 1)
          sum += Int(line.load(fromByteOffset: 2 * x, as: UInt16.self))
        }
      }
      let weight = (sum / (rows * columns) + 1) / 2
      weights[index] = UInt16(clamping: isInverted ? 32767 - min(weight, 32767) : min(weight, 32767))
    }
  }
}
