package import CompositorAPI
package import CompositorPlugins

/// What to do about a compositor that isn't there.
package enum UnknownCompositor {
  /// Names nearby, or where to look.
  ///
  /// Names are compared by what stands behind the last dot, in the same collection first: `avfilter.gbulr` is near `avfilter.gblur`,
  /// however long the list of filters.
  package static func recoverySuggestion(for id: CompositorID, _ registry: CompositorRegistry) -> String {
    if let reason = AVFilterCompositors.unsuitable().first(where: { $0.id == id })?.reason {
      return "libavfilter has this filter, but it is not offered: \(reason)."
    }
    var names = near(id.rawValue, among: registry.descriptors.map(\.id.rawValue))
    // A misspelled "avfilter" opens no filters.
    if names.isEmpty { names = near(id.rawValue, among: AVFilterCompositors.factories().map(\.descriptor.id.rawValue)) }
    if !names.isEmpty { return "Did you mean \(names.map { "“\($0)”" }.joined(separator: " or "))?" }
    if id.rawValue.hasPrefix("avfilter.") || id.rawValue.hasPrefix("frei0r.") {
      return "See `compositor plugins list` for the filters of this machine."
    }
    return "List its plugin under plugins, or put it on the search path; `compositor plugins list` shows what is there."
  }

  /// Up to three names, the nearest first.
  static func near(_ name: String, among names: [String]) -> [String] {
    let asked = split(name)
    let limit = asked.last.count <= 4 ? 1 : asked.last.count <= 8 ? 2 : 3
    var found: [(name: String, distance: Int)] = []
    for candidate in names {
      let other = split(candidate)
      let distance = editDistance(asked.last.lowercased(), other.last.lowercased())
      let isSameCollection = other.first == asked.first
      // A right name in a collection that is misspelled; or a misspelled name, best in its own collection.
      guard distance <= limit, isSameCollection || editDistance(asked.first, other.first) <= 3 || distance == 0 else {
        continue
      }
      found.append((candidate, distance * 2 + (isSameCollection ? 0 : 1)))
    }
    guard let best = found.map(\.distance).min() else { return [] }
    return found.filter { $0.distance == best }.map(\.name).sorted().prefix(3).map { $0 }
  }

  /// What stands before and behind the last dot.
  private static func split(_ name: String) -> (first: String, last: String) {
    guard let dot = name.lastIndex(of: ".") else { return ("", name) }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }
}
