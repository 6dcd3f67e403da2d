import CompositorPlatform
import Synchronization

/// Maps colors into a gamut along lines of constant hue and intensity: ``ColorConversionPolicy/GamutMapping/preserveHue``.
///
/// The lines are those of ICtCp (ITU-R BT.2100) with a power of 1/12 instead of PQ, which are within 2° of ICtCp's hue from 50
/// to 1000 cd/m² and independent of exposure. Therefore the distance from gray at which a line leaves the gamut depends only on
/// the hue, and a later roll-off of highlights doesn't shift hues again.
///
/// Distances are fractions of the way from gray to the boundary. Distances up to ``knee`` don't change; `d` beyond it becomes
/// `(d − knee²) / (d + 1 − 2 knee)`, which reaches the boundary at infinity.
package struct HueLines: Sendable {
  /// The matrix from linear R, G, B to L, M, S.
  package let toLMS: Matrix3
  /// The inverse of ``toLMS``.
  package let toRGB: Matrix3
  /// If the smallest component is at least this fraction of the largest, the color is below the knee at any hue.
  package let plainShare: Double
  /// The reciprocal of the boundary's distance from gray, in |Ct| + |Cp| for an intensity of 1, at equal steps of
  /// ``turn(_:_:)``.
  package let reciprocals: [Double]

  /// The fraction of the way to the boundary up to which colors don't change.
  package static let knee = 0.95
  /// The number of hue steps.
  package static let cellCount = 512
  /// The coefficients of L′, M′ and S′ in Ct and Cp.
  package static let chroma = (
    SIMD3(6610, -13613, 7003) / 4096.0, SIMD3(17933, -17390, -543) / 4096.0
  )
  private static let known = Mutex<[ColorPrimaries: HueLines]>([:])

  /// The lines of a gamut, cached; `nil` if the primaries aren't defined. The first call for a gamut takes milliseconds.
  package static func of(_ primaries: ColorPrimaries) -> HueLines? {
    if let lines = known.withLock({ $0[primaries] }) { return lines }
    guard let lines = HueLines(primaries) else { return nil }
    known.withLock { $0[primaries] = lines }
    return lines
  }

  private init?(_ primaries: ColorPrimaries) {
    let bt2100 = Matrix3(SIMD3(1688, 2146, 262) / 4096, SIMD3(683, 2951, 462) / 4096, SIMD3(99, 309, 3688) / 4096)
    let axes = Matrix3(SIMD3(0.5, 0.5, 0), HueLines.chroma.0, HueLines.chroma.1)
    guard let wide = primaries.conversion(to: .bt2020), let back = (bt2100 * wide).inverted, let roots = axes.inverted
    else { return nil }
    (toLMS, toRGB) = (bt2100 * wide, back)
    let edges = (0...HueLines.cellCount).map { HueLines.edge($0, roots, back) }
    reciprocals = HueLines.eased(edges.map(\.distance)).map { 1 / $0 }
    plainShare = 1.2 * (edges.map(\.share).max() ?? 1)
  }

  /// The distance at which a line leaves the gamut, and the smallest ratio of the least to the greatest component below the
  /// knee.
  private static func edge(_ cell: Int, _ roots: Matrix3, _ toRGB: Matrix3) -> (distance: Double, share: Double) {
    let w = 4 * Double(cell) / Double(cellCount) - 1
    let y = w <= 1 ? w : 2 - w
    let x = w <= 1 ? 1 - abs(y) : abs(y) - 1
    func light(_ distance: Double) -> SIMD3<Double>? {
      let lms = roots * SIMD3(1, x * distance, y * distance)
      guard lms.min() >= 0 else { return nil }
      let squares = lms * lms
      let fourths = squares * squares
      return toRGB * (fourths * fourths * fourths)
    }
    // The line to a blue primary runs slightly outside of the gamut before it ends there.
    func isInside(_ distance: Double) -> Bool { light(distance).map { $0.min() >= -0.0012 * $0.max() } ?? false }
    var inside = 0.0
    let step = 1.0 / 64
    while isInside(inside + step) { inside += step }
    var outside = inside + step
    for _ in 0..<40 {
      let middle = (inside + outside) / 2
      if isInside(middle) { inside = middle } else { outside = middle }
    }
    let below = light(inside * knee) ?? SIMD3(1, 1, 1)
    return (inside, below.min() / below.max())
  }

  /// Smooths the distances so that steps aren't visible. Next to a blue primary, which is on a spike of the boundary, lines
  /// then end slightly outside of it.
  private static func eased(_ distances: [Double]) -> [Double] {
    let step = 0.045
    var result = distances
    for cell in result.indices.dropFirst() { result[cell] = max(result[cell], result[cell - 1] - step) }
    for cell in result.indices.dropLast().reversed() { result[cell] = max(result[cell], result[cell + 1] - step) }
    return result
  }

  /// The hue as a position 0 … 4 along a square around gray, which needs no arc tangent.
  private static func turn(_ ct: Double, _ cp: Double) -> Double {
    let size = abs(ct) + abs(cp)
    let share = size > 0 ? cp / size : 0
    return (ct < 0 ? 2 - share : share) + 1
  }

  /// Maps light into the gamut, so that no component is below 0. The upper limit isn't checked.
  package func map(_ light: SIMD3<Double>) -> SIMD3<Double> {
    guard light.min() < plainShare * light.max() else { return light }
    let lms = toLMS * light
    let positive = pointwiseMax(lms, SIMD3())
    var roots = SIMD3(pow(positive.x, 1.0 / 12), pow(positive.y, 1.0 / 12), pow(positive.z, 1.0 / 12))
    let intensity = max((roots.x + roots.y) / 2, 0x1p-12)
    let (ct, cp) = ((roots * HueLines.chroma.0).sum() / intensity, (roots * HueLines.chroma.1).sum() / intensity)
    let place = HueLines.turn(ct, cp) * Double(HueLines.cellCount / 4)
    let cell = min(Int(place), HueLines.cellCount - 1)
    let reciprocal = reciprocals[cell] + (reciprocals[cell + 1] - reciprocals[cell]) * (place - Double(cell))
    let distance = (abs(ct) + abs(cp)) * reciprocal
    let knee = HueLines.knee
    guard distance > knee else { return pointwiseMax(light, SIMD3()) }
    let mapped = (distance - knee * knee) / (distance * (distance + 1 - 2 * knee))
    // Limit components that are almost zero, which couldn't be restored.
    roots = pointwiseMax(roots, SIMD3(repeating: intensity / 16))
    let moved = SIMD3(repeating: intensity) + (roots - SIMD3(repeating: intensity)) * mapped
    return pointwiseMax(toRGB * SIMD3(pow(moved.x, 12), pow(moved.y, 12), pow(moved.z, 12)), SIMD3())
  }
}
