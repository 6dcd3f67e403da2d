import CompositorAPI
import CompositorMediaIO
import Synchronization
import CompositorPlatform

/// A libavfilter filter that changes tempo and keeps pitch.
struct Stretcher {
  /// The filter in libavfilter's notation.
  let notation: String
  private let tempo: Double

  /// Number of samples of the mix to process before the first one that is used.
  static let lead = 16_384

  /// - Throws: `.conversionNotPossible` if libavfilter lacks it.
  init(_ algorithm: PitchAlgorithm, tempo: Double) throws(CompositorError) {
    self.tempo = tempo
    switch algorithm {
    case .timeDomain:
      try Stretcher.require("atempo", instead: "spectral or varispeed")
      // One stage works well from 0.5 to 2; further stages do the rest.
      notation = Stretcher.stages(tempo, ofAtMost: 2) { "atempo=\($0)" }
    case .spectral, .varispeed:
      try Stretcher.require("rubberband", instead: "time-domain or varispeed")
      // Short windows repeat a click within half the time of the standard ones, and keep its height within 3 dB.
      guard tempo > 1 else {
        notation = "rubberband=tempo=\(tempo):window=short:phase=independent"
        return
      }
      // With short windows, some notes would begin at a tenth of their level. `smoothing` would keep the level of tones, but it
      // takes 13 dB from clicks at twice the speed, and amplifies the beginning of the input by up to 130 dB.
      let loss = Stretcher.loss(atTempo: tempo)
      notation = Stretcher.stages(tempo, ofAtMost: 4) { "rubberband=tempo=\($0):phase=independent" } + ",volume=\(loss)dB"
    }
  }

  /// A tempo in equal stages.
  private static func stages(_ tempo: Double, ofAtMost largest: Double, _ stage: (_ factor: Double) -> String) -> String {
    let count = max(1, Int((abs(log2(tempo)) / log2(largest) - 1e-9).rounded(.up)))
    let factor = pow(tempo, 1 / Double(count))
    return Array(repeating: stage(factor), count: count).joined(separator: ",")
  }

  /// The level in dB that tones of 80 Hz to 8 kHz lose on average at a tempo above 1, as measured at 1.1 to 4.
  private static func loss(atTempo tempo: Double) -> Double { min(0.55 + 0.25 * log2(tempo), 1.25) }

  /// A filter whose tempo can change while it runs. Short windows and independent phases keep the level of tones best
  /// meanwhile: along a ramp from 1 over 0.5 to 2 within 0.7 dB from 220 Hz to 4 kHz. Smoothing and several stages don't work
  /// well with it.
  static func variableNotation(_ tempo: Double) -> String { "rubberband=tempo=\(tempo):window=short:phase=independent" }

  /// Sets the tempo of ``variableNotation(_:)`` for the samples sent from now on.
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

  /// Whether silence before audio that starts abruptly is harmless. Otherwise it disturbs the phases, which audibly lowers the
  /// level of a tone that begins with the media.
  var takesSilenceFirst: Bool { notation.hasPrefix("rubberband") && tempo > 1 }

  /// The delay of a click in samples, relative to the tempo; negative if it is early. It is measured, because libavfilter
  /// doesn't state it.
  func latency(sampleRate: Int) throws(CompositorError) -> Double {
    try ClickMeasurement.timing(of: notation, tempo: tempo, sampleRate: sampleRate).latency
  }
}

/// The measured timing of a stretcher.
struct StretcherTiming {
  /// Delay of a click relative to the tempo, in output samples.
  var latency: Double
  /// Mean number of input samples that it holds after all ready output was taken.
  var held: Double
}

/// Sends clicks through a filter and finds them in its output. Each filter is measured once per sample rate.
enum ClickMeasurement {
  private struct Key: Hashable {
    let notation: String
    let isVariable: Bool
    let sampleRate: Int
  }

  private static let known = Mutex<[Key: StretcherTiming]>([:])
  /// Number of output samples between two clicks; not a multiple of any filter's step.
  private static let spacing = 12_007
  /// Number of samples sent at a time.
  static let blockSize = 256

  /// The median latency of three clicks in output samples, and the number of samples that the filter holds.
  ///
  /// - Parameter isVariable: Whether the tempo is set before each block, which changes the portions in which the filter takes
  ///   its input.
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
      return place(in: output, from: Int(expected) - reach, to: Int(expected) + reach, isLengthened: tempo < 1) - expected
    }
    let latency = latencies.sorted()[1]
    // The second half, in which the filter has a steady pace.
    let later = counts.indices.suffix(counts.count / 2)
    let held = later.reduce(0.0) { sum, index in
      sum + Double((index + 1) * blockSize) - (Double(counts[index]) - latency) * tempo
    }
    return StretcherTiming(latency: latency, held: held / Double(max(1, later.count)))
  }

  /// Sends silence with clicks. Returns the output, and its size after each block.
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

  /// The position of a click: the first sample that has a twentieth of the power of the strongest one. Lengthened media repeats
  /// a click, with the loudest copies in the middle: there, the center of its energy.
  private static func place(in samples: [Float], from low: Int, to high: Int, isLengthened: Bool) -> Double {
    let part = max(0, low)..<max(max(0, low), min(high, samples.count))
    let peak = samples[part].map { $0 * $0 }.max() ?? 0
    guard peak > 0, let first = samples[part].firstIndex(where: { $0 * $0 >= peak / 20 }) else { return Double(low + high) / 2 }
    guard isLengthened else { return Double(first) }
    var (sum, energy) = (0.0, 0.0)
    for index in part {
      let power = Double(samples[index]) * Double(samples[index])
      sum += power * Double(index)
      energy += power
    }
    return sum / energy
  }
}
