import CCompositorPluginSupervisor
import CompositorPlatform

/// The processes of plugins: the roles in which this program runs when it was started for a plugin.
///
/// If the programs `compositor-supervisor` and `compositor-worker` are beside this one, they have these roles instead, and need
/// less time and memory for them. libavfilter's filters always run in this program.
public enum PluginSupervisor {
  static let command = "plugin-worker"
  static let supervisorRole = "supervise"
  private static let workerRole = "work"

  /// Runs the worker and does not return if the program was started as one; otherwise returns immediately. Call this before
  /// anything else.
  public static func runIfAsked() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, arguments[1] == command else { return }
    switch arguments[2] {
    case supervisorRole:
      let list: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
      let sandbox = wall_supervise(Int32(arguments.count), list, true)
      // Only the worker gets here.
      _exit(PluginWorker.serve(sandbox: sandbox))
    case workerRole:
      guard arguments.count == 5, arguments[3] == "\(WALL_INTERFACE)", let sandbox = Int32(arguments[4]) else {
        _exit(Int32(WALL_OTHER_VERSION))
      }
      _exit(PluginWorker.serve(sandbox: sandbox))
    default: exit(64)
    }
  }
}
