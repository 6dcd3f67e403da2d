import CompositorAPI
import Testing

private func largestDifference(_ matrix: Matrix3?, _ expected: [Double]) throws -> Double {
  let matrix = try #require(matrix)
  let numbers = [matrix.rows.0, matrix.rows.1, matrix.rows.2].flatMap { [$0.x, $0.y, $0.z] }
  return zip(numbers, expected).map { abs($0 - $1) }.max() ?? .infinity
}

@Test func rgbToXYZ_knownPrimaries_agreesWithColourScience() throws {
  for entry in try ColorOracle.load().rgbToXYZ {
    let primaries = ColorPrimaries(rawValue: entry.primaries)
    #expect(try largestDifference(primaries.rgbToXYZ, entry.matrix) < 1e-9, "\(primaries)")
  }
}

@Test func conversion_betweenPrimaries_agreesWithColourScience() throws {
  for entry in try ColorOracle.load().conversions {
    let (from, to) = (ColorPrimaries(rawValue: entry.from), ColorPrimaries(rawValue: entry.to))
    #expect(try largestDifference(from.conversion(to: to), entry.matrix) < 1e-6, "\(from) to \(to)")
  }
}

@Test func conversion_whiteOfAnyPrimaries_staysWhite() throws {
  let known = (0...255).map { ColorPrimaries(rawValue: $0) }.filter { $0.chromaticities != nil }
  #expect(known.count == 18 && known.count { $0.isCodePoint } == 10)
  for from in known {
    for to in known {
      let white = try #require(from.conversion(to: to)) * SIMD3(1, 1, 1)
      #expect((0..<3).allSatisfy { abs(white[$0] - 1) < 1e-12 }, "\(from) to \(to)")
    }
  }
}

@Test func curves_betweenBlackAndWhite_agreeWithColourScience() throws {
  for entry in try ColorOracle.load().curves {
    let transfer = TransferFunction(rawValue: entry.transfer)
    // colour-science has SMPTE 240M with its constants rounded to four places.
    let tolerance = transfer == .smpte240M ? 2e-4 : transfer.isLog ? 1e-6 : 1e-9
    for (index, value) in entry.values.enumerated() {
      // Where many values of light have the signal 0, it counts as black here.
      if transfer == .log100 || transfer == .log316, value == 0 { continue }
      // Below black Canon mirrors its curves, which here go on straight; light there counts as 0.
      let mirror = transfer == .cLog2 ? 0 : transfer == .cLog3 ? -0.0126 : -Double.infinity
      if entry.decoded[index] < mirror { continue }
      let encoded = try #require(transfer.encode(value, sdrCurve: .camera))
      let decoded = try #require(transfer.decode(value, sdrCurve: .camera))
      #expect(abs(encoded - entry.encoded[index]) < tolerance, "\(transfer.name) encodes \(value): \(encoded)")
      #expect(
        abs(decoded - entry.decoded[index]) < tolerance * max(1, abs(decoded)), "\(transfer.name) decodes \(value): \(decoded)")
    }
  }
}

@Test func displayCurves_ofVideo_areTheOneOfColourScience() throws {
  let entry = try ColorOracle.load().display
  for transfer in [TransferFunction.bt709, .bt601, .bt2020_10, .bt2020_12, .smpte240M] {
    for (index, value) in entry.values.enumerated() {
      #expect(abs(try #require(transfer.encode(value)) - entry.encoded[index]) < 1e-9, "\(transfer) encodes \(value)")
      #expect(abs(try #require(transfer.decode(value)) - entry.decoded[index]) < 1e-9, "\(transfer) decodes \(value)")
    }
  }
}

