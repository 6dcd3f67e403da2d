import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Audio at another speed with its pitch kept: peaks wherever a clip starts, clicks, and seams between speeds.
@Suite struct RetimedPeakTests {
  typealias Base = RetimedAudioTests

  /// A repeatable value, −1 … 1.
  static func noise(_ sample: Int64) -> Float {
    var bits = UInt64(bitPattern: sample) &* 0x9E37_79B9_7F4A_7C15
    bits ^= bits >> 31
    bits &*= 0xBF58_476D_1CE4_E5B9
    bits ^= bits >> 29
    return Float(Int64(bits >> 40)) / Float(1 << 23) - 1
  }

  /// A drum every quarter of a second: a falling tone, then a burst of noise.
  static func drum(_ sample: Int64) -> Float {
    let time = Double(sample % 12_000) / 48_000
    guard sample / 12_000 % 2 == 0 else { return 0.5 * Float(exp(-35 * time)) * noise(sample) }
    return 0.8 * Float(exp(-25 * time) * sin(2 * .pi * (60 + 120 * exp(-40 * time)) * time))
  }

  struct Signal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let peak: Float
    let value: @Sendable (Int64) -> Float
  }

  static let signals: [Signal] = [
    Signal(testDescription: "tone", peak: 0.5) { 0.5 * Float(sin(2 * .pi * 1000 * Double($0 % 48_000) / 48_000)) },
    Signal(testDescription: "low tone", peak: 0.5) { 0.5 * Float(cos(2 * .pi * 220 * Double($0 % 48_000) / 48_000)) },
    Signal(testDescription: "bursts of noise", peak: 0.5) { sample in
      let phase = Double(sample % 14_400) / 14_400
      return phase < 0.7 ? 0.5 * Float(sin(.pi * phase / 0.7)) * noise(sample) : 0
    },
    Signal(testDescription: "impulses", peak: 0.9) { $0 % 24_000 == 0 ? 0.9 : 0 },
    Signal(testDescription: "drums", peak: 0.8) { drum($0) },
    Signal(testDescription: "silence, then a tone", peak: 0.5) { sample in
      sample < 12_000 ? 0 : 0.5 * Float(sin(2 * .pi * 1000 * Double(sample % 48_000) / 48_000))
    },
  ]

  private static let speeds = [0.125, 0.25, 0.5, 0.8, 1.25, 1.5, 2, 3, 4]

  /// No more than 3 dB above the source, from the first sample on, at every start of a clip. `make test` takes two starts of each.
  @Test(arguments: signals, speeds)
  func peaks_areThoseOfTheSource(_ signal: Signal, _ speed: Double) throws {
    let sound = MemorySound { sample, _ in sample >= 0 ? signal.value(sample) : 0 }
    let signalRow = Self.signals.firstIndex { $0.testDescription == signal.testDescription } ?? 0
    let row = signalRow + (Self.speeds.firstIndex(of: speed) ?? 0)
    for start in TableSelection.columns([0, 0.001, 0.01, 0.1, 2], ofRow: row, each: 2) {
      let composition = try Base.composition(from: start, media: speed, over: 1, SegmentRetiming())
      let peak = try Base.mix(composition, of: sound, seconds: 1).map(abs).max() ?? .infinity
      let difference = 20 * log10(Double(peak / signal.peak))
      #expect(difference <= 3, "\(signal) at \(speed) from \(start) s: \(difference) dB")
    }
  }

  /// Several clips of one source: the first, a middle and the last one are bounded alike.
  @Test(arguments: [1.25, 2, 3]) func clipsOfOneSource_haveNoSpikes(_ speed: Double) throws {
    let sound = Base.sine(1000)
    var composition = Composition()
    let track = composition.addTrack(.audio)
    func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 48_000) }
    let segments = [0, 7.5, 3, 90].enumerated().map { index, start in
      CompositionTrackSegment(
        source: .custom(name: "sound"),
        timeMapping: TimeMapping(
          source: TimeRange(start: time(start), duration: time(speed / 2)),
          target: TimeRange(start: time(Double(index) / 2), duration: time(0.5))), retiming: SegmentRetiming())
    }
    try composition.setSegments(segments, ofTrack: track)
    let peak = try Base.mix(composition, of: sound, seconds: 2).map(abs).max() ?? .infinity
    #expect(20 * log10(peak / 0.5) <= 3)
  }

  /// Clicks keep as much of their height as ffmpeg's own use of the stretcher leaves: 7 dB less at twice the speed.
  @Test(arguments: [(1.25, -3.0), (1.5, -5.0), (2, -7.5)]) func clicks_stayClicks(_ speed: Double, _ least: Double) throws {
    let composition = try Base.composition(media: 4 * speed, over: 4, SegmentRetiming())
    let samples = try Base.mix(composition, of: Base.clicks, seconds: 4)
    let height = 20 * log10(Double((samples.map(abs).max() ?? 0) / 0.9))
    #expect(height > least, "\(height) dB at \(speed)")
  }

  /// Where a note begins at a slow speed: the middle of its rise is in place.
  @Test(arguments: [0.125, 0.25, 0.4]) func notes_beginInPlace(_ speed: Double) throws {
    let sound = MemorySound { sample, _ in sample < 96_000 ? 0 : 0.5 * Float(sin(2 * .pi * 1000 * Double(sample) / 48_000)) }
    let composition = try Base.composition(media: 2, over: 2 / speed, SegmentRetiming())
    let samples = try Base.mix(composition, of: sound, seconds: 2 / speed)
    let expected = Int(48_000 / speed)
    let rise = (expected - 9600..<expected + 9600).first { place in
      Base.level(samples[place..<place + 96]) > 20 * log10(0.5) - 6
    }
    let late = Double((rise ?? 0) - expected) / 48
    #expect(abs(late) < 25, "\(late) ms at \(speed)")
  }

  /// Clips of one source that continue at another speed don't click: what is above 5 kHz at the seam of a tone of 440 Hz.
  @Test(arguments: [[1.0, 2.0], [2, 1], [1, 0.5], [0.5, 1], [1.5, 3], [2, 0.5], [1, 1.01, 0.99, 1]])
  func seams_ofClipsAtOtherSpeeds_areSilent(_ speeds: [Double]) throws {
    var composition = Composition()
    let track = composition.addTrack(.audio)
    func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 48_000) }
    var media = 1.0
    var segments: [CompositionTrackSegment] = []
    for (index, speed) in speeds.enumerated() {
      segments.append(
        CompositionTrackSegment(
          source: .custom(name: "sound"),
          timeMapping: TimeMapping(
            source: TimeRange(start: time(media), duration: time(speed)),
            target: TimeRange(start: .seconds(index), duration: .seconds(1))), retiming: SegmentRetiming()))
      media += speed
    }
    try composition.setSegments(segments, ofTrack: track)
    let samples = try Base.mix(composition, of: Base.sine(440), seconds: Double(speeds.count))
    // Fourth differences: a tone of 440 Hz is at 0.00001 of its level, a step at its whole height.
    var highs = samples.map(Double.init)
    for _ in 0..<4 { highs = zip(highs.dropFirst(), highs).map { $0 - $1 } }
    for seam in 1..<speeds.count {
      let peak = highs[seam * 48_000 - 720..<seam * 48_000 + 720].map(abs).max() ?? 1
      #expect(20 * log10(peak) < -60, "\(20 * log10(peak)) dB at \(speeds)")
    }
  }
}
