import Compositor

/// A transition that mixes the old clip with the new one.
struct PlainDissolve: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.plain-dissolve", name: "Plain dissolve", summary: "Mixes the old clip with the new one.",
    outputFormats: [.yuv420p, .yuv422p, .yuv444p])

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    // Frames arrive in the output's format and color: the old clip's, then the new one's.
    let frames = request.instruction.requiredTrackIDs.compactMap(request.frame)
    guard frames.count == 2, frames.allSatisfy({ $0.size == request.context.size }) else {
      throw CompositorError(.compositorFailed, "Two clips of the canvas's size are needed.")
    }
    let weight = 256 - Int((request.progress * 256).rounded())
    var output = try request.context.makeFrame()
    for plane in 0..<output.format.planeCount {
      for y in 0..<output.format.planeSize(plane, of: output.size).height {
        frames[0].withRow(y, plane: plane, as: UInt8.self) { first in
          frames[1].withRow(y, plane: plane, as: UInt8.self) { second in
            output.withMutableRow(y, plane: plane, as: UInt8.self) { row in
              for x in row.indices { row[x] = UInt8((Int(first[x]) * weight + Int(second[x]) * (256 - weight) + 128) >> 8) }
            }
          }
        }
      }
    }
    return output.freeze()
  }
}
