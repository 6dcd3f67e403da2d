import CompositorAPI
import CompositorPlugins

/// What the target of plugins finds of this one; see ``FilterProvider``.
private final class LinkedFilterProvider: FilterProvider {
  static let box = FilterProviderBox(LinkedFilterProvider())

  func compositors() -> [CompositorFactory] { AVFilterCompositors.factories() }
  var processors: [AudioProcessorFactory] { AVFilterProcessors.factories }
  func processor(_ id: AudioProcessorID) -> AudioProcessorFactory? { AVFilterProcessors.factory(id) }
  func unsuitability(of id: CompositorID) -> String? { AVFilterCompositors.unsuitability(of: id) }
  func unsuitability(of id: AudioProcessorID) -> String? {
    id.collection.flatMap { $0 == .avfilter ? AVFilterProcessors.unsuitability(of: $0.name(ofID: id.rawValue)) : nil }
  }
}

/// The filters of libavfilter, for the target of plugins; not for other callers.
@_cdecl("module_linked_filters")
package func linkedFilters() -> UnsafeMutableRawPointer { Unmanaged.passUnretained(LinkedFilterProvider.box).toOpaque() }
