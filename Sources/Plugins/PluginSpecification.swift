package import CompositorAPI

/// A plugin to open, as a value that can be sent to another process.
package enum PluginSpecification: Hashable, Sendable {
  /// A library that implements the C ABI of `compositor_plugin.h`.
  case binary(path: String)
  /// A frei0r plugin.
  case frei0r(path: String)
  /// The filters of the linked libavfilter.
  case avfilter

  /// The name for people.
  package var name: String {
    switch self {
    case .binary(let path), .frei0r(let path): path
    case .avfilter: "libavfilter"
    }
  }
}

extension PluginSpecification {
  /// Opens the plugin in this process; its code runs here from now on.
  ///
  /// - Throws: `.fileNotFound` or `.pluginFailed` with the reason if it cannot be opened.
  package func open() throws(CompositorError) -> any CompositorPlugin { try open(bytes: nil) }

  /// The plugin's file; `nil` for a collection.
  package var file: String? {
    switch self {
    case .binary(let path), .frei0r(let path): path
    case .avfilter: nil
    }
  }
}

extension PluginSpecification: LosslessStringConvertible {
  /// Parses the format of ``description``: `kind:rest`.
  package init?(_ description: String) {
    let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count > 1 ? parts[1] : "") {
    case ("binary", let path) where !path.isEmpty: self = .binary(path: path)
    case ("frei0r", let path) where !path.isEmpty: self = .frei0r(path: path)
    case ("avfilter", _): self = .avfilter
    default: return nil
    }
  }

  /// `binary:/path/to/plugin.so`.
  package var description: String {
    switch self {
    case .binary(let path): "binary:\(path)"
    case .frei0r(let path): "frei0r:\(path)"
    case .avfilter: "avfilter:"
    }
  }
}
