package import CompositorAPI

/// The color seen through a mask. Gradients and images are in the output's signal; a solid color is light if light is
/// blended.
package enum Paint: Sendable {
  /// One color, premultiplied.
  case solid(SIMD4<Float>)
  /// A gradient: kind, 1025 premultiplied colors, and the map from the layer to its line.
  case gradient(kind: Int32, table: [Float], toLine: Projection)
  /// An image, the map from the layer to its pixels, and the pixels that may be used.
  case picture(Picture, toPixels: Projection, limits: Rect)

  /// An image in a frame of packed R, G, B, A of 16 bits, premultiplied.
  case frame(Frame, toPixels: Projection, limits: Rect)

  var solid: SIMD4<Float>? {
    if case .solid(let color) = self { return color }
    return nil
  }
}

/// A mask with a paint, in a layer.
package struct Primitive: Sendable {
  package var mask: Mask
  package var paint: Paint
}

extension GradientContent {
  /// The paint over a rectangle of the layer; `nil` without colors.
  func paint(over rect: Rect, _ encoding: OutputEncoding) throws(CompositorError) -> Paint? {
    guard let last = colors.last else { return nil }
    let start = Point(x: rect.minX + startPoint.x * rect.size.width, y: rect.minY + startPoint.y * rect.size.height)
    let end = Point(x: rect.minX + endPoint.x * rect.size.width, y: rect.minY + endPoint.y * rect.size.height)
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    guard length > 0 else { return .solid(try encoding.premultiplied(last)) }
    let line: AffineMatrix =
      switch kind {
      case .axial: AffineMatrix(a: dx / length, b: 0, c: dy / length, d: 0, tx: 0, ty: 0)
      case .radial: AffineMatrix(a: 1 / max(abs(dx), 1e-6), b: 0, c: 0, d: 1 / max(abs(dy), 1e-6), tx: 0, ty: 0)
      case .conic: AffineMatrix(a: dx / length, b: -dy / length, c: dy / length, d: dx / length, tx: 0, ty: 0)
      }
    let toLine = AffineMatrix.translation(x: -start.x, y: -start.y).concatenating(line)
    return .gradient(
      kind: kind == .axial ? 0 : kind == .radial ? 1 : 2, table: try table(encoding), toLine: Projection(toLine))
  }

  /// Colors at 0, 1/1024 … 1 in the output's signal, premultiplied before interpolation.
  private func table(_ encoding: OutputEncoding) throws(CompositorError) -> [Float] {
    var stops: [SIMD4<Float>] = []
    for color in colors { stops.append(try encoding.premultipliedSignal(color)) }
    let even = stops.indices.map { stops.count > 1 ? Double($0) / Double(stops.count - 1) : 0 }
    let places = locations.count == stops.count ? locations : even
    var table: [Float] = []
    table.reserveCapacity(1025 * 4)
    var next = 0
    for step in 0...1024 {
      let t = Double(step) / 1024
      while next < places.count, places[next] <= t { next += 1 }
      var color = stops[max(next - 1, 0)]
      if next > 0, next < places.count {
        let share = Float((t - places[next - 1]) / max(places[next] - places[next - 1], 1e-12))
        color += (stops[next] - color) * share
      }
      for part in 0..<4 { table.append(color[part]) }
    }
    return table
  }
}
