import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Parts of one recording, joined: a tone goes on at each seam.
@Suite struct ContinuedRecordingTests {
  /// Parts of two seconds of a tone of 441 Hz at an eighth of full scale, with or without video.
  private static func parts(_ folder: TemporaryFolder, _ container: String, hasVideo: Bool) throws -> [String] {
    var arguments = ["-v", "error"]
    if hasVideo { arguments += ["-f", "lavfi", "-i", "testsrc2=r=25:d=6:s=160x120"] }
    arguments += ["-f", "lavfi", "-i", "sine=441:d=6:r=48000"]
    if hasVideo { arguments += ["-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p"] }
    arguments += ["-c:a", "aac", "-f", "segment", "-segment_time", "2", "-reset_timestamps", "1"]
    try runProgram("ffmpeg", arguments + [folder.file("part%03d.\(container)")])
    return (0..<3).map { folder.file("part00\($0).\(container)") }
  }

  /// The parts one after another, each from its first frame to its last, or as long as its audio.
  private static func composition(_ parts: [String]) throws -> Composition {
    var composition = Composition()
    var segments: [CompositionTrackSegment] = []
    var end = MediaTime.zero
    for path in parts {
      let info = try MediaProbe.probe(.file(path: path))
      let range = try #require(info.videoTracks.first?.timeRange ?? info.audioTracks.first?.timeRange)
      segments.append(segment(.file(path: path), from: range.start, lasting: range.duration, at: end))
      end = end + range.duration
    }
    let track = composition.addTrack(.audio)
    try composition.setSegments(segments, ofTrack: track)
    return composition
  }

  /// The largest deviation from a tone of 441 Hz: what a step or a dropout leaves, 0 for any level and phase.
  private static func deviation(_ samples: ArraySlice<Float>) -> Double {
    let factor = 2 * cos(2 * Double.pi * 441 / 48_000)
    return zip(samples, zip(samples.dropFirst(), samples.dropFirst(2))).map { first, others in
      abs(Double(others.1) - factor * Double(others.0) + Double(first))
    }.max() ?? 1
  }

  @Test(arguments: ["mp4", "mkv", "ts", "aac"], [false, true])
  func tone_goesOnFromPartToPart(_ container: String, _ hasVideo: Bool) throws {
    guard container != "aac" || !hasVideo else { return }
    let folder = try TemporaryFolder()
    let composition = try Self.composition(try Self.parts(folder, container, hasVideo: hasVideo))
    let samples = try AudioMixer(composition, sources: TestSources(), channelCount: 1).samples(285_000, channels: 1)[0]
    // From the second tenth of a second on, after what the encoder begins with.
    let found = Self.deviation(samples[9600...])
    print("\(container), \(hasVideo ? "with video" : "audio alone"): deviation \(found)")
    #expect(found < 5e-4, "\(container): \(found)")
    // A part that begins later begins as the whole is there.
    let later = try AudioMixer(
      composition, sources: TestSources(), channelCount: 1, start: MediaTime(value: 96_256, timescale: 48_000)
    ).samples(4800, channels: 1)[0]
    let difference = zip(later, samples[96_256...]).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 1e-4, "\(container): \(difference)")
  }

  /// At another rate the seam is resampled like one file.
  @Test func tone_atAnotherRate_goesOn() throws {
    let folder = try TemporaryFolder()
    let composition = try Self.composition(try Self.parts(folder, "mp4", hasVideo: false))
    let samples = try AudioMixer(composition, sources: TestSources(), sampleRate: 96_000, channelCount: 1).samples(
      560_000, channels: 1)[0]
    let factor = 2 * cos(2 * Double.pi * 441 / 96_000)
    let worst =
      (20_000..<559_000).map { place in
        abs(Double(samples[place + 1]) - factor * Double(samples[place]) + Double(samples[place - 1]))
      }.max() ?? 1
    #expect(worst < 5e-4, "\(worst)")
  }

  @Test func names_ofPartsDifferInOneNumber() {
    let pairs = [
      ("a/part009.ts", "a/part010.ts", true), ("GH010042.MP4", "GH020042.MP4", true), ("x9.mp4", "x10.mp4", true),
      ("x1.mp4", "x3.mp4", false), ("x2.mp4", "x1.mp4", false), ("a1.mp4", "b2.mp4", false), ("x.mp4", "x.mp4", false),
      ("a/x1.mp4", "b/x2.mp4", false), ("x+1.mp4", "x2.mp4", false),
    ]
    for (first, second, expected) in pairs {
      #expect(ConsecutiveNames.areConsecutive(first, second) == expected, "\(first), \(second)")
    }
  }
}
