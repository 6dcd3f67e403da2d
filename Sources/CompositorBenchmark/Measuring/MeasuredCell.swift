import CompositorAPI
import CompositorHost

/// One scene with several compositors and thread counts, alternating.
final class MeasuredCell {
  private let scene: MeasuredScene
  private let speed: MachineSpeed
  private let configuration: BenchmarkConfiguration
  private let reference = ReferenceCheck()

  init(_ scene: MeasuredScene, speed: MachineSpeed, configuration: BenchmarkConfiguration) {
    (self.scene, self.speed, self.configuration) = (scene, speed, configuration)
  }

  /// The readings of one variant so far.
  private struct Readings {
    /// The first frame of each unit, and the number of frames per unit: the same in each pass.
    var units: [Int] = []
    var unitSize = 1
    /// By pass, then by unit: milliseconds of processor time per frame (wall time if the compositor runs in another process).
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
    var peak = 0.0
    var error: Double?

    var cost: FrameCost { FrameCost(passes: costs, speed: speed) }

    /// Defines units. With one thread a unit is a frame: short enough that some are undisturbed. With several threads it is
    /// as many frames as take a fiftieth of a second, so that start and end of the threads are negligible.
    mutating func divide(_ run: ComposeRun, millisecondsPerFrame: Double) {
      if run.framesInFlight > 1 {
        let wanted = Int((MeasuredCell.unitMilliseconds / millisecondsPerFrame).rounded())
        unitSize = min(max(wanted, 2 * run.framesInFlight), run.frameCount).rounded(upToMultipleOf: run.framesInFlight)
      }
      let possible = max(1, run.frameCount / unitSize)
      let affordable = max(2, Int(MeasuredCell.passMilliseconds / (millisecondsPerFrame * Double(unitSize))))
      let count = min(possible, affordable)
      // Spread over all frames.
      units = (0..<count).map { $0 * run.frameCount / count }
    }
  }

  private enum Entry {
    case run(ComposeRun, Readings)
    case failed(String)
    case skipped

    /// Whether more readings are unnecessary.
    var isDone: Bool {
      guard case .run(_, let readings) = self else { return true }
      return readings.cost.isSteady
    }
  }

  /// A row for each compositor and thread count, in the order of `keys`.
  ///
  /// - Throws: `.cancelled`.
  func measure(_ compositors: [CompositorFactory?], keys: [BenchmarkRow.Key]) async throws -> [BenchmarkRow] {
    let sources = GatheredSources(scene, for: compositors)
    var entries: [Entry] = []
    for (compositor, threads) in compositors.flatMap({ c in configuration.threads.map { (c, $0) } }) {
      let variant = ComposeRun.Variant(
        compositor: compositor, threads: threads, slowdown: configuration.plantedSlowdown)
      entries.append(configuration.measures(keys[entries.count]) ? try await prepare(variant, sources) : .skipped)
    }
    for round in 0..<max(configuration.repetitions, configuration.maximumRepetitions) {
      if round >= configuration.repetitions, entries.allSatisfy(\.isDone) { break }
      // Each variant takes every position in the order.
      for place in entries.indices {
        let index = (place + round) % entries.count
        guard case .run(let run, var readings) = entries[index] else { continue }
        entries[index] = try await attempt {
          try await self.pass(run, &readings)
          return .run(run, readings)
        }
      }
    }
    var rows: [BenchmarkRow] = []
    for (entry, key) in zip(entries, keys) {
      switch entry {
      case .skipped: break
      case .failed(let reason): rows.append(BenchmarkRow(key, figures: nil, failure: reason))
      case .run(let run, let readings):
        await run.close()
        rows.append(BenchmarkRow(key, figures: figures(readings, run), failure: nil))
      }
    }
    return rows
  }

  /// Reads sources, compares frames with the reference, warms up, and determines the number of frames in a chunk.
  private func prepare(_ variant: ComposeRun.Variant, _ sources: GatheredSources) async throws -> Entry {
    try await attempt {
      let run = try await ComposeRun(self.scene, variant, sources: sources)
      guard run.frameCount > 0 else { return .failed("There is no frame to make.") }
      var readings = Readings()
      if self.configuration.checkedFrames > 0 {
        readings.error = try self.reference.largestError(
          of: try await run.checked(self.configuration.checkedFrames), in: self.scene.edit)
      }
      let start = ContinuousClock.now
      var (made, fastest) = (0, Double.infinity)
      repeat {
        let chunk = try await run.chunk(made, run.framesInFlight)
        made += chunk.frameCount
        fastest = min(fastest, chunk.wallMilliseconds / Double(chunk.frameCount))
      } while made < run.frameCount && start.duration(to: .now) < .milliseconds(300)
      readings.divide(run, millisecondsPerFrame: max(fastest, 0.001))
      _ = run.takeComposeTimes()
      _ = await run.takeStatistics()
      return .run(run, readings)
    }
  }

