import CCompositorKernels
package import CompositorAPI

/// Moves samples into another storage of the same grid: planes or interleaved chroma, another depth, with or without an alpha that
/// covers everything.
///
/// Nothing is resampled: each sample keeps its position, and its value unless the depth decreases.
package struct SampleMove: Sendable {
  private let from, to: SampleLayout
  private let dithers: Bool

  /// - Parameters:
  ///   - dithers: Whether codes are dithered before they are rounded.
  package init(from: SampleLayout, to: SampleLayout, dithers: Bool = false) {
    (self.from, self.to, self.dithers) = (from, to, dithers)
  }

  /// Whether a source differs from a context's frames at most in how samples of its subsampled chroma are stored. 4:4:4 needs no
  /// such move, because a conversion doesn't resample its chroma.
  package static func isWhole(_ source: SourceDescription, into context: RenderContext) -> Bool {
    let (from, to) = (source.format, context.outputFormat)
    return from.sample == .unsigned && to.sample == .unsigned && from.subsampling == to.subsampling && to.subsampling != .s444
      && source.size == context.size && !source.usesAlpha
      && source.color.isEquivalent(to: context.outputColor, in: to, policy: context.colorConversion)
  }

  /// A frame in a context's storage, for which ``isWhole(_:into:)`` is true. Codes are dithered if the policy asks for it and the
  /// frame is deeper than the output.
  ///
  /// - Throws: `.framePoolExhausted`.
  package static func moved(_ frame: Frame, into context: RenderContext) throws(CompositorError) -> Frame {
    let color = context.outputColor
    let to = SampleLayout(context.outputFormat, color: color)
    let move = SampleMove(
      from: SampleLayout(frame.format, color: color), to: to,
      dithers: context.colorConversion.dithering == .ordered && frame.format.isDeeper(than: context.outputFormat))
    // A row of floats.
    var scratch = try context.pool.makeFrame(
      format: .rgbaFloat, size: PixelSize(width: (frame.size.width + 3) / 4, height: 1))
    var made = try context.makeFrame()
    made.withUnsafeMutablePlanes { planes in
      scratch.withUnsafeMutablePlanes { scratch in
        let row = scratch[0].base.assumingMemoryBound(to: Float.self)
        for component in 0..<3 { move.copy(frame, component, to: planes, row) }
        guard to.components.count > 3 else { return }
        let alpha = SampleTarget(planes, to, component: 3)
        row.update(repeating: 1, count: alpha.width)
        for y in 0..<alpha.height { alpha.write(row, y: y, count: alpha.width) }
      }
    }
    return made.freeze()
  }

  /// Whether a component has the same samples in rows of its own in both.
  package func isCopy(_ component: Int) -> Bool {
    from.components[component].step == 1 && to.components[component].step == 1
      && from.format.bitDepth == to.format.bitDepth && from.format.lowPadding == to.format.lowPadding
  }

  /// Moves one component of a frame.
  ///
  /// - Parameter row: Room for a value per column of the frame.
  package func copy(_ frame: Frame, _ component: Int, to planes: MutablePlanes, _ row: UnsafeMutablePointer<Float>) {
    let (source, target) = (from.components[component], to.components[component])
    let isCopy = isCopy(component)
    let scale = target.quantization.scale / source.quantization.scale
    let offset = target.quantization.offset - source.quantization.offset * scale
    frame.withUnsafePlanes { sources in
      let (input, output) = (sources[source.plane], planes[target.plane])
      for y in 0..<output.height {
        let start = input.base + y * input.stride + source.sampleOffset * from.format.bytesPerSample
        let end = output.base + y * output.stride + target.sampleOffset * to.format.bytesPerSample
        if isCopy {
          end.copyMemory(from: start, byteCount: output.width * to.format.bytesPerSample)
        } else {
          load(start, source, into: row, count: output.width)
          if dithers { cpk_convert_dither(row, output.width, y, Float(1 / scale)) }
          store(row, Float(scale), Float(offset), into: end, target, count: output.width)
        }
      }
    }
  }

  private func load(
    _ start: UnsafeRawPointer, _ source: SampleLayout.Component, into row: UnsafeMutablePointer<Float>, count: Int
  ) {
    if from.storage == .bytes {
      cpk_convert_load_u8(start.assumingMemoryBound(to: UInt8.self), source.step, row, count, 0, 1, 0, 0)
    } else {
      cpk_convert_load_u16(
        start.assumingMemoryBound(to: UInt16.self), source.step, Int32(from.format.lowPadding), row, count, 0, 1, 0, 0)
    }
  }

  private func store(
    _ row: UnsafePointer<Float>, _ scale: Float, _ offset: Float, into end: UnsafeMutableRawPointer,
    _ target: SampleLayout.Component, count: Int
  ) {
    if to.storage == .bytes {
      cpk_convert_store_u8(row, end.assumingMemoryBound(to: UInt8.self), target.step, count, scale, offset)
    } else {
      cpk_convert_store_u16(
        row, end.assumingMemoryBound(to: UInt16.self), target.step, Int32(to.format.lowPadding), count, scale, offset,
        Float(target.quantization.maximumCode))
    }
  }
}