@Test func curves_thereAndBack_isTheSameNumber() throws {
  for code in UInt8(0)...18 {
    let transfer = TransferFunction(rawValue: code)
    guard transfer.hasCurve else {
      #expect(transfer.encode(0.5) == nil && transfer.decode(0.5) == nil)
      continue
    }
    for step in 0...100 {
      let value = Double(step) / 100
      let there = try #require(transfer.decode(value))
      let back = try #require(transfer.encode(there))
      #expect(abs(back - value) < 1e-6, "\(transfer) at \(value)")
      if !transfer.isHDR { #expect(transfer.decode(-value) == -there) }
    }
  }
}

@Test func codes_ofRGB_agreeWithColourScience() throws {
  for entry in try ColorOracle.load().codes {
    let matrix = MatrixCoefficients(rawValue: entry.matrix)
    let tags = ColorTags(
      primaries: .bt709, transfer: .bt709, matrix: matrix, range: entry.limited ? .limited : .full)
    let format = PixelFormat.planar(.s444, bitDepth: entry.bits)
    let components = try #require(matrix.rgbToYCbCr) * SIMD3(entry.rgb[0], entry.rgb[1], entry.rgb[2])
    for (index, quantization) in format.quantization(color: tags)[..<3].enumerated() {
      // colour-science leaves full-range chroma about 0; a video signal has it about half of the codes.
      let center = !entry.limited && index > 0 ? Double(1 << (entry.bits - 1)) : 0
      let code = quantization.code(components[index])
      #expect(abs(code - entry.codes[index] - center) < 1e-6, "\(entry)")
      #expect(abs(quantization.value(code) - components[index]) < 1e-12)
    }
  }
}

@Test func color_black_hasTheCodesOfTheRange() throws {
  let video = FrameAttributes(color: .bt709)
  #expect(try Color.black.codes(format: .yuv420p, attributes: video) == [16, 128, 128, 255])
  #expect(try Color.white.codes(format: .yuv420p10, attributes: video) == [940, 512, 512, 1023])
  let rgb = FrameAttributes(color: .sRGB, alphaMode: .straight)
  #expect(try Color.clear.codes(format: .rgba, attributes: rgb) == [0, 0, 0, 0])
  let half = Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)
  #expect(try half.codes(format: .rgba, attributes: rgb) == [255, 128, 0, 128])
  let premultiplied = FrameAttributes(color: .sRGB, alphaMode: .premultiplied)
  #expect(try half.codes(format: .rgba, attributes: premultiplied) == [128, 64, 0, 128])
  let white = try Color.white.codes(format: .yuv420p10, attributes: FrameAttributes(color: .bt2100PQ))
  #expect(white[0] == 573, "203 cd/m² is 58 % of PQ, BT.2408")
}

@Test func color_notANumber_isRefused() {
  for color in [
    Color(red: .nan, green: 0, blue: 0), Color(red: 0, green: .infinity, blue: 0), Color(red: 0, green: 0, blue: 0, alpha: 1.5),
  ] {
    #expect(throws: CompositorError.self) { try color.encoded(in: .bt709) }
  }
}

@Test func resolved_unspecifiedTags_followTheSize() {
  let nothing = ColorTags(primaries: .unspecified, transfer: .unspecified, matrix: .unspecified, range: .limited)
  #expect(nothing.resolved(for: PixelSize(width: 720, height: 576)).matrix == .bt601_625)
  #expect(nothing.resolved(for: PixelSize(width: 720, height: 480)).primaries == .bt601_525)
  #expect(nothing.resolved(for: PixelSize(width: 1280, height: 720)) == .bt709)
  var wide = nothing
  wide.primaries = .bt2020
  #expect(wide.resolved(for: PixelSize(width: 720, height: 576)).matrix == .bt2020)
  // PQ and HLG are BT.2020 by default (ITU-R BT.2100), of any size.
  for transfer in [TransferFunction.pq, .hlg] {
    let said = ColorTags(primaries: .unspecified, transfer: transfer, matrix: .unspecified, range: .limited)
    let resolved = said.resolved(for: PixelSize(width: 640, height: 360))
    #expect(resolved.primaries == .bt2020 && resolved.matrix == .bt2020)
    var narrow = said
    narrow.matrix = .bt709
    #expect(narrow.resolved(for: PixelSize(width: 640, height: 360)).primaries == .bt709)
  }
  var rgb = nothing
  rgb.matrix = .identity
  #expect(rgb.resolved(for: PixelSize(width: 64, height: 64)).transfer == .sRGB)
}