  /// One pass: every unit once, with readings of the machine's speed in between.
  private func pass(_ run: ComposeRun, _ readings: inout Readings) async throws {
    Measurement.resetPeakMemory()
    let heap = (HeapCounter.bufferCount ?? 0, HeapCounter.totalCount ?? 0)
    var (costs, wall, made, sinceReading) = ([Double](), 0.0, 0, Double.infinity)
    for first in readings.units {
      if sinceReading > MeasuredCell.readingDistance {
        readings.speed.append(speed.reading())
        sinceReading = 0
      }
      let chunk = try await run.chunk(first, readings.unitSize)
      let count = Double(chunk.frameCount)
      costs.append((run.isElsewhere ? chunk.wallMilliseconds : chunk.processorMilliseconds) / count)
      readings.frames += chunk.frameMilliseconds
      readings.processor += chunk.processorMilliseconds
      wall += chunk.wallMilliseconds
      made += chunk.frameCount
      sinceReading += chunk.wallMilliseconds
    }
    readings.costs.append(costs)
    readings.wall.append(wall / Double(made))
    readings.compose += run.takeComposeTimes()
    let way = await run.takeStatistics()
    readings.frameCount += made
    readings.convert += way.convertMilliseconds
    readings.titles += way.titlesMilliseconds
    readings.allocations += way.allocations
    readings.copies += way.copies
    readings.routes.merge(way.routes) { $0 + $1 }
    readings.buffers += (HeapCounter.bufferCount ?? 0) - heap.0
    readings.heap += (HeapCounter.totalCount ?? 0) - heap.1
    readings.peak = max(readings.peak, Measurement.peakMemoryMiB())
  }

  /// Milliseconds of a unit with several threads, of a pass, and of work between readings of the machine's speed.
  private static let (unitMilliseconds, passMilliseconds, readingDistance) = (20.0, 400.0, 5.0)

  private func attempt(_ body: () async throws -> Entry) async throws -> Entry {
    do {
      return try await body()
    } catch is CancellationError {
      throw CompositorError(.cancelled, "The benchmark was canceled.")
    } catch let error as CompositorError where error.code == .cancelled {
      throw error
    } catch {
      return .failed("\(error)")
    }
  }

  private func figures(_ readings: Readings, _ run: ComposeRun) -> BenchmarkRow.Figures {
    let wall = Estimate(readings.wall)
    let count = Double(max(1, readings.frameCount))
    let median = Measurement.percentile(0.5, of: readings.frames)
    return BenchmarkRow.Figures(
      framesPerSecond: 1000 / wall.median, framesPerSecondNoise: wall.noise, p50Milliseconds: median,
      p99Milliseconds: Measurement.percentile(0.99, of: readings.frames), processorMilliseconds: readings.processor / count,
      ratioToPlainBlend: median / Estimate(readings.speed.map(\.memory)).median, cost: readings.cost,
      peakMemoryMiB: readings.peak, framesInFlight: run.framesInFlight, allocations: readings.allocations,
      copies: readings.copies, bufferAllocationsPerFrame: HeapCounter.bufferCount.map { _ in Double(readings.buffers) / count },
      heapAllocationsPerFrame: HeapCounter.totalCount.map { _ in Double(readings.heap) / count },
      route: MeasuredCell.routes(readings.routes), largestError: readings.error,
      stages: BenchmarkRow.Stages(
        decode: nil, convert: readings.convert / count,
        compose: readings.compose.isEmpty ? 0 : readings.compose.reduce(0, +) / count, titles: readings.titles / count,
        encode: nil, audio: nil))
  }

  private static func routes(_ counts: [RenderRoute: Int]) -> String {
    if counts.count == 1, let only = counts.first { return only.key.rawValue }
    return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
  }
}

extension Int {
  fileprivate func rounded(upToMultipleOf unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
