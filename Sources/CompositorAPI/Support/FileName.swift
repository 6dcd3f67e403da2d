/// Parts of a path: folder and name.
package enum FileName {
  /// The folder of a path; `.` for a name alone.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The folder of a path with its slash; empty for a name alone.
  package static func prefix(of path: String) -> Substring { path.lastIndex(of: "/").map { path[...$0] } ?? "" }

  /// What follows the last slash of a path.
  package static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }
}

extension String {
  /// The last component of a path, without slashes at its end; the whole text if it has none.
  package var fileName: String { split(separator: "/").last.map(String.init) ?? self }

  /// What follows the last dot in the name of a file, in lowercase; `nil` if there is no dot.
  package var fileExtension: String? {
    let name = fileName
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
  }
}
