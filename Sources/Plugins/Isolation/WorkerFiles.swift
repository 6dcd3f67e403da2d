import CCompositorPluginProcess
import Foundation

/// The files that a worker may read: the system's libraries and the plugin's own.
enum WorkerFiles {
  /// An address that represents missing pixels.
  nonisolated(unsafe) static let nowhere = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)

  /// All of /proc, because libdispatch looks up each of its threads there and ends the process if it cannot. If it isn't the
  /// worker's own, Landlock protects private data of other processes there.
  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts",
    "/etc/localtime", "/etc/alternatives", "/dev/null", "/dev/urandom", "/proc", "/sys/devices/system",
  ]

  /// Applies the restrictions that the system supports.
  ///
  /// - Returns: The bits of the restrictions in effect.
  static func confine(for specification: PluginSpecification) -> Int32 {
    let lists = [system, own(specification)].map { $0.map { strdup($0) } }
    let folder = resources(specification).map { strdup($0) } ?? nil
    defer { for path in lists.joined() + [folder] { free(path) } }
    let (first, second) = (lists[0].map { UnsafePointer($0) }, lists[1].map { UnsafePointer($0) })
    return module_worker_confine(first, Int32(first.count), second, Int32(second.count), folder)
  }

  /// The plugin, and libraries beside it. Symbolic links beside it could lead anywhere, and are not followed.
  private static func own(_ specification: PluginSpecification) -> [String] {
    guard let file = specification.file else { return [] }
    let (folder, name) = place(of: file)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let libraries = names.filter(isLibrary).map { "\(folder)/\($0)" }
    return ["\(folder)/\(name)", PluginTrust.real(file)] + libraries
  }

  /// Whether a file has a library's name: `.so`, with a version of digits and dots after it or without. `id.so.pem` is another
  /// program's.
  static func isLibrary(_ name: String) -> Bool {
    guard let end = name.ranges(of: ".so").last?.upperBound else { return false }
    let version = name[end...]
    return version.isEmpty || version.hasPrefix(".") && version.allSatisfy { $0 == "." || "0"..."9" ~= $0 }
  }

  /// The folder beside a plugin from which it may read: `glow.resources` for `glow.so`. A folder of another name was not made
  /// for the plugin: beside `.ssh.so` may be `.ssh`.
  static func resources(_ specification: PluginSpecification) -> String? {
    guard let file = specification.file else { return nil }
    let (folder, name) = place(of: file)
    return "\(folder)/\(URL(filePath: name).deletingPathExtension().lastPathComponent).resources"
  }

  /// The folder that contains a file or a link to it, with links to the folder followed, and the name in it.
  private static func place(of file: String) -> (folder: String, name: String) {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    let start = file.hasPrefix("/") ? "/" : "."
    return (PluginTrust.real(folder.isEmpty ? start : folder), String(parts.last ?? ""))
  }
}
