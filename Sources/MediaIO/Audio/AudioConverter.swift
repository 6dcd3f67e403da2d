import CCompositorFFmpeg
public import CompositorAPI

/// Changes the sample rate and the channels of samples that come block by block.
///
/// The samples are those of an ``AudioReader`` that reads the same audio at the new rate, bit for bit, however it is divided into
/// blocks: windowed-sinc interpolation between the samples, with silence before the first and after the last one, and channels
/// mixed by ITU-R BS.775. `n` samples become `n · new rate / old rate` samples, rounded to nearest, halves up.
///
/// Not thread-safe: one owner at a time. After the first blocks, converting more of the same size allocates nothing.
///
/// ```swift
/// let converter = try AudioConverter(
///   from: .init(sampleRate: 48_000, channelCount: 6), to: .init(sampleRate: 44_100, channelCount: 2))
/// let output = AudioBlock(channelCount: 2, capacity: 4096)
/// while let input = nextBlock() {
///   try converter.append(input.capacity, of: input)
///   while case let count = try converter.read(4096, into: output), count > 0 { write(output, count) }
/// }
/// converter.finish()
/// while case let count = try converter.read(4096, into: output), count > 0 { write(output, count) }
/// ```
public final class AudioConverter {
  /// A sample rate and a number of channels.
  public struct Format: Hashable, Sendable {
    /// Sample rate in Hz, 8000 … 384,000.
    public var sampleRate: Int
    /// Number of channels, 1 … 8, in the usual order of that number.
    public var channelCount: Int

    /// Creates a format.
    public init(sampleRate: Int, channelCount: Int) { (self.sampleRate, self.channelCount) = (sampleRate, channelCount) }
  }

  /// The format of the samples to convert.
  public let input: Format
  /// The format of the converted samples.
  public let output: Format
  /// Number of samples per channel that were appended.
  public private(set) var appendedCount: Int64 = 0
  /// Number of converted samples per channel that were read.
  public private(set) var readCount: Int64 = 0
  /// Whether ``finish()`` was called.
  public private(set) var isFinished = false

  /// Input samples for each output sample.
  private let ratio: Rational
  /// `nil` if the rate stays the same.
  private let resampler: Resampler?
  /// `nil` if the channels stay the same.
  private let mixer: ChannelMixing?
  /// Samples of the output's channels at the input's rate.
  private let window: SampleWindow

  /// Creates a converter.
  ///
  /// - Parameter downmix: How the gains are chosen if there are more channels than in the output.
  /// - Throws: `.invalidValue` for a format out of range; `.resourceExhausted`.
  public init(from input: Format, to output: Format, downmix: AudioDownmix = .standard) throws(CompositorError) {
    for format in [input, output] { try format.validate() }
    (self.input, self.output) = (input, output)
    ratio = Rational(input.sampleRate, output.sampleRate).reduced
    resampler = ratio == .one ? nil : try Resampler(ratio: ratio)
    mixer = try ChannelMixing(input.channelCount, output.channelCount, downmix)
    window = SampleWindow(channelCount: output.channelCount)
    let reach = resampler?.reach ?? 0
    window.restart(at: -Int64(reach))
    window.appendSilence(reach)
  }

  /// Appends samples to convert.
  ///
  /// - Parameter count: Number of samples at the beginning of the block, 0 … its capacity.
  /// - Throws: `.invalidValue` if the block has other channels or fewer samples, or after ``finish()``.
  public func append(_ count: Int, of block: AudioBlock) throws(CompositorError) {
    try check(count, of: block, channelCount: input.channelCount)
    guard !isFinished else {
      throw CompositorError(
        .invalidValue, "Samples follow the end of the audio.",
        recoverySuggestion: "Append all samples before the end is declared.")
    }
    if let mixer {
      mixer.mix(count, of: block) { mixed, part in window.append(part) { UnsafePointer(mixed.channels[$0]) } }
    } else {
      window.append(count) { UnsafePointer(block.channels[$0]) }
    }
    appendedCount += Int64(count)
  }

  /// Declares that no more samples follow, so that the last ones can be read.
  public func finish() {
    guard !isFinished else { return }
    isFinished = true
    guard let resampler, outputCount > 0 else { return }
    let needed = resampler.inputRange(first: outputCount - 1, count: 1).upperBound
    window.appendSilence(Int(max(0, needed - window.end)))
  }

  /// Number of samples per channel that can be read now.
  public var availableCount: Int { Int(clamping: convertibleCount - readCount) }

