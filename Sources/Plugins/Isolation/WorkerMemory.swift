import CompositorAPI

/// The memory that a worker has received, and its parts that must not be reused yet.
///
/// A source's memory belongs to a worker from the request that lends it until a reply that does not list it as kept. Stateful
/// graphs may retain frames by reference for any number of requests.
struct WorkerMemory {
  private struct WeakSegment {
    weak var segment: SharedSegment?
  }
  private var segments: [UInt64: WeakSegment] = [:]
  private var newSegments = 0
  /// Lent frames, by segment.
  private var lent: [UInt64: Frame] = [:]
  /// Outputs by size, most recently used last; sizes in the order of their last use.
  private var outputs: [(byteCount: Int, segments: [OutputSegment])] = []
  var instances: Set<UInt64> = []
  var attributes: [FrameAttributes: UInt32] = [:]
  var instruction: Instruction?
  var parameters: ParameterValues?
  private var dropsSeen = 0

  private static let outputsOfASize = 2
  private static let mostSizes = 4

  /// Released instances that this worker has, out of all released ones.
  mutating func drop(_ all: [UInt64]) -> [UInt64] {
    defer { dropsSeen = all.count }
    return all[dropsSeen...].filter { instances.remove($0) != nil }
  }

  // MARK: Sources

  /// Whether a segment is new to the worker; it is known afterward.
  mutating func isNew(_ segment: SharedSegment) -> Bool {
    guard segments[segment.id] == nil else { return false }
    segments[segment.id] = WeakSegment(segment: segment)
    newSegments += 1
    return true
  }

  /// Periodically returns segments that no longer exist here, for the worker to unmap.
  mutating func sweep() -> [UInt64] {
    guard newSegments >= 16 else { return [] }
    newSegments = 0
    let gone = segments.filter { $0.value.segment == nil }.map(\.key)
    for id in gone { segments[id] = nil }
    return gone
  }

  /// Retains the sources of a request.
  mutating func lend(_ sources: some Sequence<SharedFrame>) {
    for source in sources { lent[source.segment.id] = source.frame }
  }

  /// Releases everything except what the worker still uses.
  ///
  /// - Returns: The number of bytes still lent.
  mutating func takeBack(except kept: [UInt64]) -> Int {
    let kept = Set(kept)
    lent = lent.filter { kept.contains($0.key) }
    return lent.values.reduce(0) { $0 + (($1.memoryOwner as? SharedSegment)?.byteCount ?? 0) }
  }

  // MARK: Outputs

  /// The output of a size that was not used last; `nil` if a new one is needed. Also returns outputs of sizes that have not
  /// been requested for a long time, for the worker to unmap.
  mutating func nextOutput(byteCount: Int) -> (segment: OutputSegment?, gone: [UInt64]) {
    var list = outputs.firstIndex { $0.byteCount == byteCount }.map { outputs.remove(at: $0).segments } ?? []
    let next = list.count < Self.outputsOfASize ? nil : list.removeFirst()
    if let next { list.append(next) }
    outputs.append((byteCount, list))
    let gone = outputs.count > Self.mostSizes ? outputs.removeFirst().segments.map(\.id) : []
    return (next, gone)
  }

  mutating func add(_ segment: OutputSegment) {
    guard let index = outputs.firstIndex(where: { $0.byteCount == segment.byteCount }) else { return }
    outputs[index].segments.append(segment)
  }
}
