import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import ReferenceCompositor
import Testing

private let displayP3 = ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .full)
private let gamma28 = ColorTags(primaries: .bt601_625, transfer: .gamma28, matrix: .bt601_625, range: .limited)
private let colors: [ColorTags] = [.bt709, .bt601_525, displayP3, gamma28, .bt2100PQ, .bt2100HLG]

private func attributes(_ color: ColorTags) -> FrameAttributes { FrameAttributes(color: color) }

/// Every kind into every other at 8, 10 and 12 bits, any code in any sample, against double precision.
@Test(arguments: colors, [8, 10, 12])
func convert_betweenKinds_isWithinOneCode(source: ColorTags, depth: Int) throws {
  let converter = FrameConverter(policy: ColorConversionPolicy(dithering: .none))
  let pool = FramePool()
  for target in colors {
    for (from, to) in [
      (PixelFormat.planar(.s420, bitDepth: depth), PixelFormat.planar(.s444, bitDepth: depth)),
      (.planar(.s444, bitDepth: 10), .planar(.s420, bitDepth: depth)),
    ] {
      let frame = TestFrames.noise(from, 37, 19, attributes: attributes(source))
      let converted = try converter.convert(frame, to: to, attributes: attributes(target), pool: pool)
      let exact = try reference(frame, to, target)
      let found = try FrameComparison(converted, exact)
      #expect(found.largest <= 1, "\(source) to \(target), \(from) to \(to): \(found)")
    }
  }
}

private func reference(
  _ frame: Frame, _ format: PixelFormat, _ color: ColorTags, _ policy: ColorConversionPolicy = .standard
) throws -> ReferencePicture {
  let context = RenderContext(
    size: frame.size, outputFormat: format, outputAttributes: attributes(color), colorConversion: policy)
  let whole = Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height))
  let layer = ReferenceLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
  return try ReferenceCompositor.compose([layer], background: .clear, context: context)
}

@Test(arguments: ColorConversionPolicy.ToneMapping.allCases, ColorConversionPolicy.GamutMapping.allCases)
func toneMapping_anyMethod_isWithinOneCode(
  method: ColorConversionPolicy.ToneMapping, gamut: ColorConversionPolicy.GamutMapping
) throws {
  for sdrCurve in ColorConversionPolicy.SDRCurve.allCases {
    let policy = ColorConversionPolicy(
      hlgPeakLuminance: 600, toneMapping: method, gamutMapping: gamut, sdrCurve: sdrCurve, dithering: .none)
    for source in [ColorTags.bt2100PQ, .bt2100HLG] {
      let frame = TestFrames.noise(.yuv420p10, 37, 19, attributes: attributes(source))
      let converted = try FrameConverter.convert(
        frame, to: .yuv420p, attributes: attributes(.bt709), pool: FramePool(), policy: policy)
      let found = try FrameComparison(converted, reference(frame, .yuv420p, .bt709, policy))
      #expect(found.largest <= 1, "\(source.transfer): \(found)")
    }
  }
}

/// Codes far above what the source says is its brightest, and far above the roll-off's knee.
@Test(arguments: ColorConversionPolicy.ToneMapping.allCases, [50.0, 100, 203, 1000])
func toneMapping_anyPeaks_isWithinOneCode(method: ColorConversionPolicy.ToneMapping, sdrPeak: Double) throws {
  for peak in [203, 1000, 4000, 10_000] {
    let policy = ColorConversionPolicy(
      hlgPeakLuminance: Double(peak), sdrPeakLuminance: sdrPeak, toneMapping: method, dithering: .none)
    let levels = ContentLightLevel(maximumContentLightLevel: peak, maximumFrameAverageLightLevel: 0)
    for source in [ColorTags.bt2100PQ, .bt2100HLG] {
      let stated = FrameAttributes(color: source, hdr: HDRMetadata(contentLightLevel: levels))
      let frame = TestFrames.noise(.planar(.s444, bitDepth: 10), 37, 19, attributes: stated)
      for format in [PixelFormat.planar(.s444, bitDepth: 10), .planar(.s444, bitDepth: 12)] {
        let made = try FrameConverter.convert(
          frame, to: format, attributes: attributes(.bt709), pool: FramePool(), policy: policy)
        let found = try FrameComparison(made, reference(frame, format, .bt709, policy))
        #expect(found.largest <= 1, "\(source.transfer) of \(peak) cd/m² in \(format): \(found)")
      }
    }
  }
}

