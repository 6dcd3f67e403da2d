import CompositorAPI

extension LayerPrimitives {
  /// An image in a rectangle of its layer; `nil` if nothing of it shows.
  func picture(
    _ image: ImageContent, _ levels: [Picture], in bounds: Rect, on grid: RasterGrid
  ) throws(CompositorError) -> Primitive? {
    guard let full = levels.first, !bounds.isEmpty else { return nil }
    let part = image.contentsRect.intersection(Rect(x: 0, y: 0, width: 1, height: 1))
    guard !part.isEmpty else { return nil }
    let shown = Size(width: Double(full.width) * part.size.width, height: Double(full.height) * part.size.height)
    let target = image.gravity.rectangle(for: shown, in: bounds)
    if image.contentsCenter != Rect(x: 0, y: 0, width: 1, height: 1) {
      return try stretched(image, full, part, in: target, on: grid)
    }
    // The smallest image that is at least as fine as what is drawn.
    let scale = max(
      (grid.a * grid.a + grid.b * grid.b).squareRoot() * target.size.width / max(shown.width, 1e-6),
      (grid.c * grid.c + grid.d * grid.d).squareRoot() * target.size.height / max(shown.height, 1e-6))
    var level = 0
    while level + 1 < levels.count, scale * Double(1 << (level + 1)) <= 1.001 { level += 1 }
    let picture = levels[level]
    let (width, height) = (Double(picture.width), Double(picture.height))
    let limits = Rect(
      x: part.minX * width, y: part.minY * height, width: part.size.width * width, height: part.size.height * height)
    let toPixels = AffineMatrix.translation(x: -target.minX, y: -target.minY)
      .concatenating(.scale(x: limits.size.width / target.size.width, y: limits.size.height / target.size.height))
      .concatenating(.translation(x: limits.minX, y: limits.minY))
    return Primitive(
      mask: try mask(.rectangle(target), on: grid), paint: .picture(picture, toPixels: Projection(toPixels), limits: limits))
  }

  /// Nine-part scaling: corners keep their size, edges stretch one way, the center both. Made as one image, so that there is
  /// no seam.
  private func stretched(
    _ image: ImageContent, _ full: Picture, _ part: Rect, in target: Rect, on grid: RasterGrid
  ) throws(CompositorError) -> Primitive? {
    let scale = min(max(abs(grid.matrix.determinant).squareRoot(), 1.0 / 16), 4)
    let (width, height) = (Int((target.size.width * scale).rounded(.up)), Int((target.size.height * scale).rounded(.up)))
    guard width > 0, height > 0, width * height <= Surface.maximumPixels / 4 else { return nil }
    let center = image.contentsCenter
    let columns = NinePart(
      from: part.minX * Double(full.width), length: part.size.width * Double(full.width), center: (center.minX, center.maxX))
    let rows = NinePart(
      from: part.minY * Double(full.height), length: part.size.height * Double(full.height), center: (center.minY, center.maxY))
    let xs = (0..<width).map { columns.source(of: (Double($0) + 0.5) / scale, in: target.size.width) }
    let ys = (0..<height).map { rows.source(of: (Double($0) + 0.5) / scale, in: target.size.height) }
    let picture = full.sampled(columns: xs, rows: ys)
    let toPixels = AffineMatrix.translation(x: -target.minX, y: -target.minY).concatenating(.scale(x: scale, y: scale))
    return Primitive(
      mask: try mask(.rectangle(target), on: grid),
      paint: .picture(
        picture, toPixels: Projection(toPixels), limits: Rect(x: 0, y: 0, width: Double(width), height: Double(height))))
  }
}

/// One axis of a nine-part stretch.
private struct NinePart {
  private let from, length: Double
  private let center: ClosedRange<Double>

  /// - Parameter center: Both ends of the stretchable part, clamped to 0 … 1; empty if they are in the wrong order.
  init(from: Double, length: Double, center: (lower: Double, upper: Double)) {
    (self.from, self.length) = (from, length)
    let lower = min(max(center.lower, 0), 1)
    self.center = lower...min(max(center.upper, lower), 1)
  }

  /// The source position of a target position.
  func source(of place: Double, in target: Double) -> Double {
    let before = center.lowerBound * length
    let after = (1 - center.upperBound) * length
    // If both ends do not fit, they shrink in proportion.
    let fit = min(target / max(before + after, 1e-9), 1)
    if place <= before * fit { return within(from, from + before, from + place / fit) }
    let end = from + length
    if place >= target - after * fit { return within(end - after, end, end - (target - place) / fit) }
    let share = (place - before * fit) / max(target - (before + after) * fit, 1e-9)
    return within(from + before, end - after, from + before + share * (length - before - after))
  }

