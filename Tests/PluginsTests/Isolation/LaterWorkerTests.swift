import CompositorAPI
import CompositorPlugins
import Testing

/// Every worker of a plugin has the restrictions of the first one, of which people are told.
struct LaterWorkerTests {
  private static let complete = SandboxPolicy(bits: ~0)

  private func decide(_ sandbox: SandboxPolicy, like first: SandboxPolicy?, isRequired: Bool = false) -> CompositorError? {
    do throws(CompositorError) {
      try PluginIsolation(isRequired: isRequired).decide(on: sandbox, like: first, of: .binary(path: "glow.so"))
      return nil
    } catch {
      return error
    }
  }

  @Test func worker_withFewerRestrictionsThanTheFirst_isRefused() throws {
    let parts: [(WritableKeyPath<SandboxPolicy, Bool>, String)] = [
      (\.network, "network"), (\.files, "other files"), (\.processes, "other processes"), (\.signals, "signals"),
      (\.systemCalls, "system calls"), (\.privileges, "privileges"), (\.processList, "list of processes"),
      (\.sockets, "sockets of other programs"), (\.keys, "keys"),
    ]
    for (part, name) in parts {
      var less = Self.complete
      less[keyPath: part] = false
      #expect(decide(less, like: nil) == nil && decide(less, like: less) == nil && decide(Self.complete, like: less) == nil)
      let error = try #require(decide(less, like: Self.complete))
      #expect(error.code == .resourceExhausted && error.location.file == "glow.so")
      #expect(error.message == "This system can no longer deny plugins: \(name).")
      // As of the first one.
      #expect(decide(less, like: Self.complete, isRequired: true)?.message == "This system cannot deny plugins: \(name).")
    }
  }

  /// The limits hold without it.
  @Test func worker_withoutTheControlGroupOfTheFirst_isTaken() {
    var less = Self.complete
    less.controlGroup = false
    #expect(decide(less, like: Self.complete, isRequired: true) == nil)
  }
}
