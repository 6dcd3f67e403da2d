import Foundation

/// The search path for frei0r plugins: the folders of the environment variable `FREI0R_PATH`, separated by colons, or
/// *instead* `~/.frei0r-1/lib`, `/usr/local/lib/frei0r-1`, `/usr/lib/frei0r-1` and the architecture's own folder, such as
/// `/usr/lib/x86_64-linux-gnu/frei0r-1`. If several plugins have the same name, the first one is used.
package struct Frei0rSearchPath: Hashable, Sendable {
  /// Folders, first to last.
  package var folders: [String]

  /// The search path of an environment; this process's by default.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    if let override = environment["FREI0R_PATH"], !override.isEmpty {
      folders = override.split(separator: ":").map(String.init)
      return
    }
    folders = environment["HOME"].map { ["\($0)/.frei0r-1/lib"] } ?? []
    folders += ["/usr/local/lib/frei0r-1", "/usr/lib/frei0r-1", "/usr/lib64/frei0r-1"]
    #if arch(x86_64)
      folders.append("/usr/lib/x86_64-linux-gnu/frei0r-1")
    #elseif arch(arm64)
      folders.append("/usr/lib/aarch64-linux-gnu/frei0r-1")
    #endif
  }

  /// The plugins found, by the name used in their ID (`frei0r.glow` for `glow.so`); sorted.
  package var plugins: [(name: String, path: String)] {
    var found: [String: String] = [:]
    for folder in folders {
      // Missing folders are ignored.
      for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where file.hasSuffix(".so") {
        let name = String(file.dropLast(3))
        if found[name] == nil { found[name] = "\(folder)/\(file)" }
      }
    }
    return found.sorted { $0.key < $1.key }.map { (name: $0.key, path: $0.value) }
  }
}
