import CModuleProcess

/// What a helper process is denied, as far as this system can.
package struct ModuleWalls: Codable, Hashable, Sendable {
  /// A network of its own without interfaces (user namespaces), or no sockets (seccomp).
  package var network: Bool
  /// A process space of its own (user namespaces), or no new processes and no signals to others (seccomp).
  package var processes: Bool
  /// No files but the module's folder and the system's libraries, to be read (Landlock).
  package var files: Bool
  /// No tracing, mounting, keys and the like (seccomp).
  package var systemCalls: Bool

  init(bits: Int32) {
    network = bits & Int32(MODULE_WALL_NETWORK) != 0
    processes = bits & Int32(MODULE_WALL_PROCESSES) != 0
    files = bits & Int32(MODULE_WALL_FILES) != 0
    systemCalls = bits & Int32(MODULE_WALL_CALLS) != 0
  }

  /// What is denied and what this system cannot deny, for people.
  package var text: String {
    let parts = [("network", network), ("other files", files), ("processes", processes), ("system calls", systemCalls)]
    let denied = parts.filter(\.1).map(\.0), open = parts.filter { !$0.1 }.map(\.0)
    let first = denied.isEmpty ? "nothing" : denied.joined(separator: ", ")
    return open.isEmpty ? "no \(first)" : "no \(first); this system cannot deny: \(open.joined(separator: ", "))"
  }
}
