import CompositorPluginKit

/// A checkerboard transition from the outgoing to the incoming clip: first the white squares grow, then the black ones.
struct Checkerboard: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.checkerboard", name: "Checkerboard", summary: "Leads from one clip to the next square by square."
  ) {
    $0.outputFormats = [.yuv420p, .yuv422p, .yuv444p]
    $0.colorHandling = .hdr
    $0.parameters = [
      ParameterDescription(
        "squares", .integer(minimum: 2, maximum: 64), default: .integer(8), summary: "Squares from left to right.")
    ]
    $0.role = .transition
  }

  private let squares: Int

  init(parameters: ParameterValues, context: RenderContext) throws {
    squares = Int(parameters["squares"]?.number ?? 8)
  }

  func compose(_ request: CompositionRequest) throws -> Frame {
    let frames = request.instruction.requiredTrackIDs.compactMap(request.frame)
    guard frames.count == 2, frames.allSatisfy({ $0.size == request.context.size }) else {
      throw CompositorError(.conversionNotPossible, "Two sources of the output's size are needed.")
    }
    let range = request.instruction.timeRange
    let progress = (request.time - range.start).seconds / range.duration.seconds
    var output = try request.context.makeFrame()
    try output.withUnsafeMutablePlanes { output in
      try frames[0].withUnsafePlanes { old in
        try frames[1].withUnsafePlanes { new in
          for index in 0..<output.count { try mix(old[index], new[index], into: output[index], progress: progress) }
        }
      }
    }
    return output.freeze()
  }

  private func mix(_ old: Plane, _ new: Plane, into output: MutablePlane, progress: Double) throws {
    let side = max(1, (output.width + squares - 1) / squares)
    // The incoming part of a square, from its top: white squares in the first half, black ones in the second.
    let grown = [min(1, progress * 2), max(0, progress * 2 - 1)].map { Int(($0 * Double(side)).rounded()) }
    for y in 0..<output.height {
      try Task.checkCancellation()
      let (first, second) = (old.base + y * old.stride, new.base + y * new.stride)
      let row = output.base + y * output.stride
      for square in 0..<squares where square * side < output.width {
        let start = square * side
        let isNew = y % side < grown[(square + y / side) % 2]
        (row + start).copyMemory(
          from: (isNew ? second : first) + start, byteCount: min(side, output.width - start))
      }
    }
  }
}

/// The plugin's entry point.
@_cdecl("compositor_plugin_v1")
public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(Checkerboard.self) }
