import CompositorAPI

/// One component of a frame as doubles, on its own grid.
struct SampleGrid: Sendable {
  var width: Int
  var height: Int
  var values: [Double]

  init(width: Int, height: Int, repeating value: Double = 0) {
    (self.width, self.height) = (width, height)
    values = [Double](repeating: value, count: width * height)
  }

  subscript(x: Int, y: Int) -> Double {
    get { values[y * width + x] }
    set { values[y * width + x] = newValue }
  }

  /// The sample nearest to a position that may be outside the grid.
  func clamped(_ x: Int, _ y: Int) -> Double {
    self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)]
  }

  /// Bilinear interpolation. Sample `i` is at position `i`; edges are repeated.
  func bilinear(_ x: Double, _ y: Double) -> Double {
    let px = min(max(x, 0), Double(width - 1))
    let py = min(max(y, 0), Double(height - 1))
    let (left, top) = (Int(px), Int(py))
    let (fx, fy) = (px - Double(left), py - Double(top))
    let upper = clamped(left, top) * (1 - fx) + clamped(left + 1, top) * fx
    let lower = clamped(left, top + 1) * (1 - fx) + clamped(left + 1, top + 1) * fx
    return upper * (1 - fy) + lower * fy
  }

  func map(_ transform: (Double) -> Double) -> SampleGrid {
    var result = self
    for index in result.values.indices { result.values[index] = transform(values[index]) }
    return result
  }

  /// Exact area averages on a coarser grid.
  func reduced(toWidth newWidth: Int, height newHeight: Int) -> SampleGrid {
    if newWidth == width && newHeight == height { return self }
    var narrow = SampleGrid(width: newWidth, height: height)
    for x in 0..<newWidth {
      let shares = SampleGrid.shares(of: x, from: width, to: newWidth)
      for y in 0..<height { narrow[x, y] = shares.reduce(0) { $0 + self[$1.index, y] * $1.share } }
    }
    var small = SampleGrid(width: newWidth, height: newHeight)
    for y in 0..<newHeight {
      let shares = SampleGrid.shares(of: y, from: height, to: newHeight)
      for x in 0..<newWidth { small[x, y] = shares.reduce(0) { $0 + narrow[x, $1.index] * $1.share } }
    }
    return small
  }

  /// The samples that interval `index` of width `count / newCount` covers, with their weights.
  private static func shares(of index: Int, from count: Int, to newCount: Int) -> [(index: Int, share: Double)] {
    let ratio = Double(count) / Double(newCount)
    let (start, end) = (Double(index) * ratio, Double(index + 1) * ratio)
    return (0..<count).lazy.filter { Double($0) < end && Double($0 + 1) > start }.map {
      ($0, (min(end, Double($0 + 1)) - max(start, Double($0))) / ratio)
    }
  }
}

extension Frame {
  /// The code values of all components, Y′, Cb, Cr, A or R, G, B, A, each on its own grid.
  var components: [SampleGrid] {
    (0..<(format.hasAlpha ? 4 : 3)).map { component in
      let (plane, index) = format.samplePlace(component)
      let step = format.samplesPerPosition(plane: plane)
      let extent = format.planeSize(plane, of: size)
      var grid = SampleGrid(width: extent.width, height: extent.height)
      for y in 0..<extent.height {
        let start = y * extent.width
        switch format.sample {
        case .unsigned where format.bitDepth == 8:
          withRow(y, plane: plane, as: UInt8.self) { row in
            for x in 0..<extent.width { grid.values[start + x] = Double(row[x * step + index]) }
          }
        case .unsigned:
          withRow(y, plane: plane, as: UInt16.self) { row in
            for x in 0..<extent.width { grid.values[start + x] = Double(row[x * step + index] >> UInt16(format.lowPadding)) }
          }
        case .half:
          withRow(y, plane: plane, as: Float16.self) { row in
            for x in 0..<extent.width { grid.values[start + x] = Double(row[x * step + index]) }
          }
        case .float:
          withRow(y, plane: plane, as: Float.self) { row in
            for x in 0..<extent.width { grid.values[start + x] = Double(row[x * step + index]) }
          }
        }
      }
      return grid
    }
  }
}

extension PixelFormat {
  fileprivate func samplePlace(_ component: Int) -> (plane: Int, index: Int) {
    for plane in 0..<planeCount {
      if let index = components(plane: plane).firstIndex(of: component) { return (plane, index) }
    }
    return (0, 0)
  }
}
