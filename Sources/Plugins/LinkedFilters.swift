import CCompositorPluginProcess
package import CompositorAPI

/// What libavfilter provides, in programs that are linked with it.
///
/// The programs of workers that open plugins' files are not, because loading libavfilter and what it is linked with takes ten
/// times as long as everything else that they need. The target of the filters is above this one, which therefore finds it by
/// a symbol: it is there in every program that contains the target.
package protocol FilterProvider: AnyObject, Sendable {
  /// The compositors, sorted by ID.
  func compositors() -> [CompositorFactory]
  /// The audio processors, sorted by ID.
  var processors: [AudioProcessorFactory] { get }
  /// The audio processor of a name such as `avfilter.aecho`; `nil` if there is none.
  func processor(_ id: AudioProcessorID) -> AudioProcessorFactory?
  /// Why a filter of libavfilter is not offered as a compositor, without a period; `nil` if it is, or if there is no such filter.
  func unsuitability(of id: CompositorID) -> String?
  /// Why a filter of libavfilter is not offered as an audio processor, without a period; `nil` if it is, or if it isn't known.
  func unsuitability(of id: AudioProcessorID) -> String?
}

/// Represents a provider in C.
package final class FilterProviderBox: Sendable {
  fileprivate let provider: any FilterProvider

  /// Makes a box for a provider.
  package init(_ provider: any FilterProvider) { self.provider = provider }
}

/// The filters that this program is linked with.
enum LinkedFilters {
  private static let provider: (any FilterProvider)? = module_filters().map {
    Unmanaged<FilterProviderBox>.fromOpaque($0).takeUnretainedValue().provider
  }

  static var processors: [AudioProcessorFactory] { provider?.processors ?? [] }

  static func processor(_ id: AudioProcessorID) -> AudioProcessorFactory? { provider?.processor(id) }

  /// The identifiers of the compositors, sorted; empty if there are none.
  static var compositorIDs: [CompositorID] { provider?.compositors().map(\.descriptor.id) ?? [] }

  static func unsuitability(of id: CompositorID) -> String? { provider?.unsuitability(of: id) }

  static func unsuitability(of id: AudioProcessorID) -> String? { provider?.unsuitability(of: id) }

  /// - Throws: `.compositorNotFound` if there are none.
  static func compositors() throws(CompositorError) -> [CompositorFactory] {
    guard let provider else {
      throw CompositorError(
        .compositorNotFound, "This program is not linked with libavfilter.",
        recoverySuggestion: "Use the tool “compositor”, or a program that imports Compositor.")
    }
    return provider.compositors()
  }
}
