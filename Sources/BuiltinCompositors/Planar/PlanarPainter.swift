import CompositorAPI
import CompositorConversion
import CompositorKernels
import CompositorPlatform

/// Paints one plane of the output strip by strip: all layers of a strip while it is in the cache.
struct PlanarPainter<T: PlanarSample> {
  let kernels: PlaneKernels
  let plane: MutablePlane
  let background: T
  /// Back to front.
  var layers: [PlanarLayer<T>]
  /// The rows in which each layer hides those below it, as ``PlanarPlan`` knows; `nil` for none.
  private let hiding: [PlanarInterval?]
  private let rows: SampleRows
  /// The strip without rounding between layers; `nil` if layers may be rounded one by one.
  private let deep: UnsafeMutablePointer<Float>?

  /// Float rows: a layer's row, and its weights.
  private struct SampleRows {
    let samples, weights: UnsafeMutablePointer<Float>
  }

  static var stripHeight: Int { 64 }

  init(
    _ plane: MutablePlane, background: T, layers: [PlanarLayer<T>], hiding: [PlanarInterval?], isDeep: Bool,
    kernels: PlaneKernels, scratch: inout ScratchArena
  ) {
    self.plane = plane
    self.background = background
    self.layers = layers
    self.hiding = hiding
    self.kernels = kernels
    rows = SampleRows(
      samples: scratch.take(plane.width, of: Float.self), weights: scratch.take(plane.width, of: Float.self))
    deep = isDeep ? scratch.take(plane.width * PlanarPainter.stripHeight, of: Float.self) : nil
  }

  static func scratchByteCount(width: Int, isDeep: Bool) -> Int {
    2 * ScratchArena.byteCount(width, of: Float.self)
      + (isDeep ? ScratchArena.byteCount(width * stripHeight, of: Float.self) : 0)
  }

  mutating func paint() {
    var top = 0
    while top < plane.height {
      let strip = strip(from: top)
      if let deep {
        paintDeep(strip, deep)
      } else {
        paintRounded(strip, hider: hiding.lastIndex { $0.map { $0.low <= strip.low && $0.high >= strip.high } ?? false })
      }
      top = strip.high
    }
  }

  /// The strip that begins with a row. Strips end where a layer begins or ceases to hide the ones below it, and at multiples of
  /// their height; so do the row buffers.
  private func strip(from top: Int) -> PlanarInterval {
    var end = min((top / PlanarPainter.stripHeight + 1) * PlanarPainter.stripHeight, plane.height)
    for case let rows? in hiding.dropFirst() {
      if rows.low > top { end = min(end, rows.low) }
      if rows.high > top { end = min(end, rows.high) }
    }
    return PlanarInterval(top, end)
  }

  private func row(_ y: Int) -> UnsafeMutablePointer<T> {
    (plane.base + y * plane.stride).assumingMemoryBound(to: T.self)
  }

  private func copy(_ destination: UnsafeMutablePointer<T>, _ source: UnsafePointer<T>, _ count: Int) {
    kernels.copy(destination, source, byteCount: count * MemoryLayout<T>.stride)
  }

  /// - Parameter hider: The highest layer that hides all below it, which are not even resampled.
  private mutating func paintRounded(_ strip: PlanarInterval, hider: Int?) {
    let lowest = hider ?? 0
    let painted = paintBottom(strip, layers[lowest...], hidesBackground: hider != nil)
    for index in layers.indices.dropFirst(lowest + painted) {
      let rows = layers[index].geometry.rows.intersection(strip)
      guard !rows.isEmpty else { continue }
      layers[index].prepare(rows, kernels: kernels)
      switch layers[index].samplingMode {
      case .unit: paintUnit(layers[index], rows)
      case .tiles: paintTiles(layers[index], rows)
      case .samples, .wide: paintSamples(layers[index], rows)
      case .filtered: paintFiltered(layers[index], rows)
      }
    }
  }

  /// Paints the bottom of a strip: two full layers in one pass, a single one, or the background.
  ///
  /// - Returns: The number of layers painted.
  private func paintBottom(
    _ strip: PlanarInterval, _ layers: ArraySlice<PlanarLayer<T>>, hidesBackground: Bool
  ) -> Int {
    if hidesBackground, let bottom = layers.first, bottom.samplingMode == .filtered { return 0 }
    guard let bottom = layers.first, bottom.opacity >= 1, bottom.fills(strip, width: plane.width) else {
      for y in strip.low..<strip.high { row(y).update(repeating: background, count: plane.width) }
      return 0
    }
    guard let over = layers.dropFirst().first, over.fills(strip, width: plane.width) else {
      copyBottom(bottom, strip, isAlone: layers.count == 1)
      return 1
    }
    if layers.count == 2 {
      T.mixRows(
        kernels, row(strip.low), stride: plane.stride, bottom.sourceRow(strip.low), bottom.picture.stride,
        over.sourceRow(strip.low),
        over.picture.stride, count: plane.width, rows: strip.count, weight: over.opacity)
      return 2
    }
    for y in strip.low..<strip.high {
      T.mix(kernels, row(y), bottom.sourceRow(y), over.sourceRow(y), count: plane.width, weight: over.opacity)
    }
    return 2
  }

