import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorPlugins
import CompositorValidation
import CompositorTestMedia
import Testing

/// A source's frame as it is, in the storage that the compositor declares.
private struct Copier: FrameComposer {
  func compose(_ request: CompositionRequest) async throws -> Frame {
    let layer = try #require(request.instruction.layers.first)
    let source = try #require(request.frame(layer.trackID))
    #expect(source.format == request.context.outputFormat)
    var copy = try request.context.makeFrame()
    copy.withUnsafeMutablePlanes { to in
      source.withUnsafePlanes { from in
        for index in 0..<from.count {
          let bytes = source.format.rowBytes(plane: index, of: source.size)
          for y in 0..<from[index].height {
            (to[index].base + y * to[index].stride).copyMemory(
              from: from[index].base + y * from[index].stride, byteCount: bytes)
          }
        }
      }
    }
    return copy.freeze()
  }
}

/// Compositors that declare another storage of the source's own chroma grid.
@Suite struct StorageTests {
  private static let storages: [PixelFormat] = [
    .nv12, .p010, .yuv420p10, .planar(.s420, bitDepth: 8, alpha: true), .planar(.s420, bitDepth: 10, alpha: true),
    .planar(.s420, bitDepth: 12), .yuv422p10, .planar(.s422, bitDepth: 8, alpha: true),
  ]
  private static let size = PixelSize(width: 64, height: 36)

  /// Hard edges between colors in every plane.
  private static func edges(_ format: PixelFormat) -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: FrameAttributes())
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            let code = ((x / 3 + y / 2 + index) % 2 == 0 ? 200 : 20) + (x + y) % 16
            let address = plane.base + y * plane.stride + x * format.bytesPerSample
            if format.bitDepth == 8 {
              address.storeBytes(of: UInt8(code), as: UInt8.self)
            } else {
              address.storeBytes(of: UInt16(code << 2 | x & 3), as: UInt16.self)
            }
          }
        }
      }
    }
    return frame.freeze()
  }

  /// - Parameter isOfLayer: Whether the effect is the layer's, not the composed frame's.
  private func rendered(_ picture: Frame, by storage: PixelFormat, isOfLayer: Bool) async throws -> Frame {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(size: Self.size, format: picture.format, picture: picture), as: "a")
    let descriptor = CompositorDescriptor(id: "test.copier", name: "Copier") {
      $0.outputFormats = [storage]
      $0.role = .effect
    }
    try edit.registry.register(CompositorFactory(descriptor, plugin: "copier") { _, _ in Copier() })
    let track = try edit.addTrack([("a", .seconds(0, 1), .seconds(0, 1))])
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])
    if isOfLayer {
      instruction.layers[0].effects = [EffectReference("test.copier")]
    } else {
      instruction.effects = [EffectReference("test.copier")]
    }
    edit.instructions = [instruction]
    var whole = edit.edit
    whole.output.format = picture.format
    let composition = try CompositionValidator.validate(whole, catalog: edit.catalog, registry: edit.registry).get()
    let pipeline = try FrameScheduler(try RenderPlan(composition), settings: RenderSettings(threadCount: 1))
    return try await pipeline.frame(at: .zero).frame
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .yuv422p], storages)
  func effect_inAnotherStorage_getsAndGivesTheSourcesSamples(source: PixelFormat, storage: PixelFormat) async throws {
    guard source.subsampling == storage.subsampling, source.bitDepth <= storage.bitDepth else { return }
    let picture = Self.edges(source)
    for isOfLayer in [true, false] {
      let frame = try await rendered(picture, by: storage, isOfLayer: isOfLayer)
      #expect(frame.format == source)
      #expect(frame.sampleHash == picture.sampleHash, "\(source) by \(storage), \(isOfLayer)")
    }
  }
}
