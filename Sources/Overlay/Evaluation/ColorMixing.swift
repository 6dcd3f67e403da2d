import CompositorAPI

extension LayerProperty {
  /// Whether its numbers are colors, of four components each.
  var holdsColors: Bool { isColor || self == .gradientColors }
}

/// Mixes colors with premultiplied alpha, as CSS Color 4 interpolates them: what is invisible has no color, so that a color
/// that fades away keeps its hue, whatever the components of the transparent one.
enum ColorMixing {
  /// Mixes lists of colors (R′, G′, B′, A each, not premultiplied).
  ///
  /// - Parameters:
  ///   - lists: Lists of the same length.
  ///   - straight: The mix of each number on its own, which is the same if all alphas are equal.
  ///   - mix: The mix of one number of each list.
  static func mix(_ lists: [[Double]], straight: [Double], _ mix: ([Double]) -> Double) -> [Double] {
    var result = straight
    for alpha in stride(from: 3, to: straight.count, by: 4) {
      let alphas = lists.map { $0[alpha] }
      // Without visible color there is nothing to divide.
      guard alphas.contains(where: { $0 != alphas[0] }), straight[alpha] > 0 else { continue }
      for part in alpha - 3..<alpha {
        let own = lists.map { $0[part] }
        let mixed = mix(zip(own, alphas).map { $0 * $1 }) / straight[alpha]
        // An easing that overshoots would divide by almost nothing.
        result[part] = min(max(mixed, own.reduce(0, min)), own.reduce(1, max))
      }
    }
    return result
  }
}
