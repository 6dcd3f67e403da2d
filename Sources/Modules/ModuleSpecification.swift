package import CompositorAPI

/// Which module to open: a value that another process understands.
package enum ModuleSpecification: Hashable, Sendable {
  /// A file that speaks the C ABI of `compositor_plugin.h`.
  case binary(path: String)

  /// What people call it.
  package var name: String {
    switch self {
    case .binary(let path): path
    }
  }
}

extension ModuleSpecification {
  /// Opens the module in this process: its code runs here from now on.
  ///
  /// - Throws: `.fileNotFound`, `.moduleFailed`: why it cannot be opened.
  package func open() throws(CompositorError) -> any CompositorModule {
    switch self {
    case .binary(let path): try BinaryModule(path: path)
    }
  }

  /// The file that the module is; nil for a collection.
  package var file: String? {
    switch self {
    case .binary(let path): path
    }
  }
}

extension ModuleSpecification: LosslessStringConvertible {
  /// Reads what ``description`` writes: `kind:rest`.
  package init?(_ description: String) {
    let parts = description.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count > 1 ? parts[1] : "") {
    case ("binary", let path) where !path.isEmpty: self = .binary(path: path)
    default: return nil
    }
  }

  /// `binary:/path/to/module.so`.
  package var description: String {
    switch self {
    case .binary(let path): "binary:\(path)"
    }
  }
}
