import CCompositorKernels
import CompositorAPI
import CompositorConversion
import CompositorKernels

/// Repacks planes of Y′CbCr that are stored differently from the frame: chroma in planes or interleaved, more bits, an unused
/// alpha dropped. No sample moves, and none is rounded unless the depth decreases.
enum PlanarRepacking {
  /// Whether repacking alone makes a source's samples the output's.
  static func accepts(_ source: SourceDescription, for context: RenderContext) -> Bool {
    let (from, to) = (source.format, context.outputFormat)
    return !from.isRGB && from.sample == .unsigned && to.sample == .unsigned && from.subsampling == to.subsampling
      && from.bitDepth <= to.bitDepth
      && source.color.isEquivalent(to: context.outputColor, in: to, policy: context.colorConversion)
  }

  /// A frame in planes of the context's format. Components stored alike in both are not copied: the original memory is
  /// retained instead.
  ///
  /// - Throws: `.framePoolExhausted`.
  static func repacked(_ frame: Frame, for context: RenderContext) throws(CompositorError) -> Frame {
    let format = context.outputFormat
    let (from, to) = (
      SampleLayout(frame.format, color: context.outputColor), SampleLayout(format, color: context.outputColor)
    )
    var room = try ScratchArena.frame(byteCount: frame.size.width * MemoryLayout<Float>.stride, pool: context.pool)
    var made = try context.pool.makeFrame(format: format, size: frame.size)
    let shared = to.components.map { component in
      frame.format.isStored(from.components[component.index], as: component, of: format)
    }
    made.withUnsafeMutablePlanes { planes in
      room.withUnsafeMutablePlanes { room in
        let row = room[0].base.assumingMemoryBound(to: Float.self)
        for index in to.components.indices where !shared[index] { copy(frame, index, from, planes, to, row) }
      }
    }
    return wrapping(made.freeze(), frame, shared: shared)
  }

  /// A frame of planes in a format with interleaved chroma, with the context's attributes.
  static func packed(_ frame: Frame, for context: RenderContext) throws(CompositorError) -> Frame {
    let from = SampleLayout(frame.format, color: context.outputColor)
    let to = SampleLayout(context.outputFormat, color: context.outputColor)
    var room = try ScratchArena.frame(byteCount: frame.size.width * MemoryLayout<Float>.stride, pool: context.pool)
    var packed = try context.makeFrame()
    packed.withUnsafeMutablePlanes { planes in
      room.withUnsafeMutablePlanes { room in
        let row = room[0].base.assumingMemoryBound(to: Float.self)
        for index in to.components.indices { copy(frame, index, from, planes, to, row) }
      }
    }
    return packed.freeze()
  }

  /// A frame with some planes of another frame; both are retained as long as the result.
  private static func wrapping(_ made: Frame, _ frame: Frame, shared: [Bool]) -> Frame {
    guard shared.contains(true) else { return made }
    let lent = (made.lendPlanes(), frame.lendPlanes())
    let planes = shared.indices.map { shared[$0] ? lent.1[$0] : lent.0[$0] }
    return Frame(
      wrapping: planes.map { UnsafeMutableRawPointer(mutating: $0.base) }, strides: planes.map(\.stride), format: made.format,
      size: made.size, attributes: made.attributes
    ) { withExtendedLifetime(lent) {} }
  }

  /// Copies one component's samples from plane to plane.
  private static func copy(
    _ frame: Frame, _ index: Int, _ from: SampleLayout, _ planes: MutablePlanes, _ to: SampleLayout,
    _ row: UnsafeMutablePointer<Float>
  ) {
    let (source, target) = (from.components[index], to.components[index])
    let isSame = frame.format.isStored(source, as: target, of: to.format)
    let scale = target.quantization.scale / source.quantization.scale
    let offset = target.quantization.offset - source.quantization.offset * scale
    frame.withUnsafePlanes { sources in
      let (input, output) = (sources[source.plane], planes[target.plane])
      for y in 0..<output.height {
        let start = input.base + y * input.stride + source.sampleOffset * from.format.bytesPerSample
        let end = output.base + y * output.stride + target.sampleOffset * to.format.bytesPerSample
        if isSame {
          end.copyMemory(from: start, byteCount: output.width * to.format.bytesPerSample)
        } else {
          load(start, source, from, into: row, count: output.width)
          store(row, Float(scale), Float(offset), into: end, target, to, count: output.width)
        }
      }
    }
  }

  private static func load(
    _ start: UnsafeRawPointer, _ source: SampleLayout.Component, _ layout: SampleLayout, into row: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    if layout.storage == .bytes {
      cpk_convert_load_u8(start.assumingMemoryBound(to: UInt8.self), source.step, row, count, 0, 1, 0, 0)
    } else {
      cpk_convert_load_u16(
        start.assumingMemoryBound(to: UInt16.self), source.step, Int32(layout.format.lowPadding), row, count, 0, 1, 0, 0)
    }
  }

  private static func store(
    _ row: UnsafePointer<Float>, _ scale: Float, _ offset: Float, into end: UnsafeMutableRawPointer,
    _ target: SampleLayout.Component, _ layout: SampleLayout, count: Int
  ) {
    if layout.storage == .bytes {
      cpk_convert_store_u8(row, end.assumingMemoryBound(to: UInt8.self), target.step, count, scale, offset)
    } else {
      cpk_convert_store_u16(
        row, end.assumingMemoryBound(to: UInt16.self), target.step, Int32(layout.format.lowPadding), count, scale, offset,
        Float(target.quantization.maximumCode))
    }
  }
}

extension PixelFormat {
  /// Whether a component is stored in rows of its own, alike in another format.
  fileprivate func isStored(
    _ component: SampleLayout.Component, as other: SampleLayout.Component, of format: PixelFormat
  ) -> Bool {
    component.step == 1 && other.step == 1 && bitDepth == format.bitDepth && lowPadding == format.lowPadding
  }
}
