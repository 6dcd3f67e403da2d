import CCompositorPluginProcess
import CompositorAPI
import CompositorPlatform

/// Why a worker's process ended, or was ended by the host.
enum WorkerExitReason: Codable, Hashable, Sendable {
  /// A reply of the plugin's process that the host does not accept.
  enum Reply: Codable, Hashable, Sendable {
    case invalid, withOpenFiles, unrequested, tooLong
  }
  /// A forbidden access to the memory of a frame.
  enum FrameAccess: Codable, Hashable, Sendable {
    case writtenSource, outside
    /// After the call that the frame was for.
    case late
  }

  /// There was no reply within this time.
  case timedOut(Duration)
  case reply(Reply)
  /// A forbidden system call; `nil` if its number is not known.
  case forbiddenCall(Int32?)
  case frameAccess(FrameAccess)
  /// The memory that the process had used, in MiB, if it was near the limit; `nil` otherwise.
  case crash(signal: Int32, mebibytes: Int64?)
  /// The number of threads, which is above the limit.
  case threads(Int64)
  /// The memory in MiB, which is above the limit.
  case memory(mebibytes: Int64)
  /// The process's first thread ended while others went on.
  case lostFirstThread
  /// The worker is another version's program.
  case otherVersion
  /// The system did not start the program.
  case notStarted
  case exited(status: Int32)
  /// The process ended in an unknown way.
  case gone

  /// The error that results.
  func error(_ isolation: PluginIsolation) -> CompositorError {
    let limit = isolation.memoryLimit >> 20
    switch self {
    case .timedOut(let deadline):
      return CompositorError(
        .compositorTimedOut, "The plugin did not answer within \(deadline), and its process was ended.",
        recoverySuggestion: "Raise the deadline if it is only slow; otherwise report it to its author.")
    case .otherVersion:
      return CompositorError(
        .pluginFailed, "The program for the processes of plugins is of another version than this one.",
        recoverySuggestion: "Install compositor-supervisor and compositor-worker together with the program.")
    case .notStarted:
      return CompositorError(
        .pluginFailed, "The worker process could not start.",
        recoverySuggestion: "Try again when fewer programs of this user run; the limits of the system may be reached.")
    case .crash(let signal, let used):
      return failed(
        "The plugin crashed (\(Self.name(ofSignal: signal))).",
        cause: used.map { "it had used \($0) MiB; the limit is \(limit) MiB" })
    case .reply(let reply): return failed(Self.message(on: reply))
    case .frameAccess(let access): return failed(Self.message(on: access))
    case .forbiddenCall(let number): return failed(Self.message(onForbiddenCall: number))
    case .threads(let count): return failed("The plugin had \(count) threads; its limit is \(PluginIsolation.threadLimit).")
    case .memory(let used): return failed("The plugin used \(used) MiB of memory; its limit is \(limit) MiB.")
    case .lostFirstThread:
      return failed("The plugin ended the first thread of its process and went on in others; its process was ended.")
    case .exited(let status): return failed("The plugin ended its process (exit status \(status)).")
    case .gone: return failed("The plugin's process is gone.")
    }
  }

  private func failed(_ message: String, cause: String? = nil) -> CompositorError {
    CompositorError(
      .pluginFailed, message,
      advice: "Report it to the plugin's author; \(operation: .checkPlugin) may show more.", cause: cause)
  }

  private static func message(on reply: Reply) -> String {
    switch reply {
    case .invalid: "The plugin's process sent an invalid message."
    case .withOpenFiles: "The plugin's process sent open files with a reply."
    case .unrequested: "The plugin's process sent a reply to no request."
    case .tooLong: "The plugin's process sent a reply of more than \(WireHeader.maximumAnswer >> 20) MiB."
    }
  }

  private static func message(on access: FrameAccess) -> String {
    switch access {
    case .writtenSource: "The plugin wrote to a source frame, which is read-only."
    case .outside: "The plugin reached outside the memory of a frame."
    case .late: "The plugin touched a frame after the call it was for."
    }
  }

  private static func message(onForbiddenCall number: Int32?) -> String {
    let name = number.map { number in
      let known = module_call_name(number)
      return " (\(known.map { String(cString: $0) } ?? "number \(number)"))"
    }
    return
      "The plugin tried to start a process, or made another forbidden system call\(name ?? ""); its process was ended."
  }

  private static func name(ofSignal signal: Int32) -> String {
    switch signal {
    case SIGSEGV: "segmentation fault"
    case SIGBUS: "bus error"
    case SIGILL: "illegal instruction"
    case SIGFPE: "arithmetic fault"
    case SIGABRT: "abort"
    case SIGTRAP: "trap"
    case SIGKILL: "killed"
    default: "signal \(signal)"
    }
  }
}
