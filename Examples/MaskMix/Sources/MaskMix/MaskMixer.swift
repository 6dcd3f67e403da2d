import Compositor

/// Mixes two pictures by the luma of a third: white shows the first, black the second.
struct MaskMixer: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.maskmix", name: "Mask mix", summary: "Mixes two tracks by the luma of a third.",
    parameters: [ParameterDescription("invert", .bool, default: .bool(false), summary: "White shows the second instead.")])

  let inverts: Bool

  init(parameters: ParameterValues, context: RenderContext) throws {
    inverts = parameters["invert"] == .bool(true)
  }

  func compose(_ request: CompositionRequest) throws -> Frame {
    // Sources come in the output's format, in the order of the instruction's layers.
    let frames = request.instruction.requiredTrackIDs.compactMap { request.sources[$0]?.frame }
    guard frames.count == 3, frames.allSatisfy({ $0.size == request.context.size && $0.format == .yuv420p }) else {
      throw CompositorError(.compositorFailed, "Three 8-bit 4:2:0 pictures of the canvas's size are needed.")
    }
    let (first, second) = inverts ? (frames[1], frames[0]) : (frames[0], frames[1])
    var output = try request.context.makeFrame()
    output.withUnsafeMutablePlanes { output in
      first.withUnsafePlanes { first in
        second.withUnsafePlanes { second in
          frames[2].withUnsafePlanes { mask in
            for plane in 0..<3 { mix(first[plane], second[plane], by: mask[0], step: plane == 0 ? 1 : 2, to: output[plane]) }
          }
        }
      }
    }
    return output.freeze()
  }

  /// One plane; `step` is how many luma samples of the mask stand for one sample of it.
  private func mix(_ first: Plane, _ second: Plane, by mask: Plane, step: Int, to output: MutablePlane) {
    for y in 0..<output.height {
      let a = (first.base + y * first.stride).assumingMemoryBound(to: UInt8.self)
      let b = (second.base + y * second.stride).assumingMemoryBound(to: UInt8.self)
      let m = (mask.base + y * step * mask.stride).assumingMemoryBound(to: UInt8.self)
      let out = (output.base + y * output.stride).assumingMemoryBound(to: UInt8.self)
      for x in 0..<output.width {
        // Video levels: black is 16, white is 235.
        let weight = min(max(Int(m[x * step]) - 16, 0), 219)
        out[x] = UInt8((Int(a[x]) * weight + Int(b[x]) * (219 - weight) + 109) / 219)
      }
    }
  }
}
