import AVFoundation
import Compositor
import Testing

/// When a movie begins and ends.
@Suite struct WriterSessionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func start_afterTheFirstSamples_leavesThemOut() async throws {
    let writer = try TestWriter(folder["a.mov"], start: frames(10))
    try writer.pictures(0..<30)
    try writer.tones(0..<57_600)
    await writer.finish()
    let found = try numbers(folder["a.mov"])
    #expect(found.map(\.number) == Array(10..<30) && found.map(\.time) == (0..<20).map(frames))
    #expect(try samples(folder["a.mov"]).count == 2 * 38_400)
  }

  /// The picture that is on at the start is shown from the start.
  @Test func start_withinAPicture_showsIt() async throws {
    let writer = try TestWriter(folder["a.mov"], audio: nil, start: CMTime(value: 5, timescale: 50))
    try writer.pictures(0..<5)
    await writer.finish()
    let found = try numbers(folder["a.mov"])
    #expect(found.map(\.number) == [2, 3, 4])
    #expect(found.map(\.time) == [0, 1, 3].map { CMTime(value: $0, timescale: 50) })
  }

  @Test func start_beforeTheFirstSamples_keepsTracksInStep() async throws {
    let writer = try TestWriter(folder["a.mov"])
    for index in 5..<25 { #expect(writer.video?.append(try sample(try picture(index), at: frames(index))) == true) }
    try writer.tones(12_000..<48_000)
    await writer.finish()
    let found = try numbers(folder["a.mov"])
    #expect(found.map(\.number) == Array(5..<25) && found.map(\.time) == (5..<25).map(frames))
    let sound = try samples(folder["a.mov"])
    #expect(sound.count == 96_000)
    // Silence first: AAC spreads the beginning of the tone by some samples.
    #expect((sound[0..<20_000].map { abs(Int($0)) }.max() ?? 0) < 100)
    #expect((sound[26_000..<90_000].map { abs(Int($0)) }.max() ?? 0) > 6000)
  }

  @Test func end_showsTheLastPictureUntilThen() async throws {
    let writer = try TestWriter(folder["a.mov"])
    try writer.pictures(0..<5)
    try writer.tones(0..<4800)
    writer.writer.endSession(atSourceTime: frames(20))
    await writer.finish()
    #expect(try info(folder["a.mov"]).duration == MediaTime(value: 20, timescale: 25))
    #expect(try numbers(folder["a.mov"]).map(\.number) == Array(0..<5))
    #expect(try samples(folder["a.mov"]).count == 2 * 38_400)
  }

  /// Samples that are written when the end becomes known are cut off.
  @Test(arguments: [true, false]) func end_beforeTheLastSamples_leavesThemOut(_ isWritten: Bool) async throws {
    let writer = try TestWriter(folder["a.mov"])
    if !isWritten { writer.writer.endSession(atSourceTime: frames(20)) }
    try writer.pictures(0..<30)
    try writer.tones(0..<57_600)
    if isWritten {
      try await Task.sleep(for: .seconds(1))
      writer.writer.endSession(atSourceTime: frames(20))
    }
    await writer.finish()
    #expect(try info(folder["a.mov"]).duration == MediaTime(value: 20, timescale: 25) && folder.names == ["a.mov"])
    #expect(try numbers(folder["a.mov"]).map(\.number) == Array(0..<20))
    #expect(try samples(folder["a.mov"]).count == 2 * 38_400)
  }

  @Test func gapsOfAudio_areSilent_andRoundedTimesAreNone() async throws {
    var settings = pcm16
    settings[AVSampleRateKey] = 48_000
    settings[AVNumberOfChannelsKey] = 2
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: settings)
    try writer.tones(0..<1000)
    // A clock of milliseconds: off by less than half of one.
    for part in 0..<4 {
      let block = try tone(1000 + part * 1000..<2000 + part * 1000)
      let time = CMTime(seconds: (block.presentationTimeStamp.seconds * 1000).rounded() / 1000, preferredTimescale: 1000)
      let timing = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 48_000), presentationTimeStamp: time, decodeTimeStamp: .invalid)
      #expect(writer.audio?.append(try CMSampleBuffer(copying: block, withNewTiming: [timing])) == true)
    }
    try writer.tones(10_000..<12_000)
    await writer.finish()
    let found = try samples(folder["a.mov"])
    let expected = try tone(0..<12_000).dataBuffer?.dataBytes().withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } ?? []
    #expect(found.count == 24_000 && Array(found[0..<10_000]) == Array(expected[0..<10_000]))
    #expect(found[10_000..<20_000].allSatisfy { $0 == 0 } && Array(found[20_000...]) == Array(expected[20_000...]))
  }

  /// The session's start is far from 0, as clocks of devices are.
  @Test func start_mayBeAnyTime() async throws {
    let start = CMTime(value: 86_400_123_456_789, timescale: 1_000_000_000)
    let writer = try TestWriter(folder["a.mov"], audio: nil, start: start)
    for index in 0..<10 {
      let time = start + CMTime(value: Int64(index) * 33_366_667, timescale: 1_000_000_000)
      #expect(writer.video?.append(try sample(try picture(index), at: time)) == true)
    }
    await writer.finish()
    let found = try numbers(folder["a.mov"])
    #expect(found.map(\.number) == Array(0..<10))
    for (index, frame) in found.enumerated() { #expect(abs(frame.time.seconds - Double(index) * 0.033366667) < 1e-4) }
  }
}
