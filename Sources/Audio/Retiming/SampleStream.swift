import CompositorAPI
import CompositorMediaIO

/// Random access to samples that depend on their position alone. One owner.
protocol SampleStream: AnyObject {
  /// Writes `count` samples of each channel from `position` to the beginning of `channels`.
  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError)
}

/// A reader that processes another reader's samples.
final class RetimedAudioReader: AudioReader {
  private let base: any AudioReader
  private let samples: any SampleStream

  init(_ base: any AudioReader, _ samples: any SampleStream) {
    self.base = base
    self.samples = samples
  }

  var info: AudioTrackInfo { base.info }
  var options: AudioReaderOptions { base.options }
  var damage: [MediaDamage] { base.damage }

  func read(
    frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError) {
    try samples.read(frameCount, at: position, into: channels)
  }
}

/// A reader's samples with shifted positions.
final class ForwardSamples: SampleStream {
  private let reader: any AudioReader
  private let offset: Int64

  init(_ reader: any AudioReader, offset: Int64) {
    self.reader = reader
    self.offset = offset
  }

  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    try reader.read(frameCount: count, at: position + offset, into: channels)
  }
}

/// A reader's samples backward: sample n is the reader's sample `sum` − n.
///
/// They are read forward in chunks on a fixed grid, so that a decoder seeks back once per chunk. Chunks have eleven seconds at
/// 48 kHz, because some containers are read from their beginning each time.
final class ReversedSamples: SampleStream {
  private let reader: any AudioReader
  private let sum: Int64
  private let chunk: AudioBlock
  /// The number of the current chunk.
  private var held: Int64?

  private static let chunkSize: Int64 = 1 << 19

  init(_ reader: any AudioReader, sum: Int64) {
    self.reader = reader
    self.sum = sum
    chunk = AudioBlock(channelCount: reader.options.channelCount, capacity: Int(Self.chunkSize))
  }

  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    var done = 0
    while done < count {
      let last = sum - position - Int64(done)
      let number = last >= 0 ? last / Self.chunkSize : (last + 1) / Self.chunkSize - 1
      try hold(number)
      let index = Int(last - number * Self.chunkSize)
      let length = min(count - done, index + 1)
      for (source, output) in zip(chunk.channels, channels) {
        for sample in 0..<length { output[done + sample] = source[index - sample] }
      }
      done += length
    }
  }

  private func hold(_ number: Int64) throws(CompositorError) {
    guard held != number else { return }
    held = nil
    try reader.read(frameCount: Int(Self.chunkSize), at: number * Self.chunkSize, into: chunk.channels)
    held = number
  }
}

/// Maps samples of the mix to those of the media along a segment.
struct SamplePath {
  private let curve: SpeedCurve?
  /// The segment's start in the mix, its length in the mix, and its length in the media.
  private let start, length, mediaLength: Double
  /// Position of the segment's start in the media, as a fraction of a sample.
  private let phase: Double
  /// Media covered before the played part of the curve, and by it.
  private let covered, covering: Double
  /// The segment's mean speed.
  let speed: Double
  /// The segment's slowest and fastest speeds.
  let speeds: ClosedRange<Double>
  /// The segment's first sample in the mix.
  var first: Int64 { Int64(start) }
  /// Number of samples of the segment in the mix.
  var sampleCount: Int64 { Int64(length) }

  init(_ segment: CompositionTrackSegment, start: Double, phase: Double, sampleRate: Int) {
    let (mapping, curve) = (segment.timeMapping, segment.retiming.curve)
    self.curve = curve
    // The mix starts the segment on a sample; the path starts exactly where the segment does.
    self.start = mapping.target.start.seconds * Double(sampleRate)
    length = mapping.target.duration.seconds * Double(sampleRate)
    mediaLength = mapping.source.duration.seconds * Double(sampleRate)
    self.phase = phase
    speed = mapping.rate
    speeds = segment.speeds
    covered = curve.map { $0.distance(at: $0.range.lowerBound) } ?? 0
    covering = curve?.mediaDuration ?? 1
  }

  /// The position in the media of a sample of the mix.
  func position(at sample: Double) -> Double {
    guard let curve else { return phase + (sample - start) * speed }
    let time = curve.range.lowerBound + (sample - start) / length * curve.duration
    return phase + (curve.distance(at: time) - covered) / covering * mediaLength
  }

  /// The sample of the mix at a position in the media.
  func sample(at position: Double) -> Double {
    guard let curve else { return start + (position - phase) / speed }
    let time = curve.time(atDistance: covered + (position - phase) / mediaLength * covering)
    return start + (time - curve.range.lowerBound) / curve.duration * length
  }

  /// Samples of the media per sample of the mix.
  func speed(at sample: Double) -> Double {
    guard let curve else { return speed }
    let time = curve.range.lowerBound + (sample - start) / length * curve.duration
    return curve.speed(at: time) * curve.duration / covering * mediaLength / length
  }
}
