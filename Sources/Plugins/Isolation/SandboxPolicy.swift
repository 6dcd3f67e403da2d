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

/// A system call that the filter around a plugin denies, as the filter itself has it.
package struct DeniedCall: Encodable, Hashable, Sendable {
  /// The call's name.
  package let name: String
  /// Which uses of it; empty for all.
  package let when: String
  /// The call's number on this machine.
  package let number: Int32
  /// The error that it meets; 0 ends the plugin's process.
  package let error: Int32
  /// Arguments that are denied, and would do nothing where they are not.
  package let example: [Int64]

  /// What a plugin is denied on this machine, where it has seccomp.
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