/// Grays stay gray: chroma is exactly its middle code in every conversion.
@Test(arguments: colors) func greys_throughAnyConversion_stayNeutral(source: ColorTags) throws {
  let converter = FrameConverter()
  let grey = TestFrames.make(.yuv420p10, 256, 16, attributes(source)) { plane, x, _ in
    plane == 0 ? Double(64 + x * 3) / 1023 : 512.0 / 1023
  }
  for target in colors {
    for format in [PixelFormat.yuv420p, .yuv420p10, .planar(.s422, bitDepth: 12)] {
      let made = try converter.convert(grey, to: format, attributes: attributes(target), pool: FramePool())
      let middle = 1 << (format.bitDepth - 1)
      for plane in 1...2 {
        let codes = Set(made.codes(row: 3, plane: plane))
        #expect(codes == [middle], "\(source.transfer) to \(target.transfer) in \(format): \(codes)")
      }
    }
  }
}

/// ITU-R BT.2408 through the kernels: SDR white, HLG 75 % and PQ 58 % are the same light.
@Test func anchors_throughTheKernels_hold() throws {
  func luma(_ code: Int, _ source: ColorTags, _ target: ColorTags) throws -> Int {
    let frame = TestFrames.make(.yuv420p10, 16, 2, attributes(source)) { plane, _, _ in
      (plane == 0 ? Double(code) : 512) / 1023
    }
    let made = try FrameConverter.convert(frame, to: .yuv420p10, attributes: attributes(target), pool: FramePool())
    return made.codes(row: 0, plane: 0)[5]
  }
  let (white, hlg, pq) = (940, 64 + 657, 64 + 509)
  #expect(abs(try luma(white, .bt709, .bt2100HLG) - hlg) <= 1)
  #expect(abs(try luma(white, .bt709, .bt2100PQ) - pq) <= 1)
  #expect(abs(try luma(hlg, .bt2100HLG, .bt2100PQ) - pq) <= 1)
  #expect(abs(try luma(pq, .bt2100PQ, .bt2100HLG) - hlg) <= 1)
}

/// Many colors at 12 bits, most of which no picture has: where a component is next to 0 beside bright ones precision counts.
@Test(arguments: colors) func convert_anyCodeOfTwelveBits_isWithinOneCode(source: ColorTags) throws {
  let format = PixelFormat.planar(.s444, bitDepth: 12)
  let frame = TestFrames.noise(format, 96, 64, attributes: attributes(source))
  for target in colors {
    let made = try FrameConverter.convert(
      frame, to: format, attributes: attributes(target), pool: FramePool(), policy: ColorConversionPolicy(dithering: .none))
    let found = try FrameComparison(made, reference(frame, format, target))
    #expect(found.largest <= 1, "\(source) to \(target): \(found)")
    #expect(found.components.allSatisfy { $0.mean < 0.26 }, "\(source) to \(target): \(found)")
  }
}

/// There and back in 4:4:4 through float, which loses nothing: colors inside the gamut return within one code.
@Test(
  arguments: [8, 10, 12],
  [(ColorTags.bt2100HLG, ColorTags.bt2100PQ), (.bt709, .bt2100PQ), (.bt709, wide2020), (.bt601_525, .bt709)])
