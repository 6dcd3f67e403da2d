import Compositor

/// Mixes two frames by the luma of a third, times the first layer's opacity: white shows the first, black the second.
/// Without a third frame the mask is white, which makes an ordinary dissolve.
struct MaskMixer: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.maskmix", name: "Mask mix", summary: "Mixes two tracks by the luma of a third.")

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    // Sources come in the output's format, in the order of the instruction's layers.
    let frames = request.instruction.requiredTrackIDs.compactMap(request.frame)
    guard frames.count >= 2, frames.allSatisfy({ $0.size == request.context.size && $0.format == .yuv420p }) else {
      throw CompositorError(.compositorFailed, "Two or three 8-bit 4:2:0 frames of the canvas's size are needed.")
    }
    let opacity = Int((request.instruction.layers[0].opacity.value(at: request.time) * 65536).rounded())
    var output = try request.context.makeFrame()
    output.withUnsafeMutablePlanes { output in
      frames[0].withUnsafePlanes { first in
        frames[1].withUnsafePlanes { second in
          for plane in 0..<3 {
            guard frames.count > 2 else {
              mix(first[plane], second[plane], to: output[plane]) { _, _ in opacity }
              continue
            }
            // One chroma sample covers two by two luma samples.
            let step = plane == 0 ? 1 : 2
            frames[2].withUnsafePlanes { mask in
              mix(first[plane], second[plane], to: output[plane]) { x, y in
                let luma = mask[0].base.load(fromByteOffset: y * step * mask[0].stride + x * step, as: UInt8.self)
                // Video levels: black is 16, white is 235.
                return min(max(Int(luma) - 16, 0), 219) * opacity / 219
              }
            }
          }
        }
      }
    }
    return output.freeze()
  }

  /// Mixes one plane. The weight of the first frame is 0 to 65536.
  private func mix(_ first: Plane, _ second: Plane, to output: MutablePlane, weight: (Int, Int) -> Int) {
    for y in 0..<output.height {
      let a = (first.base + y * first.stride).assumingMemoryBound(to: UInt8.self)
      let b = (second.base + y * second.stride).assumingMemoryBound(to: UInt8.self)
      let out = (output.base + y * output.stride).assumingMemoryBound(to: UInt8.self)
      for x in 0..<output.width {
        let w = weight(x, y)
        out[x] = UInt8((Int(a[x]) * w + Int(b[x]) * (65536 - w) + 32768) >> 16)
      }
    }
  }
}
