package import CompositorAPI

/// A file, library or collection that brings compositors at run time.
///
/// A plugin is opened once, where its code runs: in this process where it is trusted, else in a worker process, which opens
/// it again from its ``PluginSpecification``. What it brings does not change afterwards, and it is never unloaded.
package protocol CompositorPlugin: Sendable {
  /// What to open to get the same plugin in another process.
  var specification: PluginSpecification { get }
  /// What it brings, in an order of its own.
  var factories: [CompositorFactory] { get }
  /// The audio processors that it brings.
  var processors: [AudioProcessorFactory] { get }
  /// Lines about it for people, such as its name and version.
  var notes: [String] { get }
}

extension CompositorPlugin {
  /// None.
  package var processors: [AudioProcessorFactory] { [] }
}
