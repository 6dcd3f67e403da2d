import CompositorAPI
import CompositorConversion
import Testing

/// Where a format stores a component, written down once more: plane, bytes to the first sample, bytes from sample to sample.
private struct Stored {
  let plane, first, step: Int
  var columns = 1
  var rows = 1
}

private func stored(_ format: PixelFormat) throws -> [Stored] {
  func planar(_ bytes: Int, _ columns: Int, _ rows: Int, alpha: Bool = false) -> [Stored] {
    [
      Stored(plane: 0, first: 0, step: bytes), Stored(plane: 1, first: 0, step: bytes, columns: columns, rows: rows),
      Stored(plane: 2, first: 0, step: bytes, columns: columns, rows: rows),
    ] + (alpha ? [Stored(plane: 3, first: 0, step: bytes)] : [])
  }
  func packed(_ bytes: Int, _ order: [Int]) -> [Stored] { order.map { Stored(plane: 0, first: $0 * bytes, step: 4 * bytes) } }
  func semiPlanar(_ bytes: Int) -> [Stored] {
    [
      Stored(plane: 0, first: 0, step: bytes), Stored(plane: 1, first: 0, step: 2 * bytes, columns: 2, rows: 2),
      Stored(plane: 1, first: bytes, step: 2 * bytes, columns: 2, rows: 2),
    ]
  }
  switch format {
  case .nv12: return semiPlanar(1)
  case .p010: return semiPlanar(2)
  case .rgba: return packed(1, [0, 1, 2, 3])
  case .bgra: return packed(1, [2, 1, 0, 3])
  case .rgba16: return packed(2, [0, 1, 2, 3])
  case .rgbaHalf: return packed(2, [0, 1, 2, 3])
  case .rgbaFloat: return packed(4, [0, 1, 2, 3])
  default:
    try #require(format.layout == .planar)
    let (columns, rows) =
      switch format.subsampling {
      case .s420: (2, 2)
      case .s422: (2, 1)
      case .s444: (1, 1)
      }
    return planar(format.bitDepth > 8 ? 2 : 1, columns, rows, alpha: format.hasAlpha)
  }
}

/// A sample of a frame as a number, without padding.
private func sample(_ frame: Frame, _ stored: Stored, x: Int, y: Int) -> Double {
  frame.withUnsafePlanes { planes in
    let at = planes[stored.plane].base + y * planes[stored.plane].stride + stored.first + x * stored.step
    switch (frame.format.sample, frame.format.bytesPerSample) {
    case (.unsigned, 1): return Double(at.load(as: UInt8.self))
    case (.unsigned, _): return Double(at.load(as: UInt16.self) >> UInt16(frame.format.lowPadding))
    case (.half, _): return Double(at.load(as: Float16.self))
    case (.float, _): return Double(at.load(as: Float.self))
    }
  }
}

private let size = PixelSize(width: 37, height: 23)
private let pool = FramePool(maximumOutstanding: 50)

/// Different numbers at every place, in half units of the format's precision.
private func nominal(_ component: Int, _ x: Int, _ y: Int) -> Double {
  let share = Double((x * 7 + y * 13 + component * 29) % 41) / 41
  return component == 0 || component == 3 ? share : share - 0.5
}

private func tags(_ format: PixelFormat, _ range: ColorRange = .limited) -> ColorTags {
  var tags = format.isRGB ? ColorTags.sRGB : .bt709
  if !format.isRGB { tags.range = range }
  return tags
}

