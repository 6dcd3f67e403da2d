import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// Samples read along a path at a continuously changing speed, like a tape that slows down: band-limited and without steps.
final class VarispeedSamples: SampleStream {
  private let input: any SampleStream
  private let position: (Double) -> Double
  private let speed: (Double) -> Double
  private var window: AudioBlock
  private var weights: [Float]
  private let channelCount: Int

  /// Number of samples made at a time.
  private static let blockSize = 512

  /// - Parameters:
  ///   - position: The position in the input of a sample; must rise.
  ///   - speed: The speed at a sample.
  init(
    _ input: any SampleStream, channelCount: Int, position: @escaping (Double) -> Double, speed: @escaping (Double) -> Double
  ) {
    self.input = input
    self.position = position
    self.speed = speed
    self.channelCount = channelCount
    window = AudioBlock(channelCount: channelCount, capacity: Self.blockSize * 4)
    weights = Array(repeating: 0, count: 2 * SincKernel.reach + 2)
  }

  convenience init(_ input: any SampleStream, path: SamplePath, channelCount: Int) {
    self.init(input, channelCount: channelCount, position: path.position, speed: path.speed)
  }

  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    var done = 0
    while done < count {
      let length = min(count - done, Self.blockSize)
      try readBlock(length, at: position + Int64(done), into: channels, from: done)
      done += length
    }
  }

  private func readBlock(
    _ count: Int, at first: Int64, into channels: [UnsafeMutablePointer<Float>], from offset: Int
  ) throws(CompositorError) {
    let (low, high) = (Double(first), Double(first + Int64(count) - 1))
    var scale = 1.0
    for sample in 0..<count { scale = max(scale, speed(low + Double(sample))) }
    let reach = Double(SincKernel.reach) * scale + 1
    let start = Int64((position(low) - reach).rounded(.down))
    let end = Int64((position(high) + reach).rounded(.up)) + 1
    let length = Int(end - start)
    if length > window.capacity { window = AudioBlock(channelCount: channelCount, capacity: length * 5 / 4) }
    let taps = 2 * Int(reach.rounded(.up)) + 2
    if taps > weights.count { weights = Array(repeating: 0, count: taps) }
    try input.read(length, at: start, into: window.channels)
    for sample in 0..<count {
      let mixSample = low + Double(sample)
      let place = position(mixSample) - Double(start)
      interpolate(at: place, scale: max(1, speed(mixSample)), into: channels, sample: offset + sample)
    }
  }

  private func interpolate(
    at place: Double, scale: Double, into channels: [UnsafeMutablePointer<Float>], sample: Int
  ) {
    let reach = Double(SincKernel.reach) * scale
    let low = Int((place - reach).rounded(.up))
    let count = Int((place + reach).rounded(.down)) - low + 1
    let sum = weights.withUnsafeMutableBufferPointer { weights in
      SincKernel.weigh(weights, count: count, from: Double(low) - place, scale: scale)
    }
    weights.withUnsafeBufferPointer { weights in
      for (source, output) in zip(window.channels, channels) {
        let samples = source + low
        var (a, b, c, d): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var tap = 0
        while tap + 4 <= count {
          a += samples[tap] * weights[tap]
          b += samples[tap + 1] * weights[tap + 1]
          c += samples[tap + 2] * weights[tap + 2]
          d += samples[tap + 3] * weights[tap + 3]
          tap += 4
        }
        while tap < count {
          a += samples[tap] * weights[tap]
          tap += 1
        }
        output[sample] = ((a + b) + (c + d)) / sum
      }
    }
  }
}

/// A tabulated windowed sinc that passes 0.88 of the lower Nyquist frequency and attenuates beyond it by 90 dB, like the
/// readers' resampler.
enum SincKernel {
  /// Number of samples on each side at a speed of 1 or less.
  static let reach = 48
  private static let resolution = 1024
  private static let cutoff = 0.94

  private static let table: [Float] = (0...reach * resolution + 1).map { index in
    let distance = Double(index) / Double(resolution)
    let relative = distance / Double(reach)
    guard relative < 1 else { return 0 }
    let x = Double.pi * distance * cutoff
    let sinc = x < 1e-12 ? 1 : sin(x) / x
    return Float(sinc * bessel(9 * (1 - relative * relative).squareRoot()) / bessel(9))
  }

  /// Writes the weights of `count` samples, the first one at a distance of `first` from the center; returns their sum.
  static func weigh(
    _ weights: UnsafeMutableBufferPointer<Float>, count: Int, from first: Double, scale: Double
  ) -> Float {
    var sum: Float = 0
    let step = Double(resolution) / scale
    table.withUnsafeBufferPointer { table in
      for tap in 0..<count {
        let place = abs(first + Double(tap)) * step
        let index = min(Int(place), table.count - 2)
        let fraction = Float(place - Double(index))
        let weight = table[index] + (table[index + 1] - table[index]) * fraction
        weights[tap] = weight
        sum += weight
      }
    }
    return sum
  }

  /// Modified Bessel function of the first kind, order 0.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1..<60 {
      term *= (x / Double(2 * k)) * (x / Double(2 * k))
      sum += term
    }
    return sum
  }
}
