package import CompositorAPI

/// A file, library or collection that brings compositors at run time.
///
/// A module is opened once, where its code runs: in this process where it is trusted, else in a helper process, which opens
/// it again from its ``ModuleSpecification``. What it brings does not change afterwards, and it is never unloaded.
package protocol CompositorModule: Sendable {
  /// What to open to get the same module in another process.
  var specification: ModuleSpecification { get }
  /// What it brings, in an order of its own.
  var factories: [CompositorFactory] { get }
  /// Lines about it for people, such as its name and version.
  var notes: [String] { get }
}
