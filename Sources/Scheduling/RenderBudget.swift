package import CompositorAPI
import Foundation
import Synchronization

/// The resources that all renders of a program share: processors, threads of decoders and encoders, and memory.
///
/// Exports that don't fit are queued in order of arrival, and report their position in their progress. Each starts when the
/// preceding ones have ended or were canceled. Running exports share the threads for composing and decoding fairly, frame by
/// frame. Stills, frames that a program takes one by one, players and exports to a stream are never queued, because their
/// consumers are waiting; they share the threads.
///
/// ```swift
/// var settings = ExportSettings()
/// settings.render.budget = RenderBudget(RenderBudget.Limits(exportCount: 2, memoryByteCount: 1 << 30))
/// ```
///
/// Every render uses ``shared`` unless it is given another budget. The budget never changes a frame or a byte of a file. Any
/// thread may call it.
public final class RenderBudget: Sendable {
  /// The available resources.
  public struct Limits: Sendable, Hashable {
    /// The number of processors that renders may use, 1 … 1024. This is the total number of frames composed at a time, and of
    /// frames decoded at a time in addition to the separate threads of a single decoder. By default the processors that this
    /// process may run on.
    public var processorCount: Int
    /// The maximum number of concurrent exports, ≥ 1. By default the number of processors, at least 2.
    public var exportCount: Int
    /// The maximum number of threads that exports may create for encoders and writing, ≥ 1. An export that needs more runs
    /// alone. By default four per processor; if an ``exportCount`` is given, at least as many as that number of exports of
    /// 1920x1080 need.
    public var threadCount: Int
    /// The maximum memory of this process while it renders, in bytes. `nil`, the default, sets no fixed limit; exports then
    /// wait for each other if together they would need more than half of the machine's memory.
    ///
    /// A limited render has fewer frames in flight, fewer threads per decoder and fewer spare decoders, as necessary. If even
    /// one frame at a time doesn't fit, it throws `.resourceExhausted` before anything is opened. The estimate includes frames,
    /// the memory of decoders and encoders according to their codecs, and ``RenderBudget/programByteCount``, but not memory
    /// that external compositors allocate.
    public var memoryByteCount: Int?

    /// Enough threads for an encoder of H.264 at 1920x1080, its lookahead and writing.
    private static let threadsOfUsualExport = 8

    /// Creates limits. The defaults suit the machine.
    public init(
      processorCount: Int? = nil, exportCount: Int? = nil, threadCount: Int? = nil, memoryByteCount: Int? = nil
    ) {
      let processors = min(max(1, processorCount ?? ProcessInfo.processInfo.activeProcessorCount), 1024)
      self.processorCount = processors
      self.exportCount = max(1, exportCount ?? max(2, processors))
      // A number of exports that is asked for isn't lowered by the number of processors.
      let threadsOfExports = exportCount.map { min(max(1, $0), 1 << 20) * Limits.threadsOfUsualExport } ?? 0
      self.threadCount = max(1, threadCount ?? max(4 * processors, threadsOfExports))
      self.memoryByteCount = memoryByteCount
    }

    /// The total memory of exports that may run concurrently.
    var admittedByteCount: Int {
      memoryByteCount.map { $0 - RenderBudget.programByteCount } ?? Int(ProcessInfo.processInfo.physicalMemory / 2)
    }
  }

  /// The current use of a budget.
  public struct Status: Sendable, Hashable {
    /// The number of running exports.
    public let runningExportCount: Int
    /// The number of queued exports.
    public let queuedExportCount: Int
    /// The number of threads of running exports.
    public let threadCount: Int
    /// The estimated memory of running exports, in bytes.
    public let memoryByteCount: Int
  }

  /// The default budget of all renders.
  public static let shared = RenderBudget()

  /// The memory of the program itself, in bytes, which counts toward a memory limit: its code, its libraries and their caches.
  public static let programByteCount = 96 << 20

  /// The available resources.
  public let limits: Limits
  /// The threads for composing.
  package let composing: ThreadPool
  /// The threads for decoding.
  package let decoding: ThreadPool
  private let queue: Mutex<RenderQueue>
  /// The number of renders, including exports, that request frames as fast as possible.
  private let busyRenders = Mutex(0)

