package import CompositorAPI
package import CompositorOverlay
import Synchronization

/// The fonts of the last project, for projects that are loaded one after another: loading fonts takes a fraction of a second.
package final class SharedFonts: Sendable {
  /// The fonts of the last project, and the files that they come from.
  private let known = Mutex<(files: [String], library: FontLibrary)?>(nil)

  package init() {}

  /// The fonts of a project. They are loaded only if they differ from those of the last one.
  package func library(for file: ProjectFile) throws(CompositorError) -> FontLibrary {
    if let known = known.withLock({ $0 }), known.files == file.fonts { return known.library }
    let library = try file.loadFonts()
    known.withLock { $0 = (file.fonts, library) }
    return library
  }
}
