import CCompositorKernels
import CompositorAPI
import CompositorConversion
import Foundation
import CompositorOverlay
import CompositorTestSupport
import Testing

struct OverlayKernelTests {
  @Test func solidAndCodes_onOddSizesAndWorstCases_areWithinHalfACodeOfTheFormula() {
    var numbers = Numbers()
    for count in [1, 7, 31, 64, 133] {
      for step in [1, 2, 4] {
        var row = (0..<count * step + 8).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let before = row
        var weights = (0..<count).map { _ in UInt16.random(in: 0...65535, using: &numbers) }
        weights[0] = 65535
        weights[count / 2] = 0
        let code = UInt16.random(in: 0...65280, using: &numbers)
        cpk_overlay_solid_8(&row, step, weights, code, count)
        for index in row.indices {
          guard index % step == 0, index / step < count else {
            #expect(row[index] == before[index])
            continue
          }
          let w = Double(weights[index / step]) / 65535
          let exact = Double(before[index]) * (1 - w) + Double(code) / 256 * w
          #expect(abs(Double(row[index]) - exact) <= 0.51)
          if weights[index / step] == 0 { #expect(row[index] == before[index]) }
        }
      }
    }
  }

  @Test func codes16_ofEveryDepth_agreeWithTheFormula() {
    var numbers = Numbers()
    for shift: Int32 in [0, 4, 6] {
      let highest = UInt16(65535 >> shift)
      var row = (0..<201).map { _ in UInt16.random(in: 0...highest, using: &numbers) }
      let before = row
      let weights = (0..<201).map { index in index == 3 ? 65535 : index == 4 ? 0 : UInt16.random(in: 0...65535, using: &numbers)
      }
      let pure = (0..<201).map { _ in UInt16.random(in: 0...(highest << UInt16(shift)), using: &numbers) }
      let codes = zip(pure, weights).map { UInt16(UInt32($0) * UInt32($1) / 65535) }
      cpk_overlay_codes_16(&row, 1, shift, codes, weights, 65535, 201)
      for index in 0..<201 {
        let w = Double(weights[index]) / 65535
        let exact = Double(before[index]) * (1 - w) + Double(pure[index]) / Double(1 << shift) * w
        #expect(abs(Double(row[index]) - exact) <= (shift == 0 ? 2.01 : 0.6))
      }
      #expect(row[4] == before[4])
    }
  }

  @Test func replacedSamples_onOddSizes_areWithinHalfACodeOfTheFormula() {
    var numbers = Numbers()
    for (count, step, shift) in [(1, 1, 0), (7, 2, 6), (31, 4, 0), (64, 1, 6), (133, 2, 0), (255, 1, 4)] {
      let top = (65536 >> shift) - 1
      var row = (0..<count * step + 8).map { _ in UInt16(Int.random(in: 0...top, using: &numbers) << shift) }
      let before = row
      var bytes = before.map { UInt8(truncatingIfNeeded: $0 >> UInt16(shift)) }
      let codes = bytes
      var weights = (0..<count).map { _ in UInt16.random(in: 0...65535, using: &numbers) }
      (weights[0], weights[count / 2]) = (65535, 0)
      let values = (0..<count).map { _ in Float.random(in: -0.2...1.2, using: &numbers) }
      cpk_overlay_replace_16(&row, step, Int32(shift), values, Float(top) * 0.9, 7, Float(top), weights, count)
      cpk_overlay_replace_8(&bytes, step, values, 219, 16, weights, count)
      for index in row.indices {
        guard index % step == 0, index / step < count else {
          #expect(row[index] == before[index] && bytes[index] == codes[index])
          continue
        }
        let (value, weight) = (Double(values[index / step]), Double(weights[index / step]) / 65535)
        func mixed(_ under: Double, _ over: Double, _ top: Double) -> Double {
          min(max(under + (over - under) * weight, 0), top)
        }
        let wide = mixed(Double(before[index] >> UInt16(shift)), value * Double(top) * 0.9 + 7, Double(top))
        #expect(abs(Double(row[index] >> UInt16(shift)) - wide) <= 0.52 && row[index] & ((1 << UInt16(shift)) - 1) == 0)
        #expect(abs(Double(bytes[index]) - mixed(Double(codes[index]), value * 219 + 16, 255)) <= 0.51)
        if weight == 0 { #expect(row[index] == before[index] && bytes[index] == codes[index]) }
      }
    }
  }

  /// The kernels know modes by their position: theirs and ours are the same list.
  @Test func blendModes_haveTheKernelsNamesAndNumbers() {
    for (index, mode) in BlendMode.allCases.enumerated() {
      #expect(mode.kernelNumber == Int32(index))
      let name = cpk_blend_mode_name(mode.kernelNumber).map { String(cString: $0) }
      #expect(name == mode.rawValue.replacing("-", with: "_"))
    }
    #expect(cpk_blend_mode_name(Int32(BlendMode.allCases.count)) == nil && cpk_blend_mode_name(-1) == nil)
  }

  /// Both kernels, over every pair of codes in steps of 15 and over colors that the modes of section 9.2 clip.
  @Test(arguments: BlendMode.allCases) func blendMode_overPairsOfColors_followsTheFormula(mode: BlendMode) throws {
    var pixels: [(b: [Double], s: [Double])] = []
    for b in stride(from: 0, through: 255, by: 15) {
      for s in stride(from: 0, through: 255, by: 3) {
        pixels.append(
          ([b, 255 - b, (b * 7 + s) % 256].map { Double($0) / 255 }, [s, (s * 5) % 256, 255 - s].map { Double($0) / 255 }))
      }
    }
    for (backdropAlpha, alpha) in [(1.0, 1.0), (1, 0.5), (0.25, 0.75), (0, 1), (1, 0), (0, 0)] {
      var surface = pixels.flatMap { $0.b.map { Float($0 * backdropAlpha) } + [Float(backdropAlpha)] }
      let source = pixels.flatMap { $0.s.map { Float($0 * alpha) } + [Float(alpha)] }
      cpk_overlay_surface_blend(&surface, source, 1, mode.kernelNumber, pixels.count)
      func code(_ value: Double) -> UInt16 { UInt16((value * 65535).rounded()) }
      var row = pixels.flatMap { $0.b.map(code) + [code(backdropAlpha)] }
      cpk_effect_blend_row(&row, row, pixels.flatMap { $0.s.map(code) + [code(alpha)] }, mode.kernelNumber, 1, pixels.count)
      for (index, pixel) in pixels.enumerated() {
        let exact = try #require(
          BlendFormula.blend(.init(pixel.s, alpha: alpha), on: .init(pixel.b, alpha: backdropAlpha), mode: mode.rawValue))
        #expect(abs(Double(surface[4 * index + 3]) - exact.alpha) < 1e-6)
        #expect(abs(Double(row[4 * index + 3]) / 65535 - exact.alpha) < 2e-5)
        for part in 0..<3 {
          let premultiplied = exact.color[part] * exact.alpha
          // Dodge and burn are steep where a quotient's divisor is small.
          #expect(abs(Double(surface[4 * index + part]) - premultiplied) < 5e-6, "\(mode.rawValue) \(pixel)")
          guard exact.alpha > 0 else { continue }
          #expect(abs(Double(row[4 * index + part]) / 65535 - exact.color[part]) < 1e-3, "\(mode.rawValue) \(pixel)")
        }
      }
    }
  }

  @Test func mappedRow_ofATurnedMask_agreesWithPlainBilinearSampling() {
    var mask = Mask(x: 0, y: 0, width: 23, height: 17)
    var numbers = Numbers()
    for y in 1..<16 { for x in 1..<22 { mask.bytes[y * mask.stride + x] = UInt8.random(in: 0...255, using: &numbers) } }
    func value(_ x: Int, _ y: Int) -> Double {
      x < 0 || y < 0 || x >= 23 || y >= 17 ? 0 : Double(mask.bytes[y * mask.stride + x])
    }
    for (angle, perspective) in [(0.3, 0.0), (2.1, 0), (-1.57, 0), (0.4, 0.003), (.pi / 2, 0)] {
      let turn = AffineMatrix.rotation(radians: angle)
      var line = cpk_overlay_line(u: 5, v: 4, w: 1, du: turn.a, dv: turn.b, dw: perspective)
      var out = [UInt16](repeating: 7, count: 64)
      mask.bytes.withUnsafeBufferPointer { bytes in
        var source = cpk_overlay_mask(bytes: bytes.baseAddress, stride: mask.stride, width: 23, height: 17)
        cpk_overlay_mask_row_mapped(&source, &line, 65535, &out, 64)
      }
      for i in 0..<64 {
        let w = line.w + Double(i) * line.dw
        let (u, v) = ((line.u + Double(i) * line.du) / w - 0.5, (line.v + Double(i) * line.dv) / w - 0.5)
        let (x, y) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (fx, fy) = (u - u.rounded(.down), v - v.rounded(.down))
        let top = value(x, y) * (1 - fx) + value(x + 1, y) * fx
        let bottom = value(x, y + 1) * (1 - fx) + value(x + 1, y + 1) * fx
        #expect(abs(Double(out[i]) / 257 - (top * (1 - fy) + bottom * fy)) < 2.5)
      }
    }
  }

  /// Chroma by bilinear interpolation between sited samples, one pixel at a time.
  private func plain(_ frame: Frame, _ encoding: OutputEncoding, x: Int, y: Int) throws -> SIMD3<Double> {
    let quantization = frame.format.quantization(color: encoding.attributes.color)
    let location = encoding.attributes.color.chromaLocation
    var values = SIMD3<Double>()
    for index in 0..<3 {
      let component = encoding.layout.components[index]
      let rows = Canvas.samples(frame, plane: component.plane)
      let isCoarse = component.isSubsampled
      let (shiftX, shiftY) =
        isCoarse ? (frame.format.subsampling.horizontalShift, frame.format.subsampling.verticalShift) : (0, 0)
      let u = max((Double(x) - (shiftX > 0 ? location.horizontalOffset : 0)) / Double(1 << shiftX), 0)
      let v = max((Double(y) - (shiftY > 0 ? location.verticalOffset : 0)) / Double(1 << shiftY), 0)
      func code(_ x: Int, _ y: Int) -> Double {
        let row = rows[min(y, rows.count - 1)]
        let column = min(x, row.count / component.step - 1)
        return Double(row[column * component.step + component.sampleOffset] >> frame.format.lowPadding)
      }
      let (fx, fy) = (u - u.rounded(.down), v - v.rounded(.down))
      let top = code(Int(u), Int(v)) * (1 - fx) + code(Int(u) + 1, Int(v)) * fx
      let bottom = code(Int(u), Int(v) + 1) * (1 - fx) + code(Int(u) + 1, Int(v) + 1) * fx
      values[index] = (top * (1 - fy) + bottom * fy - quantization[index].offset) / quantization[index].scale
    }
    let matrix = frame.format.isRGB ? Matrix3.identity : encoding.attributes.color.matrix.yCbCrToRGB
    return (try #require(matrix)) * values
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .nv12, .p010, .yuv422p10, .yuv444p, .rgba, .rgba16])
  func frame_readAtAnyBox_agreesWithPlainInterpolation(format: PixelFormat) throws {
    var numbers = Numbers()
    for location in [ChromaLocation.left, .center, .topLeft] {
      var tags = format.isRGB ? ColorTags.sRGB : .bt709
      tags.chromaLocation = location
      let size = PixelSize(width: 37, height: 23)
      let attributes = FrameAttributes(color: tags)
      var made = try Canvas.pool.makeFrame(format: format, size: size, attributes: attributes)
      made.withUnsafeMutablePlanes { planes in
        for index in 0..<planes.count {
          let plane = planes[index]
          let count = plane.width * format.samplesPerPosition(plane: index)
          for y in 0..<plane.height {
            let row = plane.base + y * plane.stride
            for x in 0..<count {
              if format.bytesPerSample == 1 {
                row.assumingMemoryBound(to: UInt8.self)[x] = .random(in: 0...255, using: &numbers)
              } else {
                let code = UInt16.random(in: 0..<UInt16(1 << min(format.bitDepth, 15)), using: &numbers)
                row.assumingMemoryBound(to: UInt16.self)[x] = code << UInt16(format.lowPadding)
              }
            }
          }
        }
      }
      let frame = made.freeze()
      let encoding = try OutputEncoding(format: format, attributes: attributes, size: size)
      for box in [PixelBox(size), PixelBox(x0: 5, y0: 3, x1: 36, y1: 23), PixelBox(x0: 36, y0: 22, x1: 37, y1: 23)] {
        let surface = try frame.withUnsafePlanes { try FrameReader($0, encoding, size: size).surface(box) }
        for (y, x) in [
          (box.y0, box.x0), (box.y1 - 1, box.x1 - 1), (box.y0, box.x1 - 1), ((box.y0 + box.y1) / 2, (box.x0 + box.x1) / 2),
        ] {
          let expected = try plain(frame, encoding, x: x, y: y)
          let at = ((y - box.y0) * box.width + x - box.x0) * 4
          for part in 0..<3 { #expect(abs(Double(surface.pixels[at + part]) - expected[part]) < 1e-4, "\(format) \(x) \(y)") }
        }
      }
    }
  }
}
