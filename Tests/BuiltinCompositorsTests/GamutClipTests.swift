import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Foundation
import ReferenceCompositor
import Testing

/// What a source is, and how its R′G′B′ becomes light.
private struct Wide: Sendable {
  let tags: ColorTags
  let decode: @Sendable (Double) -> Double
  /// Whether it is a graphic, whose codes become the codes of sRGB.
  var isGraphic = false

  static let p3 = Wide(
    tags: ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .limited), decode: sRGBLight, isGraphic: true
  )
  static let bt2020 = Wide(
    tags: ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited), decode: { pow($0, 2.4) })
  static let adobe = Wide(
    tags: ColorTags(primaries: .adobeRGB, transfer: .adobeRGB, matrix: .bt709, range: .limited),
    decode: { pow($0, 563.0 / 256) }, isGraphic: true)

  /// Light as a route sees it: mixed as light, a graphic is what a display makes of video.
  func light(_ value: Double, mixed: Bool) -> Double {
    let light = value < 0 ? -decode(-value) : decode(value)
    guard mixed, isGraphic else { return light }
    return light < 0 ? -pow(sRGBCode(-light), 2.4) : pow(sRGBCode(light), 2.4)
  }

  /// The output's signal of light, 0 … 1.
  func signal(_ light: Double, mixed: Bool) -> Double { isGraphic && !mixed ? sRGBCode(light) : pow(light, 1 / 2.4) }
}

private let sRGBLight: @Sendable (Double) -> Double = { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
private let sRGBCode: @Sendable (Double) -> Double = { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }

private let wide: [String: Wide] = ["P3": .p3, "BT.2020": .bt2020, "Adobe RGB": .adobe]

/// A cube of 17 steps and, in its last rows, ramps from gray to the six corners.
private func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
  if y < 17 { return SIMD3(Double(x % 17), Double(x / 17), Double(y)) / 16 }
  let corner = SIMD3<Double>(
    [17, 20, 21, 22].contains(y) ? 1 : 0, [18, 19, 21, 22].contains(y) ? 1 : 0, [19, 20, 22].contains(y) ? 1 : 0)
  return SIMD3(repeating: 0.5) + (corner - SIMD3(repeating: 0.5)) * (Double(x) / 288)
}

private let size = PixelSize(width: 289, height: 23)

/// The picture in a source's own codes.
private func picture(_ format: PixelFormat, _ tags: ColorTags) throws -> Frame {
  let matrix = format.isRGB ? .identity : try #require(tags.matrix.rgbToYCbCr)
  let quantization = format.quantization(color: tags)
  return TestFrames.make(format, size.width, size.height, FrameAttributes(color: tags)) { plane, x, y in
    guard plane < 3 else { return 1 }
    let component = (matrix * color(x, y))[plane]
    return quantization[plane].stored(quantization[plane].code(component)) / quantization[plane].maximumCode
  }
}

private enum Route: CaseIterable {
  case converter, layers, linearLayers, reference
}

/// The codes of the output, rounded or not.
private func output(_ frame: Frame, _ route: Route, _ format: PixelFormat, _ color: ColorTags) throws -> [[Double]] {
  let context = RenderContext(
    size: size, outputFormat: format, outputAttributes: FrameAttributes(color: color),
    blending: route == .linearLayers ? .linear : .encoded, colorConversion: ColorConversionPolicy(dithering: .none))
  switch route {
  case .converter:
    let converter = FrameConverter(policy: context.colorConversion)
    return try converter.convert(frame, to: format, attributes: FrameAttributes(color: color), pool: FramePool()).componentCodes
  case .layers, .linearLayers: return try Comparison.frame([LayerInstruction(trackID: 1)], [1: frame], context).componentCodes
  case .reference:
    let whole = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    let layer = ReferenceLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
    let picture = try ReferenceCompositor.compose([layer], background: .clear, context: context)
    return picture.components.prefix(3).map(\.codes)
  }
}

