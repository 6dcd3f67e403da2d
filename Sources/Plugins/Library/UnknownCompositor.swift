package import CompositorAPI

/// Suggestions for the name of a compositor or an audio processor that isn't registered.
package enum UnknownCompositor {
  /// Similar names, or where to look.
  ///
  /// Names are compared by the part after the last dot, in the same collection first: `avfilter.gbulr` is near
  /// `avfilter.gblur`, regardless of the number of filters.
  package static func advice(for id: CompositorID, _ registry: CompositorRegistry) -> Advice {
    if let reason = LinkedFilters.unsuitability(of: id) {
      return "libavfilter has this filter, but it is not offered: \(reason)."
    }
    var names = near(id.rawValue, among: registry.descriptors.map(\.id.rawValue))
    // Filters aren't loaded for a misspelled "avfilter".
    if names.isEmpty { names = near(id.rawValue, among: LinkedFilters.compositorIDs.map(\.rawValue)) }
    if !names.isEmpty { return "Did you mean \(names.map { "“\($0)”" }.joined(separator: " or "))?" }
    if id.collection != nil {
      return "See \(operation: .listPlugins) for the filters of this machine."
    }
    return """
      List its plugin under plugins, or put it on the search path (\(operation: .listPlugins)); in Swift, register \
      its type and pass the registry.
      """
  }

  /// Similar names of audio processors, or where to look.
  package static func advice(for id: AudioProcessorID, _ registry: CompositorRegistry) -> Advice {
    if let reason = LinkedFilters.unsuitability(of: id) {
      return "libavfilter has this filter, but it is not offered: \(reason)."
    }
    let names = near(id.rawValue, among: registry.audioProcessorDescriptors.map(\.id.rawValue))
    guard names.isEmpty else { return "Did you mean \(names.map { "“\($0)”" }.joined(separator: " or "))?" }
    return "Register it, or list its plugin under plugins; \(operation: .listCompositors) shows what is there."
  }

  /// The identifier of the filter of libavfilter that a name without a collection means, such as `gblur`; `nil` if this program has
  /// none.
  package static func filter(named name: String) -> CompositorID? {
    let id = CompositorID(rawValue: FilterCollection.avfilter.prefix + name)
    return LinkedFilters.compositorIDs.contains(id) ? id : nil
  }

  /// Up to three names, the nearest first.
  private static func near(_ name: String, among names: [String]) -> [String] {
    let asked = split(name)
    let limit = nearLimit(asked.last)
    var found: [(name: String, distance: Int)] = []
    for candidate in names {
      let other = split(candidate)
      let distance = editDistance(asked.last.lowercased(), other.last.lowercased())
      let isSameCollection = other.first == asked.first
      // Either the collection is misspelled, or the name, preferably within its own collection.
      guard distance <= limit, isSameCollection || editDistance(asked.first, other.first) <= 3 || distance == 0 else {
        continue
      }
      found.append((candidate, distance * 2 + (isSameCollection ? 0 : 1)))
    }
    guard let best = found.map(\.distance).min() else { return [] }
    return found.filter { $0.distance == best }.map(\.name).sorted().prefix(3).map { $0 }
  }

  /// The parts before and after the last dot.
  private static func split(_ name: String) -> (first: String, last: String) {
    guard let dot = name.lastIndex(of: ".") else { return ("", name) }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }
}
