import CompositorPlatform

/// The names in a folder, without `.` and `..`.
package enum FolderListing {
  /// Empty if there is no such folder.
  package static func names(in folder: String) -> [String] {
    opendir(folder).map(read) ?? []
  }

  static func names(inDescriptor descriptor: Int32) -> [String] {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    // The duplicate descriptor shares its position with the original.
    rewinddir(stream)
    return read(stream)
  }

  private static func read(_ stream: OpaquePointer) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
