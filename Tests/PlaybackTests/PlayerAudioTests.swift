import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorPlayback
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Audio in blocks, against what an export reads.
@Suite(.enabled(if: hasFFmpeg)) struct PlayerAudioTests {
  private static func clip(_ codec: [String] = ["-c:a", "pcm_s16le"]) throws -> ValidatedComposition {
    try NumberedClip("n.mkv", options: NumberedClip.x264 + codec, audio: "0.4*sin(500*t*t)").composition()
  }

  /// All samples of an export's mix, by channel.
  private static func exported(
    _ composition: ValidatedComposition, rate: Int, channels: Int, in range: TimeRange? = nil
  ) async throws -> [[Float]] {
    var settings = ReaderSettings()
    settings.timeRange = range
    settings.mediaTypes = [.audio]
    settings.audio = ReaderAudioFormat(sampleRate: rate, channelCount: channels)
    let reader = try await CompositionReader(composition, settings: settings)
    var samples = [[Float]](repeating: [], count: channels)
    for try await block in reader.audio { for channel in 0..<channels { samples[channel] += block.channels[channel] } }
    return samples
  }

  @Test(arguments: [(48_000, 2, 480), (44_100, 1, 1000), (48_000, 2, 4097), (96_000, 2, 10_000)])
  func blocks_oneAfterAnother_areTheSamplesOfAnExport(_ rate: Int, _ channels: Int, _ count: Int) async throws {
    let composition = try Self.clip()
    let expected = try await Self.exported(composition, rate: rate, channels: channels)
    var settings = PlayerSettings()
    settings.audio = ReaderAudioFormat(sampleRate: rate, channelCount: channels)
    let player = try Player(composition, settings: settings)
    var samples = [[Float]](repeating: [], count: channels)
    while samples[0].count < expected[0].count {
      let time = MediaTime(value: Int64(samples[0].count), timescale: Int32(rate))
      let block = try await player.audio(from: time, count: count)
      #expect(block.time == time && block.sampleCount == count)
      for channel in 0..<channels { samples[channel] += block.channels[channel] }
    }
    for channel in 0..<channels {
      #expect(Array(samples[channel].prefix(expected[channel].count)) == expected[channel])
      #expect(samples[channel].dropFirst(expected[channel].count).allSatisfy { $0 == 0 })
      #expect(expected[channel].contains { abs($0) > 0.3 })
    }
    await player.close()
  }

  @Test func blocks_anywhere_areTheSamplesThatAreThere() async throws {
    let composition = try Self.clip()
    let expected = try await Self.exported(composition, rate: 48_000, channels: 2)
    let player = try Player(composition)
    for start in [100_000, 30, 150_000, 150_500, 99_000, 0, 47_999] {
      let block = try await player.audio(from: MediaTime(value: Int64(start), timescale: 48_000), count: 700)
      #expect(block.channels[0] == Array(expected[0][start..<start + 700]), "from \(start)")
      #expect(block.position == Int64(start))
    }
    await player.close()
  }

  @Test func blocks_backward_areTheSamplesReversed() async throws {
    let composition = try Self.clip()
    let expected = try await Self.exported(composition, rate: 48_000, channels: 2)
    let player = try Player(composition)
    var samples: [Float] = []
    var position = 120_000
    while position > 0 {
      let time = MediaTime(value: Int64(position), timescale: 48_000)
      let block = try await player.audio(from: time, count: 960, isReversed: true)
      samples += block.channels[0]
      position -= 960
    }
    #expect(samples.count == 120_000 && samples == Array(expected[0][0..<120_000].reversed()))
    await player.close()
  }

  /// A processor without state does the same from every start; one with state restarts, as in an export of a range.
  @Test(arguments: [true, false])
  func blocks_ofAMixWithProcessors_areTheSamplesOfAnExportFromThere(_ hasMemory: Bool) async throws {
    let echo: ParameterValues = [
      "in_gain": .number(1), "out_gain": .number(1), "delays": .string("100"), "decays": .string("0.5"),
    ]
    let use =
      hasMemory
      ? AudioProcessorUse("avfilter.aecho", parameters: echo)
      : AudioProcessorUse("avfilter.volume", parameters: ["volume": .string("0.5")])
    let clip = try NumberedClip("n.mkv", options: NumberedClip.x264 + ["-c:a", "pcm_s16le"], audio: "0.4*sin(500*t*t)")
    let composition = try clip.composition { $0.audioMix.processors = [use] }
    let whole = try await Self.exported(composition, rate: 48_000, channels: 2)
    // At the start of a frame, where an export can begin.
    let (start, count) = (96_000, 20_000)
    let part = try await Self.exported(
      composition, rate: 48_000, channels: 2, in: TimeRange(start: .seconds(2), end: .seconds(3)))
    let player = try Player(composition)
    var samples: [Float] = []
    while samples.count < count {
      let time = MediaTime(value: Int64(start + samples.count), timescale: 48_000)
      samples += try await player.audio(from: time, count: 1000).channels[0]
    }
    #expect(samples == Array(part[0].prefix(count)))
    #expect((samples == Array(whole[0][start..<start + count])) == !hasMemory)
    #expect(samples.contains { abs($0) > 0.1 })
    await player.close()
  }

  @Test func blocks_rightAfterReplacing_areTheNewEdits() async throws {
    let composition = try Self.clip()
    let mute = try NumberedClip().composition()
    let start = MediaTime.seconds(1)
    let player = try Player(mute)
    let expected = try await Self.exported(composition, rate: 48_000, channels: 2)[0][48_000..<48_500]
    for _ in 0..<20 {
      try player.replace(with: composition)
      #expect(try await player.audio(from: start, count: 500).channels[0] == Array(expected))
      // Backward there is a stretch that is kept.
      #expect(try await player.audio(from: start, count: 500, isReversed: true).channels[0].contains { $0 != 0 })
      try player.replace(with: mute)
      #expect(try await player.audio(from: start, count: 500, isReversed: true).channels[0].allSatisfy { $0 == 0 })
      #expect(try await player.audio(from: start, count: 500).channels[0].allSatisfy { $0 == 0 })
    }
    try player.replace(with: composition)
    await player.close()
    await #expect(throws: CompositorError.self) { try await player.audio(from: start, count: 500) }
  }

  @Test func blocks_outsideTheTimeline_areSilent() async throws {
    let player = try Player(try Self.clip())
    let before = try await player.audio(from: .seconds(-1), count: 48_100)
    #expect(before.channels[0].prefix(48_000).allSatisfy { $0 == 0 } && before.channels[0].suffix(50).contains { $0 != 0 })
    let after = try await player.audio(from: .seconds(500), count: 100)
    #expect(after.channels == [[Float]](repeating: [Float](repeating: 0, count: 100), count: 2))
    let mute = try Player(try NumberedClip().composition())
    #expect(try await mute.audio(from: .zero, count: 10).channels.count == 2)
    for (time, count) in [(MediaTime.invalid, 10), (.zero, 0), (.zero, -1), (.zero, 2_000_000)] {
      await #expect(throws: CompositorError.self) { try await player.audio(from: time, count: count) }
    }
    await player.close()
    await #expect(throws: CompositorError.self) { try await player.audio(from: .zero, count: 10) }
    await mute.close()
  }
}
