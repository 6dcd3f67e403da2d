import CompositorAPI
import CompositorConversion
import Testing

/// The storages of a chroma grid: each sample of another one keeps its position and value.
private let storages: [PixelFormat] = PixelFormat.all.filter { $0.subsampling != .s444 }
private let sources: [PixelFormat] = [.yuv420p, .yuv422p, .yuv420p10, .nv12, .p010]
private let size = PixelSize(width: 37, height: 23)

/// A frame with hard edges between colors, columns and rows of a sample included, with every sample at another code.
private func edges(_ format: PixelFormat, _ color: ColorTags) -> Frame {
  var frame = MutableFrame(format: format, size: size, attributes: FrameAttributes(color: color))
  let step = format.bitDepth - 8
  frame.withUnsafeMutablePlanes { planes in
    for index in 0..<planes.count {
      let (plane, samples) = (planes[index], format.samplesPerPosition(plane: index))
      for y in 0..<plane.height {
        for x in 0..<plane.width * samples {
          let isHigh = (x / samples / 3 + y / 2 + x % samples + index) % 2 == 0
          let code = (isHigh ? 200 : 20) + (x &* 7 &+ y &* 13) % 32
          let stored = (code << step | (x &+ y) & (1 << step - 1)) << format.lowPadding
          let address = plane.base + y * plane.stride + x * format.bytesPerSample
          if format.bytesPerSample == 1 {
            address.storeBytes(of: UInt8(stored), as: UInt8.self)
          } else {
            address.storeBytes(of: UInt16(stored), as: UInt16.self)
          }
        }
      }
    }
  }
  return frame.freeze()
}

/// The codes of Y′, Cb, Cr and, if it is stored, alpha, without padding.
private func codes(_ frame: Frame) -> [[Int]] {
  let format = frame.format
  return SampleLayout(format, color: .bt709).components.map { component in
    frame.withUnsafePlanes { planes in
      let plane = planes[component.plane]
      return (0..<plane.height).flatMap { y in
        (0..<plane.width).map { x in
          let index = x * component.step + component.sampleOffset
          let row = plane.base + y * plane.stride
          guard format.bytesPerSample > 1 else { return Int(row.load(fromByteOffset: index, as: UInt8.self)) }
          return Int(row.load(fromByteOffset: 2 * index, as: UInt16.self)) >> format.lowPadding
        }
      }
    }
  }
}

private func colors() -> [ColorTags] {
  [ChromaLocation.left, .center, .topLeft, .top].map { location in
    var color = ColorTags.bt709
    color.chromaLocation = location
    return color
  }
}

@Suite struct SampleMoveTests {
  @Test(arguments: sources, ColorConversionPolicy.Dithering.allCases)
  func convert_toAsManyBitsOrMore_movesEachSample(source: PixelFormat, dithering: ColorConversionPolicy.Dithering) throws {
    let converter = FrameConverter(policy: ColorConversionPolicy(dithering: dithering))
    let pool = FramePool()
    for color in colors() {
      let frame = edges(source, color)
      let own = codes(frame)
      for target in storages where target.subsampling == source.subsampling && target.bitDepth >= source.bitDepth {
        for alpha in target.hasAlpha ? [AlphaMode.opaque, .straight, .premultiplied] : [.opaque] {
          let attributes = FrameAttributes(color: color, alphaMode: alpha)
          let moved = try converter.convert(frame, to: target, attributes: attributes, pool: pool)
          let found = codes(moved)
          let shift = target.bitDepth - source.bitDepth
          #expect(Array(found[..<3]) == own.map { $0.map { $0 << shift } }, "\(source) to \(target) \(alpha)")
          #expect(found.count == 3 || found[3].allSatisfy { $0 == 1 << target.bitDepth - 1 }, "\(source) to \(target)")
          // Back, from an alpha that isn't used too, dithered or not.
          guard alpha == .opaque else { continue }
          let back = try converter.convert(moved, to: source, attributes: frame.attributes, pool: pool)
          #expect(codes(back) == own, "\(source) to \(target) and back")
        }
      }
    }
    #expect(pool.statistics.outstanding == 0)
  }

  @Test(arguments: [PixelFormat.yuv420p10, .p010, .yuv422p10])
  func convert_toFewerBits_roundsEachSample(source: PixelFormat) throws {
    let converter = FrameConverter(policy: ColorConversionPolicy(dithering: .none))
    let frame = edges(source, .bt709)
    for target in storages where target.subsampling == source.subsampling && target.bitDepth == 8 {
      let moved = try converter.convert(frame, to: target, attributes: frame.attributes, pool: FramePool())
      #expect(Array(codes(moved)[..<3]) == codes(frame).map { $0.map { min(($0 + 2) >> 2, 255) } }, "\(source) to \(target)")
    }
  }

  /// Full range is no shift: the largest code stays the largest.
  @Test(arguments: [PixelFormat.nv12, .yuv420p, .p010])
  func convert_fullRange_keepsEachValue(target: PixelFormat) throws {
    let color = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .full)
    let frame = edges(.yuv420p, color)
    let moved = codes(try FrameConverter.convert(frame, to: target, attributes: frame.attributes, pool: FramePool()))
    let (from, to) = (PixelFormat.yuv420p.quantization(color: color), target.quantization(color: color))
    for (index, own) in codes(frame).enumerated() {
      #expect(moved[index] == own.map { Int(to[index].stored(to[index].code(from[index].value(Double($0))))) })
    }
  }

  /// Another site of chroma is another grid.
  @Test func convert_toAnotherSite_resamplesChroma() throws {
    let frame = edges(.yuv420p, colors()[0])
    let moved = try FrameConverter.convert(
      frame, to: .nv12, attributes: FrameAttributes(color: colors()[2]), pool: FramePool())
    #expect(codes(moved)[0] == codes(frame)[0] && codes(moved)[1] != codes(frame)[1])
  }
}
