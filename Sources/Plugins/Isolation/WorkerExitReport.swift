import CCompositorPluginProcess
import CCompositorPluginSupervisor
import CompositorAPI
import CompositorPlatform

/// The reason for a worker's exit, and the resulting error.
struct WorkerExitReport: Sendable {
  /// The status from waitpid; `nil` if unknown.
  private var status: Int32?
  private var peakByteCount: Int64 = 0
  /// The number of its threads if there were too many.
  private var threadCount: Int64?
  /// The bytes of its memory if there were too many.
  private var excessByteCount: Int64?
  /// Whether its first thread had ended while others went on.
  private var hadLostFirstThread = false

  init() {}

  /// Closes a worker's lifeline, waits until its process is gone, and reads its exit status.
  init(pid: Int32, lifeline: Int32) {
    shutdown(lifeline, Int32(SHUT_WR))
    var ending = wall_ending()
    let count = withUnsafeMutableBytes(of: &ending) { bytes in
      module_receive(lifeline, bytes.baseAddress, bytes.count, nil, nil, 0, 3000)
    }
    if count == MemoryLayout<wall_ending>.size {
      status = ending.wait_status
      peakByteCount = ending.peak_kibibytes << 10
      threadCount = ending.excess == 1 ? ending.amount : nil
      excessByteCount = ending.excess == 2 ? ending.amount << 10 : nil
      hadLostFirstThread = ending.excess == 3
    } else {
      module_end_supervisor(pid)
    }
    var ignored: Int32 = 0
    while waitpid(pid, &ignored, 0) < 0, errno == EINTR {}
  }

  private var signal: Int32? { status.flatMap { $0 & 0x7f == 0 ? nil : $0 & 0x7f } }
  private var exitStatus: Int32? { status.flatMap { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : nil } }

  /// The error that a worker's exit results in.
  ///
  /// - Parameter hasStarted: Whether the worker was there. From then on, every exit status is the plugin's.
  func error(_ failure: WireChannel.Failure, _ isolation: PluginIsolation, hasStarted: Bool) -> CompositorError {
    switch failure {
    case .timedOut:
      CompositorError(
        .compositorTimedOut, "The plugin did not answer within \(isolation.deadline), and its process was ended.",
        recoverySuggestion: "Raise the deadline if it is only slow; otherwise report it to its author.")
    case .nonsense: failed("The plugin's process sent an invalid message.")
    case .descriptors: failed("The plugin's process sent open files with a reply.")
    case .unasked: failed("The plugin's process sent a reply to no request.")
    case .tooLong: failed("The plugin's process sent a reply of more than \(WireHeader.maximumAnswer >> 20) MiB.")
    case .fault(let fault): error(of: fault, isolation)
    case .ended: excess(isolation) ?? errorOfStart(hasStarted) ?? errorOfEnd(isolation)
    }
  }

  private func failed(_ message: String, cause: String? = nil) -> CompositorError {
    CompositorError(
      .pluginFailed, message,
      advice: "Report it to the plugin's author; \(operation: .checkPlugin) may show more.", cause: cause)
  }

  /// The error of a worker that told of its crash.
  private func error(of fault: module_fault, _ isolation: PluginIsolation) -> CompositorError {
    if fault.signal == SIGSYS {
      let name = module_call_name(fault.where).map { String(cString: $0) } ?? "number \(fault.where)"
      return failed(
        "The plugin tried to start a process, or made another forbidden system call (\(name)); its process was ended.")
    }
    switch fault.where {
    case 1: return failed("The plugin wrote to a source frame, which is read-only.")
    case 2: return failed("The plugin reached outside the memory of a frame.")
    case 3: return failed("The plugin touched a frame after the call it was for.")
    default:
      return failed("The plugin crashed (\(WorkerExitReport.name(ofSignal: fault.signal))).", cause: memoryNote(isolation))
    }
  }

  /// The error of a worker that its supervisor ended; `nil` if it ended otherwise.
  private func excess(_ isolation: PluginIsolation) -> CompositorError? {
    if let threadCount {
      return failed("The plugin had \(threadCount) threads; its limit is \(PluginIsolation.threadLimit).")
    }
    if let excessByteCount {
      return failed("The plugin used \(excessByteCount >> 20) MiB of memory; its limit is \(isolation.memoryLimit >> 20) MiB.")
    }
    return hadLostFirstThread
      ? failed("The plugin ended the first thread of its process and went on in others; its process was ended.") : nil
  }

  /// The error of a worker that did not start; `nil` if it did.
  private func errorOfStart(_ hasStarted: Bool) -> CompositorError? {
    switch exitStatus {
    case Int32(WALL_OTHER_VERSION)? where !hasStarted:
      CompositorError(
        .pluginFailed, "The program for the processes of plugins is of another version than this one.",
        recoverySuggestion: "Install compositor-supervisor and compositor-worker together with the program.")
    case 127? where !hasStarted:
      CompositorError(
        .pluginFailed, "The worker process could not start.",
        recoverySuggestion: "Try again when fewer programs of this user run; the limits of the system may be reached.")
    default: nil
    }
  }

  private func errorOfEnd(_ isolation: PluginIsolation) -> CompositorError {
    switch (signal, exitStatus) {
    case (SIGSYS, _), (_, 128 + SIGSYS):
      failed("The plugin tried to start a process, or made another forbidden system call; its process was ended.")
    case (let signal?, _):
      failed("The plugin crashed (\(WorkerExitReport.name(ofSignal: signal))).", cause: memoryNote(isolation))
    case (_, let status?): failed("The plugin ended its process (exit status \(status)).")
    default: failed("The plugin's process is gone.")
    }
  }

  private func memoryNote(_ isolation: PluginIsolation) -> String? {
    guard peakByteCount > Int64(clamping: isolation.memoryLimit / 4 * 3) else { return nil }
    return "it had used \(peakByteCount >> 20) MiB; the limit is \(isolation.memoryLimit >> 20) MiB"
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