@Suite struct SampleLayoutTests {
  @Test(arguments: PixelFormat.all)
  func write_everyComponent_isStoredWhereTheFormatSays(format: PixelFormat) throws {
    for range in [ColorRange.limited, .full] {
      let color = tags(format, range)
      let layout = SampleLayout(format, color: color)
      let table = try stored(format)
      #expect(layout.components.count == table.count)
      var made = try pool.makeFrame(format: format, size: size, attributes: FrameAttributes(color: color))
      made.withUnsafeMutablePlanes { planes in
        planes.clear(format)
        for index in layout.components.indices {
          let target = SampleTarget(planes, layout, component: index)
          for y in 0..<target.height {
            let row = (0..<target.width).map { Float(nominal(index, $0, y)) }
            target.write(row, y: y, count: row.count)
          }
        }
      }
      let frame = made.freeze()
      let quantization = format.quantization(color: color)
      for (index, place) in table.enumerated() {
        let (width, height) = (
          (size.width + place.columns - 1) / place.columns, (size.height + place.rows - 1) / place.rows
        )
        for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1), (width / 2, height / 2)] {
          let value = nominal(index, x, y)
          let expected = format.sample == .unsigned ? quantization[index].stored(quantization[index].code(value)) : value
          let tolerance = format.sample == .half ? 0.0005 : 1e-6
          #expect(abs(sample(frame, place, x: x, y: y) - expected) <= tolerance, "\(format) \(range) \(index) \(x) \(y)")
        }
      }
    }
  }

  @Test(arguments: PixelFormat.all, [SampleReader.Arithmetic.scaleFirst, .offsetFirst])
  func read_anyColumns_givesBackWhatWasWritten(format: PixelFormat, arithmetic: SampleReader.Arithmetic) throws {
    let color = tags(format)
    let layout = SampleLayout(format, color: color)
    let reader = SampleReader(layout, arithmetic: arithmetic)
    let values: [Float] = [0.25, 0.125, -0.375, 0.75]
    var made = try pool.makeFrame(format: format, size: size, attributes: FrameAttributes(color: color))
    made.withUnsafeMutablePlanes { planes in
      for index in layout.components.indices {
        let target = SampleTarget(planes, layout, component: index)
        let value = format.isRGB ? abs(values[index]) : values[index]
        for y in 0..<target.height { target.write([Float](repeating: value, count: target.width), y: y, count: target.width) }
      }
    }
    let frame = made.freeze()
    for columns in [0..<37, 1..<2, 5..<36, 36..<37] {
      for (index, component) in layout.components.enumerated() {
        var row = [Float](repeating: .nan, count: columns.count)
        var near = [Float](repeating: .nan, count: SampleReader.roomCount(columns: columns.count))
        var far = near
        near.withUnsafeMutableBufferPointer { near in
          far.withUnsafeMutableBufferPointer { far in
            row.withUnsafeMutableBufferPointer { row in
              guard let near = near.baseAddress, let far = far.baseAddress, let row = row.baseAddress else { return }
              frame.withUnsafePlanes { planes in
                reader.read(planes, component: index, row: 22, columns: columns, into: row, room: (near, far))
              }
            }
          }
        }
        let value = format.isRGB ? abs(values[index]) : values[index]
        let halfStep = format.sample == .unsigned ? Float(0.5 / component.quantization.scale) : 0
        #expect(row.allSatisfy { abs($0 - value) <= halfStep + 1e-6 }, "\(format) \(index) \(columns)")
      }
    }
  }

  @Test func read_neutralChromaOffsetFirst_isExactlyZero() throws {
    for format in [PixelFormat.yuv420p, .yuv420p10, .nv12, .p010] {
      let layout = SampleLayout(format, color: .bt709)
      var made = try pool.makeFrame(format: format, size: size)
      made.withUnsafeMutablePlanes { planes in
        let target = SampleTarget(planes, layout, component: 1)
        for y in 0..<target.height { target.write([Float](repeating: 0, count: target.width), y: y, count: target.width) }
      }
      let frame = made.freeze()
      let row = [Float](unsafeUninitializedCapacity: 3 * 37) { room, count in
        count = room.count
        guard let row = room.baseAddress else { return }
        frame.withUnsafePlanes {
          SampleReader(layout, arithmetic: .offsetFirst).read(
            $0, component: 1, row: 1, columns: 0..<37, into: row, room: (row + 37, row + 74))
        }
      }
      #expect(row.prefix(37).allSatisfy { $0 == 0 }, "\(format)")
    }
  }
}

