import Compositor

/// A transition that mixes the old clip with the new one.
struct PlainDissolve: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.plain-dissolve", name: "Plain dissolve", summary: "Mixes the old clip with the new one."
  ) {
    $0.outputFormats = [.yuv420p, .yuv422p, .yuv444p]
    $0.role = .transition
    $0.placesSources = true
  }

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    // Frames arrive in the output's format and color: the old clip's, then the new one's.
    let frames = request.instruction.requiredTrackIDs.compactMap(request.frame)
    guard frames.count == 2, frames.allSatisfy({ $0.size == request.context.size }) else {
      throw CompositorError(.compositorFailed, "Two clips of the canvas's size are needed.")
    }
    let weight = UInt16((request.progress * 256).rounded())
    var output = try request.context.makeFrame()
    for plane in 0..<output.format.planeCount {
      for y in 0..<output.format.planeSize(plane, of: output.size).height {
        frames[0].withRow(y, plane: plane, as: UInt8.self) { first in
          frames[1].withRow(y, plane: plane, as: UInt8.self) { second in
            output.withMutableRow(y, plane: plane, as: UInt8.self) { row in
              // Wrapping arithmetic on small integers becomes vector instructions; no sum exceeds 16 bits.
              for x in row.indices {
                let sum = UInt16(first[x]) &* (256 - weight) &+ UInt16(second[x]) &* weight &+ 128
                row[x] = UInt8(truncatingIfNeeded: sum >> 8)
              }
            }
          }
        }
      }
    }
    return output.freeze()
  }
}
