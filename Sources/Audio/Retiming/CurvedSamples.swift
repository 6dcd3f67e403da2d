import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// Plays samples along a speed curve with their pitch kept, through a stretcher whose tempo follows the curve.
///
/// A stretcher rounds each change of its tempo to its own steps. After each block, its output is therefore compared with the
/// curve, and the tempo compensates for the difference: media stays in position however long the curve is.
final class CurvedSamples: SampleStream {
  private let samples: FilteredSamples

  /// Seconds of media over which a difference is compensated, slow enough to be inaudible.
  private static let correctionTime = 0.5
  /// Maximum compensation as a fraction of the tempo.
  private static let largestCorrection = 0.1

  /// - Parameter firstSample: The first sample of the media, which silence precedes.
  /// - Throws: `.conversionNotPossible` if libavfilter lacks the stretcher.
  init(
    _ input: any SampleStream, path: SamplePath, options: AudioReaderOptions, firstSample: Int64
  ) throws(CompositorError) {
    try Stretcher.require("rubberband", instead: "varispeed")
    let first = Double(path.first)
    let edge = path.position(at: first)
    let lead = Double(Stretcher.lead) * max(1, path.speed(at: first))
    let start = max(Int64((edge - lead).rounded(.down)), min(firstSample, Int64(edge.rounded(.down))))
    let beginning = path.sample(at: Double(start))
    let tempo = path.speed(at: beginning)
    let notation = Stretcher.variableNotation(tempo)
    let timing = try ClickMeasurement.timing(
      of: notation, tempo: tempo, sampleRate: options.sampleRate, isVariable: true)
    let held = try HeldMedia(path.speeds, sampleRate: options.sampleRate)
    let time = Self.correctionTime * Double(options.sampleRate)
    samples = FilteredSamples(
      input, channelCount: options.channelCount, blockSize: ClickMeasurement.blockSize, start: start,
      origin: Int64((beginning - timing.latency).rounded()),
      make: { () throws(CompositorError) in
        try AudioFilterGraph(notation, sampleRate: options.sampleRate, channelCount: options.channelCount)
      },
      prepare: { (graph, sent, next) throws(CompositorError) in
        let place = path.sample(at: Double(sent) + Double(ClickMeasurement.blockSize) / 2)
        let speed = path.speed(at: place)
        // How far the output is behind, in samples of media; unknown until the filter is full.
        let isFull = Double(sent - start) > 2 * held.samples(atSpeed: tempo)
        let behind = isFull ? Double(sent) - path.position(at: Double(next)) - held.samples(atSpeed: speed) : 0
        let correction = min(max(behind / time, -Self.largestCorrection), Self.largestCorrection)
        try Stretcher.set(speed * (1 - correction), of: graph)
      })
  }

  func read(_ count: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    try samples.read(count, at: position, into: channels)
  }
}

/// The amount of media that a stretcher holds after all ready output was taken, by its tempo. It is measured, because
/// libavfilter doesn't state it.
struct HeldMedia {
  private let logarithms: [Double]
  private let samples: [Double]

  /// Distance of the measured points in octaves.
  private static let step = 0.25

  init(_ speeds: ClosedRange<Double>, sampleRate: Int) throws(CompositorError) {
    let low = (log2(speeds.lowerBound) / Self.step).rounded(.down)
    let high = (log2(speeds.upperBound) / Self.step).rounded(.up)
    var (logarithms, samples) = ([Double](), [Double]())
    for number in Int(low)...Int(high) {
      let octaves = Double(number) * Self.step
      let tempo = exp2(octaves)
      let timing = try ClickMeasurement.timing(
        of: Stretcher.variableNotation(tempo), tempo: tempo, sampleRate: sampleRate, isVariable: true)
      logarithms.append(octaves)
      samples.append(timing.held)
    }
    (self.logarithms, self.samples) = (logarithms, samples)
  }

  func samples(atSpeed speed: Double) -> Double {
    guard let first = logarithms.first, logarithms.count > 1 else { return samples.first ?? 0 }
    let place = min(max((log2(speed) - first) / Self.step, 0), Double(logarithms.count - 1))
    let index = min(Int(place), logarithms.count - 2)
    return samples[index] + (samples[index + 1] - samples[index]) * (place - Double(index))
  }
}
