import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Clips that continue each other: of one file, and of several.
@Suite struct SeamTests {
  private static func time(_ samples: Int, _ rate: Int = 44_100) -> MediaTime {
    MediaTime(value: Int64(samples), timescale: Int32(rate))
  }

  private static func mixed(_ segments: [CompositionTrackSegment], count: Int, rate: Int = 48_000) throws -> [Float] {
    var composition = Composition()
    try composition.setSegments(segments, ofTrack: composition.addTrack(.audio))
    return try AudioMixer(composition, sources: TestSources(), sampleRate: rate, channelCount: 1).samples(count, channels: 1)[0]
  }

  private static func sine(_ range: Range<Int>, _ frequency: Double = 997) -> [Float] {
    range.map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 44_100)) }
  }

  /// A split file equals the unsplit one, bit by bit, for every position of the split.
  @Test(arguments: ["a.wav", "a.mov", "a.flac", "a.m4a", "a.mp3", "a.mkv"]) func split_ofOneFile_changesNoBit(_ name: String)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    let encoding = ["mkv": ["-c:a", "flac"], "mov": ["-c:a", "pcm_s16le"]][String(name.suffix(3))] ?? []
    try AudioFile.write([Self.sine(0..<88_200)], rate: 44_100, to: path, encoding: encoding)
    let source = MediaSource.file(path: path)
    for rate in [48_000, 44_100, 32_000] {
      let whole = try Self.mixed([segment(source, lasting: .seconds(2), at: .zero)], count: 2 * rate, rate: rate)
      // On a sample of the file, on a frame of 29.97 fps, on no grid.
      for cut in [
        Self.time(44_100), Self.time(31_337), MediaTime(value: 17 * 1001, timescale: 30_000), MediaTime(value: 7, timescale: 9),
      ] {
        let split = try Self.mixed(
          [segment(source, lasting: cut, at: .zero), segment(source, from: cut, lasting: .seconds(2) - cut, at: cut)],
          count: 2 * rate, rate: rate)
        #expect(split == whole, "\(name) at \(rate) Hz, split at \(cut)")
      }
    }
  }

  /// A sine cut into two files at 44.1 kHz is one sine at 48 kHz: the difference at the seam is far below −60 dBFS.
  @Test(arguments: ["wav", "flac", "mov"]) func filesThatContinue_areResampledAsOne(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let encoding = ["mov": ["-c:a", "pcm_f32le"], "wav": ["-c:a", "pcm_f32le"]][kind] ?? ["-sample_fmt", "s32"]
    for cut in [44_100, 22_057] {
      for frequency in [997.0, 15_000] {
        let parts = [0..<cut, cut..<88_200].enumerated().map { index, range in (folder.file("\(index).\(kind)"), range) }
        for (path, range) in parts {
          try AudioFile.write([Self.sine(range, frequency)], rate: 44_100, to: path, encoding: encoding)
        }
        let whole = folder.file("whole.\(kind)")
        try AudioFile.write([Self.sine(0..<88_200, frequency)], rate: 44_100, to: whole, encoding: encoding)
        let found = try Self.mixed(
          [
            segment(.file(path: parts[0].0), lasting: Self.time(cut), at: .zero),
            segment(.file(path: parts[1].0), lasting: Self.time(88_200 - cut), at: Self.time(cut)),
          ], count: 96_000)
        let expected = try Self.mixed([segment(.file(path: whole), lasting: .seconds(2), at: .zero)], count: 96_000)
        let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < 1e-5, "\(kind), \(frequency) Hz, cut at \(cut): \(20 * log10(difference)) dBFS")
      }
    }
  }

  /// Files of another rate at a time between samples stand at that time: the phase of a resampled tone is exact.
  @Test func resampledPieces_standAtTheirTime() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try AudioFile.write([Self.sine(0..<88_200, 5000)], rate: 44_100, to: path)
    let start = MediaTime(value: 1001, timescale: 30_000)
    let found = try Self.mixed(
      [
        CompositionTrackSegment(empty: TimeRange(start: .zero, end: start)),
        segment(.file(path: path), lasting: .seconds(1), at: start),
      ],
      count: 40_000)
    for sample in 10_000..<11_000 {
      let expected = 0.5 * sin(2 * .pi * 5000 * (Double(sample) / 48_000 - start.seconds))
      #expect(abs(Double(found[sample]) - expected) < 2e-4)
    }
  }

  @Test func filesAtTheMixsRate_areUntouched() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try AudioFile.write([Self.sine(0..<48_000)], rate: 48_000, to: path)
    let start = MediaTime(value: 1001, timescale: 30_000)
    let found = try Self.mixed(
      [
        CompositionTrackSegment(empty: TimeRange(start: .zero, end: start)),
        segment(.file(path: path), lasting: .seconds(1), at: start),
      ],
      count: 50_000)
    #expect(Array(found[1602..<49_602]) == Self.sine(0..<48_000) && found[..<1602].allSatisfy { $0 == 0 })
  }
}
