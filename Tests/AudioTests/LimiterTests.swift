import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// The true-peak limiter, measured by ffmpeg.
@Suite struct LimiterTests {
  private static let count = 96_000
  private static let rate = 48_000.0

  /// Signals that exceed full scale, or whose peaks lie between samples.
  static let signals: [String: @Sendable (Int64, Int) -> Float] = [
    "square, full scale": { sample, _ in sample / 50 % 2 == 0 ? 1 : -1 },
    "square, +6 dB, odd period": { sample, _ in sample % 109 < 54 ? 2 : -2 },
    "fs/4 at 45°": { sample, _ in Float(1.2 * sin(Double(sample) * .pi / 2 + .pi / 4)) },
    "fs/6 at 30°, bursts": { sample, _ in sample % 20_000 < 3000 ? Float(2 * sin(Double(sample) * .pi / 3 + .pi / 6)) : 0.1 },
    "noise": { sample, channel in 1.5 * noise(sample, UInt64(channel)) },
    "music-like": { music($0, $1) },
    "three clips at full scale": { sample, _ in tones([220, 331, 547], Double(sample) / rate) },
    "single samples": { sample, channel in sample % 9973 == 17 ? (channel == 0 ? 4 : -3) : 0.2 },
    "chirp to Nyquist": { sample, _ in Float(1.3 * sin(.pi * Double(sample * sample) / (2 * 96_000))) },
  ]

  /// What an encoder cannot keep within a decibel of the original, whatever went in.
  private static let exceptions: [String: Set<String>] = [
    "aac": ["square, full scale", "square, +6 dB, odd period", "fs/6 at 30°, bursts"], "libopus": ["fs/6 at 30°, bursts"],
  ]

  private static func tones(_ frequencies: [Double], _ time: Double, phase: Double = 0) -> Float {
    var sum = 0.0
    for frequency in frequencies { sum += sin(2 * .pi * frequency * time + phase) }
    return Float(sum)
  }

  /// Two beats a second, each dying away.
  private static func music(_ sample: Int64, _ channel: Int) -> Float {
    let time = Double(sample) / rate
    let envelope = Float(exp(-4 * (time * 2).truncatingRemainder(dividingBy: 1)))
    let low = tones([55, 110.5, 221], time, phase: Double(channel)), high = tones([440, 1318, 3520, 9000], time)
    return envelope * (0.8 * low + 0.4 * high + 0.3 * noise(sample, 5))
  }

  private static func mixed(_ function: @escaping @Sendable (Int64, Int) -> Float, ceiling: Double?) throws -> [[Float]] {
    var composition = Composition()
    // ffmpeg's oversampling mirrors what is at the ends of a file: silence there.
    let tenth = MediaTime(value: 1, timescale: 10)
    _ = try composition.addAudio(segment(.custom(name: "signal"), lasting: .seconds(2) - tenth - tenth, at: tenth))
    var mix = AudioMix()
    mix.limiting = ceiling.map { .on(ceiling: $0) } ?? .off
    return try AudioMixer(composition, mix: mix, sources: TestSources(functions: ["signal": function])).samples(count)
  }

  @Test(arguments: [-0.1, -1, -6]) func limiter_ofSignalsAboveTheCeiling_keepsItsTruePeak(_ ceiling: Double) throws {
    let folder = try TemporaryFolder()
    for (name, signal) in Self.signals {
      let path = folder.file("signal.wav")
      try AudioFile.write(try Self.mixed(signal, ceiling: ceiling), to: path)
      let peak = try AudioFile.loudness(path).truePeak
      print("\(name): \(peak) dBTP at a ceiling of \(ceiling)")
      #expect(peak <= ceiling + 0.001, "\(name): \(peak) dBTP")
      #expect(peak > ceiling - 0.6, "\(name) is lowered too far: \(peak) dBTP")
    }
  }

