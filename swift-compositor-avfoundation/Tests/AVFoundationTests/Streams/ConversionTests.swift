import AVFoundation
import Compositor
import Testing

/// Audio that is appended at another rate, or with other channels, than the settings ask for.
@Suite struct ConversionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func pcm(_ rate: Int, _ channels: Int) -> [String: Any] {
    var settings = pcm16
    settings[AVSampleRateKey] = rate
    settings[AVNumberOfChannelsKey] = channels
    return settings
  }

  /// Sample counts are those of the duration, whatever the size of the blocks.
  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (8000, 48_000), (96_000, 44_100)], [257, 1024, 20_000])
  func rates_areConverted(_ rates: (Int, Int), _ block: Int) async throws {
    let (from, to) = rates
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: pcm(to, 2))
    for start in stride(from: 0, to: 2 * from, by: block) {
      #expect(writer.audio?.append(try tone(start..<min(start + block, 2 * from), rate: from)) == true)
    }
    await writer.finish()
    let found = try samples(folder["a.mov"])
    #expect(found.count == 2 * to * 2)
    // The tone of 440 Hz, away from the ends.
    var worst = 0
    for index in to / 2..<to {
      let expected = Int((sin(Double(index) / Double(to) * 880 * .pi) * 8000).rounded())
      worst = max(worst, abs(Int(found[2 * index]) - expected))
    }
    #expect(worst < 30)
  }

  @Test(arguments: [(1, 2), (2, 1), (6, 2)]) func rateAndChannels_areConverted(_ from: Int, _ to: Int) async throws {
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: pcm(48_000, to))
    #expect(writer.audio?.append(try tone(0..<44_100, rate: 44_100, channels: from)) == true)
    await writer.finish()
    let track = try #require(info(folder["a.mov"]).audioTracks.first)
    #expect(track.sampleRate == 48_000 && track.channelCount == to && track.timeRange.duration == .seconds(1))
  }

  /// The rate may change between samples; times stay.
  @Test func rate_thatChanges() async throws {
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: pcm(48_000, 2))
    #expect(writer.audio?.append(try tone(0..<44_100, rate: 44_100)) == true)
    #expect(writer.audio?.append(try tone(48_000..<96_000)) == true)
    #expect(writer.audio?.append(try tone(64_000..<96_000, rate: 32_000)) == true)
    await writer.finish()
    #expect(try samples(folder["a.mov"]).count == 2 * 144_000)
  }

  /// A session's end is exact, and a late start is silence.
  @Test(arguments: [false, true]) func session_ofAnotherRate(_ isEndKnown: Bool) async throws {
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: pcm(48_000, 2), start: CMTime(value: 1, timescale: 2))
    #expect(writer.audio?.append(try tone(44_100..<132_300, rate: 44_100)) == true)
    // What was appended is encoded before the end is known, or after.
    if !isEndKnown { try await Task.sleep(for: .milliseconds(300)) }
    writer.writer.endSession(atSourceTime: CMTime(value: 2, timescale: 1))
    await writer.finish()
    let found = try samples(folder["a.mov"])
    #expect(found.count == 2 * 72_000)
    #expect(found.prefix(2 * 23_900).allSatisfy { abs(Int($0)) < 3 } && found[48_000..<60_000].contains { $0 > 6000 })
  }
}