  /// Reads converted samples.
  ///
  /// - Parameter count: Maximum number of samples per channel, 0 … the block's capacity.
  /// - Returns: Number of samples written to the beginning of the block: fewer if more input is needed, or at the end.
  /// - Throws: `.invalidValue` if the block has other channels, or is too small.
  public func read(_ count: Int, into block: AudioBlock) throws(CompositorError) -> Int {
    try check(count, of: block, channelCount: output.channelCount)
    let count = min(count, availableCount)
    guard count > 0 else { return 0 }
    let range = resampler?.inputRange(first: readCount, count: count) ?? readCount..<readCount + Int64(count)
    for (channel, target) in block.channels.enumerated() {
      let samples = window.samples(of: channel, at: range.lowerBound)
      if let resampler {
        resampler.run(samples, inputStart: range.lowerBound, first: readCount, count: count, into: target)
      } else {
        target.update(from: samples, count: count)
      }
    }
    readCount += Int64(count)
    window.drop(before: resampler?.inputRange(first: readCount, count: 1).lowerBound ?? readCount)
    return count
  }

  /// Number of output samples for all input so far: `appendedCount / ratio`, rounded to nearest, halves up.
  private var outputCount: Int64 {
    let (numerator, denominator) = (Int128(ratio.numerator), Int128(ratio.denominator))
    return Int64(clamping: (2 * Int128(appendedCount) * denominator + numerator) / (2 * numerator))
  }

  /// Number of output samples whose filters lie within the samples so far.
  private var convertibleCount: Int64 {
    guard !isFinished else { return outputCount }
    guard let resampler else { return appendedCount }
    let (numerator, denominator) = (Int128(ratio.numerator), Int128(ratio.denominator))
    let known = Int128(appendedCount) - Int128(resampler.reach)
    return known > 0 ? Int64(clamping: (known * denominator + numerator - 1) / numerator) : 0
  }

  private func check(_ count: Int, of block: AudioBlock, channelCount: Int) throws(CompositorError) {
    guard (0...block.capacity).contains(count), block.channelCount == channelCount else {
      throw CompositorError(
        .invalidValue,
        "\(count) samples of \(channelCount) channels don't fit a block of \(block.capacity) of \(block.channelCount).",
        recoverySuggestion: "Use a block of \(channelCount) channels, and at most its capacity.")
    }
  }
}

extension AudioConverter.Format {
  fileprivate func validate() throws(CompositorError) {
    let (rates, counts) = (AudioReaderOptions.sampleRates, AudioReaderOptions.channelCounts)
    guard rates.contains(sampleRate), counts.contains(channelCount) else {
      throw CompositorError(
        .invalidValue, "Audio of \(sampleRate) Hz with \(channelCount) channels cannot be converted.",
        recoverySuggestion: "Use \(rates.readable) Hz and \(counts.readable) channels.")
    }
  }
}

/// Mixes channels in parts, without allocations.
private final class ChannelMixing {
  private let handle: OpaquePointer
  private let mixed: AudioBlock
  private let inputs: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  private let outputs: UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>?>

  private static let partSize = 4096

  /// - Returns: `nil` if the channels stay the same.
  init?(_ inputCount: Int, _ outputCount: Int, _ downmix: AudioDownmix) throws(CompositorError) {
    guard let handle = cff_mixer_create(Int32(inputCount), Int32(outputCount), downmix == .normalized) else {
      throw CompositorError(.resourceExhausted, "There is no memory for a change of channels.")
    }
    guard !cff_mixer_is_identity(handle) else {
      cff_mixer_destroy(handle)
      return nil
    }
    self.handle = handle
    mixed = AudioBlock(channelCount: outputCount, capacity: Self.partSize)
    inputs = .allocate(capacity: inputCount)
    outputs = .allocate(capacity: outputCount)
    inputs.initialize(repeating: nil)
    _ = outputs.initialize(from: mixed.channels.map(Optional.init))
  }

  deinit {
    cff_mixer_destroy(handle)
    inputs.deallocate()
    outputs.deallocate()
  }

  /// - Parameter receive: Receives the mixed samples, and their number.
  func mix(_ count: Int, of block: AudioBlock, receive: (_ mixed: AudioBlock, _ count: Int) -> Void) {
    var done = 0
    while done < count {
      let part = min(Self.partSize, count - done)
      for (channel, samples) in block.channels.enumerated() { inputs[channel] = UnsafePointer(samples + done) }
      cff_mixer_run(handle, inputs.baseAddress, Int32(part), outputs.baseAddress)
      receive(mixed, part)
      done += part
    }
  }
}
