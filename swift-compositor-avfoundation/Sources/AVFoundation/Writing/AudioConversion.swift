internal import Compositor
internal import Foundation

/// Changes rate and channels of samples of a program, which come block by block.
final class AudioConversion {
  let input: AudioConverter.Format
  /// `nil` if nothing changes.
  private let converter: AudioConverter?
  private let source: AudioBlock
  private let target: AudioBlock

  private static let partSize = 8192

  /// - Throws: `.formatUnsupported` for a rate or a number of channels that does not exist.
  init(from input: AudioConverter.Format, to output: AudioConverter.Format) throws(AVError) {
    self.input = input
    do throws(CompositorError) {
      converter = input == output ? nil : try AudioConverter(from: input, to: output)
    } catch {
      throw AVError(
        .formatUnsupported,
        "Audio of \(input.channelCount) channels at \(input.sampleRate) Hz cannot be written as \(output.channelCount) channels "
          + "at \(output.sampleRate) Hz: \(error.message)", suggestion: error.recoverySuggestion)
    }
    source = AudioBlock(channelCount: input.channelCount, capacity: Self.partSize)
    target = AudioBlock(channelCount: output.channelCount, capacity: Self.partSize)
  }

  /// The converted samples that are known so far.
  ///
  /// - Parameter channels: Samples that follow those before, one list for each channel.
  func convert(_ channels: [[Float]]) throws -> [[Float]] {
    guard let converter else { return channels }
    var converted = Array(repeating: [Float](), count: target.channelCount)
    var offset = 0
    while offset < channels[0].count {
      let part = min(channels[0].count - offset, source.capacity)
      for (target, samples) in zip(source.channels, channels) {
        samples.withUnsafeBufferPointer { samples in
          guard let base = samples.baseAddress else { return }
          target.update(from: base + offset, count: part)
        }
      }
      try converter.append(part, of: source)
      offset += part
      try read(converter, into: &converted)
    }
    return converted
  }

  /// The last samples.
  func finish() throws -> [[Float]] {
    var converted = Array(repeating: [Float](), count: target.channelCount)
    guard let converter else { return converted }
    converter.finish()
    try read(converter, into: &converted)
    return converted
  }

  private func read(_ converter: AudioConverter, into channels: inout [[Float]]) throws {
    while case let count = try converter.read(target.capacity, into: target), count > 0 {
      for index in channels.indices { channels[index] += UnsafeBufferPointer(start: target.channels[index], count: count) }
    }
  }
}
