import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlayback
import CompositorTestSupport
import Foundation
import Testing

@Suite(.enabled(if: hasFFmpeg)) struct SeekTests {
  /// Places near the ends of groups, forward and backward, far and near.
  static let places = [7, 8, 119, 30, 29, 28, 60, 59, 0, 1, 90, 61, 5, 118, 31]

  @Test(arguments: ["mp4", "mov", "mkv", "ts"], ["25", "30000/1001", "60"])
  func seek_toAnyFrameInAnyContainer_deliversExactlyThatFrame(_ container: String, _ rate: String) async throws {
    for options in [NumberedClip.x264, NumberedClip.x264 + ["-g", "250"], ["-c:v", "mpeg2video", "-q:v", "2", "-g", "1"]] {
      if options[1] == "mpeg2video", rate != "25" { continue }
      let clip = try NumberedClip("n.\(container)", rate: rate, options: options)
      let player = try Player(try clip.composition())
      var frames = player.frames.makeAsyncIterator()
      for (seek, number) in Self.places.enumerated() {
        #expect(try await player.seek(to: .middle(of: number, rate: rate)))
        #expect(player.currentTime == .middle(of: number, rate: rate))
        let shown = try #require(await Self.frame(of: seek + 1, &frames))
        #expect(shown.frame.number == number && shown.index == number && shown.isExact && shown.cost.instructionIndex == 0)
      }
      await player.close()
    }
  }

  /// The frame that a seek with this number led to.
  static func frame(of seek: Int, _ frames: inout PlayerFrames.Iterator) async -> PlayerFrame? {
    while let frame = await frames.next() { if frame.seek >= seek { return frame } }
    return nil
  }

  @Test func thousandSeeks_atOnce_newestIsShownAndOthersAreSuperseded() async throws {
    let player = try Player(try NumberedClip(count: 250, options: NumberedClip.x264 + ["-g", "250"]).composition())
    let places = (0..<1000).map { _ in Int.random(in: 0..<250) }
    var waiting: [Task<Bool, any Error>] = []
    for (index, place) in places.enumerated() {
      // In this order: each is asked for before the next is.
      waiting.append(Task { try await player.seek(to: .middle(of: place, rate: "25")) })
      while player.statistics.seekCount <= index { await Task.yield() }
    }
    for task in waiting.dropLast() { _ = try await task.value }
    #expect(try await waiting[999].value)
    var frames = player.frames.makeAsyncIterator()
    // An iteration may begin with a frame from before.
    let shown = try #require(await Self.frame(of: 1000, &frames))
    #expect(shown.frame.number == places[999] && shown.seek == 1000 && shown.isExact)
    #expect(player.statistics.seekCount == 1000 && player.statistics.failedCount == 0)
    await player.close()
  }

  @Test func supersededSeek_isAnsweredFalseAtOnce() async throws {
    let gate = Gate()
    let player = try Player(try NumberedClip().composition(behind: gate))
    let first = Task { try await player.seek(to: .seconds(1)) }
    while player.statistics.seekCount < 1 { await Task.yield() }
    let second = Task { try await player.seek(to: .seconds(2)) }
    // No frame was let through: the answer needs none.
    #expect(try await first.value == false)
    gate.open()
    #expect(try await second.value)
    #expect(player.statistics.supersededCount == 1)
    await player.close()
  }

  @Test func seek_duringPlayback_deliversItsFrameAndGoesOnFromThere() async throws {
    let clock = ManualClock()
    let player = try Player(try NumberedClip().composition(), settings: PlayerSettings(), clock: clock)
    var frames = player.frames.makeAsyncIterator()
    player.play()
    #expect(try await player.seek(to: .seconds(3)))
    #expect(player.rate == 1 && player.currentTime == .seconds(3))
    #expect(try #require(await Self.frame(of: 1, &frames)).frame.number == 75)
    clock.advance(by: .milliseconds(41))
    #expect(player.currentTime == .seconds(3.041))
    #expect(try #require(await frames.next()).frame.number == 76)
    await player.close()
  }

  @Test func tolerantSeek_inALongGroup_answersWithTheKeyFrameThenTheExactOne() async throws {
    let clip = try NumberedClip(count: 500, options: NumberedClip.x264 + ["-g", "250", "-keyint_min", "250"])
    let player = try Player(try clip.composition())
    let taker = Task {
      var seen: [(Int, Int, Bool)] = []
      for await frame in player.frames where frame.seek == 1 {
        seen.append((frame.index, frame.frame.number, frame.isExact))
        if frame.isExact { return seen }
      }
      return seen
    }
    #expect(try await player.seek(to: .middle(of: 420, rate: "25"), toleranceBefore: .positiveInfinity))
    let seen = await taker.value
    #expect(seen.allSatisfy { $0.0 == $0.1 })
    // A stand-in that is overtaken by the exact frame is not queued.
    #expect(seen.last?.0 == 420 && seen.last?.2 == true)
    #expect(seen.count == 1 || (seen[0].0 == 250 && !seen[0].2))
    #expect(player.statistics.paintedCount >= 2)
    await player.close()
  }

  /// 500 frames in two groups, behind a gate that is closed; nothing is made that no seek asks for.
  private static func twoGroups(_ gate: Gate) throws -> Player {
    let clip = try NumberedClip(count: 500, options: NumberedClip.x264 + ["-g", "250", "-keyint_min", "250"])
    var settings = PlayerSettings()
    settings.prefetches = false
    return try Player(try clip.composition(behind: gate), settings: settings)
  }

  @Test func tolerantSeek_whereTheKeyFrameIsKept_answersWithItBeforeAnyIsMade() async throws {
    let gate = Gate()
    let player = try Self.twoGroups(gate)
    gate.open()
    for place in [250, 499] { try await player.seek(to: .middle(of: place, rate: "25")) }
    gate.close()
    var frames = player.frames.makeAsyncIterator()
    let seek = Task { try await player.seek(to: .middle(of: 350, rate: "25"), toleranceBefore: .positiveInfinity) }
    let isAnswered = await soon { player.statistics.paintedCount == 3 }
    #expect(isAnswered)
    let shown = try #require(await Self.frame(of: 3, &frames))
    #expect(shown.frame.number == 250 && !shown.isExact)
    gate.open()
    #expect(try await seek.value)
    #expect(try #require(await frames.next()).frame.number == 350)
    await player.close()
  }

  @Test func tolerantSeeks_fasterThanKeyFramesAreMade_showThoseThatAreFinished() async throws {
    let gate = Gate()
    let player = try Self.twoGroups(gate)
    let first = Task { try await player.seek(to: .middle(of: 420, rate: "25"), toleranceBefore: .positiveInfinity) }
    let isBegun = await soon { gate.waitingCount > 0 }
    #expect(isBegun)
    let second = Task { try await player.seek(to: .middle(of: 410, rate: "25"), toleranceBefore: .positiveInfinity) }
    #expect(try await first.value == false)
    // The key frame of the first seek answers the second.
    gate.letOneThrough()
    #expect(try await second.value)
    #expect(player.statistics.paintedCount == 1)
    gate.open()
    var frames = player.frames.makeAsyncIterator()
    while let shown = await frames.next(), !shown.isExact { #expect(shown.frame.number == 250) }
    #expect(await soon { player.statistics.paintedCount == 2 })
    await player.close()
  }

  @Test func seek_withoutTolerance_neverShowsAnotherFrame() async throws {
    let player = try Player(try NumberedClip(count: 250, options: NumberedClip.x264 + ["-g", "250"]).composition())
    let taker = Task {
      var seen: [(Int, Int, Bool)] = []
      for await frame in player.frames { seen.append((frame.seek, frame.frame.number, frame.isExact)) }
      return seen
    }
    let places = [200, 100, 101, 99, 240, 3]
    for place in places { try await player.seek(to: .middle(of: place, rate: "25")) }
    #expect(await soon { player.statistics.paintedCount >= places.count })
    await player.close()
    for (seek, number, isExact) in await taker.value where seek > 0 { #expect(number == places[seek - 1] && isExact) }
  }

  @Test func seek_outsideTheTimeline_goesToItsEnds() async throws {
    let player = try Player(try NumberedClip().composition())
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: .seconds(99))
    #expect(player.currentTime == player.endTime)
    #expect(await Self.frame(of: 1, &frames)?.frame.number == 119)
    try await player.seek(to: .seconds(-5))
    #expect(player.currentTime == .zero)
    #expect(await Self.frame(of: 2, &frames)?.frame.number == 0)
    for time in [MediaTime.invalid, .positiveInfinity, .indefinite] {
      await #expect(throws: CompositorError.self) { try await player.seek(to: time) }
    }
    await #expect(throws: CompositorError.self) { try await player.seek(to: .zero, toleranceBefore: .seconds(-1)) }
    await player.close()
  }

  @Test func cache_ofAFewFrames_isNeverLarger() async throws {
    var settings = PlayerSettings()
    settings.cacheByteCount = 0
    let player = try Player(try NumberedClip().composition(), settings: settings)
    for place in Self.places + Array(stride(from: 119, through: 0, by: -3)) {
      try await player.seek(to: .middle(of: place, rate: "25"))
      #expect(player.statistics.cachedFrameCount <= 16)
    }
    await player.close()
  }

  @Test func seeksBackward_throughALongGroup_renderEachFrameOnce() async throws {
    let player = try Player(try NumberedClip(count: 250, options: NumberedClip.x264 + ["-g", "250"]).composition())
    for place in (0..<250).reversed() { try await player.seek(to: .middle(of: place, rate: "25")) }
    #expect(player.statistics.renderedCount == 250)
    await player.close()
  }

  @Test func size_isLimited_andFramesAreStillTheRightOnes() async throws {
    var settings = PlayerSettings(maximumSize: PixelSize(width: 80, height: 80))
    settings.pixelFormat = .yuv420p
    let player = try Player(try NumberedClip().composition(), settings: settings)
    #expect(player.size == PixelSize(width: 80, height: 16))
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: .middle(of: 77, rate: "25"))
    let shown = try #require(await Self.frame(of: 1, &frames))
    #expect(shown.frame.size == player.size && shown.frame.number == 77)
    await player.close()
  }
}
