extension String {
  /// The last component of a path, without slashes at its end; the whole text if it has none.
  package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
