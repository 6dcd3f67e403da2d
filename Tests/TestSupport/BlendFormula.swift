/// W3C *Compositing and Blending Level 1*, sections 8 and 9, written again in double precision, as the specification has them.
package enum BlendFormula {
  /// A color that is not multiplied by its alpha.
  package struct Pixel {
    package var color: [Double]
    package var alpha: Double

    package init(_ color: [Double], alpha: Double = 1) {
      (self.color, self.alpha) = (color, alpha)
    }
  }

  /// The source on the backdrop, by the mode of a name such as `color-dodge`; `nil` for names that the specification does not have.
  package static func blend(_ source: Pixel, on backdrop: Pixel, mode: String) -> Pixel? {
    if mode == "plus-lighter" {
      let alpha = min(1, backdrop.alpha + source.alpha)
      return Pixel(
        zip(backdrop.color, source.color).map { alpha == 0 ? 0 : min(1, $0 * backdrop.alpha + $1 * source.alpha) / alpha },
        alpha: alpha)
    }
    guard let mixed = colors(mode, backdrop.color, source.color) else { return nil }
    let alpha = source.alpha + backdrop.alpha * (1 - source.alpha)
    let color = (0..<3).map { part in
      let blended = (1 - backdrop.alpha) * source.color[part] + backdrop.alpha * mixed[part]
      let sum = source.alpha * blended + (1 - source.alpha) * backdrop.alpha * backdrop.color[part]
      return alpha == 0 ? 0 : sum / alpha
    }
    return Pixel(color, alpha: alpha)
  }

  /// B(Cb, Cs).
  private static func colors(_ mode: String, _ b: [Double], _ s: [Double]) -> [Double]? {
    switch mode {
    case "hue": return setLum(setSat(s, sat(b)), lum(b))
    case "saturation": return setLum(setSat(b, sat(s)), lum(b))
    case "color": return setLum(s, lum(b))
    case "luminosity": return setLum(b, lum(s))
    default:
      let parts = zip(b, s).compactMap { separable(mode, $0, $1) }
      return parts.count == 3 ? parts : nil
    }
  }

  private static func separable(_ mode: String, _ b: Double, _ s: Double) -> Double? {
    switch mode {
    case "normal": return s
    case "multiply": return b * s
    case "screen": return b + s - b * s
    case "overlay": return hardLight(s, b)
    case "darken": return min(b, s)
    case "lighten": return max(b, s)
    case "color-dodge": return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
    case "color-burn": return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
    case "hard-light": return hardLight(b, s)
    case "soft-light":
      let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
      return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
    case "difference": return abs(b - s)
    case "exclusion": return b + s - 2 * b * s
    default: return nil
    }
  }

  private static func hardLight(_ b: Double, _ s: Double) -> Double {
    s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
  }

  private static func lum(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

  private static func sat(_ c: [Double]) -> Double { max(c[0], c[1], c[2]) - min(c[0], c[1], c[2]) }

  private static func setLum(_ c: [Double], _ l: Double) -> [Double] {
    let d = l - lum(c)
    return clip(c.map { $0 + d })
  }

  private static func clip(_ c: [Double]) -> [Double] {
    let (l, n, x) = (lum(c), min(c[0], c[1], c[2]), max(c[0], c[1], c[2]))
    var c = c
    if n < 0, l > n { c = c.map { l + ($0 - l) * l / (l - n) } }
    if x > 1, x > l { c = c.map { l + ($0 - l) * (1 - l) / (x - l) } }
    return c
  }

  /// The specification's way: the greatest component becomes s, the least 0, the one between follows.
  private static func setSat(_ c: [Double], _ s: Double) -> [Double] {
    let order = (0..<3).sorted { c[$0] < c[$1] }
    let (low, middle, high) = (order[0], order[1], order[2])
    var result = [0.0, 0, 0]
    guard c[high] > c[low] else { return result }
    result[middle] = (c[middle] - c[low]) * s / (c[high] - c[low])
    result[high] = s
    return result
  }
}
