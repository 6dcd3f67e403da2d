import CompositorAPI
import CompositorMediaIO
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A filter of libavfilter that changes tempo and keeps pitch.
struct Stretcher {
  /// libavfilter's notation.
  let notation: String
  private let tempo: Double

  /// Samples of the mix that go through before the first one that is used.
  static let lead = 16_384

  /// - Throws: `.conversionNotPossible` if libavfilter lacks it.
  init(_ algorithm: PitchAlgorithm, tempo: Double) throws(CompositorError) {
    self.tempo = tempo
    // One stage does 0.5 to 2 well; more of them do the rest.
    let stages = max(1, Int((abs(log2(tempo)) - 1e-9).rounded(.up)))
    let factor = pow(tempo, 1 / Double(stages))
    let stage: String
    switch algorithm {
    case .timeDomain:
      try Stretcher.require("atempo", instead: "spectral or varispeed")
      stage = "atempo=\(factor)"
    case .spectral, .varispeed:
      try Stretcher.require("rubberband", instead: "time-domain or varispeed")
      // Smoothing keeps the level of tones within half a decibel where media is shortened, up to a factor of 2; where it is lengthened,
      // the level is kept without, and clicks stay clicks.
      guard tempo > 1 else {
        notation = "rubberband=tempo=\(tempo)"
        return
      }
      stage = "rubberband=tempo=\(factor):smoothing=on"
    }
    notation = Array(repeating: stage, count: stages).joined(separator: ",")
  }

  /// A filter whose tempo may change while it runs. Short windows and independent phases keep the level of tones best while it does: along a ramp
  /// from 1 over 0.5 to 2 within 0.7 dB from 220 Hz to 4 kHz; smoothing and several stages don't go well with it.
  static func variableNotation(_ tempo: Double) -> String { "rubberband=tempo=\(tempo):window=short:phase=independent" }

  /// Sets the tempo of ``variableNotation(_:)`` for what is sent from now on.
  static func set(_ tempo: Double, of graph: AudioFilterGraph) throws(CompositorError) {
    try graph.command("rubberband", "tempo", "\(tempo)")
  }

  static func require(_ filter: String, instead: String) throws(CompositorError) {
    guard AudioFilterGraph.isAvailable(filter) else {
      throw CompositorError(
        .conversionNotPossible,
        "This machine's libavfilter has no filter “\(filter)”, which keeps the pitch of audio at another speed.",
        recoverySuggestion: "Install an FFmpeg that has it, or choose the pitch algorithm \(instead).")
    }
  }

  /// How many samples later than its tempo says a click comes out: measured, since libavfilter doesn't tell. Negative if it is earlier.
  func latency(sampleRate: Int) throws(CompositorError) -> Double {
    try ClickMeasurement.timing(of: notation, tempo: tempo, sampleRate: sampleRate).latency
  }
}

/// When what a stretcher is given comes out of it.
struct StretcherTiming {
  /// How many samples of output later than its tempo says a click comes out.
  var latency: Double
  /// How many samples of input it holds, on average, when everything that is ready has been taken.
  var held: Double
}

/// Sends clicks through a filter and looks where they come out. Each filter is measured once for each sample rate.
enum ClickMeasurement {
  private struct Key: Hashable {
    let notation: String
    let isVariable: Bool
    let sampleRate: Int
  }

  private static let known = Mutex<[Key: StretcherTiming]>([:])
  /// Samples of output between two clicks; not a multiple of any filter's step.
  private static let spacing = 12_007
  /// Samples that are sent at a time.
  static let blockSize = 256

  /// The middle of the latencies of three clicks, in samples of output, and what the filter holds.
  ///
  /// - Parameter isVariable: Whether it is told its tempo before each block, after which it takes what it is given in other portions.
  static func timing(
    of notation: String, tempo: Double, sampleRate: Int, isVariable: Bool = false
  ) throws(CompositorError) -> StretcherTiming {
    let key = Key(notation: notation, isVariable: isVariable, sampleRate: sampleRate)
    if let timing = known.withLock({ $0[key] }) { return timing }
    let timing = try measure(notation, tempo: tempo, sampleRate: sampleRate, isVariable: isVariable)
    known.withLock { $0[key] = timing }
    return timing
  }

  private static func measure(
    _ notation: String, tempo: Double, sampleRate: Int, isVariable: Bool
  ) throws(CompositorError) -> StretcherTiming {
    let graph = try AudioFilterGraph(notation, sampleRate: sampleRate, channelCount: 1)
    let step = Int((Double(spacing) * max(1, tempo)).rounded())
    let (output, counts) = try run(
      graph, clicks: (1...3).map { 2 * step * $0 }, length: 8 * step, tempo: isVariable ? tempo : nil)
    let reach = Int((Double(step) / tempo).rounded())
    let latencies = (1...3).map { click in
      let expected = Double(2 * step * click) / tempo
      return onset(in: output, from: Int(expected) - reach, to: Int(expected) + reach) - expected
    }
    let latency = latencies.sorted()[1]
    // The second half: the filter has come to its pace.
    let later = counts.indices.suffix(counts.count / 2)
    let held = later.reduce(0.0) { sum, index in
      sum + Double((index + 1) * blockSize) - (Double(counts[index]) - latency) * tempo
    }
    return StretcherTiming(latency: latency, held: held / Double(max(1, later.count)))
  }

  /// Sends silence with clicks; returns what comes out, and how much that was after each block.
  private static func run(
    _ graph: AudioFilterGraph, clicks: [Int], length: Int, tempo: Double?
  ) throws(CompositorError) -> (output: [Float], counts: [Int]) {
    let (block, received) = (
      AudioBlock(channelCount: 1, capacity: blockSize), AudioBlock(channelCount: 1, capacity: 4096)
    )
    var (output, counts) = ([Float](), [Int]())
    for start in stride(from: 0, to: length, by: blockSize) {
      block.silence(blockSize)
      for click in clicks where (start..<start + blockSize).contains(click) { block[0, click - start] = 1 }
      if let tempo { try Stretcher.set(tempo, of: graph) }
      try graph.send(block.channels, count: blockSize)
      while case let count = try graph.receive(4096, into: received.channels), count > 0 {
        output.append(contentsOf: UnsafeBufferPointer(start: received.channels[0], count: count))
      }
      counts.append(output.count)
    }
    return (output, counts)
  }

  /// The first sample that has a twentieth of the power of the strongest one.
  private static func onset(in samples: [Float], from low: Int, to high: Int) -> Double {
    let part = max(0, low)..<max(max(0, low), min(high, samples.count))
    let peak = samples[part].map { $0 * $0 }.max() ?? 0
    guard peak > 0, let first = samples[part].firstIndex(where: { $0 * $0 >= peak / 20 }) else { return Double(low + high) / 2 }
    return Double(first)
  }
}
