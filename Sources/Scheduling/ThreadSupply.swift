package import CompositorAPI
import Dispatch
import Foundation

/// Whether the system gives this process the threads that it needs.
///
/// Without them the runtime tries again forever, in silence, to start one of its own.
package enum ThreadSupply {
  /// Starts as many threads at once as a small job needs, and ends them.
  ///
  /// - Throws: `.resourceExhausted` if the limits of this process (`ulimit -u`, `ulimit -v`) or of its group don't allow them.
  package static func check() throws(CompositorError) {
    let wanted = 2 * ProcessInfo.processInfo.activeProcessorCount + 6
    let (end, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var count = 0
    while count < wanted, start(end, ended) { count += 1 }
    let hasSpace = hasAddressSpace
    for _ in 0..<count { end.signal() }
    for _ in 0..<count { ended.wait() }
    guard count == wanted else { throw tooFew(count, of: wanted) }
    guard hasSpace else {
      throw CompositorError(
        .resourceExhausted, "The system gives this process too little address space.",
        recoverySuggestion: "Raise its limit of address space (ulimit -v).")
    }
  }

  /// Whether there is room for the stacks and heaps of more threads.
  private static var hasAddressSpace: Bool {
    let byteCount = 256 << 20
    let space = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let space, space != MAP_FAILED else { return false }
    munmap(space, byteCount)
    return true
  }

  private static func tooFew(_ count: Int, of wanted: Int) -> CompositorError {
    CompositorError(
      .resourceExhausted, "The system lets this process start only \(count) of \(wanted) threads.",
      recoverySuggestion: "Raise its limits of processes (ulimit -u) and of address space (ulimit -v), or those of its group.")
  }

  private final class Waiting {
    let end: DispatchSemaphore
    let ended: DispatchSemaphore
    init(_ end: DispatchSemaphore, _ ended: DispatchSemaphore) { (self.end, self.ended) = (end, ended) }
  }

  /// Starts a thread that waits for `end`.
  private static func start(_ end: DispatchSemaphore, _ ended: DispatchSemaphore) -> Bool {
    let argument = Unmanaged.passRetained(Waiting(end, ended))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let waiting = Unmanaged<Waiting>.fromOpaque(argument).takeRetainedValue()
        waiting.end.wait()
        waiting.ended.signal()
        return nil
      }, argument.toOpaque())
    guard result == 0 else {
      argument.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
