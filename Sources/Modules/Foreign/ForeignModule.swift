import CompositorAPI
import ForeignCompositors

/// What libavfilter or a frei0r module brings, in this process.
struct ForeignModule: CompositorModule {
  let specification: ModuleSpecification
  let factories: [CompositorFactory]
  let notes: [String]

  /// The filters of libavfilter.
  init() {
    specification = .avfilter
    factories = AVFilterCompositors.factories()
    notes = ["libavfilter", "\(factories.count) compositors"]
  }

  /// A frei0r module, which is opened and tried.
  ///
  /// - Parameter bytes: A path of what to load in the file's place.
  /// - Throws: `.moduleFailed`: why it cannot be used.
  init(frei0r path: String, bytes: String? = nil) throws(CompositorError) {
    let module = try Frei0rModule(path: path, bytes: bytes)
    specification = .frei0r(path: path)
    factories = [module.factory]
    notes = ["frei0r", module.descriptor.name]
  }
}
