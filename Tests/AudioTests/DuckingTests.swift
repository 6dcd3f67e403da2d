import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import Foundation
import Testing

/// Music under speech: gains sample by sample.
@Suite struct DuckingTests {
  /// Speech: a tone of −12 dBFS that is heard from 1 s to 2 s of its source, silent otherwise.
  private static let sources = TestSources(functions: [
    "one": { _, _ in 1 },
    "speech": { sample, _ in
      (48_000..<96_000).contains(sample) ? Float(0.25 * sin(Double(sample) * 2 * .pi * 1000 / 48_000)) : 0
    },
  ])

  /// The gain of the music, 5 s.
  private func gains(_ change: (inout AudioDucking) -> Void, speechVolume: Double = 1) throws -> [Double] {
    var composition = Composition()
    let music = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(5), at: .zero))
    let speech = try composition.addAudio(
      segment(.custom(name: "speech"), from: .seconds(1), lasting: .seconds(1), at: .seconds(1)))
    var mix = AudioMix(inputParameters: [AudioMixInputParameters(trackID: speech)])
    mix.inputParameters[0].volume = PropertyTimeline(default: speechVolume)
    var ducking = AudioDucking(triggerTracks: [speech], loweredTracks: [music])
    change(&ducking)
    mix.ducking = [ducking]
    let sum = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(240_000)[0]
    let alone = try AudioMixer(composition, tracks: [speech], mix: mix, sources: Self.sources).samples(240_000)[0]
    return zip(sum, alone).map { Double($0 - $1) }
  }

  private func decibels(_ gain: Double) -> Double { 20 * log10(max(gain, 1e-9)) }

  @Test func segments_areLowWhenTheyBegin() throws {
    let found = try gains { $0.trigger = .segments }
    // Down over the 0.2 s before 1 s, held 0.5 s after 2 s, back over 0.8 s; linear in decibels.
    let points = [(0.79, 0.0), (0.9, -6.0), (1.0, -12.0), (1.5, -12.0), (2.0, -12.0), (2.499, -12.0), (2.9, -6.0), (3.31, 0.0)]
    for (time, expected) in points {
      #expect(abs(decibels(found[Int((time * 48_000).rounded())]) - expected) < 0.01, "at \(time) s")
    }
    #expect(found[..<38_400].allSatisfy { $0 == 1 } && found[158_500...].allSatisfy { $0 == 1 })
    #expect(found[47_999] < 0.2512 && found[47_990] > 0.2512)
  }

  @Test func level_lowersWhileTheTriggerIsHeard() throws {
    let found = try gains { _ in }
    // The level passes −40 dBFS within a few samples of the beginning, and falls below it within 10 ms of the end.
    let points = [
      (0.999, 0.0, 0.01), (1.1, -6.0, 0.1), (1.2, -12.0, 0.1), (2.5, -12.0, 0.01), (2.905, -6.0, 0.1), (3.35, 0.0, 0.01),
    ]
    for (time, expected, tolerance) in points {
      #expect(abs(decibels(found[Int((time * 48_000).rounded())]) - expected) < tolerance, "at \(time) s")
    }
  }

  /// A part that begins while it is lowered begins as low as the whole is there.
  @Test(arguments: [1.5, 2.2, 2.9, 4.0]) func part_beginsAsTheWholeIsThere(_ start: Double) throws {
    var composition = Composition()
    let music = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(5), at: .zero))
    let speech = try composition.addAudio(
      segment(.custom(name: "speech"), from: .seconds(1), lasting: .seconds(1), at: .seconds(1)))
    var mix = AudioMix()
    mix.ducking = [AudioDucking(triggerTracks: [speech], loweredTracks: [music])]
    let whole = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(240_000)[0]
    let first = Int(start * 48_000)
    let part = try AudioMixer(composition, mix: mix, sources: Self.sources, start: .seconds(start)).samples(20_000)[0]
    #expect(part == Array(whole[first..<first + 20_000]))
  }

  @Test func level_isMeasuredAfterTheTriggersVolume() throws {
    // −12 dBFS are −15 dB of RMS; at −30 dB more they are below −40.
    #expect(try gains({ _ in }, speechVolume: 0.0316).allSatisfy { abs($0 - 1) < 1e-6 })
    #expect(try gains({ $0.trigger = .level(-50) }, speechVolume: 0.0316).contains { $0 < 0.26 })
  }

  @Test func ducking_withoutTimes_isAtOnce() throws {
    let found = try gains {
      $0.trigger = .segments
      ($0.attack, $0.hold, $0.release) = (.zero, .zero, .zero)
      $0.reduction = 20
    }
    #expect(found[47_999] == 1 && abs(found[48_000] - 0.1) < 1e-6 && abs(found[95_999] - 0.1) < 1e-6 && found[96_000] == 1)
  }

  @Test func pausesShorterThanTheHold_areNotFilled() throws {
    var composition = Composition()
    let music = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(5), at: .zero))
    let half = MediaTime(value: 1, timescale: 2)
    let speech = try composition.addAudio(
      segment(.custom(name: "speech"), lasting: half, at: half),
      segment(.custom(name: "speech"), lasting: half, at: MediaTime(value: 14, timescale: 10)))
    var mix = AudioMix()
    var ducking = AudioDucking(triggerTracks: [speech], loweredTracks: [music])
    ducking.trigger = .segments
    mix.ducking = [ducking]
    let found = try AudioMixer(composition, mix: mix, sources: Self.sources).samples(96_000)[0]
    #expect(found[24_000..<91_000].allSatisfy { abs($0 - 0.251188) < 1e-5 })
  }

  /// Two speakers at once lower the music as much as the deeper one alone.
  @Test func twoDuckers_lowerAsTheDeepest() throws {
    var composition = Composition()
    let music = try composition.addAudio(segment(.custom(name: "one"), lasting: .seconds(5), at: .zero))
    let first = try composition.addAudio(
      segment(.custom(name: "speech"), from: .seconds(1), lasting: .seconds(1), at: .seconds(1)))
    let second = try composition.addAudio(
      segment(.custom(name: "speech"), from: .seconds(1), lasting: .seconds(1), at: .seconds(2)))
    var mix = AudioMix()
    mix.ducking = [
      AudioDucking(triggerTracks: [first], loweredTracks: [music]),
      AudioDucking(triggerTracks: [second], loweredTracks: [music]),
    ]
    for index in mix.ducking.indices { mix.ducking[index].trigger = .segments }
    mix.ducking[1].reduction = 20
    func lowered(by ducking: [AudioDucking]) throws -> [Double] {
      var one = mix
      one.ducking = ducking
      let sum = try AudioMixer(composition, mix: one, sources: Self.sources).samples(240_000)[0]
      let alone = try AudioMixer(composition, tracks: [first, second], sources: Self.sources).samples(240_000)[0]
      return zip(sum, alone).map { Double($0 - $1) }
    }
    let (both, one) = (try lowered(by: mix.ducking), try lowered(by: [mix.ducking[0]]))
    let other = try lowered(by: [mix.ducking[1]])
    let difference = zip(both, zip(one, other)).map { abs($0 - min($1.0, $1.1)) }.max() ?? 1
    #expect(difference < 1e-6, "\(difference)")
    // The first speaker is held at −12 dB until the second one lowers the music to −20 dB.
    #expect(abs(decibels(both[72_000]) + 12) < 0.01 && abs(decibels(both[120_000]) + 20) < 0.01)
  }
}
