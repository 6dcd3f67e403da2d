import CompositorAPI
import Testing

private func grey(_ value: Double) -> SIMD3<Double> { SIMD3(repeating: value) }

private func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double) -> Bool {
  let difference = a - b
  return max(abs(difference.x), abs(difference.y), abs(difference.z)) < tolerance
}

@Test func conversion_betweenSDRAndHLGAndPQ_agreesWithColourScience() throws {
  let kinds: [UInt8: ColorTags] = [1: .bt709, 16: .bt2100PQ, 18: .bt2100HLG]
  for entry in try ColorOracle.load().light {
    let (from, to) = (try #require(kinds[entry.from]), try #require(kinds[entry.to]))
    // A mastering display as bright as the HLG display, so that nothing is rolled off.
    let metadata = HDRMetadata(contentLightLevel: ContentLightLevel(Int(entry.peak)))
    let conversion = try LightConversion(
      from: from, metadata: metadata, to: to, policy: ColorConversionPolicy(hlgPeakLuminance: entry.peak))
    let found = conversion.convert(SIMD3(entry.rgb[0], entry.rgb[1], entry.rgb[2]))
    #expect(isNear(found, SIMD3(entry.signal[0], entry.signal[1], entry.signal[2]), 1e-5), "\(entry): \(found)")
  }
}

/// ITU-R BT.2408: HLG 75 %, PQ 58 % and SDR white are 203 cd/m².
@Test func anchors_ofDiffuseWhite_hold() throws {
  let white = Color.white
  let (hlg, pq) = (try white.encoded(in: .bt2100HLG), try white.encoded(in: .bt2100PQ))
  #expect(isNear(hlg, grey(0.75), 0.0005) && isNear(pq, grey(0.5807), 0.0005))
  #expect(isNear(try LightConversion(from: .bt2100HLG, to: .bt2100PQ).convert(hlg), pq, 1e-9))
  #expect(isNear(try LightConversion(from: .bt2100PQ, to: .bt2100HLG).convert(pq), hlg, 1e-9))
  let brighter = ColorConversionPolicy(diffuseWhite: 300)
  #expect(abs(try #require(TransferFunction.pq.decode(white.encoded(in: .bt2100PQ, policy: brighter).x)) - 0.03) < 1e-9)
}

private let kinds: [ColorTags] = [.bt709, .bt601_525, .bt601_625, .bt2100PQ, .bt2100HLG, .sRGB, displayP3]
private let displayP3 = ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .identity, range: .full)

@Test(arguments: ColorConversionPolicy.ToneMapping.allCases)
func grey_ofAnyKind_staysNeutral(method: ColorConversionPolicy.ToneMapping) throws {
  for source in kinds {
    for output in kinds {
      let conversion = try LightConversion(from: source, to: output, policy: ColorConversionPolicy(toneMapping: method))
      var last = -1.0
      for step in 0...64 {
        let found = conversion.convert(grey(Double(step) / 64))
        #expect(found.max() - found.min() < 1e-6, "\(source.transfer) \(output.transfer) \(step): \(found)")
        #expect(found.x >= last - 1e-9, "brighter never gets darker")
        last = found.x
      }
    }
  }
}

@Test func sdr_throughHDRAndBack_isTheSameBelowTheKnee() throws {
  for hdr in [ColorTags.bt2100PQ, .bt2100HLG] {
    let (there, back) = (
      try LightConversion(from: .bt709, to: hdr), try LightConversion(from: hdr, to: .bt709)
    )
    for signal in [SIMD3(0.2, 0.4, 0.6), SIMD3(0.7, 0.15, 0.3), grey(0.5), grey(0.7), grey(0)] {
      #expect(isNear(back.convert(there.convert(signal)), signal, 1e-6), "\(signal)")
    }
  }
}

@Test func hdr_thereAndBack_isTheSame() throws {
  let (there, back) = (
    try LightConversion(from: .bt2100HLG, to: .bt2100PQ), try LightConversion(from: .bt2100PQ, to: .bt2100HLG)
  )
  for signal in [SIMD3(0.2, 0.4, 0.6), SIMD3(1, 0.1, 0.3), grey(0.75), grey(1), SIMD3(0, 0, 1)] {
    #expect(isNear(back.convert(there.convert(signal)), signal, 1e-9), "\(signal)")
  }
}

