import CCompositorPluginProcess

/// What a worker process is denied, as far as this system can.
package struct SandboxPolicy: Codable, Hashable, Sendable {
  /// A network of its own without interfaces (user namespaces), or no sockets (seccomp).
  package var network: Bool
  /// A process space of its own (user namespaces), or no new processes and no signals to others (seccomp).
  package var processes: Bool
  /// No files but the plugin's folder and the system's libraries, to be read (Landlock).
  package var files: Bool
  /// No tracing, mounting, changing of what files are, terminals, keys and the like (seccomp): see ``DeniedCall``.
  package var systemCalls: Bool
  /// No signals to other processes, by whatever way (a process space of its own, Landlock or seccomp).
  package var signals: Bool
  /// No capabilities, and no way to new ones.
  package var privileges: Bool
  /// A `/proc` of its own, so that other processes and their command lines are not seen (user namespaces).
  package var processList: Bool

  init(bits: Int32) {
    network = bits & Int32(MODULE_WALL_NETWORK) != 0
    processes = bits & Int32(MODULE_WALL_PROCESSES) != 0
    files = bits & Int32(MODULE_WALL_FILES) != 0
    systemCalls = bits & Int32(MODULE_WALL_CALLS) != 0
    signals = bits & Int32(MODULE_WALL_SIGNALS) != 0
    privileges = bits & Int32(MODULE_WALL_PRIVILEGES) != 0
    processList = bits & Int32(MODULE_WALL_PROCESS_LIST) != 0
  }

  private var parts: [(name: String, isDenied: Bool)] {
    [
      ("network", network), ("other files", files), ("other processes", processes), ("signals", signals),
      ("system calls", systemCalls), ("privileges", privileges), ("list of processes", processList),
    ]
  }

  /// What this system cannot deny, for people; empty where everything is denied.
  package var missing: [String] { parts.filter { !$0.isDenied }.map(\.name) }

  /// What is denied and what this system cannot deny, for people.
  package var text: String {
    let denied = parts.filter(\.isDenied).map(\.name)
    let first = denied.isEmpty ? "nothing denied" : "no \(denied.joined(separator: ", "))"
    return missing.isEmpty ? first : "\(first); this system cannot deny: \(missing.joined(separator: ", "))"
  }
}
