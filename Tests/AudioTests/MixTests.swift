import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import Foundation
import Testing

/// Volumes, pan and the mix's own volume against their formulas.
@Suite struct MixTests {
  private static let tone: @Sendable (Int64, Int) -> Float = { sample, channel in
    Float(0.5 * sin(Double(sample) * (channel == 0 ? 0.05 : 0.083)))
  }
  private static let sources = TestSources(functions: ["tone": tone, "one": { _, _ in 1 }, "noise": { noise($0, UInt64($1)) }])

  /// Everything at once.
  private static func busyMix() throws -> (Composition, AudioMix) {
    var composition = Composition()
    let speech = try composition.addAudio(
      segment(.custom(name: "tone"), lasting: .seconds(1), at: MediaTime(value: 1001, timescale: 30_000)),
      segment(.custom(name: "tone"), from: .seconds(5), lasting: .seconds(1), at: MediaTime(value: 5, timescale: 2)))
    let music = try composition.addAudio(segment(.custom(name: "noise"), lasting: .seconds(5), at: .zero))
    var mix = AudioMix(inputParameters: [AudioMixInputParameters(trackID: music), AudioMixInputParameters(trackID: speech)])
    try mix.inputParameters[0].volume.setRamp(
      from: 1.5, to: 0.3, timeRange: TimeRange(start: MediaTime(value: 1, timescale: 3), duration: .seconds(1)))
    try mix.inputParameters[0].pan.setRamp(from: -1, to: 1, timeRange: .seconds(0, 4))
    try mix.inputParameters[1].volume.set(3, at: .zero)
    try mix.volume.setRamp(from: 0.2, to: 2, timeRange: .seconds(0, 3))
    var byLevel = AudioDucking(triggerTracks: [speech], loweredTracks: [music])
    byLevel.attack = MediaTime(value: 37, timescale: 1000)
    byLevel.hold = MediaTime(value: 100, timescale: 1000)
    byLevel.release = MediaTime(value: 333, timescale: 1000)
    var bySegments = byLevel
    bySegments.trigger = .segments
    mix.ducking = [byLevel, bySegments]
    mix.limiting = .on(ceiling: -3)
    return (composition, mix)
  }

  @Test func mix_ofAnyBlockSize_givesTheSameSamples() throws {
    let (composition, mix) = try Self.busyMix()
    func made(_ portion: Int) throws -> [[Float]] {
      try AudioMixer(composition, mix: mix, sources: Self.sources, destination: .lossy).samples(200_000, portion: portion)
    }
    let whole = try made(200_000)
    #expect(whole[0].contains { abs($0) > 0.6 })
    for portion in [1, 7, 333, 1024, 1025, 4096] { #expect(try made(portion) == whole, "blocks of \(portion)") }
  }

  @Test func mix_volumesAndTheMixsVolume_areTheirProduct() throws {
    var composition = Composition()
    let track = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(4), at: .zero))
    var mix = AudioMix(inputParameters: [AudioMixInputParameters(trackID: track)])
    // 1 at first, a jump, a ramp, held; and the ramp of the mix.
    try mix.inputParameters[0].volume.setRamp(
      from: 0.5, to: 0.2, timeRange: TimeRange(start: MediaTime(value: 1, timescale: 3), duration: .seconds(1)))
    try mix.volume.setRamp(
      from: 0, to: 1, timeRange: TimeRange(start: MediaTime(value: 1001, timescale: 30_000), duration: .seconds(3)))
    let found = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(192_000)
    for sample in stride(from: 0, to: 192_000, by: 37) {
      let time = MediaTime(value: Int64(sample), timescale: 48_000)
      let expected = mix.inputParameters[0].volume.value(at: time) * mix.volume.value(at: time)
      #expect(abs(Double(found[0][sample]) - expected) < 1e-6, "sample \(sample)")
      #expect(found[0][sample] == found[1][sample])
    }
  }

  @Test(arguments: [-1, -0.6, -0.25, 0, 0.25, 0.6, 1]) func pan_ofAStereoSource_isABalance(_ pan: Double) throws {
    var composition = Composition()
    let track = try composition.addAudio(segment(.custom(name: "tone"), lasting: .seconds(1), at: .zero))
    var mix = AudioMix(inputParameters: [AudioMixInputParameters(trackID: track)])
    mix.inputParameters[0].pan = PropertyTimeline(default: pan)
    let found = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(4800)
    let plain = try AudioMixer(composition, sources: Self.sources).samples(4800)
    for (channel, side) in [(0, -1.0), (1, 1.0)] {
      let toward = max(0, -pan * side)
      let gain = toward == 1 ? 0 : cos(toward * .pi / 2)
      let wrong = (0..<4800).filter { abs(Double(found[channel][$0]) - gain * Double(plain[channel][$0])) > 1e-7 }
      #expect(wrong.isEmpty, "channel \(channel)")
      if gain == 1 { #expect(found[channel] == plain[channel]) }
    }
  }

  @Test func pan_thatMoves_isTheBalanceOfEachSample() throws {
    var composition = Composition()
    let track = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(2), at: .zero))
    var mix = AudioMix(inputParameters: [AudioMixInputParameters(trackID: track)])
    try mix.inputParameters[0].pan.setRamp(from: -1, to: 1, timeRange: .seconds(0, 2))
    let found = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(96_000)
    for sample in stride(from: 0, to: 96_000, by: 11) {
      let pan = -1 + Double(sample) / 48_000
      #expect(abs(Double(found[0][sample]) - cos(max(0, pan) * .pi / 2)) < 1e-6)
      #expect(abs(Double(found[1][sample]) - cos(max(0, -pan) * .pi / 2)) < 1e-6)
    }
  }

  @Test func mix_fromTheMiddle_isThatPartOfTheWhole() throws {
    var (composition, mix) = try Self.busyMix()
    // What depends on samples before has none of them.
    mix.ducking.removeFirst()
    mix.limiting = .off
    let whole = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(240_000)
    for start in [0, 1001, 50_000, 120_001, 150_000] {
      let time = MediaTime(value: Int64(start), timescale: 48_000)
      let part = try AudioMixer(composition, mix: mix, sources: Self.sources, start: time).samples(20_000)
      #expect(part[0] == Array(whole[0][start..<start + 20_000]), "from \(start)")
    }
  }

  @Test func processors_withoutARegistry_areRefused() throws {
    var composition = Composition()
    _ = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(1), at: .zero))
    var mix = AudioMix()
    mix.processors = [AudioProcessorUse("avfilter.aecho")]
    let mixer = AudioMixer(composition, mix: mix, sources: Self.sources)
    let error = #expect(throws: CompositorError.self) { try mixer.samples(10) }
    #expect(error?.message.contains("avfilter.aecho") == true)
  }
}
