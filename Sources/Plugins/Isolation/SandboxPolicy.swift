import CCompositorPluginSupervisor

/// The restrictions on a worker process, as far as this system supports them.
package struct SandboxPolicy: Codable, Hashable, Sendable {
  /// Network: a network namespace without interfaces, or no sockets (seccomp).
  package var network: Bool
  /// Processes: a process namespace, or no new processes and no signals to others (seccomp).
  package var processes: Bool
  /// Files: read access only to the plugin's folder and the system's libraries (Landlock).
  package var files: Bool
  /// System calls: only those that code which renders frames needs (seccomp); see
  /// ``CallRule``.
  package var systemCalls: Bool
  /// Signals: none to other processes by any means (a process namespace, Landlock or seccomp).
  package var signals: Bool
  /// Privileges: no capabilities, and no way to gain them.
  package var privileges: Bool
  /// Process list: a private `/proc`, which hides other processes and their command lines (user namespaces).
  package var processList: Bool
  /// Sockets: none that other programs listen on under the name of a file (seccomp). Without it, those that the system lists when
  /// the worker starts are covered if there is a process namespace.
  package var sockets: Bool
  /// Keys: none of the user's (seccomp, or a kernel without keyrings).
  package var keys: Bool
  /// Control group: the kernel limits memory and threads, too. Without it, the limits hold, but are checked from time to time.
  package var controlGroup: Bool

  /// - Parameter bits: Those of the supervisor, `MODULE_WALL_…`.
  package init(bits: Int32) {
    network = bits & Int32(MODULE_WALL_NETWORK) != 0
    processes = bits & Int32(MODULE_WALL_PROCESSES) != 0
    files = bits & Int32(MODULE_WALL_FILES) != 0
    systemCalls = bits & Int32(MODULE_WALL_CALLS) != 0
    signals = bits & Int32(MODULE_WALL_SIGNALS) != 0
    privileges = bits & Int32(MODULE_WALL_PRIVILEGES) != 0
    processList = bits & Int32(MODULE_WALL_PROCESS_LIST) != 0
    sockets = bits & Int32(MODULE_WALL_SOCKETS) != 0
    keys = bits & Int32(MODULE_WALL_KEYS) != 0
    controlGroup = bits & Int32(MODULE_WALL_GROUP) != 0
  }

  private var parts: [(name: String, isDenied: Bool)] {
    [
      ("network", network), ("other files", files), ("other processes", processes), ("signals", signals),
      ("system calls", systemCalls), ("privileges", privileges), ("list of processes", processList),
      ("sockets of other programs", sockets), ("keys", keys),
    ]
  }

  /// The restrictions that this system does not support, for people; empty if it supports all.
  package var missing: [String] { parts.filter { !$0.isDenied }.map(\.name) }

  /// The restrictions in effect and those that this system does not support, for people.
  package var text: String {
    let denied = parts.filter(\.isDenied).map(\.name)
    let group = controlGroup ? ", in a control group" : ""
    let first = (denied.isEmpty ? "nothing denied" : "no \(denied.joined(separator: ", "))") + group
    return missing.isEmpty ? first : "\(first); this system cannot deny: \(missing.joined(separator: ", "))"
  }
}
