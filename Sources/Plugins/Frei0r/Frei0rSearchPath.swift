import Foundation

/// Where frei0r plugins are looked for: the folders of the environment variable `FREI0R_PATH`, separated by colons, *instead
/// of* `~/.frei0r-1/lib`, `/usr/local/lib/frei0r-1`, `/usr/lib/frei0r-1` and the machine's own such as
/// `/usr/lib/x86_64-linux-gnu/frei0r-1`. The first plugin of a name is the one.
package struct Frei0rSearchPath: Hashable, Sendable {
  /// Folders, first to last.
  package var folders: [String]

  /// The path that an environment asks for; this process's unless given.
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

  /// The plugins that are there, by the name that makes their ID (`frei0r.glow` for `glow.so`); sorted.
  package var plugins: [(name: String, path: String)] {
    var found: [String: String] = [:]
    for folder in folders {
      // A folder that is not there brings nothing.
      for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where file.hasSuffix(".so") {
        let name = String(file.dropLast(3))
        if found[name] == nil { found[name] = "\(folder)/\(file)" }
      }
    }
    return found.sorted { $0.key < $1.key }.map { (name: $0.key, path: $0.value) }
  }
}
