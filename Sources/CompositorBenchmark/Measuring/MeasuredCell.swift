import CompositorAPI
import CompositorHost

/// One scene with several compositors and thread counts, alternating.
final class MeasuredCell {
  private let scene: MeasuredScene
  private let speed: MachineSpeed
  private let configuration: BenchmarkConfiguration
  private let reference = ReferenceCheck()
  /// Milliseconds for reading the sources of a frame, during the passes of all variants.
  private var sourceReadings: [Double] = []

  init(_ scene: MeasuredScene, speed: MachineSpeed, configuration: BenchmarkConfiguration) {
    (self.scene, self.speed, self.configuration) = (scene, speed, configuration)
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
    if !scene.isUniform { chooseFrames(&entries) }
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
    let sourceReading = Estimate(sourceReadings).median
    for (entry, key) in zip(entries, keys) {
      switch entry {
      case .skipped: break
      case .failed(let reason): rows.append(BenchmarkRow(key, figures: nil, failure: reason))
      case .run(let run, let readings):
        await run.close()
        rows.append(BenchmarkRow(key, figures: readings.figures(run, sourceReading: sourceReading), failure: nil))
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
      readings.countsWorkers = run.isElsewhere
      if self.configuration.checkedFrames > 0 {
        readings.error = try self.reference.largestError(
          of: try await run.checked(self.configuration.checkedFrames), in: self.scene.edit)
      }
      readings.millisecondsPerFrame = try await self.warmUp(run)
      readings.divide(run)
      _ = run.takeComposeTimes()
      _ = await run.takeStatistics()
      return .run(run, readings)
    }
  }

  /// Makes frames until caches and pools are filled; returns milliseconds per frame.
  private func warmUp(_ run: ComposeRun) async throws -> Double {
    guard scene.isUniform else {
      // Frames of an edit of one's own are different work: their mean counts.
      var milliseconds = 0.0
      let places = ComposeRun.spread(MeasuredCell.warmUpCount, of: run.frameCount)
      for place in places { milliseconds += try await run.chunk(place, 1).wallMilliseconds }
      return max(milliseconds / Double(places.count), 0.001)
    }
    let start = ContinuousClock.now
    var (made, fastest) = (0, Double.infinity)
    repeat {
      let chunk = try await run.chunk(made, run.framesInFlight)
      made += chunk.frameCount
      fastest = min(fastest, chunk.wallMilliseconds / Double(chunk.frameCount))
    } while made < run.frameCount && start.duration(to: .now) < .milliseconds(300)
    return max(fastest, 0.001)
  }

  /// Lets all variants make the same frames: as many as the slowest can afford.
  private func chooseFrames(_ entries: inout [Entry]) {
    let slowest = entries.reduce(0.0) { slowest, entry in
      if case .run(_, let readings) = entry { max(slowest, readings.millisecondsPerFrame) } else { slowest }
    }
    for (index, entry) in entries.enumerated() {
      guard case .run(let run, var readings) = entry else { continue }
      let affordable = Int(MeasuredCell.longestPass / slowest)
      run.keep(min(run.frameCount, max(affordable, MeasuredCell.warmUpCount)))
      readings.useEveryFrame(of: run)
      entries[index] = .run(run, readings)
    }
  }

  /// The number of frames of an edit of one's own that are made before anything is measured.
  private static let warmUpCount = 12
  /// Milliseconds of the longest pass over an edit of one's own.
  private static let longestPass = 2500.0

  /// One pass: every unit once, with readings of the machine's speed in between.
  private func pass(_ run: ComposeRun, _ readings: inout Readings) async throws {
    let memory = PeakMemory()
    let (waiting, processor) = (run.isElsewhere ? Measurement.waitingMilliseconds() : 0, readings.processor)
    var (costs, wall, made, sinceReading) = ([Double](), 0.0, 0, Double.infinity)
    let readingInterval = max(1, readings.units.count / MeasuredCell.sourceReadingCount)
    for (number, first) in readings.units.enumerated() {
      // Those of another frame, which are not in the caches, and which the next frame does not find there.
      if number % readingInterval == 0 { sourceReadings.append(run.readSources(ofFrame: first + run.frameCount / 2 + 1)) }
      if sinceReading > MeasuredCell.readingDistance {
        readings.speed.append(try speed.reading())
        sinceReading = 0
      }
      let heap = (HeapCounter.bufferCount ?? 0, HeapCounter.totalCount ?? 0)
      let chunk = try await run.chunk(first, readings.unitSize)
      readings.buffers += (HeapCounter.bufferCount ?? 0) - heap.0
      readings.heap += (HeapCounter.totalCount ?? 0) - heap.1
      let count = Double(chunk.frameCount)
      costs.append(chunk.processorMilliseconds / count)
      readings.frames += chunk.frameMilliseconds
      // The time of a worker that has ended is unknown.
      readings.processor += chunk.processorMilliseconds.isFinite ? chunk.processorMilliseconds : chunk.wallMilliseconds
      wall += chunk.wallMilliseconds
      made += chunk.frameCount
      sinceReading += chunk.wallMilliseconds
    }
    readings.costs.append(costs)
    if run.isElsewhere {
      // Threads that have ended take their numbers with them.
      readings.waiting += max(0, Measurement.waitingMilliseconds() - waiting)
      readings.measured += readings.processor - processor
    }
    readings.wall.append(wall / Double(made))
    readings.compose += run.takeComposeTimes()
    readings.frameCount += made
    readings.add(await run.takeStatistics())
    readings.peaks.append(memory.mebibytes)
  }

  /// Milliseconds of work between readings of the machine's speed.
  private static let readingDistance = 5.0
  /// The number of times that the sources of a frame are read in a pass, for the second baseline.
  private static let sourceReadingCount = 8

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
}
