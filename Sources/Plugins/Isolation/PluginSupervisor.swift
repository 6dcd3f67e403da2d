import CCompositorPluginProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The supervisor of a plugin's worker: the role in which this program runs when it was started for a plugin.
public enum PluginSupervisor {
  static let command = "plugin-worker"
  static let supervisorRole = "supervise"
  static let workerRole = "work"

  /// Runs the worker and does not return if the program was started as one; otherwise returns immediately. Call this before
  /// anything else.
  public static func runIfAsked() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, arguments[1] == command else { return }
    switch arguments[2] {
    case supervisorRole:
      guard arguments.count >= 6, let memory = UInt64(arguments[3]), let threads = UInt64(arguments[4]) else { exit(64) }
      let names = [arguments[0], command, workerRole]
      let list: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) } + [nil]
      let sandbox = module_supervise(list, arguments[5], module_limits(memory: memory, threads: threads))
      // Only the worker gets here.
      _exit(PluginWorker.serve(sandbox: sandbox))
    case workerRole:
      let sandbox = arguments.count > 3 ? Int32(arguments[3]) ?? 0 : 0
      _exit(PluginWorker.serve(sandbox: sandbox))
    default: exit(64)
    }
  }
}
