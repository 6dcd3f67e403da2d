import CCompositorKernels
package import CompositorAPI
package import CompositorConversion
import CompositorPlatform

/// The route that accepts everything: any source formats, any output format, mixed row by row in single precision.
///
/// Each source row becomes nominal components on the luma grid (chroma enlarged bilinearly), is converted to the output's
/// color, resampled unless the layer has an integer offset, and composited. The finished row is encoded and stored. Working
/// memory is a few rows, plus the visible part of each resampled layer, all from the context's pool.
///
/// A front layer that fills the frame unchanged, and differs from it only in how its samples are stored, is converted alone, so
/// that its chroma is not resampled.
package enum GeneralRoute {
  /// Composes layers (front to back) over a background.
  ///
  /// - Throws: `.conversionNotPossible` if a source's color can't be converted to the output's; `.framePoolExhausted`;
  ///   `.invalidValue` if the background is not a valid color.
  package static func compose(
    _ layers: [ResolvedLayer], background: Color?, context: RenderContext, curves: CurveTables = CurveTables()
  ) throws(CompositorError) -> Frame {
    if let top = layers.first, top.isOutput(of: context) {
      return try FrameConverter(policy: context.colorConversion, curves: curves).convert(
        top.frame, to: context.outputFormat, attributes: context.outputAttributes, pool: context.pool)
    }
    let signal = MixingSignal(sources: layers.map { SourceDescription($0.frame) }, context: context)
    let columns = layers.reduce(context.size.width) { max($0, $1.frame.size.width) }
    var scratch = try context.pool.makeFrame(format: .rgbaFloat, size: SignalRows.frameSize(columns: columns))
    var output = try context.makeFrame()
    try scratch.withUnsafeMutablePlanes { (working) throws(CompositorError) in
      let rows = SignalRows(working)
      rows.row(.ones).update(repeating: 1, count: rows.stride)
      var sources: [GeneralLayer] = []
      for layer in layers.reversed() {
        if let source = try GeneralLayer(layer, signal: signal, context: context, curves: curves, rows: rows) {
          sources.append(source)
        }
      }
      let backdrop = try GeneralBackdrop(background ?? .black, signal: signal)
      try output.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
        let writer = try SignalWriter(
          planes, sources: layers.map(\.frame.format), signal: signal, context: context, curves: curves)
        for y in 0..<context.size.height {
          composite(sources, over: backdrop, row: y, rows: rows, context: context)
          writer.write(row: y, from: rows)
        }
      }
    }
    return output.freeze()
  }

  /// Composites a row of layers (back to front) over the backdrop.
  @inline(__always)
  private static func composite(
    _ sources: [GeneralLayer], over backdrop: GeneralBackdrop, row y: Int, rows: SignalRows, context: RenderContext
  ) {
    // A lowest layer that hides the backdrop is read straight into the row.
    let isHidden = sources.first?.hidesBackdrop(row: y, width: context.size.width) ?? false
    if isHidden {
      sources.first?.begin(row: y, width: context.size.width, rows: rows)
    } else {
      backdrop.fill(rows, count: context.size.width)
    }
    // By index, which copies no layer.
    for index in sources.indices.dropFirst(isHidden ? 1 : 0) {
      sources[index].composite(row: y, width: context.size.width, rows: rows, keepsAlpha: context.keepsAlpha)
    }
  }
}

extension ResolvedLayer {
  /// Whether the output is this layer's frame, sample for sample, in another storage.
  fileprivate func isOutput(of context: RenderContext) -> Bool {
    opacity == 1 && sourceToOutput == .identity && decoration == nil && reduction == nil && moments.isEmpty
      && crop == Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height))
      && SampleMove.isWhole(SourceDescription(frame), into: context)
  }
}

/// The background of all layers, in the mixing signal.
struct GeneralBackdrop {
  private let components: SIMD3<Float>
  private let alpha: Float

  init(_ color: Color, signal: MixingSignal) throws(CompositorError) {
    components = SIMD3<Float>(try signal.components(of: color))
    alpha = Float(color.alpha)
  }

  func fill(_ rows: SignalRows, count: Int) {
    for index in 0..<3 { rows.row(.picture, index).update(repeating: components[index], count: count) }
    rows.alpha(.picture).update(repeating: alpha, count: count)
  }
}

/// A layer that is ready to be composited over rows.
struct GeneralLayer {
  private let source: SignalReader
  private let placement: GeneralPlacement
  private let opacity: Double
  private let reduction: GeneralReduction?
  private let decoration: GeneralDecoration?
  /// What is shown instead of the layer if it is blurred by its motion.
  private let mean: MotionMean?
  /// The part of the output that the layer may reach.
  let box: OutputBox

