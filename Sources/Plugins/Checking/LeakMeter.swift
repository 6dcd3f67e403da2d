import CCompositorPluginProcess

/// Measures the resources of a process before and after rounds of equal work.
struct LeakMeter {
  static let usualRounds = 8
  static let usualFrames = 4
  private let instances: Int
  let rounds: Int
  private let framesOfAnInstance: Int
  private let threads = module_thread_count()
  private let descriptors = Self.descriptorCount
  /// Bytes allocated in each round, if the allocator reports them exactly.
  private var allocated: [Int64] = []
  /// Resident memory, from all allocators. The kernel counts it in batches of some hundred KiB.
  private var resident: [Int64] = []
  /// The number of threads after each round.
  private var threadCounts: [Int] = []
  /// The number of open files after each round.
  private var descriptorCounts: [Int] = []

  /// - Parameter instances: The number of instances per round.
  init(instances: Int, rounds: Int, framesOfAnInstance: Int) {
    (self.instances, self.rounds, self.framesOfAnInstance) = (instances, rounds, framesOfAnInstance)
  }

  mutating func measure(_ round: () throws -> Void) rethrows {
    let (allocatedBefore, residentBefore) = (module_worker_allocated(), module_worker_memory())
    try round()
    resident.append(module_worker_memory() - residentBefore)
    threadCounts.append(Int(module_thread_count()))
    descriptorCounts.append(Self.descriptorCount)
    if allocatedBefore >= 0 { allocated.append(module_worker_allocated() - allocatedBefore) }
  }

  /// Losing one block of the smallest size per instance exceeds this in each round.
  private var isGrowing: Bool {
    let least = max(Int64(instances) * 24, 512)
    return resident.allSatisfy { $0 >= 24 << 10 } || (!allocated.isEmpty && allocated.allSatisfy { $0 >= least })
  }

  /// Whether only memory grows, which caches of many threads do for some time as well.
  var mayBeCaches: Bool { isGrowing && !leaksThreads && !leaksDescriptors }

  private var moreThreads: Int { Int(module_thread_count() - threads) }
  private var moreDescriptors: Int { Self.descriptorCount - descriptors }
  // Threads of a language's runtime come and go.
  private var leaksThreads: Bool {
    let growsAlways = threadCounts.count > 3 && zip(threadCounts, threadCounts.dropFirst()).allSatisfy { $0 < $1 }
    return growsAlways || moreThreads >= min(60, instances * rounds / 2)
  }
  /// Whether each instance, or each frame, leaves a thread behind.
  var leaksThreadsOfEach: Bool {
    let counts = [Int(threads)] + threadCounts
    return counts.count > 4 && zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 >= instances }
  }
  /// Whether files stay open in every round, or many do; or none can be opened any more.
  var leaksDescriptors: Bool {
    let counts = [descriptors] + descriptorCounts
    let growsAlways = counts.count > 4 && zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }
    return growsAlways || moreDescriptors >= 8 || Self.hasFullTable
  }

  /// Counting takes a descriptor itself: where there is none left, the count is the limit.
  private static var descriptorCount: Int {
    let count = Int(module_descriptor_count())
    return count < 0 ? Int(MODULE_DESCRIPTOR_LIMIT) + 1 : count
  }
  private static var hasFullTable: Bool { module_descriptor_count() < 0 }
  /// Whether files or threads that earlier checks left might reach a limit before they are counted.
  static var isNearLimits: Bool {
    descriptorCount > Int(MODULE_DESCRIPTOR_LIMIT) / 4 || module_thread_count() > manyThreads
  }
  /// Threads that a plugin may well keep on a large machine. Their stacks take memory: some 250 reach the usual limit.
  private static let manyThreads: Int32 = 60

  var result: PluginCheckResult {
    let all = instances * rounds
    let frames = all * framesOfAnInstance
    var left: [String] = []
    if isGrowing {
      let growth = max(allocated.reduce(0, +), resident.reduce(0, +))
      left.append("\(growth) bytes (\(growth / Int64(all)) for each instance, \(growth / Int64(frames)) for each frame)")
    }
    if leaksThreads { left.append("\(moreThreads) threads") }
    if leaksDescriptors {
      let limit = " (its limit of \(MODULE_DESCRIPTOR_LIMIT) is reached)"
      // If the first frame has taken all, there are no more.
      let count = moreDescriptors > 0 ? "\(moreDescriptors)" : "too many"
      left.append("\(count) open files\(Self.hasFullTable ? limit : "")")
    }
    let text = "\(all) instances and \(frames) frames left \(left.isEmpty ? "nothing" : left.joined(separator: ", ")) behind."
    return PluginCheckResult(left.isEmpty ? .passed : .failed, text)
  }
}
