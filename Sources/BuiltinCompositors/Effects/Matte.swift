package import CompositorAPI
import CompositorConversion
import CompositorKernels

/// The luma or the alpha of a layer on a surface, as the weights with which two frames are mixed.
///
/// Luma is read in the layer's own color and encoding: a white of SDR is 1 in an HDR movie, too.
package struct Matte: Sendable {
  /// Y′CbCr and alpha of 16 bits in full range, premultiplied.
  private let frame: Frame
  private let mask: (channel: EffectMask.Channel, isInverted: Bool)

  /// Places a layer on a surface.
  ///
  /// - Parameters:
  ///   - request: A request that contains the layer's source.
  ///   - surface: The size to make the matte in, and how the layer is placed in it.
  /// - Throws: The errors of ``LayerCompositor``.
  package init(
    of layer: LayerInstruction, channel: EffectMask.Channel, isInverted: Bool, in request: CompositionRequest,
    on surface: RenderContext, compositor: LayerCompositor
  ) throws(CompositorError) {
    var surface = surface
    surface.blending = .encoded
    // 12 bits would do; gray and alpha must keep the full range. Chroma isn't used.
    surface.outputFormat = .planar(.s420, bitDepth: 16, alpha: true)
    surface.outputAttributes.color = Matte.fullRange(request.frame(layer.trackID)?.ownColor ?? surface.outputColor)
    surface.outputAttributes.alphaMode = .premultiplied
    surface.outputAttributes.hdr = nil
    frame = try compositor.draw([layer], of: request, over: .clear, into: surface)
    mask = (channel, isInverted)
  }

  private static func fullRange(_ color: ColorTags) -> ColorTags {
    var color = color
    if color.matrix == .identity { color.matrix = .bt709 }
    color.range = .full
    return color
  }

  /// The plane of the channel.
  private func plane(of planes: Planes) -> Plane { planes[mask.channel == .luma ? 0 : 3] }

  /// Mixes two frames of the surface's size: the first where the matte is 0, the second where it is 1, bit by bit.
  ///
  /// - Parameter context: Size, format and color of both frames, which are planar.
  package func mixing(
    _ original: Frame, _ changed: Frame, context: RenderContext, compositor: LayerCompositor
  ) throws(CompositorError) -> Frame {
    try frame.withUnsafePlanes { (planes) throws(CompositorError) in
      let mask = MatteMask(plane: plane(of: planes), isInverted: mask.isInverted)
      return try MaskPainter(mask: mask, kernels: .fastest).paint(
        original, changed, context: context, curves: compositor.curves)
    }
  }

  /// The matte as an opaque gray frame of 16 bits in full range.
  ///
  /// - Parameter attributes: The attributes that the frame is to have, in the range and matrix that it has.
  package func gray(_ attributes: FrameAttributes, pool: FramePool) throws(CompositorError) -> Frame {
    var attributes = attributes
    attributes.color = Matte.fullRange(attributes.color)
    attributes.alphaMode = .opaque
    attributes.hdr = nil
    var output = try pool.makeFrame(format: .planar(.s444, bitDepth: 16), size: frame.size, attributes: attributes)
    let flip: UInt16 = mask.isInverted ? .max : 0
    frame.withUnsafePlanes { planes in
      let source = plane(of: planes)
      output.withUnsafeMutablePlanes { output in
        for y in 0..<source.height {
          let from = (source.base + y * source.stride).assumingMemoryBound(to: UInt16.self)
          let to = (output[0].base + y * output[0].stride).assumingMemoryBound(to: UInt16.self)
          for x in 0..<source.width { to[x] = from[x] ^ flip }
          for chroma in 1...2 {
            (output[chroma].base + y * output[chroma].stride).assumingMemoryBound(to: UInt16.self)
              .update(repeating: 1 << 15, count: source.width)
          }
        }
      }
    }
    return output.freeze()
  }
}

extension Frame {
  /// The color of its samples, with what isn't stated completed.
  fileprivate var ownColor: ColorTags { attributes.color.completed(for: format, size: size) }
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
    if rows == 1, columns == 1, left >= 0, left + (run.count - 1) * step < plane.width {
      let line = plane.base + min(max(first, 0), plane.height - 1) * plane.stride
      let codes = line.assumingMemoryBound(to: UInt16.self) + left
      for index in 0..<run.count { weights[index] = weight(Int(codes[index * step])) }
      return
    }
    for index in 0..<run.count {
      var sum = 0
      for row in 0..<rows {
        let line = plane.base + min(max(first + row, 0), plane.height - 1) * plane.stride
        for column in 0..<columns {
          let x = min(max(left + index * step + column, 0), plane.width - 1)
          sum += Int(line.load(fromByteOffset: 2 * x, as: UInt16.self))
        }
      }
      weights[index] = weight(sum / (rows * columns))
    }
  }

  /// The weight of a code of 16 bits.
  private func weight(_ code: Int) -> UInt16 {
    let weight = min((code + 1) / 2, 32767)
    return UInt16(truncatingIfNeeded: isInverted ? 32767 - weight : weight)
  }
}
