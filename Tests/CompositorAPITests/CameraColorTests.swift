import CompositorAPI
import Testing

private let cameras = ["apple-log", "s-log3", "s-log3-cine", "v-log", "logc3", "logc4", "c-log2", "c-log3", "f-log2"]

private func grey(_ value: Double) -> SIMD3<Double> { SIMD3(repeating: value) }

/// The signal of a range that a camera writes for a reflectance.
private func signal(_ reflectance: Double, _ tags: ColorTags, isCode: Bool) throws -> SIMD3<Double> {
  let code = try #require(tags.transfer.encode(reflectance))
  return grey(isCode && tags.range == .limited ? (code * 1023 - 64) / 876 : code)
}

@Test func named_everyName_hasCurveAndPrimaries() throws {
  #expect(ColorTags.named("s-log2") == nil && Set(ColorTags.names).count == ColorTags.names.count)
  for name in ColorTags.names {
    let tags = try #require(ColorTags.named(name))
    #expect(tags.transfer.hasCurve && tags.primaries.chromaticities != nil && tags.matrix.rgbToYCbCr != nil)
    #expect(tags.transfer.isLog == cameras.contains(name))
    #expect(tags.isCodePoint == !(cameras + ["adobe-rgb", "prophoto-rgb"]).contains(name), "\(name)")
    #expect(!tags.primaries.name.hasPrefix("primaries") && !tags.transfer.name.hasPrefix("transfer"))
  }
}

/// The makers' codes of 10 bits for a gray card of 18 %, as their documents print them.
@Test(arguments: [("s-log3", 420), ("v-log", 433), ("logc3", 400), ("logc4", 285), ("c-log3", 351), ("f-log2", 400)])
func grayCard_ofACamera_hasItsCode(expected: (name: String, code: Int)) throws {
  let tags = try #require(ColorTags.named(expected.name))
  #expect(Int((try #require(tags.transfer.encode(0.18)) * 1023).rounded()) == expected.code)
}

/// A gray card is 38 % of HLG and PQ and a perfect white 75 % of HLG, 58 % of PQ, as ITU-R BT.2408 has them; in SDR gray is where
/// a display of 2.4 shows 26 of 203 cd/m².
@Test(arguments: cameras, [ColorRange.limited, .full])
func log_intoHDRAndSDR_putsGrayAndWhiteWhereTheyBelong(name: String, range: ColorRange) throws {
  var tags = try #require(ColorTags.named(name))
  tags.range = range
  let isCode = !["apple-log", "logc3", "logc4"].contains(name)
  let (card, white) = (try signal(0.18, tags, isCode: isCode), try signal(1, tags, isCode: isCode))
  let (hlg, pq) = (try LightConversion(from: tags, to: .bt2100HLG), try LightConversion(from: tags, to: .bt2100PQ))
  #expect(abs(hlg.convert(card).x - 0.38) < 0.01 && abs(pq.convert(card).x - 0.38) < 0.01)
  #expect(abs(hlg.convert(white).x - 0.75) < 0.005 && abs(pq.convert(white).x - 0.58) < 0.005)
  let sdr = try LightConversion(from: tags, to: .bt709)
  #expect(abs(sdr.convert(card).x - 0.42) < 0.015, "\(sdr.convert(card))")
  #expect((0.7...0.95).contains(sdr.convert(white).x), "\(sdr.convert(white))")
  for conversion in [hlg, pq, sdr] {
    var last = -1.0
    for step in 0...200 {
      let found = conversion.convert(grey(Double(step) / 200))
      #expect(found.max() - found.min() < 1e-6 && found.x >= last - 1e-9, "neutral, and brighter never gets darker")
      last = found.x
    }
    #expect(conversion.outputPeak <= 1000 && conversion.sourcePeak >= 203)
  }
}

@Test func log_asAnOutput_isRefusedByName() throws {
  let tags = try #require(ColorTags.named("s-log3"))
  let error = #expect(throws: CompositorError.self) { try LightConversion(from: .bt709, to: tags) }
  #expect(error?.code == .conversionNotPossible && error?.message.contains("S-Log3") == true)
}

/// XYZ has no primaries that a display could have.
@Test func xyz_asPrimaries_isRefused() {
  var tags = ColorTags.bt709
  tags.primaries = ColorPrimaries(rawValue: 10)
  #expect(throws: CompositorError.self) { try LightConversion(from: tags, to: .bt709) }
}
