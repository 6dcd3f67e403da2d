import CompositorAPI
import CompositorConversion

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
    let components = SampleLayout(format, color: context.outputColor).components.indices
    let move = move(frame, for: context)
    var scratch = try ScratchArena.frame(byteCount: frame.size.width * MemoryLayout<Float>.stride, pool: context.pool)
    var made = try context.pool.makeFrame(format: format, size: frame.size)
    let shared = components.map(move.isCopy)
    made.withUnsafeMutablePlanes { planes in
      scratch.withUnsafeMutablePlanes { scratch in
        let row = scratch[0].base.assumingMemoryBound(to: Float.self)
        for index in components where !shared[index] { move.copy(frame, index, to: planes, row) }
      }
    }
    return wrapping(made.freeze(), frame, shared: shared)
  }

  /// A frame of planes in a format with interleaved chroma, with the context's attributes.
  static func packed(_ frame: Frame, for context: RenderContext) throws(CompositorError) -> Frame {
    let move = move(frame, for: context)
    var scratch = try ScratchArena.frame(byteCount: frame.size.width * MemoryLayout<Float>.stride, pool: context.pool)
    var packed = try context.makeFrame()
    packed.withUnsafeMutablePlanes { planes in
      scratch.withUnsafeMutablePlanes { scratch in
        let row = scratch[0].base.assumingMemoryBound(to: Float.self)
        for index in 0..<3 { move.copy(frame, index, to: planes, row) }
      }
    }
    return packed.freeze()
  }

  private static func move(_ frame: Frame, for context: RenderContext) -> SampleMove {
    let color = context.outputColor
    return SampleMove(
      from: SampleLayout(frame.format, color: color), to: SampleLayout(context.outputFormat, color: color))
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
}
