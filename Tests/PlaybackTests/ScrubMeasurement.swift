import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlayback
import CompositorValidation
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How long seeks take. Not a test of correctness: it runs where `COMPOSITOR_SCRUB_FILE` names a movie, and prints.
///
/// ```sh
/// COMPOSITOR_SCRUB_FILE=gop250.mp4 swift test -c release --filter ScrubMeasurement
/// ```
@Suite(.enabled(if: ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_FILE"] != nil)) struct ScrubMeasurement {
  enum Drag: String, CaseIterable { case random, forward, backward, backAndForth, fastForward, fastBackward }

  @Test func seeks_ofAllKinds_takeAsLongAsPrinted() async throws {
    let path = ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_FILE"] ?? ""
    let chosen = ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_DRAGS"]?.split(separator: ",").map(String.init)
    let drags = chosen?.compactMap(Drag.init(rawValue:)) ?? Drag.allCases
    let isTolerant = ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_TOLERANT"] == "1"
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(Edit(showing: .file(path: path), catalog: catalog), catalog: catalog)
      .get()
    let sides = ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_SIZE"]?.split(separator: "x").compactMap { Int($0) } ?? []
    let sizes = sides.count == 2 ? [PixelSize(width: sides[0], height: sides[1])] : nil
    for size in sizes ?? [PixelSize(width: 1280, height: 720), PixelSize(width: 640, height: 360)] {
      for tolerance in isTolerant ? [.positiveInfinity] : [MediaTime.zero, .positiveInfinity] {
        for drag in drags { try await measure(drag, composition, size, tolerance) }
      }
      try await measureBeat(composition, size)
    }
  }

  /// One seek after another, like dragging a slider and waiting for each frame.
  private func measure(
    _ drag: Drag, _ composition: ValidatedComposition, _ size: PixelSize, _ tolerance: MediaTime
  ) async throws {
    let player = try Player(composition, settings: Self.settings(size))
    let count = Int((player.endTime.seconds / player.frameDuration.seconds).rounded())
    let instants = Instants()
    let taker = Task { for await frame in player.frames { instants.note(frame) } }
    let used = Self.processorTime()
    var generator = LinearCongruentialGenerator(state: 7)
    var (first, exact): ([Duration], [Duration]) = ([], [])
    var place = drag == .backward || drag == .fastBackward ? count - 1 : 0
    for step in 0..<(drag == .random ? 20 : 120) {
      switch drag {
      case .random: place = Int(generator.next() % UInt64(count))
      case .forward: place = min(count - 1, place + 3)
      case .backward: place = max(0, place - 3)
      case .backAndForth: place = count / 2 + Int(90 * sin(Double(step) / 8))
      case .fastForward: place = min(count - 1, place + 12)
      case .fastBackward: place = max(0, place - 12)
      }
      let start = ContinuousClock.now
      try await player.seek(to: player.frameDuration * place, toleranceBefore: tolerance, toleranceAfter: .zero)
      first.append(ContinuousClock.now - start)
      while !instants.hasExact(step + 1) { try await Task.sleep(for: .microseconds(200)) }
      exact.append((instants.exact(step + 1) ?? .now) - start)
      // Fifty events a second.
      try await Task.sleep(for: .milliseconds(20))
    }
    await player.close()
    await taker.value
    print(
      "\(size) \(drag.rawValue)\(tolerance == .zero ? "" : ", tolerant"): first \(summary(first)), exact \(summary(exact)) ms",
      "rendered \(player.statistics.renderedCount), each", costs(player.statistics),
      "processor \(Int((Self.processorTime() - used) / Double(exact.count) * 1000)) ms a seek")
  }

  /// Tolerant seeks 30 times a second to anywhere, whether answered or not: how long until a picture answers each or a later one.
  private func measureBeat(_ composition: ValidatedComposition, _ size: PixelSize) async throws {
    let player = try Player(composition, settings: Self.settings(size))
    let count = Int((player.endTime.seconds / player.frameDuration.seconds).rounded())
    let instants = Instants()
    let taker = Task { for await frame in player.frames { instants.note(frame) } }
    var generator = LinearCongruentialGenerator(state: 11)
    var (starts, seeks): ([ContinuousClock.Instant], [Task<Bool, any Error>]) = ([], [])
    let begin = ContinuousClock.now
    for beat in 0..<150 {
      try await Task.sleep(until: begin + .milliseconds(beat * 33))
      let place = Int(generator.next() % UInt64(count))
      starts.append(.now)
      seeks.append(Task { try await player.seek(to: player.frameDuration * place, toleranceBefore: .positiveInfinity) })
    }
    for seek in seeks { _ = try await seek.value }
    while !instants.hasExact(starts.count) { try await Task.sleep(for: .milliseconds(1)) }
    await player.close()
    await taker.value
    let answers = starts.indices.map { (instants.first(from: $0 + 1) ?? .now) - starts[$0] }
    print("\(size) anywhere, 30 a second, tolerant: answered \(summary(answers)) ms, \(instants.count) pictures")
  }

  /// Seconds that the process has computed: what is left of a measurement on a machine that does something else too.
  private static func processorTime() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
  }

  private func costs(_ statistics: PlayerStatistics) -> String {
    let count = Double(max(1, statistics.renderedCount))
    let parts = [statistics.stages.decode, statistics.stages.conform, statistics.stages.compose, statistics.stages.deliver]
    return parts.map { "\((($0 / .milliseconds(1)) / count * 10).rounded() / 10)" }.joined(separator: " + ") + " ms"
  }

  private static func settings(_ size: PixelSize) -> PlayerSettings {
    var settings = PlayerSettings(maximumSize: size)
    settings.prefetches = ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_PREFETCH"] != "0"
    if ProcessInfo.processInfo.environment["COMPOSITOR_SCRUB_DRAFT"] == "1" { settings.render.quality = .draft }
    return settings
  }

  private func summary(_ durations: [Duration]) -> String {
    let sorted = durations.map { Int(($0 / .milliseconds(1)).rounded()) }.sorted()
    return "median \(sorted[sorted.count / 2]), 95 % \(sorted[sorted.count * 95 / 100])"
  }
}

/// When frames came.
private final class Instants: Sendable {
  private struct State {
    var exact: [Int: ContinuousClock.Instant] = [:]
    var all: [(seek: Int, instant: ContinuousClock.Instant)] = []
  }
  private let state = Mutex(State())

  func note(_ frame: PlayerFrame) {
    state.withLock { state in
      state.all.append((frame.seek, .now))
      if frame.isExact, state.exact[frame.seek] == nil { state.exact[frame.seek] = .now }
    }
  }
  var count: Int { state.withLock { $0.all.count } }
  /// When the first frame of a seek or a later one came.
  func first(from seek: Int) -> ContinuousClock.Instant? {
    state.withLock { state in state.all.first { $0.seek >= seek }?.instant }
  }
  func hasExact(_ seek: Int) -> Bool { exact(seek) != nil }
  func exact(_ seek: Int) -> ContinuousClock.Instant? { state.withLock { $0.exact[seek] } }
}

private struct LinearCongruentialGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
