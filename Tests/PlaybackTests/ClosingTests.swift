import CompositorAPI
import CompositorHost
import CompositorPlayback
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Every wait ends, and nothing stays behind.
@Suite(.enabled(if: hasFFmpeg)) struct ClosingTests {
  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
  }

  @Test func players_closedOrDropped_leaveNoFileAndNoThread() async throws {
    let composition = try NumberedClip("n.mkv", audio: "sin(900*t)").composition()
    // Threads of the runtime are there after the first.
    try await Self.use(composition, closes: true)
    let (files, threads) = (Self.count("fd"), Self.count("task"))
    for round in 0..<12 { try await Self.use(composition, closes: round % 2 == 0) }
    #expect(await soon { Self.count("fd") <= files }, "\(files) files before, \(Self.count("fd")) after")
    #expect(await soon { Self.count("task") <= threads + 1 }, "\(threads) threads before, \(Self.count("task")) after")
  }

  private static func use(_ composition: ValidatedComposition, closes: Bool) async throws {
    let player = try Player(composition)
    try await player.seek(to: .seconds(2))
    _ = try await player.audio(from: .zero, count: 100)
    player.play(rate: -1)
    try await Task.sleep(for: .milliseconds(30))
    if closes { await player.close() }
  }

  @Test func everyWait_endsWithThePlayer() async throws {
    let player = try Player(try NumberedClip().composition(behind: Gate()))
    let seek = Task { try await player.seek(to: .seconds(1)) }
    let frames = Task { await player.frames.reduce(0) { count, _ in count + 1 } }
    let times = Task { await player.times(every: .seconds(1)).reduce(0) { count, _ in count + 1 } }
    let errors = Task { await player.errors.reduce(0) { count, _ in count + 1 } }
    #expect(await soon { player.statistics.seekCount == 1 })
    let start = ContinuousClock.now
    await player.close()
    await #expect(throws: CompositorError.self) { try await seek.value }
    #expect(await frames.value == 0)
    _ = await (times.value, errors.value)
    #expect(ContinuousClock.now - start < .seconds(5))
    await #expect(throws: CompositorError.self) { try await player.seek(to: .zero) }
    player.play()
    #expect(player.rate == 0)
  }

  @Test func canceledSeek_throwsAtOnce_andLaterOnesAreServed() async throws {
    let gate = Gate()
    let player = try Player(try NumberedClip().composition(behind: gate))
    let seek = Task { try await player.seek(to: .seconds(1)) }
    #expect(await soon { player.statistics.seekCount == 1 })
    seek.cancel()
    await #expect(throws: CompositorError.self) { try await seek.value }
    gate.open()
    #expect(try await player.seek(to: .seconds(2)))
    let taker = Task { await player.frames.reduce(0) { count, _ in count + 1 } }
    #expect(await soon { player.statistics.paintedCount > 0 })
    taker.cancel()
    _ = await taker.value
    await player.close()
  }
}