  /// Copies the rows of a layer that fills a strip, bypassing the caches if nothing is painted over them.
  private func copyBottom(_ bottom: PlanarLayer<T>, _ strip: PlanarInterval, isAlone: Bool) {
    guard isAlone else {
      for y in strip.low..<strip.high { copy(row(y), bottom.sourceRow(y), plane.width) }
      return
    }
    kernels.copyRows(
      row(strip.low), stride: plane.stride, bottom.sourceRow(strip.low), bottom.picture.stride,
      byteCount: plane.width * MemoryLayout<T>.stride, rows: strip.count)
  }

  // MARK: Rows from one source row

  private func paintUnit(_ layer: PlanarLayer<T>, _ rows: PlanarInterval) {
    let start = layer.geometry.position.rounded(.down)
    let fraction = layer.geometry.position - start
    let next = fraction.x > 0 ? 1 : 0
    let (left, top) = (Int(start.x), Int(start.y))
    let (picture, edge) = (layer.picture, layer.picture.edge)
    // Interior: fully covered, with both neighbors readable.
    let readable = PlanarInterval(-edge - left, picture.size.width + edge - next - left)
    let interior = layer.covered.columns.intersection(readable)
    let touched = layer.geometry.columns
    for y in rows.low..<rows.high {
      guard !interior.isEmpty, y >= layer.covered.rows.low, y < layer.covered.rows.high else {
        paintSamples(layer, y, touched, isCovered: false)
        continue
      }
      let upper = picture.row(min(max(y + top, 0), picture.size.height - 1)) + interior.low + left
      let lower = picture.row(min(max(y + top + (fraction.y > 0 ? 1 : 0), 0), picture.size.height - 1)) + interior.low + left
      let destination = row(y) + interior.low
      if fraction != .zero {
        T.shift(
          kernels, destination, top: upper, bottom: lower, count: interior.count, next: next, fx: fraction.x,
          fy: fraction.y, weight: layer.opacity)
      } else if layer.opacity >= 1 {
        copy(destination, upper, interior.count)
      } else {
        T.mix(kernels, destination, destination, upper, count: interior.count, weight: layer.opacity)
      }
      paintSamples(layer, y, PlanarInterval(touched.low, interior.low), isCovered: false)
      paintSamples(layer, y, PlanarInterval(interior.high, touched.high), isCovered: false)
    }
  }

  // MARK: Tiles

  private func paintTiles(_ layer: PlanarLayer<T>, _ rows: PlanarInterval) {
    var top = rows.low
    while top < rows.high {
      let bottom = min((top / 8 + 1) * 8, rows.high)
      let touched = layer.geometry.touched(rows: top, bottom - 1)
      let starts = layer.geometry.covered(rows: top, bottom - 1, width: 8)
      if starts.isEmpty {
        paintTiles(layer, PlanarInterval(top, bottom), touched, isCovered: false)
      } else {
        let full = PlanarInterval(starts.low, starts.low + (starts.count - 1) / 8 * 8 + 8)
        paintTiles(layer, PlanarInterval(top, bottom), PlanarInterval(touched.low, full.low), isCovered: false)
        paintTiles(layer, PlanarInterval(top, bottom), full, isCovered: true)
        paintTiles(layer, PlanarInterval(top, bottom), PlanarInterval(full.high, touched.high), isCovered: false)
      }
      top = bottom
    }
  }

  private func paintTiles(_ layer: PlanarLayer<T>, _ rows: PlanarInterval, _ columns: PlanarInterval, isCovered: Bool) {
    guard !columns.isEmpty else { return }
    let (geometry, picture) = (layer.geometry, layer.picture)
    let band = WarpBand(
      destination: plane.base + rows.low * plane.stride + columns.low * MemoryLayout<T>.stride,
      stride: plane.stride, columns: columns.count, rows: rows.count,
      picture: picture.base, pictureStride: picture.stride,
      windowX: picture.windowX, windowY: picture.windowY,
      position: fixedPosition(geometry.position(column: columns.low, row: rows.low)),
      step: fixedPosition(geometry.positionByColumn), weight: layer.opacity,
      edges: isCovered ? nil : geometry.edges(column: columns.low, row: rows.low))
    T.warp(kernels, layer.plan, band)
  }

  // MARK: Samples

  private func paintSamples(_ layer: PlanarLayer<T>, _ rows: PlanarInterval) {
    for y in rows.low..<rows.high {
      let touched = layer.geometry.touched(rows: y, y)
      let covered = layer.geometry.covered(rows: y, y)
      guard covered.count > 32 else {
        paintSamples(layer, y, touched, isCovered: false)
        continue
      }
      paintSamples(layer, y, PlanarInterval(touched.low, covered.low), isCovered: false)
      paintSamples(layer, y, covered, isCovered: true)
      paintSamples(layer, y, PlanarInterval(covered.high, touched.high), isCovered: false)
    }
  }