  /// A position clamped so far from the ends of its part that nothing of the neighboring part is mixed in; the middle of a
  /// smaller part.
  private func within(_ start: Double, _ end: Double, _ place: Double) -> Double {
    end - start > 1 ? min(max(place, start + 0.5), end - 0.5) : (start + end) / 2
  }
}

extension ContentGravity {
  /// The rectangle that an image of a size takes in the bounds.
  func rectangle(for size: Size, in bounds: Rect) -> Rect {
    func centered(_ size: Size) -> Rect {
      Rect(
        x: bounds.minX + (bounds.size.width - size.width) / 2, y: bounds.minY + (bounds.size.height - size.height) / 2,
        width: size.width, height: size.height)
    }
    let (fitX, fitY) = (bounds.size.width / max(size.width, 1e-9), bounds.size.height / max(size.height, 1e-9))
    var rect = centered(size)
    let (left, top) = (bounds.minX, bounds.minY)
    let (right, bottom) = (bounds.maxX - size.width, bounds.maxY - size.height)
    switch self {
    case .resize: return bounds
    case .resizeAspect: return centered(Size(width: size.width * min(fitX, fitY), height: size.height * min(fitX, fitY)))
    case .resizeAspectFill: return centered(Size(width: size.width * max(fitX, fitY), height: size.height * max(fitX, fitY)))
    case .center: break
    case .top: rect.origin.y = top
    case .bottom: rect.origin.y = bottom
    case .left: rect.origin.x = left
    case .right: rect.origin.x = right
    case .topLeft: rect.origin = Point(x: left, y: top)
    case .topRight: rect.origin = Point(x: right, y: top)
    case .bottomLeft: rect.origin = Point(x: left, y: bottom)
    case .bottomRight: rect.origin = Point(x: right, y: bottom)
    }
    return rect
  }
}

extension Picture {
  /// Bilinear samples at positions (pixel i covers i ..< i + 1), one for each column and row.
  func sampled(columns: [Double], rows: [Double]) -> Picture {
    var result = [UInt16](repeating: 0, count: columns.count * rows.count * 4)
    func ends(_ place: Double, _ count: Int) -> (Int, Int, Double) {
      let low = (place - 0.5).rounded(.down)
      let first = min(max(Int(low), 0), count - 1)
      return (first, min(max(Int(low) + 1, 0), count - 1), place - 0.5 - low)
    }
    let across = columns.map { ends($0, width) }
    var target = 0
    for row in rows {
      let (y0, y1, fy) = ends(row, height)
      for (x0, x1, fx) in across {
        for part in 0..<4 {
          func at(_ x: Int, _ y: Int) -> Double { Double(pixels[4 * (y * width + x) + part]) }
          let top = at(x0, y0) + (at(x1, y0) - at(x0, y0)) * fx
          let bottom = at(x0, y1) + (at(x1, y1) - at(x0, y1)) * fx
          result[target] = UInt16((top + (bottom - top) * fy).rounded())
          target += 1
        }
      }
    }
    return Picture(x: 0, y: 0, width: columns.count, height: rows.count, pixels: result)
  }

  /// The image and its successive halves, down to one pixel.
  package var pyramid: [Picture] {
    var levels = [self]
    while let last = levels.last, max(last.width, last.height) > 1 { levels.append(last.halved) }
    return levels
  }

  /// The same colors in the signal of other tags. SDR white in HDR is 203 cd/m².
  ///
  /// - Throws: `.conversionNotPossible` if primaries or transfer functions are unknown.
  func encoded(
    from source: ColorTags, in target: ColorTags, policy: ColorConversionPolicy
  ) throws(CompositorError) -> Picture {
    if source.primaries == target.primaries, source.transfer.hasSameCurve(as: target.transfer, policy: policy) {
      return self
    }
    var result = self
    var last: (SIMD4<UInt16>, SIMD3<Double>)?
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      let pixel = SIMD4(pixels[index], pixels[index + 1], pixels[index + 2], pixels[index + 3])
      guard pixel.w > 0 else { continue }
      if last?.0 != pixel {
        let alpha = Double(pixel.w)
        let color = Color(
          red: Double(pixel.x) / alpha, green: Double(pixel.y) / alpha, blue: Double(pixel.z) / alpha,
          primaries: source.primaries, transfer: source.transfer)
        last = (pixel, try color.encoded(in: target, policy: policy) * alpha)
      }
      guard let rgb = last?.1 else { continue }
      for part in 0..<3 { result.pixels[index + part] = UInt16(min(max(rgb[part], 0), 65535).rounded()) }
    }
    return result
  }
}
