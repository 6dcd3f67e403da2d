/// What a program does for its user, where a message recommends it.
///
/// A message names operations as the program that shows it calls them. The description is in words, and `compositor` names its commands.
package enum ProgramOperation: String, Hashable, Sendable, Codable, CaseIterable {
  /// Lists the tracks of media.
  case probe
  /// Renders a movie in one piece.
  case render
  /// Makes the plan of a movie that is rendered in parts.
  case plan
  /// Lists the compositors that are registered.
  case listCompositors
  /// Lists the plugins of the search path and what they provide.
  case listPlugins
  /// Describes a plugin, with the SHA-256 of its file.
  case inspectPlugin
  /// Tests whether a plugin keeps its contract.
  case checkPlugin
}

extension ProgramOperation: CustomStringConvertible {
  /// The operation as a phrase with a verb in the singular after it: `a probe of the file`.
  package var description: String {
    switch self {
    case .probe: "a probe of the file"
    case .render: "a render in one piece"
    case .plan: "the planning of a movie"
    case .listCompositors: "the list of compositors"
    case .listPlugins: "the list of plugins"
    case .inspectPlugin: "the inspection of the plugin"
    case .checkPlugin: "the check of the plugin"
    }
  }
}
