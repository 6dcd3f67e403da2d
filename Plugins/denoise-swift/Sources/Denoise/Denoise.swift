import CompositorPluginKit

/// Reduces noise in static areas: averages each sample with the previous and the next one, less the more it changes.
///
/// It requests three frames and keeps no state, so frames can be made in any order. `Plugins/denoise` is the same in C.
struct Denoise: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(
    id: "org.example.denoise-swift", name: "Denoise", summary: "Reduces noise in static areas, using three frames."
  ) {
    $0.outputFormats = [.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10]
    $0.colorHandling = .hdr
    $0.parameters = [
      ParameterDescription(
        "threshold", .integer(minimum: 1, maximum: 255), default: .integer(12), isAnimatable: true,
        summary: "The change, in code values of 8 bits, from which on a neighbor counts nothing.")
    ]
    $0.role = .effect
    $0.isTimeInvariant = true
    $0.needsOtherTimes = true
  }

  init(parameters: ParameterValues, context: RenderContext) throws {}

  /// The previous, the current and the next frame. Before a clip's first frame and after its last, the host repeats that
  /// frame.
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    guard let track = request.instruction.requiredTrackIDs.first else { return .everything }
    return .sources((-1...1).map { RegionOfInterest(track, at: request.time(offsetByFrames: $0)) })
  }

  func compose(_ request: CompositionRequest) throws -> Frame {
    let frames = request.requestedSources.compactMap { $0.source?.frame }
    guard frames.count == 3, frames.allSatisfy({ $0.size == request.context.size }) else {
      throw CompositorError(.conversionNotPossible, "Three sources of the output's size are needed.")
    }
    let threshold = Int32(request.instruction.parameters["threshold"]?.number ?? 12)
    var output = try request.context.makeFrame()
    let limit = threshold << Int32(output.format.bitDepth - 8)
    let isWide = output.format.bitDepth > 8
    try output.withUnsafeMutablePlanes { output in
      try frames[0].withUnsafePlanes { before in
        try frames[1].withUnsafePlanes { now in
          try frames[2].withUnsafePlanes { after in
            for index in 0..<output.count {
              let planes = (before[index], now[index], after[index])
              if isWide {
                try average(planes, into: output[index], limit: limit, as: UInt16.self)
              } else {
                try average(planes, into: output[index], limit: limit, as: UInt8.self)
              }
            }
          }
        }
      }
    }
    return output.freeze()
  }

  private func average<Sample: FixedWidthInteger & UnsignedInteger>(
    _ planes: (Plane, Plane, Plane), into output: MutablePlane, limit: Int32, as sample: Sample.Type
  ) throws {
    let scale = 65536 / limit
    for y in 0..<output.height {
      try Task.checkCancellation()
      let before = (planes.0.base + y * planes.0.stride).assumingMemoryBound(to: Sample.self)
      let now = (planes.1.base + y * planes.1.stride).assumingMemoryBound(to: Sample.self)
      let after = (planes.2.base + y * planes.2.stride).assumingMemoryBound(to: Sample.self)
      let row = (output.base + y * output.stride).assumingMemoryBound(to: Sample.self)
      for x in 0..<output.width {
        let middle = Int32(now[x])
        let (earlier, later) = (Int32(before[x]) &- middle, Int32(after[x]) &- middle)
        let sum = weight(earlier, limit, scale) &* earlier &+ weight(later, limit, scale) &* later
        row[x] = Sample(truncatingIfNeeded: (middle &* 1024 &+ sum &+ 512) >> 10)
      }
    }
  }

  /// The weight of a neighbor, 0 … 256: a quarter of the mean if nothing changes, 0 from the limit on.
  private func weight(_ change: Int32, _ limit: Int32, _ scale: Int32) -> Int32 { (max(0, limit &- abs(change)) &* scale) >> 8 }
}

/// The plugin's entry point.
@_cdecl("compositor_plugin_v1")
public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(Denoise.self) }
