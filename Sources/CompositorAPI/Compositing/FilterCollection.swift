/// A collection of filters of another project, which has a namespace of identifiers: `avfilter.gblur` is libavfilter's `gblur`.
package enum FilterCollection: String, CaseIterable, Sendable {
  case avfilter, frei0r

  /// With what the identifiers of its filters begin.
  package var prefix: String { "\(rawValue)." }

  /// The collection that an identifier names; `nil` for one of the host or of a plugin.
  package init?(ofID id: String) {
    guard let found = Self.allCases.first(where: { id.hasPrefix($0.prefix) }) else { return nil }
    self = found
  }

  /// The name that the collection itself gives a filter.
  package func name(ofID id: String) -> String { String(id.dropFirst(prefix.count)) }
}

extension CompositorID {
  /// The collection to which the filter belongs; `nil` for a compositor of the host or of a plugin.
  package var collection: FilterCollection? { FilterCollection(ofID: rawValue) }
}

extension AudioProcessorID {
  /// The collection to which the filter belongs; `nil` for a processor of a plugin or of a Swift type.
  package var collection: FilterCollection? { FilterCollection(ofID: rawValue) }
}
