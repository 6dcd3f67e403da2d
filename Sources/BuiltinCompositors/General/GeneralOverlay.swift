import CompositorAPI
import CompositorConversion

/// Composites layers of any format and color, with alpha and decorations, over finished planes, and only inside the layers'
/// boxes.
///
/// The cost is that of the general route for the boxes alone. Pixels outside them are not touched, and the planes below are
/// not converted to another signal or chroma grid and back.
struct GeneralOverlay {
  /// Layers with intersecting boxes, back to front; they are mixed with each other before they are composited.
  private struct Group {
    var layers: [GeneralLayer]
    var box: OutputBox
    /// The only layer of the group if it can be composited as it is stored.
    var sprite: AlphaSprite?
  }

  private let context: RenderContext
  private let signal: MixingSignal
  private let formats: [PixelFormat]
  private let columnCount: Int
  private let layers: [ResolvedLayer]

  /// - Parameters:
  ///   - layers: Front to back.
  ///   - context: Output in planes of Y′CbCr without alpha, with encoded signals mixed.
  init(_ layers: [ResolvedLayer], context: RenderContext) {
    self.context = context
    self.layers = layers.filter { $0.opacity > 0 }
    signal = MixingSignal(sources: self.layers.map { SourceDescription($0.frame) }, context: context)
    formats = self.layers.map(\.frame.format)
    columnCount = self.layers.reduce(context.size.width) { max($0, $1.frame.size.width) }
  }

  /// Composites the layers over the output's planes.
  ///
  /// - Throws: `.conversionNotPossible` if a source's color can't be converted to the output's; `.framePoolExhausted`.
  func draw(over planes: MutablePlanes, curves: CurveTables) throws(CompositorError) {
    guard !layers.isEmpty else { return }
    var scratch = try context.pool.makeFrame(format: .rgbaFloat, size: SignalRows.frameSize(columns: columnCount))
    try scratch.withUnsafeMutablePlanes { (working) throws(CompositorError) in
      let rows = SignalRows(working)
      rows.row(.ones).update(repeating: 1, count: rows.stride)
      for group in try groups(rows, curves) { try draw(group, over: planes, rows) }
    }
  }

  private func groups(_ rows: SignalRows, _ curves: CurveTables) throws(CompositorError) -> [Group] {
    var groups: [Group] = []
    for resolved in layers.reversed() {
      guard let layer = try GeneralLayer(resolved, signal: signal, context: context, curves: curves, rows: rows),
        !layer.box.isEmpty
      else { continue }
      var group = Group(
        layers: [layer], box: layer.box.padded(in: context.size), sprite: AlphaSprite(resolved, context: context))
      // The merged box may intersect groups that the smaller one did not.
      while let index = groups.firstIndex(where: { $0.box.intersects(group.box) }) {
        let under = groups.remove(at: index)
        group = Group(layers: under.layers + group.layers, box: under.box.union(group.box), sprite: nil)
      }
      groups.append(group)
    }
    return groups
  }

  private func draw(_ group: Group, over planes: MutablePlanes, _ rows: SignalRows) throws(CompositorError) {
    if let sprite = group.sprite { return sprite.draw(over: planes, rows) }
    let columns = group.box.columns
    var overlay = try SignalOverlay(
      planes, rows: rows, columns: columns, sources: formats, signal: signal, context: context)
    for y in group.box.rows {
      let isClear = group.layers.allSatisfy { $0.isClear(row: y) }
      if !isClear {
        for index in 0..<4 { (rows.row(.picture, index) + columns.lowerBound).update(repeating: 0, count: columns.count) }
        for layer in group.layers { layer.composite(row: y, width: context.size.width, rows: rows, keepsAlpha: true) }
      }
      overlay.lay(row: y, isClear: isClear)
    }
  }
}
