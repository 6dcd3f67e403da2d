package import CompositorAPI

/// A file, library or collection that provides compositors at run time.
///
/// A plugin is opened once in the process where its code runs: this one if it is trusted, otherwise a worker, which opens it
/// again from its ``PluginSpecification``. Its contents don't change afterward, and it is never unloaded.
package protocol CompositorPlugin: Sendable {
  /// The specification with which another process opens the same plugin.
  var specification: PluginSpecification { get }
  /// The compositors that it provides.
  var factories: [CompositorFactory] { get }
  /// The audio processors that it provides. Default: none.
  var processors: [AudioProcessorFactory] { get }
  /// Human-readable lines about the plugin, such as its name and version.
  var notes: [String] { get }
  /// The SHA-256 of the bytes that were loaded, 64 lowercase hexadecimal digits; `nil` for a collection, and if nothing was
  /// loaded. Default: `nil`.
  var digest: String? { get }
  /// By the ID of a compositor or an audio processor, what its description says, but cannot mean. Default: nothing.
  var corrections: [String: [String]] { get }
}

extension CompositorPlugin {
  /// An empty list.
  package var processors: [AudioProcessorFactory] { [] }
  /// No digest.
  package var digest: String? { nil }
  /// An empty table.
  package var corrections: [String: [String]] { [:] }
}
