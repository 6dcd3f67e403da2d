package import CompositorAPI
import CompositorMediaIO

/// The compositors of libavfilter: one for each filter with one or two video inputs and one output, and `avfilter.graph` for
/// any graph in libavfilter's notation.
package enum AVFilterCompositors {
  /// The factories, sorted by ID.
  package static func factories() -> [CompositorFactory] {
    let single = FilterCatalog.filters.filter { FilterBehavior.unsuitability(of: $0.name) == nil }.map(factory)
    return (single + [graph]).sorted { $0.descriptor.id.rawValue < $1.descriptor.id.rawValue }
  }

  /// Why a filter with one or two video inputs and one output is not offered as a compositor; `nil` if it is, or if there is no such
  /// filter.
  static func unsuitability(of id: CompositorID) -> String? {
    guard let collection = id.collection, collection == .avfilter else { return nil }
    let name = collection.name(ofID: id.rawValue)
    if let reason = FilterAccess.refusalReason(of: name) { return reason }
    return FilterCatalog.filters.contains { $0.name == name } ? FilterBehavior.unsuitability(of: name) : nil
  }

  private static let plugin = "libavfilter \(FilterCatalog.version)"

  // MARK: a graph

  private static var graph: CompositorFactory {
    let descriptor = CompositorDescriptor(
      id: "avfilter.graph", name: "Filter graph", version: FilterCatalog.version,
      summary: "Any libavfilter graph with one or two inputs, [0] and [1], and one output."
    ) {
      $0.sourceFormats = .any
      $0.colorHandling = .conformsItself
      $0.concurrency = .inOrder
      $0.parameters = [
        ParameterDescription(
          "graph", .string, summary: "The graph, as for ffmpeg's -filter_complex: “[0]gblur=sigma=8,hue=s=0”.")
      ]
    }
    return CompositorFactory(descriptor, plugin: plugin) { parameters, context in
      guard case .string(let text)? = parameters["graph"], !text.isEmpty else {
        throw CompositorError(
          .invalidParameter, "“graph” is missing.", recoverySuggestion: "Write a graph, such as “gblur=sigma=8”.",
          at: ErrorLocation(compositor: descriptor.id))
      }
      let recipe = FilterCompositor.Recipe(id: descriptor.id, behavior: FilterBehavior(graph: text)) { _ in text }
      return try FilterCompositor(recipe, context: context)
    }
  }

  // MARK: a filter

  private static func factory(_ filter: FilterDescription) -> CompositorFactory {
    let isTransition = filter.name == "xfade"
    // The instruction is the transition, so its start and duration are known.
    let parameters = FilterParameters(filter: filter, hidden: isTransition ? ["duration", "offset"] : [])
    let behavior = FilterBehavior(filter: filter.name)
    let descriptor = CompositorDescriptor(
      id: CompositorID(rawValue: "avfilter.\(filter.name)"), name: filter.name, version: FilterCatalog.version,
      summary: filter.summary
    ) {
      $0.sourceFormats = .any
      $0.colorHandling = .conformsItself
      $0.concurrency = behavior == .inOrder ? .inOrder : .concurrent
      $0.parameters = parameters.descriptions
      $0.role = isTransition ? .transition : filter.inputCount == 1 ? .effect : .compositor
    }
    return CompositorFactory(descriptor, plugin: plugin) { values, context in
      let text = parameters.text(values)
      if behavior != .inOrder, FilterBehavior.countsPictures(text) {
        throw CompositorError(
          .invalidParameter, "“\(text)” counts frames, which may be requested in any order.",
          recoverySuggestion: "Use t, the time in seconds, or write the filter as an avfilter.graph.",
          at: ErrorLocation(compositor: descriptor.id))
      }
      var recipe = FilterCompositor.Recipe(id: descriptor.id, behavior: behavior, inputCount: filter.inputCount) {
        isTransition ? transition(text, over: $0.timeRange.duration) : text
      }
      let initial = parameters.settings(values)
      recipe.settings = { current in
        let current = parameters.settings(values.merging(current) { _, new in new })
        return FilterSettings(filter: filter.name, initial: initial, current: current)
      }
      return try FilterCompositor(recipe, context: context)
    }
  }

  /// xfade over a whole instruction. libavfilter counts durations in microseconds and rounds them to its time base.
  private static func transition(_ text: String, over duration: MediaTime) -> String {
    let microseconds = duration.converted(toTimescale: 1_000_000).value
    return "\(text)\(text.contains("=") ? ":" : "=")duration=\(microseconds)us:offset=0"
  }
}