  private func paintSamples(_ layer: PlanarLayer<T>, _ y: Int, _ columns: PlanarInterval, isCovered: Bool) {
    guard !columns.isEmpty else { return }
    weigh(layer, y, columns, isCovered: isCovered)
    T.blend(kernels, row(y) + columns.low, rows.samples, weights: rows.weights, count: columns.count)
  }

  /// Fills the rows of samples and weights for part of destination row `y`.
  private func weigh(_ layer: PlanarLayer<T>, _ y: Int, _ columns: PlanarInterval, isCovered: Bool) {
    if let filtered = layer.filtered {
      filtered.widen(y, columns, into: rows.samples, kernels: kernels)
    } else {
      sample(layer, y, columns)
    }
    if isCovered {
      rows.weights.update(repeating: Float(layer.opacity), count: columns.count)
    } else {
      let axes = layer.geometry.axes(column: columns.low, row: y)
      kernels.coverage(rows.weights, count: columns.count, x: axes.x, y: axes.y, scale: layer.opacity)
    }
  }

  private func sample(_ layer: PlanarLayer<T>, _ y: Int, _ columns: PlanarInterval) {
    let (geometry, picture) = (layer.geometry, layer.picture)
    let start = fixedPosition(geometry.position(column: columns.low, row: y))
    let step = fixedPosition(geometry.positionByColumn)
    let row = SampleRow(
      base: picture.base, stride: picture.stride, width: picture.size.width, height: picture.size.height, x: start.x,
      y: start.y, dx: step.x, dy: step.y)
    if layer.samplingMode == .wide {
      T.sampleWide(kernels, rows.samples, row, count: columns.count, top: layer.top)
    } else {
      T.sample(kernels, rows.samples, row, count: columns.count)
    }
  }

  // MARK: Filtered rows

  private func paintFiltered(_ layer: PlanarLayer<T>, _ rows: PlanarInterval) {
    guard let filtered = layer.filtered else { return }
    let (touched, covered) = (layer.geometry.columns, layer.covered)
    let whole = rows.intersection(covered.rows)
    if layer.opacity >= 1, touched.low == covered.columns.low, touched.high == covered.columns.high, !whole.isEmpty {
      filtered.make(whole, into: row(whole.low) + touched.low, stride: plane.stride, kernels: kernels)
      mixFiltered(layer, filtered, PlanarInterval(rows.low, whole.low))
      mixFiltered(layer, filtered, PlanarInterval(whole.high, rows.high))
    } else {
      mixFiltered(layer, filtered, rows)
    }
  }

  private func mixFiltered(_ layer: PlanarLayer<T>, _ filtered: FilteredRows<T>, _ rows: PlanarInterval) {
    guard !rows.isEmpty else { return }
    filtered.make(rows, kernels: kernels)
    let touched = layer.geometry.columns
    for y in rows.low..<rows.high {
      let isCovered = y >= layer.covered.rows.low && y < layer.covered.rows.high
      let inner = isCovered ? layer.covered.columns : PlanarInterval(touched.low, touched.low)
      if !inner.isEmpty {
        let (source, destination) = (filtered.row(y) + (inner.low - touched.low), row(y) + inner.low)
        if layer.opacity >= 1 {
          copy(destination, source, inner.count)
        } else {
          T.mix(kernels, destination, destination, source, count: inner.count, weight: layer.opacity)
        }
      }
      paintSamples(layer, y, PlanarInterval(touched.low, inner.low), isCovered: false)
      paintSamples(layer, y, PlanarInterval(inner.isEmpty ? touched.low : inner.high, touched.high), isCovered: false)
    }
  }

  // MARK: Without rounding between layers

  private mutating func paintDeep(_ strip: PlanarInterval, _ deep: UnsafeMutablePointer<Float>) {
    deep.update(repeating: Float(background), count: strip.count * plane.width)
    for index in layers.indices {
      let rows = layers[index].geometry.rows.intersection(strip)
      guard !rows.isEmpty else { continue }
      layers[index].prepare(rows, kernels: kernels)
      layers[index].filtered?.make(rows, kernels: kernels)
      for y in rows.low..<rows.high {
        let columns = layers[index].geometry.touched(rows: y, y)
        guard !columns.isEmpty else { continue }
        weigh(layers[index], y, columns, isCovered: false)
        let under = deep + (y - strip.low) * plane.width + columns.low
        kernels.blend(under, self.rows.samples, weights: self.rows.weights, count: columns.count)
      }
    }
    for y in strip.low..<strip.high {
      T.narrow(kernels, row(y), deep + (y - strip.low) * plane.width, count: plane.width)
    }
  }
}
