// The compositors of offers.c in Swift; with -D FILTERS two filters that are closures instead.
import CompositorPluginKit

/// Weighs two clips, or shows so much of the second from the left.
struct Pair {
  let frames: [Frame]
  let value: Double

  init(_ request: CompositionRequest, _ key: String) throws {
    frames = request.instruction.requiredTrackIDs.compactMap(request.frame)
    value = request.instruction.parameters[key]?.number ?? 0.5
    guard frames.count == 2 else { throw CompositorError(.conversionNotPossible, "Two clips are needed.") }
  }

  func frame(in context: RenderContext, _ pick: (_ old: UInt8, _ new: UInt8, _ x: Int, _ width: Int) -> UInt8) throws -> Frame {
    var output = try context.makeFrame()
    try output.withUnsafeMutablePlanes { output in
      try frames[0].withUnsafePlanes { old in
        try frames[1].withUnsafePlanes { new in
          for index in 0..<output.count {
            let (to, a, b) = (output[index], old[index], new[index])
            for y in 0..<to.height {
              try Task.checkCancellation()
              let (first, second, row) = (a.base + y * a.stride, b.base + y * b.stride, to.base + y * to.stride)
              for x in 0..<to.width {
                let (old, new) = (first.load(fromByteOffset: x, as: UInt8.self), second.load(fromByteOffset: x, as: UInt8.self))
                row.storeBytes(of: pick(old, new, x, to.width), toByteOffset: x, as: UInt8.self)
              }
            }
          }
        }
      }
    }
    return output.freeze()
  }
}

struct Mix: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "org.example.mix", name: "Mix", summary: "Weighs two clips.") {
    $0.sourceFormats = .output
    $0.outputFormats = [.yuv420p, .yuv444p]
    $0.colorHandling = .hdr
    $0.parameters = [
      ParameterDescription(
        "weight", .number(minimum: 0, maximum: 1, unit: "fraction"), default: .number(0.5), isAnimatable: true,
        summary: "Weight of the second clip.")
    ]
    $0.role = .compositor
    $0.isTimeInvariant = true
    $0.placesSources = true
  }

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    let pair = try Pair(request, "weight")
    return try pair.frame(in: request.context) { old, new, _, _ in
      UInt8((Double(old) * (1 - pair.value) + Double(new) * pair.value).rounded())
    }
  }
}

struct Reveal: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.reveal", name: "Reveal", summary: "Shows the second clip from the left."
  ) {
    $0.sourceFormats = .output
    $0.outputFormats = [.yuv420p, .yuv444p]
    $0.colorHandling = .hdr
    $0.parameters = [
      ParameterDescription(
        "edge", .number(minimum: 0, maximum: 1, unit: "fraction"), default: .number(0.5), isAnimatable: true,
        summary: "How much of the second clip is seen.")
    ]
    $0.role = .transition
    $0.isTimeInvariant = true
    $0.placesSources = true
  }

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    let pair = try Pair(request, "edge")
    return try pair.frame(in: request.context) { old, new, x, width in x < Int(pair.value * Double(width)) ? new : old }
  }
}

#if FILTERS
  /// Luma and a color's chroma, drawn toward a target.
  let dim = PluginFilter(
    "org.example.dim", name: "Dim", formats: [.yuv420p],
    parameters: [
      ParameterDescription(
        "amount", .number(minimum: 0, maximum: 1, unit: "fraction"), default: .number(0.5), isAnimatable: true,
        summary: "How far luma goes towards black.")
    ]
  ) { source, parameters, context in
    let amount = parameters["amount"]?.number ?? 0.5
    var output = try context.makeFrame()
    output.withUnsafeMutablePlanes { output in
      source.withUnsafePlanes { source in
        for index in 0..<output.count {
          for y in 0..<output[index].height {
            let (from, to) = (source[index].base + y * source[index].stride, output[index].base + y * output[index].stride)
            for x in 0..<output[index].width {
              let code = Double(from.load(fromByteOffset: x, as: UInt8.self))
              let made = index == 0 ? 16 + (code - 16) * (1 - amount) : code
              to.storeBytes(of: UInt8(min(max(made.rounded(), 0), 255)), toByteOffset: x, as: UInt8.self)
            }
          }
        }
      }
    }
    return output.freeze()
  }

  /// The source as it is.
  let same = PluginFilter("org.example.same", name: "Same", formats: [.yuv420p]) { source, _, _ in source }

  /// The entry.
  @_cdecl("compositor_plugin_v1")
  public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(dim, same) }
#else
  /// The entry.
  @_cdecl("compositor_plugin_v1")
  public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(Mix.self, Reveal.self) }
#endif
