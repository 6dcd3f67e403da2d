import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Loudness measured and reached, beside ffmpeg's `ebur128`.
@Suite struct LoudnessTests {
  /// Speech-like: bursts of noise and tones, with pauses; peaks far above its mean.
  private static let speech: @Sendable (Int64, Int) -> Float = { sample, channel in
    let time = Double(sample) / 48_000
    let syllable = max(0, sin(2 * .pi * 2.3 * time)) * (time.truncatingRemainder(dividingBy: 3) < 2 ? 1 : 0.02)
    let voice = sin(2 * .pi * 180 * time) + 0.6 * sin(2 * .pi * 540 * time) + 0.4 * sin(2 * .pi * 2300 * time)
    return Float(0.12 * syllable * voice) + 0.03 * Float(syllable) * noise(sample, UInt64(channel))
  }
  private static let sources = TestSources(functions: ["speech": speech, "silence": { _, _ in 0 }])

  private static func measuring(
    _ source: String, seconds: Int = 12, gain: Double = 0, limiting: AudioLimiting = .off, samples: Int? = nil
  ) throws -> (samples: [[Float]], loudness: AudioLoudness) {
    var composition = Composition()
    _ = try composition.addAudio(segment(.custom(name: source), lasting: .seconds(seconds), at: .zero))
    var mix = AudioMix()
    mix.limiting = limiting
    let mixer = AudioMixer(composition, mix: mix, sources: sources, gain: gain, measures: true)
    let made = try mixer.samples(samples ?? seconds * 48_000)
    return (made, try #require(try mixer.loudness()))
  }

  @Test func loudness_ofAMix_isWhatFFmpegMeasures() throws {
    let folder = try TemporaryFolder()
    let (samples, found) = try Self.measuring("speech")
    let path = folder.file("mix.wav")
    try AudioFile.write(samples, to: path)
    let expected = try AudioFile.loudness(path)
    #expect(abs(try #require(found.integrated) - expected.integrated) < 0.02)
    #expect(abs(found.range - expected.range) < 0.05)
    #expect(abs(try #require(found.truePeak) - expected.truePeak) < 0.1)
  }

  @Test(arguments: [-23.0, -16, -14, -9]) func target_isReachedWithinHalfAUnit(_ target: Double) throws {
    let folder = try TemporaryFolder()
    var passes = 0
    let gain = try LoudnessTarget(integrated: target).gain(ceiling: -1) {
      (gain: Double, isLimited: Bool) throws(CompositorError) -> AudioLoudness in
      passes += 1
      do {
        return try Self.measuring("speech", gain: gain, limiting: isLimited ? .on(ceiling: -1) : .off).loudness
      } catch {
        throw (error as? CompositorError) ?? CompositorError(.internalFault, "\(error)")
      }
    }
    let path = folder.file("mix.wav")
    try AudioFile.write(try Self.measuring("speech", gain: gain, limiting: .on(ceiling: -1)).samples, to: path)
    let found = try AudioFile.loudness(path)
    print("target \(target) LUFS: \(found.integrated), \(found.truePeak) dBTP, gain \(gain) dB, \(passes) passes")
    #expect(abs(found.integrated - target) < 0.5 && found.truePeak <= -0.999)
  }

  @Test func silenceAndShortMaterial_haveNoLoudness_andKeepTheirLevel() throws {
    #expect(try Self.measuring("silence", seconds: 1).loudness == AudioLoudness(integrated: nil, range: 0, truePeak: nil))
    let short = try Self.measuring("speech", seconds: 1, samples: 19_000).loudness
    #expect(short.integrated == nil && short.truePeak != nil)
    let gain = try LoudnessTarget(integrated: -14).gain(ceiling: -1) { (_, _) throws(CompositorError) in short }
    #expect(gain == 0)
  }

  @Test func truePeak_betweenSamples_isFound() throws {
    let sources = TestSources(functions: ["sine": { sample, _ in Float(sin(Double(sample) * .pi / 2 + .pi / 4)) }])
    var composition = Composition()
    _ = try composition.addAudio(segment(.custom(name: "sine"), lasting: .seconds(2), at: .zero))
    for portion in [1, 100, 4096] {
      let mixer = AudioMixer(composition, sources: sources, measures: true)
      // Samples are at −3 dBFS, the peaks between them at 0; the ends are cut off, which rings.
      let peak = Float(try mixer.samples(48_000, portion: portion)[0].max() ?? 0)
      #expect(abs(peak - 0.7071) < 1e-3)
      let truePeak = try #require(try mixer.loudness()?.truePeak)
      #expect(truePeak > -0.05 && truePeak < 1.5, "\(truePeak)")
    }
  }
}
