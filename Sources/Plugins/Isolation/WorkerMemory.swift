import CompositorAPI

/// What a worker has been sent already, and what of it may not be used again yet.
///
/// One rule says for how long a source's memory is a worker's: from the request that lends it until an answer that does not name
/// it as kept. Graphs with a memory of their own keep pictures by reference for as many requests as they like.
struct WorkerMemory {
  private struct WeakSegment {
    weak var segment: SharedSegment?
  }
  private var segments: [UInt64: WeakSegment] = [:]
  private var newSegments = 0
  /// Frames that are lent, by their segment.
  private var lent: [UInt64: Frame] = [:]
  /// Outputs by their size, the one that was used last at the end; sizes in the order of their last use.
  private var outputs: [(byteCount: Int, segments: [OutputSegment])] = []
  var instances: Set<UInt64> = []
  var attributes: [FrameAttributes: UInt32] = [:]
  var instruction: Instruction?
  var parameters: ParameterValues?
  private var dropsSeen = 0

  private static let outputsOfASize = 2
  private static let mostSizes = 4

  /// Instances that it has and that are gone, of the list of all that are gone.
  mutating func drop(_ all: [UInt64]) -> [UInt64] {
    defer { dropsSeen = all.count }
    return all[dropsSeen...].filter { instances.remove($0) != nil }
  }

  // MARK: Sources

  /// Whether a segment was not known; it is from now on.
  mutating func isNew(_ segment: SharedSegment) -> Bool {
    guard segments[segment.id] == nil else { return false }
    segments[segment.id] = WeakSegment(segment: segment)
    newSegments += 1
    return true
  }

  /// Segments that are gone here, now and then: the worker is to let go of them too.
  mutating func sweep() -> [UInt64] {
    guard newSegments >= 16 else { return [] }
    newSegments = 0
    let gone = segments.filter { $0.value.segment == nil }.map(\.key)
    for id in gone { segments[id] = nil }
    return gone
  }

  /// Keeps the sources of a request.
  mutating func lend(_ sources: some Sequence<SharedFrame>) {
    for source in sources { lent[source.segment.id] = source.frame }
  }

  /// Lets go of everything but what the worker still has a use for.
  ///
  /// - Returns: How many bytes that is.
  mutating func takeBack(except kept: [UInt64]) -> Int {
    let kept = Set(kept)
    lent = lent.filter { kept.contains($0.key) }
    return lent.values.reduce(0) { $0 + (($1.memoryOwner as? SharedSegment)?.byteCount ?? 0) }
  }

  // MARK: Outputs

  /// The output of a size that was not used last; nil where one has to be made. Beside it those of sizes that were not asked for
  /// in a long time: the worker is to let go of them.
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
