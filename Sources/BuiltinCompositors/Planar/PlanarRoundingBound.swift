/// How far layers that are rounded one by one may end from exact arithmetic, in code values.
enum PlanarRoundingBound {
  /// What a sample may be off before it is mixed in: a reduced picture is rounded once, positions are kept to 1/4096.
  private static let resampled = 0.75

  /// Whether rounding after each layer could leave more than 1 code value (copies and dissolves) or 2 (resampling).
  static func exceedsTolerance(_ entries: [PlanarPlan.Entry]) -> Bool {
    var bounds: [Double] = []
    for (index, entry) in entries.enumerated() {
      let under = zip(entries[..<index], bounds).reduce(0.0) { worst, below in
        entry.geometry.overlaps(below.0.geometry) ? max(worst, below.1) : worst
      }
      bounds.append(bound(entry, over: under))
    }
    let isExact = entries.allSatisfy(\.geometry.isExactCopy)
    return bounds.contains { $0 > (isExact ? 0.99 : 1.9) }
  }

  private static func bound(_ entry: PlanarPlan.Entry, over under: Double) -> Double {
    let own = entry.geometry.isExactCopy ? 0 : resampled
    // Edges give every weight from nothing to the opacity; the bound is linear in the weight.
    let least = entry.geometry.isExactCopy ? entry.opacity : 0
    let isCopy = least == 1
    let worst = max((1 - least) * under + least * own, (1 - entry.opacity) * under + entry.opacity * own)
    return worst + (isCopy ? 0 : 0.5)
  }
}

extension PlanarGeometry {
  /// Whether the boxes that two layers may touch have samples in common.
  func overlaps(_ other: PlanarGeometry) -> Bool {
    !rows.intersection(other.rows).isEmpty && !columns.intersection(other.columns).isEmpty
  }
}
