import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Testing

/// Measured light against the definition in double precision, written plainly.
@Suite struct LightMeasurementTests {
  static let formats: [PixelFormat] = [
    .yuv420p10, .yuv422p10, .yuv444p10, .planar(.s420, bitDepth: 12), .planar(.s444, bitDepth: 16),
    .planar(.s444, bitDepth: 12, alpha: true),
  ]
  static let sizes = [(1, 1), (2, 2), (3, 5), (17, 9), (64, 4), (131, 33)].map { PixelSize(width: $0.0, height: $0.1) }

  private func frame(
    _ format: PixelFormat, _ size: PixelSize, range: ColorRange = .limited, code: (Int, Int, Int) -> Int
  ) throws -> Frame {
    var color = ColorTags.bt2100PQ
    color.range = range
    var frame = MutableFrame(format: format, size: size, attributes: FrameAttributes(color: color))
    frame.withUnsafeMutablePlanes { planes in
      for plane in 0..<planes.count {
        for y in 0..<planes[plane].height {
          let row = (planes[plane].base + y * planes[plane].stride).assumingMemoryBound(to: UInt16.self)
          for x in 0..<planes[plane].width { row[x] = UInt16(code(plane, x, y)) }
        }
      }
    }
    return frame.freeze()
  }

  /// CTA-861.3 as it is written: linear R, G, B of each pixel, their largest, its largest and its mean.
  private func reference(_ frame: Frame) throws -> (pixel: Double, average: Double) {
    let quantization = frame.format.quantization(color: frame.attributes.color)
    let matrix = try #require(frame.attributes.color.matrix.yCbCrToRGB)
    let subsampling = frame.format.subsampling
    var (largest, sum) = (0.0, 0.0)
    frame.withUnsafePlanes { planes in
      func value(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let row = (planes[plane].base + y * planes[plane].stride).assumingMemoryBound(to: UInt16.self)
        return quantization[plane].value(Double(row[x]))
      }
      for y in 0..<frame.size.height {
        for x in 0..<frame.size.width {
          let (cx, cy) = (x >> subsampling.horizontalShift, y >> subsampling.verticalShift)
          let signal = matrix * SIMD3(value(0, x, y), value(1, cx, cy), value(2, cx, cy))
          let light = [signal.x, signal.y, signal.z].map { 10_000 * (TransferFunction.pq.decode(min(max($0, 0), 1)) ?? -1) }
          let peak = light.max() ?? 0
          largest = max(largest, peak)
          sum += peak
        }
      }
    }
    return (largest, sum / Double(frame.size.width * frame.size.height))
  }

  @Test(arguments: formats) func light_ofNoiseInOddSizes_isTheDefinitions(format: PixelFormat) throws {
    for (number, size) in Self.sizes.enumerated() {
      for range in [ColorRange.limited, .full] {
        var state = UInt32(number + 7)
        let frame = try frame(format, size, range: range) { _, _, _ in
          state = state &* 1_664_525 &+ 1_013_904_223
          return Int(state >> 8) % (1 << format.bitDepth)
        }
        var measurement = LightMeasurement()
        try measurement.add(frame)
        let exact = try reference(frame)
        #expect(abs(measurement.maximumPixel - exact.pixel) <= 1e-4 * exact.pixel + 0.01, "\(size)")
        #expect(abs(measurement.maximumFrameAverage - exact.average) <= 1e-4 * exact.average + 0.01, "\(size)")
      }
    }
  }

  @Test func light_ofWhiteOnBlack_isItsPeakAndItsShare() throws {
    // 58 % PQ is 203 cd/m² (BT.2408): code 573 of 10 bits in limited range is 203.7 cd/m².
    let frame = try frame(.yuv420p10, PixelSize(width: 64, height: 32)) { plane, x, _ in
      plane > 0 ? 512 : x < 16 ? 573 : 64
    }
    var measurement = LightMeasurement()
    try measurement.add(frame)
    #expect(
      measurement.contentLightLevel
        == ContentLightLevel(maximumContentLightLevel: 204, maximumFrameAverageLightLevel: 51))
  }

  @Test func light_ofSeveralFrames_isTheGreatestOfEach() throws {
    let size = PixelSize(width: 16, height: 16)
    // One bright pixel in the dark, then an even gray.
    let spark = try frame(.yuv444p10, size) { plane, x, y in plane > 0 ? 512 : x == 3 && y == 4 ? 940 : 64 }
    let grey = try frame(.yuv444p10, size) { plane, _, _ in plane > 0 ? 512 : 500 }
    var measurement = LightMeasurement()
    try measurement.add(spark)
    try measurement.add(grey)
    let expected = 10_000 * (TransferFunction.pq.decode((500.0 - 64) / 876) ?? 0)
    #expect(abs(measurement.maximumPixel - 10_000) < 1)
    #expect(abs(measurement.maximumFrameAverage - expected) < 0.1)
  }

  @Test func light_ofOtherSignals_isRefused() throws {
    var measurement = LightMeasurement()
    let sdr = MutableFrame(
      format: .yuv420p10, size: PixelSize(width: 4, height: 4), attributes: FrameAttributes(color: .bt709)
    ).freeze()
    #expect(throws: CompositorError.self) { try measurement.add(sdr) }
    let shallow = MutableFrame(
      format: .yuv420p, size: PixelSize(width: 4, height: 4), attributes: FrameAttributes(color: .bt2100PQ)
    ).freeze()
    #expect(throws: CompositorError.self) { try measurement.add(shallow) }
  }
}