@Test func metadata_ofTheSource_setsTheRollOff() throws {
  func shown(_ metadata: HDRMetadata?) throws -> Double {
    let bright = grey(try #require(TransferFunction.pq.encode(0.08)))
    return try LightConversion(from: .bt2100PQ, metadata: metadata, to: .bt709).convert(bright).x
  }
  let dim = HDRMetadata(contentLightLevel: ContentLightLevel(800))
  let bright = HDRMetadata(contentLightLevel: ContentLightLevel(4000))
  #expect(abs(try shown(dim) - 1) < 1e-9)
  #expect(try shown(bright) < shown(nil) && shown(nil) < shown(dim))
}

/// BT.2390's curve is the identity below the knee, meets the target at the source's peak, and rises throughout.
@Test(arguments: [(1000.0, 203.0), (4000, 203), (10_000, 1000), (1000, 100)])
func eetf_properties_hold(peaks: (Double, Double)) throws {
  let curve = try #require(ToneCurve(.bt2390, from: peaks.0, to: peaks.1))
  #expect(curve.luminance(1) == 1 && abs(curve.luminance(peaks.0 * 0.999999) - peaks.1) < 0.01)
  #expect(curve.luminance(peaks.0 * 2) == peaks.1 && curve.luminance(0) == 0)
  let steps = stride(from: 0.5, to: peaks.0, by: peaks.0 / 500).map(curve.luminance)
  #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
  #expect(ToneCurve(.bt2390, from: 100, to: 203) == nil)
}

@Test func unknownColors_areRefused() {
  var odd = ColorTags.bt709
  odd.transfer = TransferFunction(rawValue: 3)
  #expect(throws: CompositorError.self) { try LightConversion(from: odd, to: .bt709) }
  odd = .bt709
  odd.primaries = ColorPrimaries(rawValue: 3)
  #expect(throws: CompositorError.self) { try LightConversion(from: .bt709, to: odd) }
  #expect(throws: CompositorError.self) {
    try LightConversion(from: .bt709, to: .bt2100PQ, policy: ColorConversionPolicy(diffuseWhite: .nan))
  }
}

extension ContentLightLevel {
  fileprivate init(_ maximum: Int) { self.init(maximumContentLightLevel: maximum, maximumFrameAverageLightLevel: 0) }
}

/// Every roll-off is named, also that of SDR white on an HLG display that is darker than it.
@Test func rules_whereLightIsRolledOff_nameIt() throws {
  func rules(_ source: ColorTags, _ peak: Double) throws -> String {
    try LightConversion(from: source, to: .bt2100HLG, policy: ColorConversionPolicy(hlgPeakLuminance: peak)).explanation
  }
  #expect(try rules(.bt709, 100).contains("BT.2390 roll-off from 203 to 100 cd/m²"))
  #expect(try !rules(.bt709, 1000).contains("roll-off"))
  #expect(try rules(.bt2100PQ, 600).contains("BT.2390 roll-off from 1000 to 600 cd/m²"))
}

/// IEC 61966-2-4 has BT.709's curve, and goes on below 0 as it does above.
@Test func xvYCC_isBT709WithItsWideColors() throws {
  var wide = ColorTags.bt709
  wide.transfer = .xvYCC
  #expect(try LightConversion(from: wide, to: .bt709).isIdentity)
  for signal in [-0.2, 0.05, 0.5, 1.05] {
    for curve in ColorConversionPolicy.SDRCurve.allCases {
      #expect(TransferFunction.xvYCC.decode(signal, sdrCurve: curve) == TransferFunction.bt709.decode(signal, sdrCurve: curve))
    }
  }
  #expect(TransferFunction.xvYCC.name == "xvYCC")
}

/// sRGB's codes are those of SDR video unless the policy says otherwise; then nothing has to be converted.
@Test func sRGB_asGraphics_isTheSameAsSDRVideo() throws {
  var video = displayP3
  video.transfer = .bt709
  let colorimetric = ColorConversionPolicy(srgb: .colorimetric)
  for (graphics, movie) in [(ColorTags.sRGB, ColorTags.bt709), (displayP3, video)] {
    #expect(try LightConversion(from: graphics, to: movie).isIdentity)
    #expect(try LightConversion(from: movie, to: graphics).isIdentity)
    #expect(try !LightConversion(from: graphics, to: movie, policy: colorimetric).isIdentity)
  }
  let brand = Color(red: 0.2, green: 0.4, blue: 0.6)
  #expect(try brand.encoded(in: .bt709) == SIMD3(0.2, 0.4, 0.6))
  let lifted = try brand.encoded(in: .bt709, policy: colorimetric) * 255
  #expect(isNear(lifted, SIMD3(62, 110, 158), 0.6))
  for hdr in [ColorTags.bt2100HLG, .bt2100PQ] {
    for curve in ColorConversionPolicy.SDRCurve.allCases {
      let policy = ColorConversionPolicy(sdrCurve: curve)
      let light = try LightConversion(from: .bt709, to: hdr, policy: policy).convert(SIMD3(0.2, 0.4, 0.6))
      #expect(try brand.encoded(in: hdr, policy: policy) == light)
    }
  }
  #expect(ColorTags.sRGB.isEquivalent(to: .bt709.asRGB, in: .rgba))
  #expect(!ColorTags.sRGB.isEquivalent(to: .bt709.asRGB, in: .rgba, policy: colorimetric))
}

extension ColorTags {
  fileprivate var asRGB: ColorTags { ColorTags(primaries: primaries, transfer: transfer, matrix: .identity, range: .full) }
}
