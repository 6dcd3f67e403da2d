import CCompositorPluginProcess

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
