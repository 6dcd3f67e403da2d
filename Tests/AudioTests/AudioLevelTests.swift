import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestMedia
import Foundation
import Testing

/// Levels of audio that animations of titles follow: the window, bands, sources, and the shape of the curve.
@Suite struct AudioLevelTests {
  private static let sources = TestSources(functions: [
    // A tone of −9 dBFS from 1 s to 2 s, of whole periods in 5 ms.
    "tone": { sample, _ in
      (48_000..<96_000).contains(sample) ? Float(0.5 * sin(Double(sample) * 2 * .pi * 1000 / 48_000)) : 0
    },
    "right": { _, channel in channel == 1 ? 0.5 : 0.25 },
    "broken": { sample, _ in sample == 7 ? .nan : 0.5 },
  ])

  private func edit(_ name: String, seconds: Int64 = 3) throws -> (edit: Edit, track: TrackID) {
    var composition = Composition()
    let track = try composition.addAudio(segment(.custom(name: name), lasting: .seconds(seconds), at: .zero))
    let video = VideoComposition(
      frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 16, height: 16))
    return (Edit(composition: composition, videoComposition: video), track)
  }

  private func meanSquares(
    _ source: AudioLevel.Source = .mix, bands: [ClosedRange<Double>?] = [nil], in edit: Edit
  ) throws -> [[Double]] {
    try LevelMeasurement.meanSquares(
      of: source, bands: bands, in: edit, duration: edit.composition.duration, sources: Self.sources,
      processors: NoAudioProcessors(), damaged: .fail)
  }

  @Test func level_isThatOf20msAroundItsTime() throws {
    let found = try #require(try meanSquares(in: try edit("tone").edit).first)
    #expect(found.count == 601)
    // Two steps before the first sample nothing is heard; each further step is a quarter of the window.
    let expected = [(0, 0.0), (198, 0), (199, 0.25), (200, 0.5), (201, 0.75), (202, 1), (300, 1), (400, 0.5), (402, 0)]
    for (index, expected) in expected {
      #expect(abs(found[index] - 0.125 * expected) < 1e-6, "at \(index): \(found[index])")
    }
  }

  @Test func level_isThatOfTheLoudestChannel_andOfFiniteSamples() throws {
    #expect(abs(try meanSquares(in: try edit("right").edit)[0][100] - 0.25) < 1e-6)
    let broken = try meanSquares(bands: [nil, 100...1000], in: try edit("broken").edit)
    #expect(abs(broken[0][100] - 0.25) < 1e-6 && broken[1].allSatisfy(\.isFinite))
  }

  @Test func bands_passTheirFrequencies() throws {
    let bands: [ClosedRange<Double>?] = [nil, 500...2000, 1000...8000, 100...1000, 40...150, 4000...8000]
    let found = try meanSquares(bands: bands, in: try edit("tone").edit)
    let decibels = found.map { 10 * log10($0[300] / 0.125) }
    #expect(abs(decibels[0]) < 0.001 && abs(decibels[1]) < 0.05)
    // −3 dB at the edge of a band, and 24 dB for each octave beyond.
    #expect(abs(decibels[2] + 3.01) < 0.02 && abs(decibels[3] + 3.01) < 0.02, "\(decibels)")
    #expect(decibels[4] < -60 && abs(decibels[5] + 48.9) < 0.3, "\(decibels)")
    // What is measured together is what is measured alone.
    #expect(try meanSquares(bands: [40...150], in: try edit("tone").edit)[0] == found[4])
  }

  @Test func sources_areTheMixOrTracksBeforeIt() throws {
    var (edit, track) = try edit("right")
    var parameters = AudioMixInputParameters(trackID: track)
    parameters.volume = PropertyTimeline(default: 0.5)
    edit.audioMix = AudioMix(inputParameters: [parameters])
    edit.audioMix.volume = PropertyTimeline(default: 0.5)
    #expect(abs(try meanSquares(in: edit)[0][100] - 0.25 / 16) < 1e-6)
    #expect(abs(try meanSquares(.tracks([track]), in: edit)[0][100] - 0.25 / 4) < 1e-6)
    #expect(try meanSquares(.tracks([]), in: edit)[0].allSatisfy { $0 == 0 })
    try edit.composition.setEnabled(false, ofTrack: track)
    #expect(try meanSquares(in: edit)[0].allSatisfy { $0 == 0 })
    #expect(abs(try meanSquares(.tracks([track]), in: edit)[0][100] - 0.25 / 4) < 1e-6)
  }

  @Test func curve_isLinearInDecibels_andRisesAndFallsInTime() {
    var level = AudioLevel()
    (level.floor, level.ceiling, level.attack, level.release) = (-60, 0, 0, 0)
    let values = level.values(ofMeanSquares: [0, 1e-6, 1e-3, 1e-1, 1, 10])
    #expect(zip(values, [0, 0, 0.5, 5.0 / 6, 1, 1] as [Float]).allSatisfy { abs($0 - $1) < 2e-6 }, "\(values)")
    (level.attack, level.release) = (0.02, 0.2)
    let steps = level.values(ofMeanSquares: [0] + Array(repeating: 1, count: 6) + Array(repeating: 0, count: 50))
    for (index, expected) in [(0, 0.0), (1, 0.25), (3, 0.75), (4, 1), (6, 1), (7, 0.975), (26, 0.5), (46, 0), (56, 0)] {
      #expect(abs(Double(steps[index]) - expected) < 2e-6, "at \(index): \(steps[index])")
    }
    // Without limits the highest level is the ceiling, and the floor is 30 dB below it.
    (level.floor, level.ceiling, level.attack, level.release) = (nil, nil, 0, 0)
    let own = level.values(ofMeanSquares: [1e-2, 10 * 1e-5, 1e-5, 0])
    #expect(zip(own, [1, 1.0 / 3, 0, 0] as [Float]).allSatisfy { abs($0 - $1) < 2e-6 }, "\(own)")
    #expect(level.values(ofMeanSquares: [0, 0]) == [0, 0] && level.values(ofMeanSquares: []).isEmpty)
  }
}
