extension PluginTexts {
  static let sourceSwift = #"""
    import CompositorPluginKit

    /// Darkens the frame toward its corners. An example of a compositor.
    struct @TYPE@: VideoCompositor {
      static let descriptor = CompositorDescriptor(
        id: "org.example.@NAME@", name: "@TYPE@", summary: "Darkens the frame toward its corners."
      ) {
        // The host converts other formats.
        $0.outputFormats = [.yuv420p, .yuv422p, .yuv444p]
        $0.colorHandling = .wide
        $0.parameters = [
          ParameterDescription(
            "strength", .number(minimum: 0, maximum: 1, unit: "fraction"), default: .number(0.7), isAnimatable: true,
            summary: "The strength of the darkening.")
        ]
        $0.role = .effect
        $0.isTimeInvariant = true
        $0.placesSources = true
      }

      init(parameters: ParameterValues, context: RenderContext) throws {}

      func compose(_ request: CompositionRequest) throws -> Frame {
        guard let source = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first,
          source.size == request.context.size
        else { throw CompositorError(.conversionNotPossible, "A source of the output's size is needed.") }
        let strength = request.instruction.parameters["strength"]?.number ?? 0.7
        let black = source.attributes.color.range == .full ? 0.0 : 16.0
        var output = try request.context.makeFrame()
        try output.withUnsafeMutablePlanes { output in
          try source.withUnsafePlanes { source in
            for index in 0..<output.count {
              // Gray is 128 in a chroma plane, black in the luma plane.
              try darken(source[index], into: output[index], strength: strength, towards: index == 0 ? black : 128)
            }
          }
        }
        return output.freeze()
      }

      private func darken(_ source: Plane, into output: MutablePlane, strength: Double, towards middle: Double) throws {
        for y in 0..<output.height {
          try Task.checkCancellation()
          let from = (source.base + y * source.stride).assumingMemoryBound(to: UInt8.self)
          let to = (output.base + y * output.stride).assumingMemoryBound(to: UInt8.self)
          // -1 to 1 from edge to edge, at sample centers; chroma planes have fewer samples.
          let v = Double(2 * y + 1) / Double(output.height) - 1
          for x in 0..<output.width {
            let u = Double(2 * x + 1) / Double(output.width) - 1
            let light = 1 - strength * (u * u + v * v) / 2
            to[x] = UInt8(middle + (Double(from[x]) - middle) * light + 0.5)
          }
        }
      }
    }

    /// The plugin's entry point.
    @_cdecl("compositor_plugin_v1")
    public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(@TYPE@.self) }

    """#
}
