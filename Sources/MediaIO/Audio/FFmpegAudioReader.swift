import CCompositorFFmpeg
import CompositorAPI

/// Reads an audio track through libav at any rate and speed.
final class FFmpegAudioReader: JoinableAudioReader {
  let info: AudioTrackInfo
  let options: AudioReaderOptions
  let decoder: AudioDecoder
  /// `nil` if the track's samples are output unchanged.
  let resampler: Resampler?
  var input: AudioBlock
  /// Samples beyond the ends of this file, from files that continue it.
  var preceding: AudioNeighbor?
  var following: AudioNeighbor?
  /// Added to positions in the file, to continue a file without the rounding of its container's times.
  var shift: Int64 = 0

  /// Number of output samples made at a time.
  private static let blockSize = 4096

  init(path: String, info: AudioTrackInfo, facts: FileFacts?, options: AudioReaderOptions) throws(CompositorError) {
    try options.validate(path: path)
    self.info = info
    self.options = options
    decoder = try AudioDecoder(path: path, info: info, facts: facts, options: options)
    let ratio = options.inputSamplesPerOutputSample(sourceRate: decoder.sampleRate)
    resampler = ratio == .one ? nil : try Resampler(ratio: ratio, fraction: options.positionFraction)
    input = AudioBlock(channelCount: options.channelCount, capacity: Self.blockSize)
  }

  func read(
    frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError) {
    try options.validate(frameCount: frameCount, position: position, channels: channels.count)
    if frameCount <= Self.blockSize { return try readBlock(frameCount, at: position, into: channels) }
    var done = 0
    while done < frameCount {
      let count = min(Self.blockSize, frameCount - done)
      try readBlock(count, at: position + Int64(done), into: channels.map { $0 + done })
      done += count
    }
  }

  var damage: [MediaDamage] { decoder.damage }
  var packetCount: Int64 { decoder.packetCount }

  private func readBlock(
    _ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError) {
    guard count > 0 else { return }
    guard let resampler else {
      try decoder.copy(from: position + shift, count: count, into: channels)
      fillBeyondEnds(position + shift..<position + shift + Int64(count), channels)
      return try decoder.check(position..<position + Int64(count))
    }
    let range = resampler.inputRange(first: position, count: count)
    if range.count > input.capacity {
      input = AudioBlock(channelCount: options.channelCount, capacity: range.count)
    }
    try decoder.copy(from: range.lowerBound + shift, count: range.count, into: input.channels)
    fillBeyondEnds(range.lowerBound + shift..<range.upperBound + shift, input.channels)
    for (source, output) in zip(input.channels, channels) {
      resampler.run(source, inputStart: range.lowerBound, first: position, count: count, into: output)
    }
    // The filter needs some samples on both sides; they are not missed at the ends of a file.
    let ratio = options.inputSamplesPerOutputSample(sourceRate: decoder.sampleRate).value
    let (first, last) = (Double(position) * ratio, Double(position + Int64(count) - 1) * ratio)
    try decoder.check(Int64(first)..<max(Int64(first), Int64(last)) + 1)
  }
}

extension AudioReaderOptions {
  /// The farthest readable position in samples, in both directions: 46 years at 48 kHz.
  package static let positionLimit: Int64 = 1 << 46

  /// Sample rates at which audio can be read and mixed, in hertz.
  package static let sampleRates = 8_000...384_000
  /// Numbers of channels to which audio can be read and mixed.
  package static let channelCounts = 1...8

  func validate(path: String) throws(CompositorError) {
    let (rates, counts) = (Self.sampleRates, Self.channelCounts)
    guard rates.contains(sampleRate), counts.contains(channelCount), (1.0 / 32...32).contains(speed) else {
      throw CompositorError(
        .invalidValue, "Audio cannot be read at \(sampleRate) Hz with \(channelCount) channels at speed \(speed).",
        recoverySuggestion: "Use \(rates.readable) Hz, \(counts.readable) channels and a speed of 1/32 to 32.",
        at: ErrorLocation(file: path))
    }
  }

  func validate(frameCount: Int, position: Int64, channels: Int) throws(CompositorError) {
    let limit = Self.positionLimit
    guard channels == channelCount, (0...Int(Int32.max)).contains(frameCount), (-limit...limit).contains(position) else {
      throw CompositorError(
        .invalidValue, "\(frameCount) samples of \(channels) channels cannot be read at \(position).",
        recoverySuggestion: channels == channelCount
          ? "Read samples between -\(limit) and \(limit): media times of some years."
          : "Request as many channels as the reader was opened with.")
    }
  }

  /// Exact at speed 1, otherwise to a billionth.
  func inputSamplesPerOutputSample(sourceRate: Int) -> Rational {
    if speed == 1 { return Rational(sourceRate, sampleRate).reduced }
    let scale = 1_000_000
    return Rational(Int((Double(sourceRate) * speed * Double(scale)).rounded()), sampleRate * scale).reduced
  }
}

/// Changes sample rate or speed; each output sample depends on its position alone.
final class Resampler {
  private let handle: OpaquePointer

  /// - Parameters:
  ///   - ratio: Input samples for each output sample, > 0.
  ///   - fraction: An offset added to every output position.
  init(ratio: Rational, fraction: Rational = Rational(0, 1)) throws(CompositorError) {
    let (numerator, denominator) = (Int64(ratio.numerator), Int64(ratio.denominator))
    let part = Int64(fraction.denominator)
    let scale = Self.scale(numerator, denominator, part) ? part : 1
    let shift = scale == part ? numerator * Int64(fraction.numerator) : 0
    guard let handle = cff_resampler_create(numerator * scale, denominator * scale, shift) else {
      throw CompositorError(.resourceExhausted, "There is no memory for a change of sample rate.")
    }
    self.handle = handle
  }

  deinit { cff_resampler_destroy(handle) }

  /// Whether positions in units of a fraction fit the arithmetic.
  private static func scale(_ numerator: Int64, _ denominator: Int64, _ part: Int64) -> Bool {
    part > 0 && !numerator.multipliedReportingOverflow(by: part).overflow
      && !denominator.multipliedReportingOverflow(by: part).overflow
  }

  /// Number of input samples needed on each side of a position.
  var reach: Int { Int(cff_resampler_reach(handle)) }

  /// The input samples needed for output samples `first` ..< `first + count`; `count` ≥ 1.
  func inputRange(first: Int64, count: Int) -> Range<Int64> {
    let reach = Int64(cff_resampler_reach(handle))
    let low = cff_resampler_input_position(handle, first)
    let high = cff_resampler_input_position(handle, first + Int64(count) - 1)
    return low - reach..<high + reach + 1
  }

  /// Makes output samples from input that starts at `inputStart` and covers ``inputRange(first:count:)``.
  func run(
    _ input: UnsafePointer<Float>, inputStart: Int64, first: Int64, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    cff_resampler_run(handle, input, inputStart, first, Int32(count), output)
  }
}