  /// Creates a budget.
  public init(_ limits: Limits = Limits()) {
    self.limits = limits
    let count = limits.processorCount
    // A few threads that block, in a compositor or on a slow disk, don't stop the others.
    composing = ThreadPool(name: "compose", threadCount: count, mostThreads: count + 2)
    decoding = ThreadPool(name: "decode", threadCount: count, mostThreads: count + 4)
    queue = Mutex(RenderQueue(limits))
  }

  /// The current use of the budget.
  public var status: Status {
    queue.withLock {
      Status(
        runningExportCount: $0.running.count, queuedExportCount: $0.waitingCount, threadCount: $0.threadCount,
        memoryByteCount: $0.byteCount)
    }
  }

  /// The queued exports in their order, with the reason why each of them waits. The first has position 1, which its progress reports,
  /// too. O(n).
  ///
  /// ```swift
  /// for waiting in budget.waitingExports { print(waiting.position, waiting.reason) }
  /// ```
  public var waitingExports: [WaitingExport] { queue.withLock { $0.waitingExports } }

  // MARK: exports

  /// Waits for a share. A canceled task leaves the queue at once.
  ///
  /// - Parameters:
  ///   - isQueued: Whether to wait if resources are insufficient. Otherwise the export is counted and runs at once.
  ///   - report: Called with the position in the queue, from 1, whenever it changes; never if there is no wait.
  /// - Throws: `.cancelled`.
  package func share(
    for demand: RenderDemand, isQueued: Bool = true, report: (@Sendable (Int) -> Void)? = nil
  ) async throws(CompositorError) -> RenderShare {
    guard !Task.isCancelled else { throw RenderBudget.cancellation }
    let id = queue.withLock { $0.makeID() }
    // From here on the share is returned on every exit.
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

  private static var cancellation: CompositorError { CompositorError(.cancelled, "The export was canceled.") }

  func isRunning(_ id: Int) -> Bool { queue.withLock { $0.running[id] != nil } }

  func end(_ id: Int) { queue.withLock { $0.end(id) } }

  // MARK: processors

  /// Registers a render that requests frames as fast as possible, for the lifetime of the returned value.
  package func beginRendering() -> BusyRender {
    busyRenders.withLock { $0 += 1 }
    return BusyRender(budget: self)
  }

  fileprivate func endRendering() { busyRenders.withLock { $0 -= 1 } }

  /// The number of renders that share the processors: those in progress, and as many waiting ones as will run concurrently.
  private var renderCount: Int {
    let (running, waiting) = queue.withLock { ($0.running.count, $0.waitingCount) }
    let busy = max(1, busyRenders.withLock { $0 }, running)
    return waiting > 0 ? max(busy, limits.exportCount) : busy
  }

  /// The number of processors for each render in progress, rounded up.
  package var processorsForEach: Int { (limits.processorCount - 1) / renderCount + 1 }

  /// The number of threads for a decoder that is opened now, depending on the other users of the processors. Decoded frames
  /// don't depend on it.
  ///
  /// - Parameter decoderCount: The number of decoders that the render reads concurrently.
  package func decoderThreadCount(besides decoderCount: Int) -> Int {
    let count = max(1, decoderCount) * renderCount
    // A single decoder has one thread more than there are processors, since the one with the next frame waits for the others.
    guard count > 1 else { return min(limits.processorCount + 1, RenderBudget.mostDecoderThreads) }
    return min(max(1, limits.processorCount / count), RenderBudget.mostDecoderThreads)
  }

  /// The number of threads for a decoder that shares each frame among them, so that they keep no frames in memory. Its frames
  /// wait for it alone, whatever the other decoders do.
  package var sliceThreadCount: Int {
    min(max(1, limits.processorCount / renderCount), RenderBudget.mostDecoderThreads)
  }

  /// More threads keep more frames in memory and are hardly faster.
  private static let mostDecoderThreads = 16
}

/// A render in progress.
package final class BusyRender: Sendable {
  private let budget: RenderBudget
  fileprivate init(budget: RenderBudget) { self.budget = budget }
  deinit { budget.endRendering() }
}
