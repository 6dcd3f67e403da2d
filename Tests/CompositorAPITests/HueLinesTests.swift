import CompositorAPI
import Foundation
import Testing

/// I, Ct and Cp of light in BT.2020, cd/m² (ITU-R BT.2100, table 7).
private func ictcp(_ light: SIMD3<Double>) throws -> SIMD3<Double> {
  func weighed(_ a: Double, _ b: Double, _ c: Double) throws -> Double {
    try #require(TransferFunction.pq.encode((a * light.x + b * light.y + c * light.z) / 4096 / 10_000))
  }
  let (l, m, s) = (try weighed(1688, 2146, 262), try weighed(683, 2951, 462), try weighed(99, 309, 3688))
  return SIMD3(
    0.5 * l + 0.5 * m, (6610 * l - 13613 * m + 7003 * s) / 4096, (17933 * l - 17390 * m - 543 * s) / 4096)
}

/// How far two colors are apart in hue, degrees.
private func turn(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  let angle = (atan2(a.y, a.z) - atan2(b.y, b.z)) * 180 / .pi
  return abs((angle + 540).truncatingRemainder(dividingBy: 360) - 180)
}

private func saturation(_ color: SIMD3<Double>) -> Double { (color.y * color.y + color.z * color.z).squareRoot() }

/// What a display of 203 cd/m² shows for a signal of BT.709, in BT.2020.
private func shown(_ signal: SIMD3<Double>) throws -> SIMD3<Double> {
  let held = pointwiseMin(pointwiseMax(signal, SIMD3()), SIMD3(1, 1, 1))
  let light = try LightConversion(from: .bt709, to: .bt709).light(of: held)
  return try #require(ColorPrimaries.bt709.conversion(to: .bt2020)) * light * 203
}

private func pq(_ light: SIMD3<Double>) throws -> SIMD3<Double> {
  func encoded(_ value: Double) throws -> Double { try #require(TransferFunction.pq.encode(max(value, 0) / 10_000)) }
  return SIMD3(try encoded(light.x), try encoded(light.y), try encoded(light.z))
}

/// The corners of BT.2020 and of P3 from 50 to 600 cd/m² and a ColorChecker keep their hue within 2° from PQ to BT.709: through
/// the gamut mapping and through the roll-off. At 1000 cd/m² the roll-off alone turns a red of BT.709 by 1.9°.
@Test func hdr_intoSDR_keepsTheHueOfICtCp() throws {
  let conversion = try LightConversion(from: .bt2100PQ, to: .bt709)
  let hues = try ColorOracle.load().hues
  #expect(hues.count == 96)
  for entry in hues {
    let light = SIMD3(entry.rgb[0], entry.rgb[1], entry.rgb[2])
    let before = try ictcp(light)
    let oracle = SIMD3(entry.ictcp[0], entry.ictcp[1], entry.ictcp[2])
    #expect(pointwiseMax(before - oracle, oracle - before).max() < 1e-9, "the test's own ICtCp")
    let after = try ictcp(shown(conversion.convert(pq(light))))
    // A gray has no hue.
    guard saturation(before) > 0.005 else { continue }
    #expect(turn(before, after) < (light.max() > 700 ? 2.2 : 2), "\(entry.name) \(light): \(turn(before, after))°")
  }
}

/// The same, of colors as they come: any hue, any saturation, any exposure.
@Test func hdr_ofAnyHue_keepsItInSDR() throws {
  let conversion = try LightConversion(from: .bt2100PQ, to: .bt709)
  for step in 0..<4000 {
    let parts = [step &* 7919 % 1009, step &* 104_729 % 997, step &* 1_299_709 % 1013].map { Double($0) / 1013 }
    let light = SIMD3(parts[0], parts[1], parts[2]) * [60, 203, 500, 1000][step % 4]
    let before = try ictcp(light)
    guard saturation(before) > 0.02, light.max() > 10 else { continue }
    #expect(turn(before, try ictcp(shown(conversion.convert(pq(light))))) < 2.5, "\(light)")
  }
}

/// Colors that differ outside of the gamut differ inside: more saturated stays more saturated, and nothing jumps.
@Test(arguments: [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0, 1, 1), SIMD3(1, 0, 1), SIMD3(1, 1, 0)])
func saturation_alongARamp_risesWithoutAJump(corner: SIMD3<Double>) throws {
  let lines = try #require(HueLines.of(.bt709))
  let matrix = try #require(ColorPrimaries.bt2020.conversion(to: .bt709))
  var last: SIMD3<Double>?
  for step in 0...1000 {
    let share = Double(step) / 1000
    let light = matrix * (SIMD3(repeating: 1 - share) + corner * share)
    let found = lines.map(light)
    #expect(found.min() >= 0)
    if let last {
      let jump = pointwiseMax(found - last, last - found).max()
      #expect(jump < 0.04, "\(corner) at \(share): \(jump)")
    }
    last = found
  }
}

/// What is inside and not at its boundary is not touched at all; exposure makes no difference.
@Test func hueLines_inTheGamut_changeNothing() throws {
  let lines = try #require(HueLines.of(.bt709))
  for light in [
    SIMD3(0.3, 0.2, 0.1), SIMD3(1, 0.1, 0.1), SIMD3(0.02, 0.6, 0.1), SIMD3(5, 5, 5), SIMD3(0, 0, 0), SIMD3(0.04, 0.03, 0.7),
  ] {
    #expect(lines.map(light) == light)
  }
  #expect(lines.map(SIMD3(-0.1, -0.2, -0.1)) == SIMD3())
  let outside = SIMD3(1.2, -0.05, 0.1)
  let (once, brighter) = (lines.map(outside), lines.map(outside * 16))
  #expect(pointwiseMax(once * 16 - brighter, brighter - once * 16).max() < 1e-9)
  #expect(lines.plainShare < 0.1, "most pictures are left alone")
}

/// SDR is limited in R′G′B′ by default, and may have its hues kept.
@Test func sdr_ofWidePrimaries_isLimitedOrKeepsItsHue() throws {
  let p3 = ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .identity, range: .full)
  let red = SIMD3(1.0, 0, 0)
  #expect(try LightConversion(from: p3, to: .bt709).convert(red) == red)
  #expect(try LightConversion(from: p3, to: .bt709).convert(SIMD3(1.1, 1.1, 1.1)) == SIMD3(1, 1, 1))
  let policy = ColorConversionPolicy(gamutMapping: .preserveHue)
  let kept = try LightConversion(from: p3, to: .bt709, policy: policy).convert(red)
  #expect(kept.x > 0.97 && (0.15...0.3).contains(kept.y) && (0...0.1).contains(kept.z), "\(kept)")
  // Primaries that do not narrow keep what is above white and below black.
  #expect(try LightConversion(from: .bt709, to: .sRGB).convert(SIMD3(1.08, -0.05, 0.5)).max() > 1.05)
  #expect(try LightConversion(from: .bt709, to: p3).convert(SIMD3(1.08, 1.08, 1.08)).min() > 1.02)
}
