package import CompositorMediaIO

/// Which options of a filter take new values from picture to picture, so that their parameters may have keyframes.
package enum FilterCommands {
  /// Whether a graph that is given a value while it works makes the pictures that a graph with that value makes.
  package static func takes(_ option: FilterOption, of filter: String) -> Bool {
    if let names = unmarked[filter], names.contains(option.name) { return true }
    return option.isRuntime && unsound[filter]?.contains(option.name) != true
  }

  /// Options that filters take as commands although libavfilter does not mark them.
  private static let unmarked: [String: Set<String>] = ["overlay": ["x", "y"]]

  /// Options that libavfilter marks, of which a test has shown that a value given later makes another picture than the same value
  /// given first, or none at all.
  package static let unsound: [String: Set<String>] = ["pseudocolor": ["index"]]

  /// Options that follow another one as long as they have their default. The filters look at that once, when they are made, so the
  /// one that follows is told with the one that leads.
  static let followers: [String: [(leader: String, follower: String)]] = [
    "gblur": [("sigma", "sigmaV")], "avgblur": [("sizeX", "sizeY")], "median": [("radius", "radiusV")],
  ]
}
