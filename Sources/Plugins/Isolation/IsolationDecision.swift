package import CompositorAPI
import Synchronization

/// The only place that decides whether plugins may run with the restrictions that this system supports.
extension PluginIsolation {
  /// What this system supports, by the worker's program.
  private static let known = Mutex<[String: SandboxPolicy]>([:])

  /// Decides whether a plugin may be opened in a worker with these restrictions.
  ///
  /// - Throws: `.pluginFailed` if complete isolation is required and something is missing.
  func decide(on sandbox: SandboxPolicy) throws(CompositorError) {
    guard isRequired, !sandbox.missing.isEmpty else { return }
    throw CompositorError(
      .pluginFailed, "This system cannot deny plugins: \(sandbox.missing.joined(separator: ", ")).",
      advice: "Use a kernel with user namespaces, seccomp and Landlock, or leave out \(setting: .requiredIsolation).")
  }

  /// Decides whether another worker of a plugin may open it, too. The warning for people is about the first one; a later one may get
  /// fewer restrictions when a limit of the system is reached.
  ///
  /// - Parameters:
  ///   - first: The restrictions on the plugin's first worker; `nil` if this is the first one.
  ///   - specification: The plugin.
  /// - Throws: As ``decide(on:)``; `.resourceExhausted` if something is missing that the first worker has.
  package func decide(
    on sandbox: SandboxPolicy, like first: SandboxPolicy?, of specification: PluginSpecification
  ) throws(CompositorError) {
    try decide(on: sandbox)
    guard let first else { return }
    let lacking = sandbox.missing.filter { !first.missing.contains($0) }
    guard !lacking.isEmpty else { return }
    throw CompositorError(
      .resourceExhausted, "This system can no longer deny plugins: \(lacking.joined(separator: ", ")).",
      recoverySuggestion: "Try again when fewer programs of this user run; the limits of the system may be reached.",
      at: ErrorLocation(file: specification.name))
  }

  /// Decides, if complete isolation is required, before any plugin is named: a worker without a plugin reports its
  /// restrictions. They are determined once per process.
  ///
  /// - Throws: `.pluginFailed` if something is missing; errors of starting a worker.
  package func decide() throws(CompositorError) {
    guard isRequired else { return }
    if let sandbox = Self.known.withLock({ $0[program] }) { return try decide(on: sandbox) }
    let connection = try WorkerConnection(nil, self, messages: WorkerMessages())
    let sandbox = try connection.confine(.avfilter)
    connection.end()
    Self.known.withLock { $0[program] = sandbox }
    try decide(on: sandbox)
  }
}

extension WorkerConnection {
  /// Applies the restrictions to the worker before it opens a plugin.
  ///
  /// - Returns: Those in effect.
  func confine(_ specification: PluginSpecification) throws(CompositorError) -> SandboxPolicy {
    let opening = WireOpening(specification: specification.description, memoryLimit: isolation.memoryLimit)
    let confined = try ask(try WorkerProcess.message(.confine, opening), canBeCanceled: false)
    return try read(confined) { reader in try WireJSON.decodeReply(SandboxPolicy.self, from: reader.data()) }
  }
}