/// Every color of P3, BT.2020 and Adobe RGB in BT.709 is what the hard clip of ITU-R BT.2407 makes of it in double precision, in
/// every range and depth and along every route: its codes within one, and so what a display shows.
@Test(arguments: ["P3", "BT.2020", "Adobe RGB"], [(8, ColorRange.limited), (8, .full), (10, .limited), (10, .full)])
func wideSDR_intoBT709_isTheHardClip(name: String, kind: (depth: Int, range: ColorRange)) throws {
  let (depth, range) = kind
  let source = try #require(wide[name])
  let format = PixelFormat.planar(.s444, bitDepth: depth)
  let frame = try picture(format, source.tags)
  var target = ColorTags.bt709
  target.range = range
  let toRGB = try #require(source.tags.matrix.yCbCrToRGB)
  let toOutput = try #require(source.tags.primaries.conversion(to: .bt709))
  let (toYCbCr, back) = (try #require(target.matrix.rgbToYCbCr), try #require(target.matrix.yCbCrToRGB))
  let (stored, written) = (format.quantization(color: source.tags), format.quantization(color: target))
  let codes = frame.componentCodes
  for route in Route.allCases {
    let found = try output(frame, route, format, target)
    var (largestCode, largestShown) = (0.0, 0.0)
    for index in 0..<size.width * size.height {
      let signal =
        toRGB * SIMD3(stored[0].value(codes[0][index]), stored[1].value(codes[1][index]), stored[2].value(codes[2][index]))
      let mixed = route == .linearLayers
      func light(_ value: Double) -> Double { source.light(value, mixed: mixed) }
      let clipped = pointwiseMin(
        pointwiseMax(toOutput * SIMD3(light(signal.x), light(signal.y), light(signal.z)), SIMD3()), SIMD3(1, 1, 1))
      let expected = SIMD3(
        source.signal(clipped.x, mixed: mixed), source.signal(clipped.y, mixed: mixed), source.signal(clipped.z, mixed: mixed))
      let components = toYCbCr * expected
      var values = SIMD3<Double>()
      for plane in 0..<3 {
        largestCode = max(largestCode, abs(found[plane][index] - written[plane].code(components[plane])))
        values[plane] = written[plane].value(found[plane][index])
      }
      let shown = pointwiseMin(pointwiseMax(back * values, SIMD3()), SIMD3(1, 1, 1))
      largestShown = max(largestShown, pointwiseMax(shown - expected, expected - shown).max() * Double(1 << depth - 1))
    }
    #expect(largestCode <= 1, "\(route): \(largestCode) codes of Y′CbCr")
    // Y′, Cb and Cr are rounded on their own: half a code of each is up to 1.7 of B′.
    #expect(largestShown <= 1.8, "\(route): \(largestShown) codes of R′G′B′")
  }
}

/// In R, G, B nothing but the rounding of the source is between the two.
@Test(arguments: ["P3", "BT.2020", "Adobe RGB"]) func wideSDR_asRGB_isWithinOneCodeOfTheHardClip(name: String) throws {
  let source = try #require(wide[name])
  var tags = source.tags
  (tags.matrix, tags.range) = (.identity, .full)
  let toOutput = try #require(source.tags.primaries.conversion(to: .bt709))
  for format in [PixelFormat.rgba, .rgba16] {
    let frame = try picture(format, tags)
    let codes = frame.componentCodes
    let largest = Double(1 << format.bitDepth - 1)
    var target = ColorTags.bt709
    (target.matrix, target.range) = (.identity, .full)
    let found = try output(frame, .converter, format, target)
    for index in 0..<size.width * size.height {
      let signal =
        SIMD3(codes[0][index], codes[1][index], codes[2][index]) / largest
      let light = toOutput * SIMD3(source.decode(signal.x), source.decode(signal.y), source.decode(signal.z))
      for plane in 0..<3 {
        let expected = source.signal(min(max(light[plane], 0), 1), mixed: false) * largest
        #expect(abs(found[plane][index] - expected) <= 1, "\(format) \(signal) \(plane)")
      }
    }
  }
}

/// A title's color is what a picture of that color is.
@Test func color_ofP3_isClippedAsPicturesAre() throws {
  let red = Color(red: 1, green: 0, blue: 0, primaries: .displayP3, transfer: .sRGB)
  for range in [ColorRange.limited, .full] {
    var tags = ColorTags.bt709
    tags.range = range
    let codes = try red.codes(format: .yuv444p, attributes: FrameAttributes(color: tags))
    let plain = try Color(red: 1, green: 0, blue: 0).codes(format: .yuv444p, attributes: FrameAttributes(color: tags))
    #expect(codes == plain)
  }
}

/// What is above white and below black stays where primaries do not narrow.
@Test func superWhite_ofUnchangedPrimaries_stays() throws {
  let frame = TestFrames.make(.yuv444p, 16, 2, FrameAttributes(color: .bt709)) { plane, x, _ in
    plane == 0 ? [4.0, 250][x % 2] / 255 : 128 / 255
  }
  for target in [
    ColorTags.bt709, .named("bt2020") ?? .bt709, ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt709, range: .limited),
  ] {
    let made = try FrameConverter.convert(
      frame, to: .planar(.s444, bitDepth: 10), attributes: FrameAttributes(color: target), pool: FramePool())
    #expect(made.componentCodes[0][0] < 64 && made.componentCodes[0][1] > 980, "\(target.shortName)")
  }
}

