import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO

/// Samples processed by a libavfilter filter that changes tempo or pitch.
///
/// The filter always starts at the same sample, before the first one of the piece, and receives blocks of a constant size, so
/// that the output does not depend on where reading starts. Sequential reading is cheap; reading backward restarts the filter,
/// and skipping ahead processes everything in between.
final class FilteredSamples: SampleStream {
  private let input: any SampleStream
  private let block: AudioBlock
  private let passed: AudioBlock
  private let make: () throws(CompositorError) -> AudioFilterGraph
  /// Prepares the graph before a block of input is sent. Receives the position of the block's first sample and the output
  /// position reached so far.
  private let prepare: (AudioFilterGraph, Int64, Int64) throws(CompositorError) -> Void
  /// The position of the first input sample.
  private let start: Int64
  /// The position of the first output sample.
  private let origin: Int64
  private var graph: AudioFilterGraph?
  private var sent: Int64
  private var next: Int64
  /// The largest magnitude of the samples sent so far, which are ahead of those received.
  private var loudest: Float = 0

  /// Peaks are at most 3 dB above the input's: a vocoder changes the phases of noise, whose peaks would otherwise grow by up to
  /// 7 dB, and may amplify what it begins with.
  private static let headroom: Float = 1.4

  init(
    _ input: any SampleStream, channelCount: Int, blockSize: Int, start: Int64, origin: Int64,
    make: @escaping () throws(CompositorError) -> AudioFilterGraph,
    prepare: @escaping (AudioFilterGraph, Int64, Int64) throws(CompositorError) -> Void = { (_, _, _) throws(CompositorError) in
    }
  ) {
    self.input = input
    self.start = start
    self.origin = origin
    self.make = make
    self.prepare = prepare
    block = AudioBlock(channelCount: channelCount, capacity: blockSize)
    passed = AudioBlock(channelCount: channelCount, capacity: 4096)
    (sent, next) = (start, origin)
  }

  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    if position < next { graph = nil }
    let graph = try running()
    while next < position {
      let length = Int(min(position - next, Int64(passed.capacity)))
      try receive(length, from: graph, into: passed.channels, offset: 0)
    }
    // The output before the filter's first sample is silence.
    let silent = Int(min(max(0, next - position), Int64(count)))
    for channel in channels { channel.update(repeating: 0, count: silent) }
    try receive(count - silent, from: graph, into: channels, offset: silent)
  }

  private func running() throws(CompositorError) -> AudioFilterGraph {
    if let graph { return graph }
    let made = try make()
    graph = made
    (sent, next, loudest) = (start, origin, 0)
    return made
  }

  private func receive(
    _ count: Int, from graph: AudioFilterGraph, into channels: [UnsafeMutablePointer<Float>], offset: Int
  ) throws(CompositorError) {
    var done = 0
    while done < count {
      let length = try graph.receive(count - done, into: channels.map { $0 + offset + done })
      bound(channels, offset + done..<offset + done + length)
      done += length
      next += Int64(length)
      if length == 0 { try send(to: graph) }
    }
  }

  private func bound(_ channels: [UnsafeMutablePointer<Float>], _ range: Range<Int>) {
    let limit = loudest * Self.headroom
    for channel in channels {
      for index in range { channel[index] = min(max(channel[index], -limit), limit) }
    }
  }

  private func send(to graph: AudioFilterGraph) throws(CompositorError) {
    try input.read(block.capacity, at: sent, into: block.channels)
    for channel in block.channels { loudest = max(loudest, cak_magnitude(channel, Int32(block.capacity))) }
    try prepare(graph, sent, next)
    try graph.send(block.channels, count: block.capacity)
    sent += Int64(block.capacity)
  }
}

/// Samples at a constant speed other than 1, with their pitch preserved.
final class StretchedSamples: SampleStream {
  private let samples: FilteredSamples

  /// - Parameter firstSample: The position of the media's first sample, which is preceded by silence.
  /// - Throws: `.conversionNotPossible` if libavfilter lacks the stretcher.
  init(
    _ input: any SampleStream, path: SamplePath, algorithm: PitchAlgorithm, options: AudioReaderOptions, firstSample: Int64
  ) throws(CompositorError) {
    let stretcher = try Stretcher(algorithm, tempo: path.speed)
    let lead = Int64((Double(Stretcher.lead) * max(1, path.speed)).rounded())
    let first = path.first
    let edge = Int64(path.position(at: Double(first)).rounded(.down))
    let start = stretcher.takesSilenceFirst ? edge - lead : max(edge - lead, min(firstSample, edge))
    // The distance from where the first input sample belongs in the mix to where the filter outputs it.
    let ahead = (path.position(at: Double(first)) - Double(start)) / path.speed
    let latency = try stretcher.latency(sampleRate: options.sampleRate)
    samples = FilteredSamples(
      input, channelCount: options.channelCount, blockSize: 1024, start: start,
      origin: first - Int64((ahead + latency).rounded()),
      make: { () throws(CompositorError) in
        try AudioFilterGraph(stretcher.notation, sampleRate: options.sampleRate, channelCount: options.channelCount)
      })
  }

  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    try samples.read(count, at: position, into: channels)
  }
}
