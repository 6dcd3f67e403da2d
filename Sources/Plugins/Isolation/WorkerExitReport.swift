import CCompositorPluginProcess
import CCompositorPluginSupervisor
import CompositorPlatform

/// What a worker's supervisor reported at the end of its process.
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

  /// Why a worker has no reply.
  ///
  /// - Parameter hasStarted: Whether the worker was there. From then on, every exit status is the plugin's.
  func reason(_ failure: WireChannel.Failure, _ isolation: PluginIsolation, hasStarted: Bool) -> WorkerExitReason {
    switch failure {
    case .timedOut: .timedOut(isolation.deadline)
    case .nonsense: .reply(.invalid)
    case .descriptors: .reply(.withOpenFiles)
    case .unasked: .reply(.unrequested)
    case .tooLong: .reply(.tooLong)
    case .fault(let fault): reason(of: fault, isolation)
    case .ended: excess ?? reasonOfStart(hasStarted) ?? reasonOfEnd(isolation)
    }
  }

  /// The reason of a worker that told of its crash.
  private func reason(of fault: module_fault, _ isolation: PluginIsolation) -> WorkerExitReason {
    if fault.signal == SIGSYS { return .forbiddenCall(fault.where) }
    switch fault.where {
    case 1: return .frameAccess(.writtenSource)
    case 2: return .frameAccess(.outside)
    case 3: return .frameAccess(.late)
    default: return .crash(signal: fault.signal, mebibytes: notableMebibytes(isolation))
    }
  }

  /// The limit that a worker exceeded, so that its supervisor ended it; `nil` if it ended otherwise.
  private var excess: WorkerExitReason? {
    if let threadCount { return .threads(threadCount) }
    if let excessByteCount { return .memory(mebibytes: excessByteCount >> 20) }
    return hadLostFirstThread ? .lostFirstThread : nil
  }

  /// Why a worker did not start; `nil` if it did.
  private func reasonOfStart(_ hasStarted: Bool) -> WorkerExitReason? {
    switch exitStatus {
    case Int32(WALL_OTHER_VERSION)? where !hasStarted: .otherVersion
    case 127? where !hasStarted: .notStarted
    default: nil
    }
  }

  private func reasonOfEnd(_ isolation: PluginIsolation) -> WorkerExitReason {
    switch (signal, exitStatus) {
    case (SIGSYS, _), (_, 128 + SIGSYS): .forbiddenCall(nil)
    case (let signal?, _): .crash(signal: signal, mebibytes: notableMebibytes(isolation))
    case (_, let status?): .exited(status: status)
    default: .gone
    }
  }

  /// The memory that the worker had used if it came near the limit; `nil` otherwise.
  private func notableMebibytes(_ isolation: PluginIsolation) -> Int64? {
    peakByteCount > Int64(clamping: isolation.memoryLimit / 4 * 3) ? peakByteCount >> 20 : nil
  }
}