/// Hues of SDR kept on request, through the kernels and in double precision.
@Test(arguments: ["P3", "BT.2020", "Adobe RGB"], [8, 10, 12])
func wideSDR_keepingHues_isWithinOneCodeOfDoublePrecision(name: String, depth: Int) throws {
  let tags = try #require(wide[name]).tags
  let format = PixelFormat.planar(.s444, bitDepth: depth)
  let frame = try picture(format, tags)
  let policy = ColorConversionPolicy(gamutMapping: .preserveHue, dithering: .none)
  let context = RenderContext(
    size: size, outputFormat: format, outputAttributes: FrameAttributes(color: .bt709), colorConversion: policy)
  let whole = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  let layer = ReferenceLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
  let made = try FrameConverter.convert(
    frame, to: format, attributes: FrameAttributes(color: .bt709), pool: FramePool(), policy: policy)
  let found = try FrameComparison(made, ReferenceCompositor.compose([layer], background: .clear, context: context))
  #expect(found.largest <= 1, "\(found)")
}

/// Camera log through the kernels and in double precision: any code in any sample, most of which no camera writes. 12 bits may be two
/// codes off where a saturated color is next to black.
@Test(arguments: ["apple-log", "s-log3", "s-log3-cine", "v-log", "logc3", "logc4", "c-log2", "c-log3", "f-log2"])
func log_intoAnyOutput_isWithinOneCode(name: String) throws {
  for range in [ColorRange.limited, .full] {
    var tags = try #require(ColorTags.named(name))
    tags.range = range
    let frame = TestFrames.noise(.planar(.s444, bitDepth: 10), 61, 37, attributes: FrameAttributes(color: tags))
    for (format, target) in [
      (PixelFormat.yuv444p, ColorTags.bt709), (.planar(.s444, bitDepth: 10), .bt2100HLG),
      (.planar(.s444, bitDepth: 10), .bt2100PQ), (.planar(.s444, bitDepth: 12), .bt709),
    ] {
      let policy = ColorConversionPolicy(dithering: .none)
      let context = RenderContext(
        size: frame.size, outputFormat: format, outputAttributes: FrameAttributes(color: target), colorConversion: policy)
      let whole = Rect(x: 0, y: 0, width: 61, height: 37)
      let layer = ReferenceLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
      let made = try FrameConverter.convert(
        frame, to: format, attributes: FrameAttributes(color: target), pool: FramePool(), policy: policy)
      let found = try FrameComparison(made, ReferenceCompositor.compose([layer], background: .clear, context: context))
      #expect(found.largest <= (format.bitDepth > 10 ? 2 : 1), "\(range) into \(target.shortName), \(format): \(found)")
    }
  }
}

extension Frame {
  /// Codes of the first three components, row by row.
  fileprivate var componentCodes: [[Double]] {
    let isPacked = format.isRGB
    let samples = bytes
    return (0..<3).map { component in
      (0..<size.height).flatMap { y in
        (0..<size.width).map { x in samples(isPacked ? 0 : component, y, isPacked ? 4 * x + component : x) }
      }
    }
  }

  private var bytes: (Int, Int, Int) -> Double {
    { plane, y, index in
      self.format.bytesPerSample == 1
        ? self.withRow(y, plane: plane, as: UInt8.self) { Double($0[index]) }
        : self.withRow(y, plane: plane, as: UInt16.self) { Double($0[index]) }
    }
  }
}
