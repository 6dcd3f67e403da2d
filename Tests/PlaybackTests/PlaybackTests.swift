import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorPlayback
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// The clock, due frames, drops and ends, on a clock that the test moves.
@Suite(.enabled(if: hasFFmpeg)) struct PlaybackTests {
  private func player(
    _ composition: ValidatedComposition, _ clock: ManualClock, _ change: (inout PlayerSettings) -> Void = { _ in }
  ) throws -> Player {
    var settings = PlayerSettings()
    change(&settings)
    return try Player(composition, settings: settings, clock: clock)
  }

  @Test(arguments: [(1.0, 1000), (2, 2000), (0.5, 500), (-1, -1000), (-0.25, -250), (32, 32_000), (99, 32_000), (-99, -32_000)])
  func clock_atAnyRate_runsThatFast(_ rate: Double, _ milliseconds: Int) async throws {
    let clock = ManualClock()
    let clip = try NumberedClip("n.mp4", count: 2, rate: "1/60", options: ["-c:v", "mpeg4", "-q:v", "2"])
    let player = try player(try clip.composition(), clock)
    try await player.seek(to: .seconds(60))
    player.play(rate: rate)
    clock.advance(by: .milliseconds(1000))
    #expect(player.currentTime == MediaTime(value: Int64(60_000 + milliseconds), timescale: 1000))
    player.pause()
    clock.advance(by: .seconds(5))
    #expect(player.rate == 0 && player.currentTime == MediaTime(value: Int64(60_000 + milliseconds), timescale: 1000))
    player.play(rate: rate)
    clock.advance(by: .milliseconds(250))
    #expect(abs(player.currentTime.seconds - 60 - Double(milliseconds) * 1.25 / 1000) < 1e-9)
    let ahead = MediaTime(value: Int64(60_000 + milliseconds * 3 / 2), timescale: 1000)
    let instant = try #require(player.instant(of: ahead))
    #expect(abs((instant - clock.now) / .milliseconds(1) - 250) < 0.01)
    #expect(abs((player.time(at: instant) - ahead).seconds) < 1e-6)
    await player.close()
  }

  @Test func clock_ofNumbersThatAreNoRate_pauses() async throws {
    let player = try player(try NumberedClip().composition(), ManualClock())
    for rate in [Double.nan, .infinity, 0] {
      player.play()
      player.play(rate: rate)
      #expect(player.rate == 0)
    }
    #expect(player.instant(of: .seconds(1)) == nil)
    await player.close()
  }

  @Test(arguments: ["24", "25", "30000/1001", "60"], [1.0, -1, 2])
  func frames_onAnUnhurriedClock_comeAllInOrderAndOnTime(_ rate: String, _ speed: Double) async throws {
    let clock = ManualClock()
    let clip = try NumberedClip(count: 48, rate: rate)
    let player = try player(try clip.composition(), clock)
    var frames = player.frames.makeAsyncIterator()
    let start = speed > 0 ? 0 : 47
    try await player.seek(to: .middle(of: start, rate: rate))
    #expect(await SeekTests.frame(of: 1, &frames)?.frame.number == start)
    player.play(rate: speed)
    let step = Duration.seconds(player.frameDuration.seconds / abs(speed))
    let isStrided = rate == "60" && speed == 2
    for number in 1..<40 where !isStrided {
      clock.advance(by: step)
      let shown = try #require(await frames.next())
      #expect(shown.frame.number == (speed > 0 ? number : 47 - number) && shown.isExact)
    }
    let statistics = player.statistics
    #expect(statistics.droppedCount == 0 && statistics.lateCount == 0 && statistics.failedCount == 0)
    await player.close()
  }

  @Test func frames_ofASlowCompositor_areDroppedAndCounted() async throws {
    let (clock, gate) = (ManualClock(), Gate())
    gate.open()
    let player = try player(try NumberedClip().composition(behind: gate), clock) { $0.prefetches = false }
    var frames = player.frames.makeAsyncIterator()
    #expect(await frames.next()?.frame.number == 0)
    gate.close()
    player.play()
    // Ten frames pass while nothing is composed.
    for _ in 0..<10 {
      clock.advance(by: .milliseconds(40))
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(player.statistics.paintedCount == 1)
    gate.open()
    var last = 0
    while last < 10 {
      let shown = try #require(await frames.next())
      // Never back, never queued.
      #expect(shown.index > last)
      last = shown.index
    }
    #expect(await soon { player.statistics.droppedCount > 0 })
    let statistics = player.statistics
    #expect(statistics.droppedCount + statistics.paintedCount == last + 1)
    #expect(player.currentTime == .seconds(0.4))
    await player.close()
  }

  /// A compositor that takes much longer than a frame lasts: what is made is made for the time at which it will be there.
  @Test(arguments: [1.0, 4, 8]) func frames_thatTakeLongerThanTheyLast_areShownAllTheSame(_ rate: Double) async throws {
    let clip = try NumberedClip(count: 1000)
    let player = try Player(try clip.composition(delay: .milliseconds(150)), settings: PlayerSettings())
    var frames = player.frames.makeAsyncIterator()
    #expect(await frames.next()?.frame.number == 0)
    player.play(rate: rate)
    let begin = ContinuousClock.now
    var (count, distances): (Int, [Double]) = (0, [])
    while ContinuousClock.now - begin < .seconds(3), let shown = await frames.next() {
      count += 1
      if ContinuousClock.now - begin > .seconds(1) {
        distances.append((player.currentTime - player.frameDuration * shown.index).seconds / rate)
      }
    }
    await player.close()
    // Some six a second can be made by one thread.
    #expect(count >= 8, "\(count) in three seconds")
    let typical = distances.sorted()[distances.count / 2]
    #expect(typical < 0.2, "seconds behind: \(distances)")
  }

  @Test(arguments: [1.0, -1]) func end_withPause_staysThereWithItsFrame(_ rate: Double) async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip(count: 25).composition(), clock)
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: .seconds(0.5))
    player.play(rate: rate)
    clock.advance(by: .seconds(3))
    var last: PlayerFrame?
    while last?.index != (rate > 0 ? 24 : 0) { last = await frames.next() }
    #expect(await soon { player.rate == 0 })
    #expect(player.currentTime == (rate > 0 ? .seconds(1) : .zero))
    await player.close()
  }

  @Test(arguments: [1.0, -1]) func end_withLoop_goesOnFromTheOtherEnd(_ rate: Double) async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip(count: 25).composition(), clock) { $0.endAction = .loop }
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: .seconds(0.5))
    _ = await SeekTests.frame(of: 1, &frames)
    player.play(rate: rate)
    clock.advance(by: .milliseconds(820))
    let expected = rate > 0 ? 8 : 17
    while let shown = await frames.next() { if shown.frame.number == expected { break } }
    #expect(player.rate == rate)
    #expect(abs(player.currentTime.seconds - (rate > 0 ? 0.32 : 0.68)) < 1e-6)
    await player.close()
  }

  @Test(arguments: [1.0, -1]) func play_atTheEnd_startsOver(_ rate: Double) async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip(count: 25).composition(), clock)
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: rate > 0 ? .seconds(1) : .zero)
    _ = await SeekTests.frame(of: 1, &frames)
    player.play(rate: rate)
    clock.advance(by: .milliseconds(50))
    #expect(abs(player.currentTime.seconds - (rate > 0 ? 0.05 : 0.95)) < 1e-9)
    while let shown = await frames.next() { if shown.frame.number == (rate > 0 ? 1 : 23) { break } }
    await player.close()
  }

  @Test func end_withoutAction_letsTheClockRunOnItsLastFrame() async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip(count: 25).composition(), clock) { $0.endAction = .none }
    var frames = player.frames.makeAsyncIterator()
    _ = await frames.next()
    player.play()
    clock.advance(by: .seconds(2))
    while let shown = await frames.next() { if shown.frame.number == 24 { break } }
    #expect(player.rate == 1 && player.currentTime == .seconds(1))
    await player.close()
  }

  @Test func end_beyondTheMedia_showsTheBackground() async throws {
    let composition = try NumberedClip(count: 25).composition { edit in
      edit.videoComposition.instructions[0].backgroundColor = .white
    }
    let player = try player(composition, ManualClock()) { $0.endTime = .seconds(2) }
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: .seconds(0.99))
    #expect(await SeekTests.frame(of: 1, &frames)?.frame.number == 24)
    try await player.seek(to: .seconds(1.5))
    let shown = try #require(await SeekTests.frame(of: 2, &frames))
    #expect(shown.frame.number == 1023 && shown.index == 37 && shown.cost.instructionIndex == 1)
    #expect(player.endTime == .seconds(2))
    await player.close()
  }

  @Test func titles_beyondTheMedia_lookAsInAnExportThatGoesOn() async throws {
    let clip = try NumberedClip(count: 25)
    var title = Layer(frame: Rect(x: 20, y: 2, width: 50, height: 10))
    title.backgroundColor = .white
    let shown = try clip.composition { $0.titles = Titles(layers: [title]) }
    // An export ends with the media: this one's are longer, and not shown there.
    let longer = try NumberedClip(count: 50).composition { edit in
      edit.titles = Titles(layers: [title])
      edit.videoComposition.instructions[0].timeRange = TimeRange(start: .zero, end: .seconds(1))
      edit.videoComposition.instructions.append(Instruction(timeRange: TimeRange(start: .seconds(1), end: .seconds(2))))
    }
    var settings = ReaderSettings()
    settings.timeRange = TimeRange(start: .zero, end: .seconds(2))
    settings.mediaTypes = [.video]
    let reader = try await CompositionReader(longer, settings: settings)
    var exported: [Int: Frame] = [:]
    while let frame = try await reader.nextFrame() { exported[frame.index] = frame.frame }
    #expect(exported.count == 50)
    let player = try player(shown, ManualClock()) { $0.endTime = .seconds(2) }
    var frames = player.frames.makeAsyncIterator()
    for (seek, place) in [25, 37, 49].enumerated() {
      try await player.seek(to: .middle(of: place, rate: "25"))
      let found = try #require(await SeekTests.frame(of: seek + 1, &frames))
      #expect(found.index == place)
      let isSame = found.frame.rows == exported[place]?.rows
      #expect(isSame, "frame \(place)")
      // The title, and beside it the background.
      let row = found.frame.rows[6]
      #expect(row[40] > 200 && row[100] < 32)
    }
    await player.close()
  }

  @Test func end_beforeTheMedias_isWhereItPauses() async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip(count: 25).composition(), clock) { $0.endTime = .seconds(0.4) }
    try await player.seek(to: .seconds(9))
    #expect(player.currentTime == .seconds(0.4))
    var frames = player.frames.makeAsyncIterator()
    #expect(await frames.next()?.frame.number == 9)
    for end in [MediaTime.zero, .invalid, .positiveInfinity, .seconds(-1)] {
      let composition = try NumberedClip(count: 2).composition()
      #expect(throws: CompositorError.self) { try self.player(composition, clock) { $0.endTime = end } }
    }
    await player.close()
  }

  @Test func master_elsewhere_leadsTheClock() async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip().composition(), clock)
    var frames = player.frames.makeAsyncIterator()
    _ = await frames.next()
    player.synchronize(to: .seconds(2), at: clock.now)
    #expect(player.currentTime == .zero)
    player.play()
    // An audio device that runs 2 % fast.
    for step in 1...50 {
      clock.advance(by: .milliseconds(20))
      player.synchronize(to: MediaTime(value: Int64(step * 204), timescale: 10_000), at: clock.now)
    }
    #expect(player.currentTime == .seconds(1.02))
    // A jump.
    player.synchronize(to: .seconds(3), at: clock.now)
    while let shown = await frames.next() { if shown.frame.number == 75 { break } }
    await player.close()
  }

  @Test func master_ofAPlayerThatHasShownNothing_leadsFromTheStart() async throws {
    let clock = ManualClock()
    let player = try player(try NumberedClip().composition(behind: Gate()), clock)
    var frames = player.frames.makeAsyncIterator()
    player.play()
    player.synchronize(to: .seconds(3), at: clock.now)
    #expect(player.currentTime == .seconds(3))
    clock.advance(by: .milliseconds(20))
    #expect(player.currentTime == .seconds(3.02))
    await player.close()
    #expect(await frames.next()?.index == nil)
  }

  @Test func brokenFrame_isReported_andPlaybackGoesOn() async throws {
    let (clock, gate) = (ManualClock(), Gate())
    gate.open()
    let player = try player(try NumberedClip().composition(behind: gate, broken: [3, 4]), clock)
    var frames = player.frames.makeAsyncIterator()
    var seen = [await frames.next()?.frame.number]
    player.play()
    for index in 1..<8 {
      clock.advance(by: .milliseconds(40))
      if index != 3, index != 4 { seen.append(await frames.next()?.frame.number) }
    }
    #expect(seen == [0, 1, 2, 5, 6, 7])
    player.pause()
    await #expect(throws: CompositorError.self) { try await player.seek(to: .middle(of: 4, rate: "25")) }
    #expect(try await player.seek(to: .middle(of: 5, rate: "25")))
    #expect(player.statistics.failedCount >= 2)
    await player.close()
    // Frames are prepared side by side, so that the second error may come first.
    var errors: [CompositorError] = []
    for await error in player.errors { errors.append(error) }
    #expect(errors.allSatisfy { $0.code == .compositorFailed && $0.location.instruction == 0 })
    #expect(Set(errors.map(\.location.time)) == [.seconds(0.12), .seconds(0.16)])
  }

  @Test func replacing_whilePlaying_keepsTheTimeAndShowsTheOther() async throws {
    let clock = ManualClock()
    let first = try NumberedClip(count: 100)
    let second = try NumberedClip(count: 100, options: NumberedClip.x264 + ["-vf", "negate"])
    let player = try player(try first.composition(), clock)
    var frames = player.frames.makeAsyncIterator()
    try await player.seek(to: .seconds(1))
    _ = await SeekTests.frame(of: 1, &frames)
    player.play()
    clock.advance(by: .milliseconds(40))
    #expect(await frames.next()?.frame.number == 26)
    try player.replace(with: try second.composition())
    #expect(player.currentTime == .seconds(1.04))
    #expect(await frames.next()?.frame.number == 1023 - 26)
    clock.advance(by: .milliseconds(40))
    #expect(await frames.next()?.frame.number == 1023 - 27)
    #expect(player.rate == 1)
    await player.close()
  }

  @Test func twoPlayers_ofOneComposition_doNotDisturbEachOther() async throws {
    let composition = try NumberedClip().composition()
    let players = try (0..<2).map { _ in try Player(composition) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, player) in players.enumerated() {
        group.addTask {
          var frames = player.frames.makeAsyncIterator()
          for (seek, place) in [5, 100, 50, 51, 49, 0, 119].enumerated() {
            let place = index == 0 ? place : 119 - place
            try await player.seek(to: .middle(of: place, rate: "25"))
            #expect(await SeekTests.frame(of: seek + 1, &frames)?.frame.number == place)
          }
        }
      }
      try await group.waitForAll()
    }
    for player in players { await player.close() }
  }
}

extension Frame {
  /// The samples of its first plane.
  fileprivate var rows: [[UInt8]] {
    (0..<size.height).map { y in withRow(y, as: UInt8.self) { row in (0..<size.width).map { row[$0] } } }
  }
}
