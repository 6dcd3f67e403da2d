import CompositorAPI
import CompositorConversion

/// Composites layers of any format and color, with alpha and decorations, over finished planes, and only inside the layers'
/// boxes.
///
/// The cost is that of the general route for the boxes alone. Pixels outside them are not touched, and the planes below are
/// not converted to another signal or chroma grid and back. Stills that keep their place are composited from a recording
/// (``StillLayers``).
struct GeneralOverlay {
  /// Layers with intersecting boxes, back to front; they are mixed with each other before they are composited.
  private struct Group {
    var layers: [ResolvedLayer]
    var box: OutputBox
    /// The only layer of the group if it can be composited as it is stored.
    var sprite: AlphaSprite?
  }

  private let context: RenderContext
  private let signal: MixingSignal
  private let formats: [PixelFormat]
  private let columnCount: Int
  private let layers: [ResolvedLayer]
  private let curves: CurveTables
  private let stills: StillLayers

  /// - Parameters:
  ///   - layers: Front to back.
  ///   - context: Output in planes of Y′CbCr without alpha, with encoded signals mixed.
  init(_ layers: [ResolvedLayer], context: RenderContext, curves: CurveTables, stills: StillLayers) {
    self.context = context
    self.layers = layers
    self.curves = curves
    self.stills = stills
    signal = MixingSignal(sources: self.layers.map { SourceDescription($0.frame) }, context: context)
    formats = self.layers.map(\.frame.format)
    columnCount = self.layers.reduce(context.size.width) { max($0, $1.frame.size.width) }
  }

  /// Composites the layers over the output's planes.
  ///
  /// - Throws: `.conversionNotPossible` if a source's color can't be converted to the output's; `.framePoolExhausted`.
  func draw(over planes: MutablePlanes) throws(CompositorError) {
    guard !layers.isEmpty else { return }
    var scratch = try context.pool.makeFrame(format: .rgbaFloat, size: SignalRows.frameSize(columns: columnCount))
    try scratch.withUnsafeMutablePlanes { (working) throws(CompositorError) in
      let rows = SignalRows(working)
      rows.row(.ones).update(repeating: 1, count: rows.stride)
      for group in groups() { try draw(group, over: planes, rows) }
    }
  }

  private func groups() -> [Group] {
    var groups: [Group] = []
    for layer in layers.reversed() {
      let box = GeneralLayer.box(layer, in: context.size)
      guard !box.isEmpty else { continue }
      var group = Group(
        layers: [layer], box: box.padded(in: context.size), sprite: AlphaSprite(layer, context: context))
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
    guard let key = StillLayers.OverlayKey(group.layers, sources: formats, signal: signal, context: context) else {
      return try compose(group, over: planes, rows)
    }
    switch stills.overlays.request(key, of: group.layers.map(\.frame)) {
    case .unknown: try compose(group, over: planes, rows)
    case .known(let recording):
      recording.compose(over: planes, format: context.outputFormat, color: signal.color)
    case .repeated:
      var recording: OverlayRecording? = OverlayRecording()
      try compose(group, over: planes, rows, recording: &recording)
      if let recording { stills.overlays.keep(recording, byteCount: recording.byteCount, for: key) }
    }
  }

  private func compose(_ group: Group, over planes: MutablePlanes, _ rows: SignalRows) throws(CompositorError) {
    var none: OverlayRecording?
    try compose(group, over: planes, rows, recording: &none)
  }

  private func compose(
    _ group: Group, over planes: MutablePlanes, _ rows: SignalRows, recording: inout OverlayRecording?
  ) throws(CompositorError) {
    var layers: [GeneralLayer] = []
    for layer in group.layers {
      let made = try GeneralLayer(layer, signal: signal, context: context, curves: curves, rows: rows)
      if let made { layers.append(made) }
    }
    let columns = group.box.columns
    var overlay = try SignalOverlay(
      planes, rows: rows, columns: columns, sources: formats, signal: signal, context: context)
    overlay.recording = recording
    for y in group.box.rows {
      let isClear = layers.allSatisfy { $0.isClear(row: y) }
      if !isClear {
        for index in 0..<4 { (rows.row(.picture, index) + columns.lowerBound).update(repeating: 0, count: columns.count) }
        for layer in layers { layer.composite(row: y, width: context.size.width, rows: rows, keepsAlpha: true) }
      }
      overlay.compose(row: y, isClear: isClear)
    }
    recording = overlay.recording
  }
}
