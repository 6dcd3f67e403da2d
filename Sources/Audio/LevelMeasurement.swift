package import CompositorAPI
package import CompositorMediaIO

/// Measures the level of a mix, and of bands of it, over a whole movie.
package struct LevelMeasurement {
  /// The sampling rate at which levels are measured, in Hz.
  private static let sampleRate = 48_000
  /// Samples between two levels.
  private static let step = sampleRate / LevelCurve.rate
  /// Steps of which the mean is taken: 20 ms.
  private static let window = 4

  /// Measures a mix from composition time 0. Blocks, and reads all of its audio.
  ///
  /// - Parameters:
  ///   - source: The part of the mix to measure; one that names a track of a timeline measures nothing.
  ///   - bands: The bands, in Hz; `nil` for all frequencies.
  ///   - duration: The movie's duration.
  /// - Returns: For each band the mean squares of the loudest channel over the 20 ms around each time, ``LevelCurve/rate`` in a
  ///   second, 1 for full scale. The one of time 0 is half of silence.
  /// - Throws: The errors of mixing.
  package static func meanSquares(
    of source: AudioLevel.Source, bands: [ClosedRange<Double>?], in edit: Edit, duration: MediaTime,
    sources: some AudioSourceProvider, processors: some AudioProcessorProvider, damaged: DamagePolicy
  ) throws(CompositorError) -> [[Double]] {
    var (mix, tracks): (AudioMix, Set<TrackID>?) = (edit.audioMix, nil)
    mix.limiting = .off
    if case .mix = source {
    } else {
      (mix.ducking, mix.processors, mix.volume) = ([], [], PropertyTimeline(default: 1))
      if case .tracks(let chosen) = source { tracks = chosen } else { tracks = [] }
    }
    let mixer = AudioMixer(
      edit.composition, tracks: tracks, mix: mix, sources: sources, sampleRate: sampleRate, damaged: damaged,
      processors: processors)
    let steps = Int(duration.rounded(toUnitsOf: Rational(1, LevelCurve.rate))) + 1
    let block = AudioBlock(channelCount: 2, capacity: step)
    var meters = bands.map { BandMeter($0, channelCount: block.channelCount, sampleRate: sampleRate) }
    for _ in 0..<steps + window / 2 - 1 {
      try mixer.mix(step, into: block)
      for index in meters.indices { meters[index].add(block, step) }
    }
    return meters.map { $0.means(steps: steps, window: window, step: step) }
  }
}

/// Sums of the squares of a band, for each channel and step.
private struct BandMeter {
  private var filters: [BandFilter]
  private var sums: [[Double]]

  init(_ band: ClosedRange<Double>?, channelCount: Int, sampleRate: Int) {
    filters = band.map { Array(repeating: BandFilter($0, sampleRate: sampleRate), count: channelCount) } ?? []
    sums = Array(repeating: [], count: channelCount)
  }

  mutating func add(_ block: AudioBlock, _ count: Int) {
    for (channel, samples) in block.channels.enumerated() {
      var sum = 0.0
      if filters.isEmpty {
        for index in 0..<count { sum += Self.finite(Double(samples[index])).squared }
      } else {
        for index in 0..<count { sum += filters[channel].filter(Self.finite(Double(samples[index]))).squared }
        filters[channel].settle()
      }
      sums[channel].append(sum)
    }
  }

  /// A sample that isn't finite would stay in a filter forever.
  private static func finite(_ sample: Double) -> Double { sample.isFinite ? sample : 0 }

  /// The means of the loudest channel over the steps around each time.
  func means(steps: Int, window: Int, step: Int) -> [Double] {
    let half = window / 2
    return (0..<steps).map { index -> Double in
      let around = max(index - half, 0)..<index + half
      let loudest = sums.map { $0[around].reduce(0, +) }.max() ?? 0
      return loudest / Double(window * step)
    }
  }
}

extension Double {
  fileprivate var squared: Double { self * self }
}