@Suite struct SampleBlendingTests {
  /// What a code of one component is over another, in fractions of 65536 or values.
  private func blended(_ format: PixelFormat, _ body: (SampleTarget) -> Void) throws -> (before: [Double], after: [Double]) {
    let layout = SampleLayout(format, color: tags(format))
    let values = (0..<37).map { Float($0) / 40 }
    func made(_ body: (SampleTarget) -> Void) throws -> [Double] {
      var frame = try pool.makeFrame(format: format, size: size)
      frame.withUnsafeMutablePlanes { planes in
        planes.clear(format)
        let target = SampleTarget(planes, layout, component: 0)
        target.write(values, y: 4, count: values.count)
        body(target)
      }
      let (frozen, place, unit) = (frame.freeze(), try stored(format)[0], layout.blendUnit)
      return (0..<37).map { sample(frozen, place, x: $0, y: 4) * unit }
    }
    return (try made { _ in }, try made(body))
  }

  private func tolerance(_ format: PixelFormat) -> Double {
    switch format.sample {
    // P010 is blended in 16 bits, of which the padding is cut off here.
    case .unsigned: (format.lowPadding > 0 ? 1.01 : 0.51) * 65536 / Double(1 << format.bitDepth) + 2.5
    case .half: 0.001
    case .float: 1e-4
    }
  }

  @Test(arguments: PixelFormat.all)
  func blend_codesOfEveryKind_isTheWeightedMean(format: PixelFormat) throws {
    let whole = format.sample == .unsigned ? 65535.0 : 1
    let weights = (0..<37).map { UInt16($0 * 65535 / 36) }
    let code: UInt16 = 40000
    func expect(_ result: (before: [Double], after: [Double]), _ name: String, _ expected: (Double, Double) -> Double) {
      for x in 0..<37 {
        let value = expected(result.before[x], Double(weights[x]) / 65535)
        #expect(abs(result.after[x] - value) <= tolerance(format), "\(format) \(name) \(x)")
      }
    }
    let target = Double(code) / 65535 * whole
    expect(try blended(format) { $0.blend(code: code, weights, x: 0, y: 4, count: 37) }, "code") { $0 + (target - $0) * $1 }
    let codes = weights.map { UInt16(Double($0) * Double(code) / 65535) }
    expect(try blended(format) { $0.blend(codes: codes, weights, opacity: 32768, x: 0, y: 4, count: 37) }, "codes") {
      $0 + (target - $0) * $1 * 32768 / 65535
    }
    let (floats, parts) = (weights.map { Float(Double($0) / 65535 * target) }, weights.map { Float($0) / 65535 })
    expect(try blended(format) { $0.blend(codes: floats, parts, x: 0, y: 4, count: 37) }, "floats") {
      $0 + (target - $0) * $1
    }
    let changes = (0..<37).map { Float(whole / 100) * Float($0) }
    let added = try blended(format) { $0.add(changes, x: 0, y: 4, count: 37) }
    let highest = format.sample == .unsigned ? 65536 - 65536 / Double(1 << format.bitDepth) : .infinity
    for x in 0..<37 {
      let expected = min(added.before[x] + Double(changes[x]), highest)
      #expect(abs(added.after[x] - expected) <= tolerance(format), "\(format) add \(x)")
    }
  }

  @Test(arguments: PixelFormat.all)
  func blend_partOfARow_leavesTheRestAsItIs(format: PixelFormat) throws {
    let weights = [UInt16](repeating: 65535, count: 3)
    let result = try blended(format) { $0.blend(code: 65535, weights, x: 7, y: 4, count: 3) }
    for x in 0..<37 where !(7..<10).contains(x) { #expect(result.after[x] == result.before[x], "\(format) \(x)") }
    #expect((7..<10).allSatisfy { result.after[$0] > result.before[$0] })
  }
}
