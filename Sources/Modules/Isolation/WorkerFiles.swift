import CModuleProcess
import Foundation

/// The files that a helper may read: the system's libraries and the module's own.
enum WorkerFiles {
  /// An address that stands for pixels which are not there.
  nonisolated(unsafe) static let nowhere = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)

  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts",
    "/etc/localtime",
    "/etc/alternatives", "/dev/null", "/dev/zero", "/dev/urandom",
    // All of it: libdispatch reads /proc/N/stat of its threads, and aborts where it may not.
    "/proc",
    "/sys/devices/system",
  ]

  /// Puts up the walls that the system offers.
  ///
  /// - Returns: The bits of what is denied from now on.
  static func confine(for specification: ModuleSpecification) -> Int32 {
    let readable = system + loadedLibraryFolders + own(specification)
    let list: [UnsafeMutablePointer<CChar>?] = readable.map { strdup($0) }
    defer { for path in list { free(path) } }
    return module_worker_confine(list.map { UnsafePointer($0) }, Int32(list.count))
  }

  /// The module, libraries beside it, and the folder beside it that has its name.
  private static func own(_ specification: ModuleSpecification) -> [String] {
    guard let file = specification.file else { return [] }
    let url = URL(filePath: file).standardizedFileURL
    let folder = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let libraries = names.filter { $0.hasSuffix(".so") || $0.contains(".so.") }.map { folder.appending(path: $0).path }
    return [url.path, url.deletingPathExtension().path, url.resolvingSymlinksInPath().path] + libraries
  }

  /// Where this program's own libraries are: a toolchain may stand anywhere.
  private static var loadedLibraryFolders: [String] {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return [] }
    let files = maps.split(separator: "\n").compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    return Set(files.filter { $0.contains(".so") }.map { URL(filePath: $0).deletingLastPathComponent().path }).sorted()
  }
}
