import CompositorAPI
import CompositorConversion

/// Filters the backdrop of a layer in a frame's own components: a blur mixes samples of each plane, and only colors are converted.
///
/// It changes integer samples that are opaque or premultiplied, in the signal in which they are stored.
struct PlanarGlass {
  let cover: GlassCover
  let area: PixelBox
  let filters: LayerFilters
  let sigma: Double

  /// Replaces the area by its filtered samples.
  ///
  /// - Parameters:
  ///   - signal: The signal of colors; `nil` if the frame holds it.
  ///   - pool: Lends one frame as scratch memory.
  /// - Throws: `.framePoolExhausted`, or `.conversionNotPossible` if the matrix is unknown.
  func draw(into writer: FrameWriter, signal: TitleSignal?, pool: FramePool) throws(CompositorError) {
    let matrices = filters.colorMatrices
    // Colors of a chroma sample are those of the pixels around it, whose chroma is interpolated.
    let box = matrices.isEmpty ? area : area.grown(by: 6).even.intersection(writer.canvas)
    let canvas = PixelSize(width: writer.canvas.width, height: writer.canvas.height)
    let layout = writer.encoding.layout
    let components = writer.encoding.components.indices.map { index in
      BackdropComponent(index, of: layout, canvas: canvas, box: box, sigma: sigma, isNominal: !matrices.isEmpty)
    }
    let recolor = try matrices.isEmpty ? nil : GlassColors(matrices, signal, writer.encoding, canvas: canvas, area: area)
    let byteCount =
      components.reduce(recolor?.scratchByteCount ?? 0) { $0 + $1.scratchByteCount }
      + ScratchArena.byteCount(area.width, of: Float.self)
    var memory = try ScratchArena.frame(byteCount: byteCount, pool: pool)
    memory.withUnsafeMutablePlanes { memory in
      var scratch = ScratchArena(memory[0])
      let room = scratch.take(area.width, of: Float.self)
      let reader = SampleReader(layout, arithmetic: .offsetFirst)
      var blurred = components.map { $0.blurred(writer.planes.readOnly, reader, scratch: &scratch) }
      let weigh: WeightRows.Weigh = { y, row in cover.weigh(x: area.x0, y: y, count: area.width, into: row, room: room) }
      if let recolor {
        var colors = recolor.rows(scratch: &scratch)
        colors.draw(&blurred, into: writer, weigh: weigh)
      } else {
        draw(&blurred, into: writer, weigh: weigh)
      }
    }
  }

  private func draw(_ blurred: inout [BlurredComponent], into writer: FrameWriter, weigh: WeightRows.Weigh) {
    func replace(_ targets: [SampleTarget], _ weights: UnsafePointer<UInt16>, _ x: Int, _ y: Int, _ count: Int) {
      for target in targets {
        let index = target.component.index
        let samples = blurred[index].samples(ofRow: y, from: x)
        target.replace(
          by: samples, scale: blurred[index].scale, offset: blurred[index].offset, weights, x: x, y: y, count: count)
      }
    }
    WeightRows(area, writer, repeatsEdges: true).forEach(
      weigh: weigh, full: { replace(writer.full, $0, $1, $2, $3) }, coarse: { replace(writer.coarse, $0, $1, $2, $3) })
  }
}

extension OverlayDrawing {
  /// Filters what the frame shows within the bounds of a layer.
  func filterBackdrop(
    _ filters: LayerFilters, of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion,
    in writer: FrameWriter
  ) throws(CompositorError) {
    writer.recorder?.giveUp()
    let blur = filters.blur(matrix)
    // A glow is light of colors that were already filtered.
    guard let pool = writer.pool, blur.glow == 0, !encoding.isFloat else {
      return try filterBackdropOnSurface(filters, of: node, matrix, motion, in: writer)
    }
    guard let (cover, area) = try painter.glassCover(of: node, matrix, motion, within: writer.canvas) else { return }
    let glass = PlanarGlass(
      cover: cover, area: area, filters: filters, sigma: blur.sigma > Surface.leastSigma ? blur.sigma : 0)
    try glass.draw(into: writer, signal: painter.primitives.titleSignal, pool: pool)
  }
}
