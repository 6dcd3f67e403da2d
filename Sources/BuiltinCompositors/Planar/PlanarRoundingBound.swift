/// The deviation from exact arithmetic, in code values, if layers are rounded one by one.
enum PlanarRoundingBound {
  /// Maximum error of a resampled sample before mixing: a reduced plane is rounded once, positions are kept to 1/4096.
  private static let resampled = 0.75

  /// Whether rounding after each layer could exceed an error of 1 code value (copies and dissolves) or 2 (resampling).
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
    // Edges give every weight from 0 to the opacity; the bound is linear in the weight.
    let least = entry.geometry.isExactCopy ? entry.layer.opacity : 0
    let isCopy = least == 1
    let worst = max((1 - least) * under + least * own, (1 - entry.layer.opacity) * under + entry.layer.opacity * own)
    return worst + (isCopy ? 0 : 0.5)
  }
}

extension PlanarGeometry {
  /// Whether the boxes that two layers may touch have samples in common.
  func overlaps(_ other: PlanarGeometry) -> Bool {
    !rows.intersection(other.rows).isEmpty && !columns.intersection(other.columns).isEmpty
  }
}
