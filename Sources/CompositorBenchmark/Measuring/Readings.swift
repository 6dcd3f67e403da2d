import CompositorAPI
import CompositorHost

/// The readings of one variant so far.
struct Readings {
  /// The first frame of each unit, and the number of frames per unit: the same in each pass.
  var units: [Int] = []
  var unitSize = 1
  /// By pass, then by unit: milliseconds of processor time per frame, including that of workers.
  var costs: [[Double]] = []
  /// By pass: milliseconds of wall time per frame.
  var wall: [Double] = []
  var frames: [Double] = []
  var compose: [Double] = []
  var speed: [MachineSpeed.Reading] = []
  var (processor, frameCount) = (0.0, 0)
  var (convert, titles) = (0.0, 0.0)
  var (allocations, copies) = (0, 0)
  var (buffers, heap): (UInt64, UInt64) = (0, 0)
  var routes: [RenderRoute: Int] = [:]
  /// By pass: the peak of resident memory in MiB, NaN if it is unknown.
  var peaks: [Double] = []
  var error: Double?
  /// Milliseconds of wall time per frame, as the warm-up found it.
  var millisecondsPerFrame = 0.0

  /// Milliseconds of a unit with several threads, and of a pass.
  private static let (unitMilliseconds, passMilliseconds) = (20.0, 400.0)

  var cost: FrameCost {
    FrameCost(
      passes: costs, speed: speed, countsWorkers: countsWorkers ? true : nil,
      waitingShare: countsWorkers ? waiting / max(measured, .leastNonzeroMagnitude) : nil)
  }
  /// Milliseconds that threads waited for a processor, and that they had one, if a compositor runs in workers.
  var (waiting, measured) = (0.0, 0.0)
  /// Whether a compositor runs in workers.
  var countsWorkers = false

  /// Defines units. With one thread a unit is a frame: short enough that some are undisturbed. With several threads it is
  /// as many frames as take a fiftieth of a second, so that start and end of the threads are negligible.
  mutating func divide(_ run: ComposeRun) {
    if run.framesInFlight > 1 {
      let wanted = Int((Readings.unitMilliseconds / millisecondsPerFrame).rounded())
      unitSize = min(max(wanted, 2 * run.framesInFlight), run.frameCount).rounded(upToMultipleOf: run.framesInFlight)
    }
    let possible = max(1, run.frameCount / unitSize)
    let affordable = max(2, Int(Readings.passMilliseconds / (millisecondsPerFrame * Double(unitSize))))
    let count = min(possible, affordable)
    // Spread over all frames.
    units = (0..<count).map { $0 * run.frameCount / count }
  }

  /// Defines units that together are every frame once: with one thread each frame, with several all of them.
  mutating func useEveryFrame(of run: ComposeRun) {
    unitSize = run.framesInFlight > 1 ? run.frameCount : 1
    units = run.framesInFlight > 1 ? [0] : Array(0..<run.frameCount)
  }

  /// The numbers of a row. Its ratio to the plain blend follows when all of its readings are known.
  func figures(_ run: ComposeRun, sourceReading: Double) -> BenchmarkRow.Figures {
    let pass = Estimate(wall)
    let count = Double(max(1, frameCount))
    let median = Measurement.percentile(0.5, of: frames)
    return BenchmarkRow.Figures(
      framesPerSecond: 1000 / pass.median, framesPerSecondNoise: pass.noise, p50Milliseconds: median,
      p99Milliseconds: Measurement.percentile(0.99, of: frames), processorMilliseconds: processor / count,
      ratioToPlainBlend: nil, cost: cost,
      peakMemoryMiB: Measurement.greatest(peaks), framesInFlight: run.framesInFlight, allocations: allocations,
      copies: copies, bufferAllocationsPerFrame: HeapCounter.bufferCount.map { _ in Double(buffers) / count },
      heapAllocationsPerFrame: HeapCounter.totalCount.map { _ in Double(heap) / count },
      route: Readings.words(routes), largestError: error,
      stages: BenchmarkRow.Stages(
        decode: nil, convert: convert / count,
        compose: compose.isEmpty ? 0 : compose.reduce(0, +) / count, titles: titles / count,
        encode: nil, audio: nil),
      sourceReadMilliseconds: sourceReading, outputFormat: run.outputFormat)
  }

  private static func words(_ counts: [RenderRoute: Int]) -> String {
    if counts.count == 1, let only = counts.first { return only.key.rawValue }
    return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
  }
}

extension Int {
  fileprivate func rounded(upToMultipleOf unit: Int) -> Int { (self + unit - 1) / unit * unit }
}

extension Readings {
  /// Adds what the scheduler counted in a pass.
  mutating func add(_ way: WayStatistics) {
    convert += way.convertMilliseconds
    titles += way.titlesMilliseconds
    allocations += way.allocations
    copies += way.copies
    routes.merge(way.routes) { $0 + $1 }
  }
}
