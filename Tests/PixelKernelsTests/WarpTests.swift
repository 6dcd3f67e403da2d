import CompositorKernels
import Testing

private func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }

/// A warp of a whole plane, band by band, and what it should give.
private struct Warp {
  let column, row, start: SIMD2<Double>
  let picture: Canvas<UInt8>
  let weight: Double
  /// Covered part of the picture, in samples: a position p is the middle of p ..< p + 1.
  var covered: (low: SIMD2<Double>, high: SIMD2<Double>)?

  func position(_ x: Int, _ y: Int) -> SIMD2<Double> { start + column * Double(x) + row * Double(y) }

  func run(_ kernels: PlaneKernels, onto canvas: Canvas<UInt8>) -> Canvas<UInt8> {
    var output = canvas
    let plan = WarpPlan(
      byColumn: SIMD2(fixed(column.x), fixed(column.y)), byRow: SIMD2(fixed(row.x), fixed(row.y)),
      footprintsByColumn: SIMD2<Float>(column), footprintsByRow: SIMD2<Float>(row))
    output.write { to in
      _ = picture.read { from in
        for top in stride(from: 0, to: canvas.height, by: 8) {
          let at = position(0, top)
          let band = WarpBand(
            destination: to + top * canvas.stride, stride: canvas.stride, columns: canvas.width,
            rows: min(8, canvas.height - top), picture: from, pictureStride: picture.stride,
            windowX: 0...picture.width - 17, windowY: 0...picture.height - 17,
            position: SIMD2(fixed(at.x), fixed(at.y)), step: SIMD2(fixed(column.x), fixed(column.y)), weight: weight,
            edges: edges(at))
          kernels.warp(plan, band)
        }
      }
    }
    return output
  }

  private func edges(_ at: SIMD2<Double>) -> WarpBand.Edges? {
    guard let covered else { return nil }
    let (low, high) = (at - covered.low, covered.high - at)
    return WarpBand.Edges(left: low.x, right: high.x, top: low.y, bottom: high.y, step: column)
  }

  func exact(_ x: Int, _ y: Int, over under: UInt8) -> Double {
    let at = position(x, y)
    let floor = at.rounded(.down)
    let (px, py, f) = (Int(floor.x), Int(floor.y), at - floor)
    func tap(_ dx: Int, _ dy: Int) -> Double { Double(picture[px + dx, py + dy]) }
    let upper = tap(0, 0) * (1 - f.x) + tap(1, 0) * f.x
    let lower = tap(0, 1) * (1 - f.x) + tap(1, 1) * f.x
    var share = 1.0
    if let covered {
      let (low, high) = (at - covered.low + 0.5, covered.high - at + 0.5)
      for axis in 0..<2 { share *= max(0, min(low[axis], 1) + min(high[axis], 1) - 1) }
    }
    return Double(under) + weight * share * (upper * (1 - f.y) + lower * f.y - Double(under))
  }
}

@Test(arguments: Pattern.allCases, [0.0, 0.3, 1.1, 2.9])
func warp_everyTier_isThePlainOneAndInterpolates(pattern: Pattern, angle: Double) {
  let picture = pattern.canvas(191, 193, seed: 1, as: UInt8.self)
  let (c, s) = (0.97 * Double.cosine(angle), 0.97 * Double.sine(angle))
  for (width, height) in [(8, 8), (65, 37), (7, 3), (1, 1), (16, 9)] {
    let canvas = Pattern.noise.canvas(width, height, seed: 2, as: UInt8.self)
    let middle = SIMD2(Double(width), Double(height)) / 2
    let column = SIMD2(c, s)
    let row = SIMD2(-s, c)
    let start = SIMD2(95.3, 96.7) - column * middle.x - row * middle.y
    for weight in [0.4, 1] {
      for covered in [nil, (low: SIMD2(90.25, 84.5), high: SIMD2(110.75, 105.5))] {
        let warp = Warp(column: column, row: row, start: start, picture: picture, weight: weight, covered: covered)
        let plain = warp.run(.plain, onto: canvas)
        #expect(plain.isIntact, "\(width)x\(height)")
        var worst = 0.0
        for y in 0..<height {
          for x in 0..<width { worst = max(worst, abs(Double(plain[x, y]) - warp.exact(x, y, over: canvas[x, y]))) }
        }
        #expect(worst <= 0.8, "\(width)x\(height) \(weight): \(worst)")
        for tier in PlaneKernels.available.dropFirst() {
          #expect(warp.run(tier, onto: canvas).buffer == plain.buffer, "\(width)x\(height) \(tier.tier)")
        }
      }
    }
  }
}

extension Double {
  /// Taylor series: tests need no more, and no library.
  fileprivate static func sine(_ x: Double) -> Double {
    var (term, sum) = (x, x)
    for n in 1..<30 {
      term *= -x * x / Double(2 * n * (2 * n + 1))
      sum += term
    }
    return sum
  }
  fileprivate static func cosine(_ x: Double) -> Double { sine(x + .pi / 2) }
}
