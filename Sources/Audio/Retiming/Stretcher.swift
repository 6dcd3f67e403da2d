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

  /// A filter that changes pitch and keeps tempo, for a factor that may change. Independent phases keep the level of tones within 1.2 dB while it
  /// does; tied ones lose up to 5.
  static func pitchNotation(_ factor: Double) -> String { "rubberband=pitch=\(factor):pitchq=consistency:phase=independent" }

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
    try ClickMeasurement.latency(of: notation, tempo: tempo, sampleRate: sampleRate)
  }
}

/// How much later a click comes out of a pitch shifter, by the speed whose pitch it undoes.
struct PitchDelay {
  private let logarithms: [Double]
  private let delays: [Double]

  /// Points of the measurement, in octaves.
  private static let step = 0.5

  init(_ speeds: ClosedRange<Double>, sampleRate: Int) throws(CompositorError) {
    try Stretcher.require("rubberband", instead: "varispeed")
    let low = (log2(speeds.lowerBound) / Self.step).rounded(.down)
    let high = (log2(speeds.upperBound) / Self.step).rounded(.up)
    var (logarithms, delays) = ([Double](), [Double]())
    for number in Int(low)...Int(high) {
      let octaves = Double(number) * Self.step
      let speed = exp2(octaves)
      logarithms.append(octaves)
      delays.append(
        try ClickMeasurement.latency(of: Stretcher.pitchNotation(1 / speed), tempo: 1, sampleRate: sampleRate))
    }
    (self.logarithms, self.delays) = (logarithms, delays)
  }

  func samples(atSpeed speed: Double) -> Double {
    let octaves = log2(speed)
    guard let first = logarithms.first, logarithms.count > 1 else { return delays.first ?? 0 }
    let place = min(max((octaves - first) / Self.step, 0), Double(logarithms.count - 1))
    let index = min(Int(place), logarithms.count - 2)
    return delays[index] + (delays[index + 1] - delays[index]) * (place - Double(index))
  }
}

/// Where a sample that comes out of the pitch shifter is in what goes in, along a path: later by the delay that the speed has there. Delays
/// that change fast are smoothed, so that the samples that go in never stand still or run backward.
struct DelayedPlaces {
  private let first: Double
  private let step: Double
  private let delays: [Double]

  /// The most that a delay changes in a time, as a part of it.
  private static let steepest = 0.4

  init(_ path: SamplePath, _ delay: PitchDelay, length: Int64, sampleRate: Int) {
    // Ten milliseconds, or more where that would be too many.
    let (lead, tail) = (Stretcher.lead, Double(sampleRate))
    let span = Double(length) + Double(lead) + tail
    let step = max(Double(sampleRate) / 100, span / 1_000_000)
    let first = Double(path.first) - Double(lead)
    let count = Int(span / step) + 2
    var delays = (0..<count).map { delay.samples(atSpeed: path.speed(at: first + Double($0) * step)) }
    let most = DelayedPlaces.steepest * step
    for index in delays.indices.dropFirst() { delays[index] = max(delays[index], delays[index - 1] - most) }
    for index in delays.indices.dropLast().reversed() { delays[index] = max(delays[index], delays[index + 1] - most) }
    (self.first, self.step, self.delays) = (first, step, delays)
  }

  func place(_ sample: Double) -> Double {
    let position = min(max((sample - first) / step, 0), Double(delays.count - 1))
    let index = min(Int(position), delays.count - 2)
    return sample + delays[index] + (delays[index + 1] - delays[index]) * (position - Double(index))
  }
}

/// Sends clicks through a filter and looks where they come out. Each filter is measured once for each sample rate.
enum ClickMeasurement {
  private struct Key: Hashable {
    let notation: String
    let sampleRate: Int
  }

  private static let known = Mutex<[Key: Double]>([:])
  /// Samples of output between two clicks; not a multiple of any filter's step.
  private static let spacing = 12_007

  /// The middle of the latencies of three clicks, in samples of output.
  static func latency(of notation: String, tempo: Double, sampleRate: Int) throws(CompositorError) -> Double {
    let key = Key(notation: notation, sampleRate: sampleRate)
    if let latency = known.withLock({ $0[key] }) { return latency }
    let latency = try measure(notation, tempo: tempo, sampleRate: sampleRate)
    known.withLock { $0[key] = latency }
    return latency
  }

  private static func measure(_ notation: String, tempo: Double, sampleRate: Int) throws(CompositorError) -> Double {
    let graph = try AudioFilterGraph(notation, sampleRate: sampleRate, channelCount: 1)
    let step = Int((Double(spacing) * max(1, tempo)).rounded())
    let output = try run(graph, clicks: (1...3).map { 2 * step * $0 }, length: 8 * step)
    let reach = Int((Double(step) / tempo).rounded())
    let latencies = (1...3).map { click in
      let expected = Double(2 * step * click) / tempo
      return onset(in: output, from: Int(expected) - reach, to: Int(expected) + reach) - expected
    }
    return latencies.sorted()[1]
  }

  /// Sends silence with clicks; returns what comes out.
  private static func run(_ graph: AudioFilterGraph, clicks: [Int], length: Int) throws(CompositorError) -> [Float] {
    let block = AudioBlock(channelCount: 1, capacity: 1024)
    var output: [Float] = []
    for start in stride(from: 0, to: length, by: 1024) {
      block.silence(1024)
      for click in clicks where (start..<start + 1024).contains(click) { block[0, click - start] = 1 }
      try graph.send(block.channels, count: 1024)
      while case let count = try graph.receive(1024, into: block.channels), count > 0 {
        output.append(contentsOf: UnsafeBufferPointer(start: block.channels[0], count: count))
      }
    }
    return output
  }

  /// The first sample that has a twentieth of the power of the strongest one.
  private static func onset(in samples: [Float], from low: Int, to high: Int) -> Double {
    let part = max(0, low)..<max(max(0, low), min(high, samples.count))
    let peak = samples[part].map { $0 * $0 }.max() ?? 0
    guard peak > 0, let first = samples[part].firstIndex(where: { $0 * $0 >= peak / 20 }) else { return Double(low + high) / 2 }
    return Double(first)
  }
}
