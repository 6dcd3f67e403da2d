import CompositorAPI
import CompositorConversion
import CompositorOverlay
import Foundation
import Testing

/// Blurred backdrops against a Gaussian in double precision, on the grid of each component.
struct PlanarGlassTests {
  /// Odd, so that rows of chroma end in half a pair of pixels.
  private static let size = PixelSize(width: 97, height: 71)

  private static func glass(_ rect: Rect, sigma: Double) -> Layer {
    var (layer, filters) = (Layer(frame: rect), LayerFilters())
    filters.blurRadius = sigma
    layer.backdropFilters = filters
    return layer
  }

  /// Blocks of black, white and colors, with noise of single samples.
  private static func picture(_ format: PixelFormat, size: PixelSize = size, seed: UInt64 = 1) throws -> Frame {
    let attributes = FrameAttributes(color: format.isRGB ? .sRGB : .bt709)
    var frame = try Canvas.pool.makeFrame(format: format, size: size, attributes: attributes)
    var numbers = Numbers(state: seed &* 0x9e37_79b9_7f4a_7c15)
    let (top, padding) = ((1 << format.bitDepth) - 1, format.lowPadding)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let (plane, samples) = (planes[index], format.samplesPerPosition(plane: index))
        for y in 0..<plane.height {
          let row = plane.base + y * plane.stride
          for x in 0..<plane.width * samples {
            let isHigh = (x / samples / 13 + y / 11 + index + x % samples) % 2 == 0
            let code =
              isHigh ? top - Int.random(in: 0...top / 4, using: &numbers) : Int.random(in: 0...top / 4, using: &numbers)
            if format.bytesPerSample == 1 {
              row.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
            } else {
              row.storeBytes(of: UInt16(code << padding), toByteOffset: 2 * x, as: UInt16.self)
            }
          }
        }
      }
    }
    return frame.freeze()
  }

  /// One component of a plane, blurred in double precision; its edges repeat.
  private static func gaussian(_ plane: [[Double]], across: Double, down: Double) -> [[Double]] {
    let (rows, columns) = (weights(down, plane.count), weights(across, plane[0].count))
    let mixed = rows.map { weights in
      var sum = [Double](repeating: 0, count: columns.count)
      for (weight, row) in zip(weights, plane) where weight > 0 {
        for x in sum.indices { sum[x] += weight * row[x] }
      }
      return sum
    }
    return mixed.map { row in columns.map { weights in zip(weights, row).reduce(0) { $0 + $1.0 * $1.1 } } }
  }

  /// The weights of all samples of a line for each of them.
  private static func weights(_ sigma: Double, _ count: Int) -> [[Double]] {
    let reach = Int((6 * sigma).rounded(.up))
    let all = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = all.reduce(0, +)
    return (0..<count).map { x in
      var weights = [Double](repeating: 0, count: count)
      for (index, weight) in all.enumerated() { weights[min(max(x + index - reach, 0), count - 1)] += weight / sum }
      return weights
    }
  }

  /// Checks every sample: blurred within a rectangle of even pixels, the same elsewhere.
  private static func check(_ format: PixelFormat, _ rects: [Rect], sigma: Double) throws {
    let before = try picture(format)
    let after = try rects.map { try Canvas.draw([glass($0, sigma: sigma)], over: before) }
    for index in 0..<format.planeCount {
      let step = format.samplesPerPosition(plane: index)
      let isChroma = !format.isRGB && index > 0
      let (h, v) = isChroma ? (format.subsampling.horizontalShift, format.subsampling.verticalShift) : (0, 0)
      let old = Canvas.samples(before, plane: index)
      // Alpha stays.
      for part in 0..<min(step, 3) {
        let plane = old.map { row in stride(from: part, to: row.count, by: step).map { Double(row[$0]) } }
        let wanted = gaussian(plane, across: sigma / Double(1 << h), down: sigma / Double(1 << v))
        for (rect, frame) in zip(rects, after) {
          let new = Canvas.samples(frame, plane: index).map { row in
            stride(from: part, to: row.count, by: step).map { Double(row[$0]) }
          }
          let found = difference(new, from: plane, wanted, in: rect, columns: h, rows: v, isChroma: isChroma)
          let codes = found.largest * 255 / Double((1 << format.bitDepth) - 1) / Double(1 << format.lowPadding)
          #expect(codes <= 2, "\(format) \(sigma) \(rect) plane \(index).\(part): \(codes) codes of 8 bits")
          #expect(found.changed == 0, "\(format) \(sigma) \(rect) plane \(index).\(part)")
        }
      }
    }
  }

  /// The largest difference from what is wanted within a rectangle, and how many samples are changed outside of it.
  private static func difference(
    _ new: [[Double]], from old: [[Double]], _ wanted: [[Double]], in rect: Rect, columns: Int, rows: Int, isChroma: Bool
  ) -> (largest: Double, changed: Int) {
    var (largest, changed) = (0.0, 0)
    for y in new.indices {
      for x in new[y].indices {
        let (left, top) = (Double(x << columns), Double(y << rows))
        let distances = [left - rect.minX, left - rect.maxX, top - rect.minY, top - rect.maxY]
        // Samples of chroma between pixels inside and outside are mixed.
        if isChroma, distances.contains(where: { abs($0) < 3 }) { continue }
        if left >= rect.minX, left < rect.maxX, top >= rect.minY, top < rect.maxY {
          largest = max(largest, abs(new[y][x] - wanted[y][x]))
        } else if new[y][x] != old[y][x] {
          changed += 1
        }
      }
    }
    return (largest, changed)
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .nv12, .p010, .rgba, .bgra, .rgba16])
  func everyFormat_isBlurredLikeAGaussian(_ format: PixelFormat) throws {
    for sigma in [1.5, 6, 20] { try Self.check(format, [Rect(x: 30, y: 22, width: 40, height: 30)], sigma: sigma) }
  }

  /// Beyond the frame its edges repeat; glass larger than the frame, at each of its corners, one row, and a blur wider than the frame.
  @Test(arguments: [0.6, 2.4, 2.6, 5.1, 11, 40, 200]) func everyPlace_isBlurredLikeAGaussian(_ sigma: Double) throws {
    let rects = [
      Rect(x: -40, y: -40, width: 200, height: 200), Rect(x: -20, y: -20, width: 50, height: 44),
      Rect(x: 70, y: 50, width: 60, height: 60), Rect(x: 40, y: 30, width: 30, height: 1),
      Rect(x: 50, y: 70, width: 7, height: 9),
    ]
    try Self.check(.yuv420p, rects, sigma: sigma)
  }

  /// A frame doesn't depend on those drawn before, and a part of the glass doesn't depend on where the rest ends.
  @Test func randomAccess_givesTheSameSamples() throws {
    var moving = Self.glass(Rect(x: 20, y: 20, width: 70, height: 60), sigma: 9)
    moving.animations = [.basic(.positionX, from: 40, to: 120, timing: LayerTiming(duration: 1, fillMode: .both))]
    let (frame, times) = (try Self.picture(.yuv420p), [0.0, 0.25, 0.5, 0.75, 1])
    let renderer = try OverlayRenderer(
      root: Canvas.root(Self.size, [moving]), renderSize: Self.size, outputFormat: frame.format, attributes: frame.attributes)
    func samples(_ seconds: Double, _ renderer: OverlayRenderer) throws -> [[[Int]]] {
      Canvas.allSamples(
        try renderer.draw(over: frame, at: MediaTime(value: Int64(seconds * 6000), timescale: 6000), pool: Canvas.pool))
    }
    let inOrder = try times.map { try samples($0, renderer) }
    for index in [3, 0, 4, 2, 1] {
      #expect(try samples(times[index], renderer) == inOrder[index])
      #expect(Canvas.allSamples(try Canvas.draw([moving], over: frame, at: times[index])) == inOrder[index])
    }
    func row(_ rect: Rect) throws -> ArraySlice<Int> {
      Canvas.samples(try Canvas.draw([Self.glass(rect, sigma: 9)], over: frame), plane: 0)[60][60..<80]
    }
    #expect(try row(Rect(x: 50, y: 40, width: 40, height: 40)) == row(Rect(x: 57, y: 57, width: 25, height: 9)))
  }

  /// The steady state draws in planes: with one frame of scratch memory, and no allocation from the second frame on.
  @Test(arguments: [1, 1.4]) func steadyState_allocatesNothing(saturation: Double) throws {
    var card = Self.glass(Rect(x: 30, y: 22, width: 90, height: 70), sigma: 20)
    card.cornerRadius = 12
    card.backdropFilters?.saturation = saturation
    let renderer = try OverlayRenderer(root: Canvas.root(Self.size, [card]), renderSize: Self.size)
    let pool = FramePool()
    func draw(_ seed: UInt64) throws -> Frame {
      try renderer.draw(over: try Self.picture(.yuv420p, seed: seed), at: .zero, pool: pool)
    }
    _ = try draw(1)
    #expect(pool.statistics.allocations == 1)
    for seed in 2..<6 { _ = try draw(UInt64(seed)) }
    #expect(pool.statistics == (0, 1))
  }

  /// Colors are filtered per pixel: chroma is interpolated and reduced as for any other color.
  @Test(arguments: [PixelFormat.yuv420p, .yuv422p, .yuv444p, .nv12, .yuv420p10])
  func filteredColors_areThoseOfTheMatrix(_ format: PixelFormat) throws {
    let ramp = (0..<8).map { index in
      Canvas.box(
        Rect(x: Double(index) * 20, y: 0, width: 21, height: 119),
        Color(red: 0.2 + 0.08 * Double(index), green: 0.7 - 0.05 * Double(index), blue: 0.4))
    }
    let ground = try Canvas.draw(
      ramp, over: Canvas.frame(PixelSize(width: 161, height: 119), format, FrameAttributes(color: .bt709)))
    var gray = Self.glass(Rect(x: 0, y: 0, width: 161, height: 119), sigma: 12)
    let blurred = try Canvas.draw([gray], over: ground)
    gray.backdropFilters?.saturation = 0.25
    let filtered = try Canvas.draw([gray], over: ground)
    for x in stride(from: 6, to: 154, by: 7) {
      let (old, new) = (try Canvas.color(blurred, x: x, y: 60), try Canvas.color(filtered, x: x, y: 60))
      let luma = 0.213 * old.x + 0.715 * old.y + 0.072 * old.z
      for part in 0..<3 { #expect(abs(new[part] - (luma + 0.25 * (old[part] - luma))) < 0.012, "\(x) \(part)") }
    }
  }

  /// A group that fades with its glass mixes the frames without and with it.
  @Test(arguments: [PixelFormat.yuv420p, .yuv422p10, .nv12, .p010, .rgba])
  func fadingGroup_mixesTheFrames(_ format: PixelFormat) throws {
    let frame = try Self.picture(format)
    func samples(_ opacity: Double) throws -> [[[Int]]] {
      var card = Self.glass(Rect(x: 31, y: 23, width: 80, height: 60), sigma: 8)
      card.backgroundColor = Color(red: 1, green: 0.5, blue: 0, alpha: 0.3)
      var group = Canvas.root(Self.size, [card])
      group.opacity = opacity
      return Canvas.allSamples(try Canvas.draw([group], over: frame))
    }
    let (none, all) = (Canvas.allSamples(frame), try samples(1))
    // Bits of a sample beyond its depth are not mixed.
    let unit = format.lowPadding > 0 ? 3.04 * Double(1 << format.lowPadding) : 1.04
    #expect(try samples(0) == none)
    for opacity in [0.25, 0.7] {
      for (plane, found) in try samples(opacity).enumerated() {
        for (y, row) in found.enumerated() {
          for (x, value) in row.enumerated() {
            let wanted = Double(none[plane][y][x]) * (1 - opacity) + Double(all[plane][y][x]) * opacity
            #expect(abs(Double(value) - wanted) <= unit / 2, "\(format) \(plane) \(x) \(y)")
          }
        }
      }
    }
  }
}
