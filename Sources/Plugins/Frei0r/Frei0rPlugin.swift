package import CompositorAPI

/// A frei0r plugin that was opened, tried, and described as a compositor.
package struct Frei0rPlugin: Sendable {
  /// Its description as a compositor.
  package let descriptor: CompositorDescriptor
  let library: Frei0rLibrary
  let parameters: Frei0rParameters
  /// Whether its frames depend on earlier ones.
  let isTemporal: Bool

  /// Opens a plugin and tries it on a few small frames, which takes at most about a second if the plugin works. If that isn't
  /// certain, open it in another process with a deadline.
  ///
  /// - Parameter bytes: A path to load instead of the file.
  /// - Throws: `.pluginFailed` with the reason.
  package init(path: String, bytes: String? = nil) throws(CompositorError) {
    library = try Frei0rLibrary(path: path, bytes: bytes)
    let trial = try Frei0rTrial(library)
    parameters = Frei0rParameters(library.parameters, defaults: trial.defaults)
    isTemporal = trial.isTemporal
    let file = path.fileName
    descriptor = CompositorDescriptor(
      id: CompositorID(rawValue: "frei0r.\(file.hasSuffix(".so") ? String(file.dropLast(3)) : file)"), name: library.name,
      version: library.version, summary: library.summary
    ) { [library, parameters] in
      $0.sourceFormats = .any
      $0.outputFormats = [library.format]
      $0.colorHandling = .sdrOnly
      $0.concurrency = trial.isTemporal ? .inOrder : .concurrent
      $0.parameters = parameters.descriptions
      $0.role = library.kind == .filter ? .effect : .compositor
      $0.makesAlpha = trial.makesAlpha
    }
  }

  /// Makes its compositors in this process.
  package var factory: CompositorFactory {
    CompositorFactory(descriptor, plugin: library.path) { [self] _, context in
      try Frei0rCompositor(self, context: context)
    }
  }
}

/// libavfilter or a frei0r plugin, opened in this process.
struct InProcessPlugin: CompositorPlugin {
  let specification: PluginSpecification
  let factories: [CompositorFactory]
  let notes: [String]
  let digest: String?

  /// The filters of libavfilter.
  ///
  /// - Throws: `.compositorNotFound` if this program is not linked with them.
  init() throws(CompositorError) {
    specification = .avfilter
    factories = try LinkedFilters.compositors()
    notes = ["libavfilter", "\(factories.count) compositors"]
    digest = nil
  }

  /// A frei0r plugin, opened and tried.
  ///
  /// - Parameters:
  ///   - bytes: A path to load instead of the file.
  ///   - digest: The SHA-256 of these bytes; `nil` if it is unknown.
  /// - Throws: `.pluginFailed` with the reason if it cannot be used.
  init(frei0r path: String, bytes: String? = nil, digest: String? = nil) throws(CompositorError) {
    let plugin = try Frei0rPlugin(path: path, bytes: bytes)
    specification = .frei0r(path: path)
    factories = [plugin.factory]
    notes = ["frei0r", plugin.descriptor.name]
    self.digest = digest
  }
}
