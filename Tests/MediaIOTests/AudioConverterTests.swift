import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Samples converted block by block, compared with those that a reader gives at the new rate.
@Suite(.enabled(if: hasFFmpeg)) struct AudioConverterTests {
  typealias Format = AudioConverter.Format

  private static let formats: [(Format, Format)] = [
    (Format(sampleRate: 48_000, channelCount: 2), Format(sampleRate: 44_100, channelCount: 2)),
    (Format(sampleRate: 44_100, channelCount: 2), Format(sampleRate: 48_000, channelCount: 2)),
    (Format(sampleRate: 48_000, channelCount: 6), Format(sampleRate: 44_100, channelCount: 2)),
    (Format(sampleRate: 48_000, channelCount: 1), Format(sampleRate: 96_000, channelCount: 2)),
    (Format(sampleRate: 96_000, channelCount: 2), Format(sampleRate: 8_000, channelCount: 1)),
    (Format(sampleRate: 48_000, channelCount: 2), Format(sampleRate: 48_000, channelCount: 2)),
    (Format(sampleRate: 48_000, channelCount: 2), Format(sampleRate: 48_000, channelCount: 6)),
    (Format(sampleRate: 48_000, channelCount: 8), Format(sampleRate: 48_000, channelCount: 2)),
    (Format(sampleRate: 22_050, channelCount: 1), Format(sampleRate: 48_000, channelCount: 1)),
  ]
  private static let inputCount = 20_011

  private func read(_ path: String, as format: Format, count: Int, _ downmix: AudioDownmix) throws -> [[Float]] {
    let reader = try MediaOpener.openAudio(
      .file(path: path),
      options: AudioReaderOptions(sampleRate: format.sampleRate, channelCount: format.channelCount, downmix: downmix))
    let block = AudioBlock(channelCount: format.channelCount, capacity: count)
    try reader.read(frameCount: count, at: 0, into: block.channels)
    return block.channels.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }

  private func make(_ format: Format, in folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.file("noise.wav")
    let layouts = [1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"]
    let layout = try #require(layouts[format.channelCount])
    let noise = (0..<format.channelCount).map { "0.4*random(\($0))-0.2" }.joined(separator: "|")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(noise):s=\(format.sampleRate):c=\(layout)", "-af",
        "atrim=end_sample=\(Self.inputCount)", "-c:a", "pcm_f32le", path,
      ])
    return path
  }

  /// Converts all samples, divided into blocks of certain sizes, and reads them in blocks of another size.
  private func convert(
    _ samples: [[Float]], _ input: Format, _ output: Format, _ downmix: AudioDownmix, blocks: [Int], reading: Int
  ) throws -> [[Float]] {
    let converter = try AudioConverter(from: input, to: output, downmix: downmix)
    let (source, target) = (
      AudioBlock(channelCount: input.channelCount, capacity: blocks.max() ?? 1),
      AudioBlock(channelCount: output.channelCount, capacity: reading)
    )
    var converted = [[Float]](repeating: [], count: output.channelCount)
    func drain() throws {
      while case let count = try converter.read(reading, into: target), count > 0 {
        for channel in converted.indices {
          converted[channel] += UnsafeBufferPointer(start: target.channels[channel], count: count)
        }
      }
      #expect(converter.availableCount == 0)
    }
    var (done, turn) = (0, 0)
    while done < samples[0].count {
      let count = min(blocks[turn % blocks.count], samples[0].count - done)
      for (channel, pointer) in source.channels.enumerated() {
        for index in 0..<count { pointer[index] = samples[channel][done + index] }
      }
      try converter.append(count, of: source)
      try drain()
      (done, turn) = (done + count, turn + 1)
    }
    converter.finish()
    try drain()
    #expect(converter.appendedCount == Int64(samples[0].count) && converter.readCount == Int64(converted[0].count))
    return converted
  }

  /// Rates and channels × both ways to mix × divisions into blocks.
  @Test(arguments: formats.indices, AudioDownmix.allCases)
  func samples_areThoseOfAReader_howeverDivided(_ index: Int, _ downmix: AudioDownmix) throws {
    let (input, output) = Self.formats[index]
    let folder = try TemporaryFolder()
    let path = try make(input, in: folder)
    let samples = try read(path, as: input, count: Self.inputCount, downmix)
    let rule = AudioEncodingSettings(sampleRate: output.sampleRate)
    let count = Int(
      rule.sampleCount(lasting: MediaTime(value: Int64(Self.inputCount), timescale: Int32(input.sampleRate))))
    let expected = try read(path, as: output, count: count, downmix)
    for (blocks, reading) in [([480], 480), ([1, 1024, 7, 333], 100), ([Self.inputCount], 5000)] {
      let converted = try convert(samples, input, output, downmix, blocks: blocks, reading: reading)
      #expect(converted == expected, "\(input) to \(output), \(blocks)")
    }
  }

  @Test(arguments: [0, 1, 2, 47, 48, 1000]) func shortAudio_hasTheExactNumberOfSamples(_ count: Int) throws {
    for (input, output) in Self.formats {
      let silence = [[Float]](repeating: [Float](repeating: 0, count: count), count: input.channelCount)
      let converted =
        count == 0
        ? [[]] : try convert(silence, input, output, .standard, blocks: [count], reading: 64)
      let exact = (Double(count) * Double(output.sampleRate) / Double(input.sampleRate) + 0.5).rounded(.down)
      #expect(converted[0].count == Int(exact), "\(count): \(input) to \(output)")
    }
  }

  @Test func emptyAudio_hasNoSamples() throws {
    let (input, output) = Self.formats[0]
    let converter = try AudioConverter(from: input, to: output)
    converter.finish()
    #expect(converter.availableCount == 0)
    #expect(try converter.read(16, into: AudioBlock(channelCount: 2, capacity: 16)) == 0)
  }

  @Test func samplesBeforeTheEnd_comeAfterTheReachOfTheFilter() throws {
    let (input, output) = Self.formats[0]
    let converter = try AudioConverter(from: input, to: output)
    let block = AudioBlock(channelCount: 2, capacity: 4800)
    try converter.append(4800, of: block)
    // A tenth of a second, without what later samples change.
    #expect(converter.availableCount < 4410 && converter.availableCount > 4300)
    converter.finish()
    #expect(converter.availableCount == 4410)
  }

  @Test func wrongFormatsAndBlocks_areRefused() throws {
    let valid = Format(sampleRate: 48_000, channelCount: 2)
    for wrong in [(7999, 2), (384_001, 2), (48_000, 0), (48_000, 9)].map({ Format(sampleRate: $0, channelCount: $1) }) {
      #expect(throws: CompositorError.self) { try AudioConverter(from: wrong, to: valid) }
      #expect(throws: CompositorError.self) { try AudioConverter(from: valid, to: wrong) }
    }
    let converter = try AudioConverter(from: valid, to: Format(sampleRate: 44_100, channelCount: 1))
    let (stereo, mono) = (AudioBlock(channelCount: 2, capacity: 8), AudioBlock(channelCount: 1, capacity: 8))
    #expect(throws: CompositorError.self) { try converter.append(8, of: mono) }
    #expect(throws: CompositorError.self) { try converter.append(9, of: stereo) }
    #expect(throws: CompositorError.self) { try converter.append(-1, of: stereo) }
    #expect(throws: CompositorError.self) { try converter.read(8, into: stereo) }
    #expect(throws: CompositorError.self) { try converter.read(9, into: mono) }
    converter.finish()
    let error = #expect(throws: CompositorError.self) { try converter.append(8, of: stereo) }
    #expect(error?.code == .invalidValue)
  }
}
