import CCompositorPluginProcess

/// The restrictions on a worker process, as far as this system supports them.
package struct SandboxPolicy: Codable, Hashable, Sendable {
  /// Network: a network namespace without interfaces, or no sockets (seccomp).
  package var network: Bool
  /// Processes: a process namespace, or no new processes and no signals to others (seccomp).
  package var processes: Bool
  /// Files: read access only to the plugin's folder and the system's libraries (Landlock).
  package var files: Bool
  /// System calls: no tracing, mounting, changing of file attributes, terminals, keys and the like (seccomp); see
  /// ``DeniedCall``.
  package var systemCalls: Bool
  /// Signals: none to other processes by any means (a process namespace, Landlock or seccomp).
  package var signals: Bool
  /// Privileges: no capabilities, and no way to gain them.
  package var privileges: Bool
  /// Process list: a private `/proc`, which hides other processes and their command lines (user namespaces).
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

  /// The restrictions that this system does not support, for people; empty if it supports all.
  package var missing: [String] { parts.filter { !$0.isDenied }.map(\.name) }

  /// The restrictions in effect and those that this system does not support, for people.
  package var text: String {
    let denied = parts.filter(\.isDenied).map(\.name)
    let first = denied.isEmpty ? "nothing denied" : "no \(denied.joined(separator: ", "))"
    return missing.isEmpty ? first : "\(first); this system cannot deny: \(missing.joined(separator: ", "))"
  }
}

/// A system call denied by the seccomp filter of plugins.
package struct DeniedCall: Encodable, Hashable, Sendable {
  /// The call's name.
  package let name: String
  /// The uses that are denied; empty for all.
  package let when: String
  /// The call's number on this machine.
  package let number: Int32
  /// The error returned by the call; 0 ends the plugin's process.
  package let error: Int32
  /// Example arguments that are denied, and would have no effect if they were not.
  package let example: [Int64]

  /// The calls denied to plugins on this machine, if it has seccomp.
  package static let all: [DeniedCall] = (0..<module_call_count()).compactMap { index in
    var call = module_call()
    guard module_call_rule(index, false, &call) else { return nil }
    let (a, b, c, d, e, f) = call.example
    return DeniedCall(
      name: String(cString: call.name), when: String(cString: call.when), number: call.number, error: call.outcome,
      example: [a, b, c, d, e, f])
  }

  /// The call for people: `kill (to another process)`.
  package var text: String { when.isEmpty ? name : "\(name) (\(when))" }
}