  /// The greatest magnitude at sixteen times the rate, by a filter that keeps what is below 23.5 kHz of 48.
  private func sharpPeak(_ path: String) throws -> Double {
    let data = try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-af", "aresample=768000:filter_size=256:phase_shift=10:cutoff=0.98:linear_interp=1", "-f",
        "f32le", "-",
      ])
    let peak = data.withUnsafeBytes { $0.bindMemory(to: Float.self).reduce(Float(0)) { max($0, abs($1)) } }
    return 20 * log10(Double(peak))
  }

  /// Peaks between the points at four times the rate: sines near them, and bursts.
  @Test func limiter_byASharperFilter_keepsItsCeiling() throws {
    let folder = try TemporaryFolder()
    var signals: [(name: String, signal: @Sendable (Int64, Int) -> Float)] = []
    for frequency in [997.0, 7000, 11_025, 12_000.3, 15_000, 17_500, 19_000, 20_000] {
      signals.append(
        (
          "\(frequency) Hz",
          { sample, channel in Float(1.3 * sin(2 * .pi * frequency * Double(sample) / Self.rate + Double(channel))) }
        ))
    }
    signals.append(("bursts", { sample, _ in sample % 1500 < 37 ? 1.2 * (noise(sample / 1500, 3)) : 0 }))
    signals.append(("music-like", { Self.music($0, $1) }))
    for (name, signal) in signals {
      let path = folder.file("signal.wav")
      try AudioFile.write(try Self.mixed(signal, ceiling: -1), to: path)
      let peak = try sharpPeak(path)
      print("\(name): \(peak) dBTP at a ceiling of -1")
      #expect(peak <= -1 + 0.08 && peak > -2, "\(name): \(peak) dBTP")
    }
  }

  @Test(arguments: ["aac 192k mp4", "aac 96k mp4", "libmp3lame 192k mp3", "libopus 128k opus"])
  func limiter_forLossyCodecs_leavesDecodersBelowFullScale(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let words = codec.split(separator: " ").map(String.init)
    for (name, signal) in Self.signals where name != "noise" && name != "chirp to Nyquist" {
      var composition = Composition()
      let tenth = MediaTime(value: 1, timescale: 10)
      _ = try composition.addAudio(segment(.custom(name: "signal"), lasting: .seconds(2) - tenth - tenth, at: tenth))
      let mixer = AudioMixer(composition, sources: TestSources(functions: ["signal": signal]), destination: .lossy)
      let path = folder.file("signal.\(words[2])")
      try AudioFile.write(
        try mixer.samples(Self.count), to: path, encoding: ["-c:a", words[0], "-b:a", words[1]])
      let peak = try AudioFile.loudness(path).truePeak
      print("\(codec), \(name): \(peak) dBTP")
      let most = Self.exceptions[words[0]]?.contains(name) == true ? 3.5 : 0
      #expect(peak <= most, "\(name): \(peak) dBTP")
    }
  }

  @Test func limiter_belowTheCeiling_changesNoBit() throws {
    // Loud, but never above −1 dBTP; the loudest with peaks between samples.
    let quiet: [@Sendable (Int64, Int) -> Float] = [
      // Faded in and out: a beginning at once rings above the ceiling.
      { sample, _ in Float(0.88 * sin(Double(sample) / 86_400 * .pi) * sin(Double(sample) * .pi / 2 + .pi / 4)) },
      { sample, channel in 0.35 * noise(sample, UInt64(channel)) },
      { sample, _ in Float(0.88 * sin(Double(sample) / 86_400 * .pi) * sin(Double(sample) * 0.01)) },
      { _, _ in 0 },
    ]
    for signal in quiet { #expect(try Self.mixed(signal, ceiling: -1) == Self.mixed(signal, ceiling: nil)) }
  }

  /// One loud burst: what is far from it is unchanged to the bit, and nothing has moved.
  @Test func limiter_farFromPeaks_changesNoBit() throws {
    let signal: @Sendable (Int64, Int) -> Float = { sample, channel in
      0.2 * noise(sample, UInt64(channel)) * ((15_200..<15_700).contains(sample) ? 20 : 1)
    }
    let (limited, plain) = (try Self.mixed(signal, ceiling: -1), try Self.mixed(signal, ceiling: nil))
    let changed = (0..<Self.count).filter { limited[0][$0] != plain[0][$0] }
    let (first, last) = (try #require(changed.first), try #require(changed.last))
    #expect(first >= 20_000 - 300 && first < 20_000 && last > 20_500 && last < 90_000, "\(first) … \(last)")
    #expect((first..<last).allSatisfy { abs(limited[0][$0]) <= abs(plain[0][$0]) })
  }

  @Test func automatic_limitsWhatIsNotFloat() {
    #expect(AudioLimiting.automatic.ceiling(for: .float) == nil)
    #expect(AudioLimiting.automatic.ceiling(for: .integer) == -0.1)
    #expect(AudioLimiting.automatic.ceiling(for: .lossy) == -1)
    #expect(AudioLimiting.off.ceiling(for: .lossy) == nil && AudioLimiting.on(ceiling: -3).ceiling(for: .float) == -3)
  }

  /// Values that are no numbers stay where they are: nothing crashes, and what is far from them is unchanged.
  @Test func limiter_ofValuesThatAreNoNumbers_goesOn() throws {
    let found = try Self.mixed({ sample, _ in sample == 5000 ? .nan : sample == 6000 ? .infinity : 0.25 }, ceiling: -1)
    #expect(found[0][5000..<9000].allSatisfy { $0 == 0.25 } && found[0][90_000..<91_000].allSatisfy { $0 == 0.25 })
  }
}
