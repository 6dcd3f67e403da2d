import CompositorAPI

/// What libavfilter or a frei0r plugin brings, in this process.
struct ForeignPlugin: CompositorPlugin {
  let specification: PluginSpecification
  let factories: [CompositorFactory]
  let notes: [String]

  /// The filters of libavfilter.
  init() {
    specification = .avfilter
    factories = AVFilterCompositors.factories()
    notes = ["libavfilter", "\(factories.count) compositors"]
  }

  /// A frei0r plugin, which is opened and tried.
  ///
  /// - Parameter bytes: A path of what to load in the file's place.
  /// - Throws: `.pluginFailed`: why it cannot be used.
  init(frei0r path: String, bytes: String? = nil) throws(CompositorError) {
    let plugin = try Frei0rPlugin(path: path, bytes: bytes)
    specification = .frei0r(path: path)
    factories = [plugin.factory]
    notes = ["frei0r", plugin.descriptor.name]
  }
}
