import CompositorAPI
import MediaIO

/// What could not be decoded of several sources.
package struct DamagedMedia: Sendable {
  private var damage: [MediaSource: MediaDamage] = [:]

  /// All is well.
  package init() {}

  /// Adds what one reader met.
  mutating func add(_ found: MediaDamage?, in source: MediaSource) {
    guard var found else { return }
    found.count += damage[source]?.count ?? 0
    damage[source] = found
  }

  /// Adds what others found.
  mutating func add(_ other: DamagedMedia) {
    for (source, found) in other.damage { add(found, in: source) }
  }

  /// A sentence for each source, in the order of their names.
  func warnings(_ kind: MediaWarning.Kind) -> [MediaWarning] {
    damage.sorted { $0.key.description < $1.key.description }.map { source, found in
      let what = kind == .damagedSound ? "sound" : "pictures"
      let instead = kind == .damagedSound ? "silence stands in" : "what could be saved, or the pictures around, stand in"
      let reason = found.reason.isEmpty ? "" : " (\(found.reason))"
      return MediaWarning(
        kind,
        "\(source): \(found.count) damaged \(found.count == 1 ? "packet" : "packets") of \(what) could not be decoded\(reason); \(instead)."
      )
    }
  }
}