  /// Returns `nil` if the layer covers nothing. Uses the `picture` rows if the layer is blurred by its motion.
  ///
  /// - Parameter reduction: A reduction of its source that covers what it reads; `nil` to make one if it is needed.
  init?(
    _ layer: ResolvedLayer, signal: MixingSignal, context: RenderContext, curves: CurveTables, rows: SignalRows,
    reduction shared: GeneralReduction? = nil
  ) throws(CompositorError) {
    if !layer.moments.isEmpty {
      guard let mean = try MotionMean(layer, signal: signal, context: context, curves: curves, rows: rows) else { return nil }
      (self.mean, placement, source, box) = (mean, mean.placement, mean.source, mean.box)
      (opacity, reduction, decoration) = (1, nil, nil)
      return
    }
    guard let placement = GeneralPlacement(layer, outputSize: context.size) else { return nil }
    self.placement = placement
    opacity = layer.opacity
    mean = nil
    source = try SignalReader(layer.frame, signal: signal, curves: curves)
    if placement.offset == nil {
      let own = shared == nil ? try GeneralReduction.make(source, placement: placement, context: context, rows: rows) : nil
      guard let made = shared ?? own else { return nil }
      reduction = made
      let (source, scratch) = (source, rows)
      func alpha(_ row: Int, _ columns: Range<Int>, _ offset: Point, _ out: UnsafeMutablePointer<Float>) {
        var start = columns.lowerBound
        while start < columns.upperBound {
          let piece = start..<min(start + context.size.width, columns.upperBound)
          made.sample(placement, columns: piece, row: row, movedBy: offset, into: scratch)
          (out + (start - columns.lowerBound)).update(from: scratch.alpha(.layer), count: piece.count)
          start = piece.upperBound
        }
      }
      decoration = try layer.decoration.flatMap { look throws(CompositorError) in
        try GeneralDecoration(look, layer: layer, signal: signal, context: context, alpha: source.usesAlpha ? alpha : nil)
      }
    } else {
      decoration = nil
      reduction = nil
    }
    box = GeneralLayer.box(layer, in: context.size)
  }

  /// The part of an output of `size` that a layer may reach.
  static func box(_ layer: ResolvedLayer, in size: PixelSize) -> OutputBox {
    let moments = layer.atMoments.map { box($0, in: size) }.filter { !$0.isEmpty }
    if let first = moments.first { return moments.dropFirst().reduce(first) { $0.union($1) } }
    if let decoration = layer.decoration { return GeneralDecoration.box(decoration, layer, in: size) }
    let seen = layer.sourceToOutput.boundingBox(of: layer.crop)
    return OutputBox(
      Rect(x: seen.minX - 1, y: seen.minY - 1, width: seen.size.width + 2, height: seen.size.height + 2), in: size)
  }

  /// Whether the layer is certainly invisible in a row because the source's alpha is 0 throughout.
  func isClear(row y: Int) -> Bool {
    guard box.rows.contains(y) else { return true }
    guard mean == nil, source.usesAlpha, let offset = placement.offset, source.frame.format.layout == .planar else {
      return false
    }
    let row = y - offset.y
    guard row >= 0, row < source.frame.size.height else { return true }
    return source.frame.withUnsafePlanes { planes in
      let plane = planes[3]
      let (base, count) = (plane.base + row * plane.stride, plane.width * source.frame.format.bytesPerSample)
      // A row is all zeros if its first byte is and each byte equals the one before.
      return base.load(as: UInt8.self) == 0 && memcmp(base, base + 1, count - 1) == 0
    }
  }

  /// Whether only this layer is visible in a row whose lowest layer it is.
  func hidesBackdrop(row y: Int, width: Int) -> Bool {
    guard mean == nil, opacity == 1, !source.usesAlpha, decoration == nil, let offset = placement.offset else { return false }
    let size = source.frame.size
    return offset.x <= 0 && offset.x + size.width >= width && y >= offset.y && y < offset.y + size.height
      && placement.coversWholly(columns: 0..<width, row: y)
  }

  /// Starts a row with this layer alone, if it hides the backdrop.
  func begin(row y: Int, width: Int, rows: SignalRows) {
    guard let offset = placement.offset else { return }
    source.read(row: y - offset.y, columns: -offset.x..<width - offset.x, into: rows, as: .picture)
    rows.alpha(.picture).update(repeating: 1, count: width)
  }

  /// Composites the layer over a row.
  func composite(row y: Int, width: Int, rows: SignalRows, keepsAlpha: Bool) {
    if let mean { return mean.composite(row: y, keepsAlpha: keepsAlpha, rows: rows) }
    if let decoration, let reduction {
      guard decoration.rows.contains(y), !decoration.columns.isEmpty else { return }
      reduction.sample(placement, columns: decoration.columns, row: y, into: rows)
      return decoration.composite(row: y, opacity: opacity, usesAlpha: source.usesAlpha, keepsAlpha: keepsAlpha, rows: rows)
    }
    var columns = placement.columns(row: y, width: width)
    if let offset = placement.offset {
      let size = source.frame.size
      columns = columns.clamped(to: offset.x..<offset.x + size.width)
      guard !columns.isEmpty, y >= offset.y, y < offset.y + size.height else { return }
      source.read(
        row: y - offset.y, columns: columns.lowerBound - offset.x..<columns.upperBound - offset.x, into: rows)
    } else if let reduction {
      guard !columns.isEmpty else { return }
      reduction.sample(placement, columns: columns, row: y, into: rows)
    }
    compose(columns, row: y, rows: rows, keepsAlpha: keepsAlpha)
  }

  private func compose(_ columns: Range<Int>, row y: Int, rows: SignalRows, keepsAlpha: Bool) {
    let count = columns.count
    let isConstant = placement.coversWholly(columns: columns, row: y)
    let weights = rows.row(.weights)
    if !isConstant {
      placement.weights(columns: columns, row: y, opacity: opacity, into: weights)
    } else if source.usesAlpha {
      weights.update(repeating: Float(opacity), count: count)
    }
    for index in 0..<(keepsAlpha ? 4 : 3) {
      let under = rows.row(.picture, index) + columns.lowerBound
      let over = index == 3 && !source.usesAlpha ? rows.row(.ones) : rows.row(.layer, index)
      if source.usesAlpha {
        cpk_general_over_alpha(under, over, rows.alpha(.layer), weights, count)
      } else if isConstant {
        cpk_general_over_opaque(under, over, Float(opacity), count)
      } else {
        cpk_general_over_weights(under, over, weights, count)
      }
    }
  }
}