func colors_thereAndBack_areWithinOneCode(depth: Int, pair: (ColorTags, ColorTags)) throws {
  let format = PixelFormat.planar(.s444, bitDepth: depth)
  var (signal, between) = pair
  (signal.matrix, between.matrix) = (.identity, .identity)
  (signal.range, between.range) = (.full, .full)
  // SDR below the knees of the roll-off and of the gamut, where HDR keeps it.
  let isLifted = pair.1.transfer.isHDR && !pair.0.transfer.isHDR
  let (least, greatest) = isLifted ? (0.2, 0.7) : (0.05, 1)
  let rgb = TestFrames.make(.rgba16, 64, 32, attributes(signal)) { _, x, y in
    least + (greatest - least) * Double((x &* 7919 &+ y &* 104_729) % 997) / 997
  }
  let converter = FrameConverter(policy: ColorConversionPolicy(dithering: .none))
  let pool = FramePool()
  let start = try converter.convert(rgb, to: format, attributes: attributes(pair.0), pool: pool)
  let there = try converter.convert(start, to: .rgbaFloat, attributes: attributes(between), pool: pool)
  let back = try converter.convert(there, to: format, attributes: attributes(pair.0), pool: pool)
  for plane in 0..<3 {
    let differences = (0..<32).flatMap { y in
      zip(start.codes(row: y, plane: plane), back.codes(row: y, plane: plane)).map { abs($0 - $1) }
    }
    #expect(try #require(differences.max()) <= 1, "plane \(plane)")
  }
}

private let wide2020 = ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited)

/// Dithering keeps the mean of what the output cannot say, and says the same every time.
@Test func dithering_ofTenBitsIntoEight_keepsTheMean() throws {
  let flat = TestFrames.make(.yuv420p10, 64, 64, attributes(.bt709)) { plane, _, _ in (plane == 0 ? 401 : 512) / 1023 }
  let made = try FrameConverter.convert(flat, to: .yuv420p, attributes: attributes(.bt709), pool: FramePool())
  let again = try FrameConverter.convert(flat, to: .yuv420p, attributes: attributes(.bt709), pool: FramePool())
  let codes = (0..<64).flatMap { made.codes(row: $0, plane: 0) }
  #expect(Set(codes) == [100, 101] && Double(codes.reduce(0, +)) / 4096 == 100.25)
  #expect((0..<64).allSatisfy { made.codes(row: $0, plane: 0) == again.codes(row: $0, plane: 0) })
  let plain = try FrameConverter.convert(
    flat, to: .yuv420p, attributes: attributes(.bt709), pool: FramePool(), policy: ColorConversionPolicy(dithering: .none))
  #expect(Set((0..<64).flatMap { plain.codes(row: $0, plane: 0) }) == [100])
}

/// HLG and PQ dissolved into HLG, SDR and PQ, in either signal.
@Test(arguments: [BlendingSpace.encoded, .linear], [ColorTags.bt2100HLG, .bt2100PQ, .bt709])
func dissolve_ofHLGAndPQ_isWithinOneCode(blending: BlendingSpace, output: ColorTags) throws {
  for format in [PixelFormat.yuv420p10, .yuv422p10, .yuv420p] {
    let frames: [TrackID: Frame] = [
      1: TestFrames.noise(.yuv420p10, 37, 19, attributes: attributes(.bt2100HLG), seed: 1),
      2: TestFrames.noise(.p010, 37, 19, attributes: attributes(.bt2100PQ), seed: 2),
    ]
    let context = RenderContext(
      size: PixelSize(width: 37, height: 19), outputFormat: format, outputAttributes: attributes(output), blending: blending,
      colorConversion: ColorConversionPolicy(dithering: .none))
    let result = try Comparison([LayerInstruction(1, opacity: 0.4), LayerInstruction(trackID: 2)], frames, context)
    // P010 below is the output's 10 bits, stored in another way.
    let isPlanar = blending == .encoded && output == .bt2100PQ && format == .yuv420p10
    #expect(result.route == (isPlanar ? .planar : .general))
    #expect(result.difference.largest <= 1, "\(format): \(result.difference)")
  }
}

extension Frame {
  /// A row's codes, without padding below them.
  fileprivate func codes(row y: Int, plane: Int) -> [Int] {
    if format.bytesPerSample == 1 {
      return withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } }
    }
    return withRow(y, plane: plane, as: UInt16.self) { row in row.indices.map { Int(row[$0]) >> format.lowPadding } }
  }
}
