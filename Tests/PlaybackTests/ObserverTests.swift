import CompositorAPI
import CompositorPlayback
import CompositorTestSupport
import Foundation
import Testing

/// Observers of times, on a clock that the test moves.
@Suite(.enabled(if: hasFFmpeg)) struct ObserverTests {
  /// What a stream gave so far.
  final class Notes: Sendable {
    private let task: Task<Void, Never>

    init(_ stream: AsyncStream<MediaTime>) {
      let (made, continuation) = AsyncStream<MediaTime>.makeStream()
      // The task must not hold what it fills.
      task = Task {
        for await time in stream { continuation.yield(time) }
        continuation.finish()
      }
      received = made
    }
    let received: AsyncStream<MediaTime>

    /// Everything up to the end of the stream.
    func all() async -> [MediaTime] { await received.reduce(into: []) { $0.append($1) } }
  }

  private func time(_ milliseconds: Int) -> MediaTime { MediaTime(value: Int64(milliseconds), timescale: 1000) }

  /// Steps that meet boundaries exactly, and steps that pass several at once.
  @Test(arguments: [10, 70, 250, 900])
  func times_forwardAndBackward_comeOnceForEachCrossing(_ step: Int) async throws {
    let clock = ManualClock()
    let player = try Player(try NumberedClip().composition(), settings: PlayerSettings(), clock: clock)
    try await player.seek(to: time(100))
    let (every, marks) = (Notes(player.times(every: time(250))), Notes(player.boundaries([time(300), time(1500), time(777)])))
    player.play()
    for _ in 0..<(1800 / step) {
      clock.advance(by: .milliseconds(step))
      try await Task.sleep(for: .microseconds(500))
    }
    player.pause()
    let top = player.currentTime
    player.play(rate: -2)
    for _ in 0..<(1600 / step) {
      clock.advance(by: .milliseconds(step / 2))
      try await Task.sleep(for: .microseconds(500))
    }
    player.pause()
    let bottom = player.currentTime
    await player.close()
    func expected(_ times: [MediaTime]) -> [MediaTime] {
      times.filter { $0 > time(100) && $0 <= top } + times.filter { $0 < top && $0 >= bottom }.reversed()
    }
    #expect(await every.all() == expected((0..<40).map { time(250 * $0) }))
    #expect(await marks.all() == expected([time(300), time(777), time(1500)]))
  }

  @Test func seek_givesItsTimeOnce_andNothingInBetween() async throws {
    let player = try Player(try NumberedClip().composition(), settings: PlayerSettings(), clock: ManualClock())
    let every = Notes(player.times(every: .seconds(1)))
    let marks = Notes(player.boundaries([.seconds(1), .seconds(2), .seconds(3)]))
    try await player.seek(to: .seconds(2.5))
    try await player.seek(to: .seconds(1))
    try await player.seek(to: .seconds(1.25))
    await player.close()
    #expect(await every.all() == [.seconds(2.5), .seconds(1), .seconds(1.25)])
    #expect(await marks.all() == [.seconds(1)])
  }

  @Test func loop_givesTheStartAgain() async throws {
    let clock = ManualClock()
    var settings = PlayerSettings()
    settings.endAction = .loop
    let player = try Player(try NumberedClip(count: 25).composition(), settings: settings, clock: clock)
    try await player.seek(to: .seconds(0.3))
    let every = Notes(player.times(every: .seconds(0.5)))
    player.play()
    for _ in 0..<10 {
      clock.advance(by: .milliseconds(100))
      _ = await soon { player.currentTime.seconds < 1 }
      try await Task.sleep(for: .milliseconds(1))
    }
    player.pause()
    await player.close()
    #expect(await every.all() == [.seconds(0.5), .seconds(1), .zero])
  }

  /// An audio device whose clock fluctuates must not make a crossing twice.
  @Test func smallCorrectionsBackward_repeatNothing() async throws {
    let clock = ManualClock()
    let player = try Player(try NumberedClip().composition(), settings: PlayerSettings(), clock: clock)
    try await player.seek(to: time(10))
    let every = Notes(player.times(every: time(100)))
    player.play()
    for step in 1...60 {
      clock.advance(by: .milliseconds(10))
      player.synchronize(to: time(10 + 10 * step + (step % 2 == 0 ? 8 : -8)), at: clock.now)
      try await Task.sleep(for: .microseconds(500))
    }
    player.pause()
    await player.close()
    #expect(await every.all() == (1...6).map { time(100 * $0) })
  }
}
