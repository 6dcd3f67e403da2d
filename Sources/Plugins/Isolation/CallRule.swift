import CCompositorPluginProcess

/// What the seccomp filter of plugins does with a system call, or with some uses of it.
package struct CallRule: Encodable, Hashable, Sendable {
  /// The call's name.
  package let name: String
  /// The uses that are denied although the call is allowed; empty for all uses.
  package let when: String
  /// What the call does, which is why it is allowed or denied.
  package let reason: String
  /// The call's number on this machine; -1 if it has no such call.
  package let number: Int32
  /// The call's numbers on x86-64 and AArch64; -1 if there is no such call.
  package let numbers: [Int32]
  package let isAllowed: Bool
  /// The error returned by a denied call; 0 ends the plugin's process.
  package let error: Int32
  /// Example arguments that are denied, and would have no effect if they were not.
  package let example: [Int64]

  /// The whole list: every system call of Linux. A call that isn't in it is newer than the list, and doesn't exist for plugins.
  package static let all: [CallRule] = (0..<module_call_count()).compactMap { index in
    var call = module_call()
    guard module_call_rule(index, &call) else { return nil }
    let (a, b, c, d, e, f) = call.example
    return CallRule(
      name: String(cString: call.name), when: String(cString: call.denied), reason: String(cString: call.reason),
      number: call.number, numbers: [call.x86_64, call.aarch64], isAllowed: call.is_allowed, error: call.outcome,
      example: [a, b, c, d, e, f])
  }

  /// The calls that plugins may make on this machine.
  package static let allowed = all.filter { $0.isAllowed && $0.number >= 0 }
  /// The calls, and uses of calls, that are denied on this machine.
  package static let denied = all.filter { !$0.isAllowed && $0.number >= 0 }

  /// The call for people: `kill (to another process)`.
  package var text: String { when.isEmpty ? name : "\(name) (\(when))" }
}
