package import CompositorAPI
import Foundation
import Synchronization

/// What all renders of a program share: processors, threads, decoders' threads, encoders' threads and memory.
///
/// Exports that do not fit wait in the order in which they came, and say their place in the queue in their progress; each gets its share when
/// those before it have ended or were canceled. Those that run share the threads that compose and the threads that decode, frame by frame
/// in turn. Stills, frames that a program takes one by one, players and exports to a stream are never queued, since somebody waits for them;
/// they share the threads.
///
/// ```swift
/// var settings = ExportSettings()
/// settings.render.budget = RenderBudget(RenderBudget.Limits(exportCount: 2, memoryByteCount: 1 << 30))
/// ```
///
/// Every render uses ``shared`` unless it is given another. Nothing of this changes a frame, or a byte of a file. Any thread may call.
public final class RenderBudget: Sendable {
  /// How much there is.
  public struct Limits: Sendable, Hashable {
    /// Processors that renders may use, 1 … 1024: as many frames are composed at a time in all, and as many pictures decoded beside the
    /// threads that a lone decoder has of its own. Default those of the machine that this process may run on.
    public var processorCount: Int
    /// Exports that run at a time, ≥ 1. Default as many as processors, at least 2.
    public var exportCount: Int
    /// Threads that exports may have of their own, for encoders and writing, ≥ 1. An export that needs more runs alone. Default four for
    /// each processor.
    public var threadCount: Int
    /// Memory that this process may take while it renders, in bytes; nil, the default, for no stated bound: exports then wait for each other
    /// where they would need more than half of the machine's memory together.
    ///
    /// A render that is bounded has fewer frames in flight, fewer threads for a decoder and fewer decoders in advance, as far as it
    /// takes to fit. Where a single frame at a time does not fit, it throws `.resourceExhausted` before anything is opened. What is counted: frames,
    /// decoders and encoder by what their codecs keep, and ``RenderBudget/programByteCount``. What compositors from outside
    /// allocate for themselves is not.
    public var memoryByteCount: Int?

    /// Makes limits that suit the machine, but for what is given.
    public init(
      processorCount: Int? = nil, exportCount: Int? = nil, threadCount: Int? = nil, memoryByteCount: Int? = nil
    ) {
      let processors = min(max(1, processorCount ?? ProcessInfo.processInfo.activeProcessorCount), 1024)
      self.processorCount = processors
      self.exportCount = max(1, exportCount ?? max(2, processors))
      self.threadCount = max(1, threadCount ?? 4 * processors)
      self.memoryByteCount = memoryByteCount
    }

    /// Memory up to which exports run side by side.
    var admittedByteCount: Int {
      memoryByteCount.map { $0 - RenderBudget.programByteCount } ?? Int(ProcessInfo.processInfo.physicalMemory / 2)
    }
  }

  /// What is under way.
  public struct Status: Sendable, Hashable {
    /// Exports that run.
    public let runningExportCount: Int
    /// Exports that wait.
    public let queuedExportCount: Int
    /// Threads of the exports that run.
    public let threadCount: Int
    /// Memory of the exports that run, as it was estimated, in bytes.
    public let memoryByteCount: Int
  }

  /// The budget of every render that is given no other.
  public static let shared = RenderBudget()

  /// What the program itself is counted with where memory is bounded: its code, its libraries and what they keep, in bytes.
  public static let programByteCount = 96 << 20

  /// How much there is.
  public let limits: Limits
  /// The threads that compose.
  package let composing: ThreadPool
  /// The threads on which decoders are asked for pictures.
  package let decoding: ThreadPool
  private let queue: Mutex<RenderQueue>
  /// Renders that want frames as fast as they come, exports among them.
  private let busyRenders = Mutex(0)

  /// Makes a budget.
  public init(_ limits: Limits = Limits()) {
    self.limits = limits
    let count = limits.processorCount
    // A few that block, in a compositor or on a slow disk, do not stop the others.
    composing = ThreadPool(name: "compose", threadCount: count, mostThreads: count + 2)
    decoding = ThreadPool(name: "decode", threadCount: count, mostThreads: count + 4)
    queue = Mutex(RenderQueue(limits))
  }

  /// What is under way now.
  public var status: Status {
    queue.withLock {
      Status(
        runningExportCount: $0.running.count, queuedExportCount: $0.waitingCount, threadCount: $0.threadCount,
        memoryByteCount: $0.byteCount)
    }
  }

  // MARK: exports

  /// Waits for a share. A canceled task leaves the queue at once.
  ///
  /// - Parameters:
  ///   - isQueued: Whether it waits if there is not enough; otherwise it is counted, and runs.
  ///   - report: Told the place in the queue, from 1 on, whenever it changes; never if there is no wait.
  /// - Throws: `.cancelled`.
  package func share(
    for demand: RenderDemand, isQueued: Bool = true, report: (@Sendable (Int) -> Void)? = nil
  ) async throws(CompositorError) -> RenderShare {
    guard !Task.isCancelled else { throw RenderBudget.cancellation }
    let id = queue.withLock { $0.makeID() }
    // From here on it is given back on every way out.
    let share = RenderShare(of: self, id: id)
    guard isQueued else {
      queue.withLock { $0.run(id, demand) }
      return share
    }
    let (events, continuation) = AsyncStream.makeStream(of: RenderQueue.Event.self)
    queue.withLock { $0.enter(id, demand, continuation) }
    for await event in events {
      switch event {
      case .position(let position): report?(position)
      case .admitted: return share
      }
    }
    share.end()
    throw RenderBudget.cancellation
  }

  private static var cancellation: CompositorError { CompositorError(.cancelled, "The export was cancelled.") }

  func isRunning(_ id: Int) -> Bool { queue.withLock { $0.running[id] != nil } }

  func end(_ id: Int) { queue.withLock { $0.end(id) } }

  // MARK: processors

  /// Counts a render that wants frames as fast as they come, for as long as the value is held.
  package func beginRendering() -> BusyRender {
    busyRenders.withLock { $0 += 1 }
    return BusyRender(budget: self)
  }

  fileprivate func endRendering() { busyRenders.withLock { $0 -= 1 } }

  /// Renders that the processors are shared by: those under way, and as many more as wait to take their place beside them.
  private var renderCount: Int {
    let (running, waiting) = queue.withLock { ($0.running.count, $0.waitingCount) }
    let busy = max(1, busyRenders.withLock { $0 }, running)
    return waiting > 0 ? max(busy, limits.exportCount) : busy
  }

  /// Processors for each of the renders under way, rounded up.
  package var processorsForEach: Int { (limits.processorCount - 1) / renderCount + 1 }

  /// Threads for a decoder that is opened now, by what else wants the processors. Pictures do not depend on it.
  ///
  /// - Parameter decoderCount: Decoders that the render reads side by side.
  package func decoderThreadCount(besides decoderCount: Int) -> Int {
    let count = max(1, decoderCount) * renderCount
    // A lone decoder has one thread more than there are processors, since the one whose picture is next waits for the others.
    guard count > 1 else { return min(limits.processorCount + 1, RenderBudget.mostDecoderThreads) }
    return min(max(1, limits.processorCount / count), RenderBudget.mostDecoderThreads)
  }

  /// More hold more pictures in memory and are hardly faster.
  private static let mostDecoderThreads = 16
}

/// A render that is under way.
package final class BusyRender: Sendable {
  private let budget: RenderBudget
  fileprivate init(budget: RenderBudget) { self.budget = budget }
  deinit { budget.endRendering() }
}
