import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Lengths of audio by what containers say of an encoder's delay and padding, to the sample.
@Suite struct AudioLengthTests {
  struct Coding: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    var rates = [44_100, 48_000, 22_050]
    /// Whether the container states delay and padding, so that the media is as long as what was encoded.
    var isExact = true
    var testDescription: String { name }
  }

  static let codings = [
    Coding(name: "cbr.mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "128k"]),
    Coding(name: "vbr.mp3", arguments: ["-c:a", "libmp3lame", "-q:a", "2"]),
    Coding(name: "bare.mp3", arguments: ["-c:a", "libmp3lame", "-write_xing", "0"], isExact: false),
    Coding(name: "a.m4a", arguments: ["-c:a", "aac"]), Coding(name: "a.mp4", arguments: ["-c:a", "aac"]),
    Coding(name: "a.mov", arguments: ["-c:a", "aac"]),
    Coding(name: "a.aac", arguments: ["-c:a", "aac"], isExact: false),
    Coding(name: "a.mkv", arguments: ["-c:a", "aac"], isExact: false),
    Coding(name: "a.ts", arguments: ["-c:a", "aac"], isExact: false),
    Coding(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis"]),
    Coding(name: "vorbis.mkv", arguments: ["-c:a", "libvorbis"], isExact: false),
    Coding(name: "opus.ogg", arguments: ["-c:a", "libopus"], rates: [48_000]),
    Coding(name: "opus.webm", arguments: ["-c:a", "libopus"], rates: [48_000]),
    Coding(name: "opus.mp4", arguments: ["-c:a", "libopus"], rates: [48_000]),
    Coding(name: "a.flac", arguments: ["-c:a", "flac"]), Coding(name: "flac.mkv", arguments: ["-c:a", "flac"]),
    Coding(name: "alac.m4a", arguments: ["-c:a", "alac"]), Coding(name: "alac.caf", arguments: ["-c:a", "alac"]),
    Coding(name: "tta.mka", arguments: ["-c:a", "tta"]), Coding(name: "a.wav", arguments: ["-c:a", "pcm_s16le"]),
  ]

  /// Two seconds of a tone with a whole number of periods.
  static func make(_ folder: TemporaryFolder, _ coding: Coding, rate: Int) throws -> String {
    let path = folder.file("\(rate)-\(coding.name)")
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=441:d=2:r=\(rate)"] + coding.arguments + [path])
    return path
  }

  @Test(arguments: codings)
  func track_isAsLongAsWhatFFmpegDecodes(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    for rate in coding.rates {
      let path = try Self.make(folder, coding, rate: rate)
      let track = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first)
      let decoded = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-ac", "1", "-f", "s16le", "-"]).count / 2
      // Versions of libavformat differ in whether they drop the padding that an edit list hides.
      let expected = coding.isExact ? 2 * rate : decoded
      let found = track.timeRange.duration
      print("\(coding.name) at \(rate): \(found) s, ffmpeg \(decoded) samples")
      #expect(found == MediaTime(value: Int64(expected), timescale: Int32(rate)), "\(coding.name) at \(rate)")
    }
  }

  /// Reading stops at the padding: what is beyond the end is silent, what is before is not.
  @Test(arguments: codings.filter(\.isExact))
  func reading_endsWhereTheMediaEnds(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    for rate in coding.rates {
      let path = try Self.make(folder, coding, rate: rate)
      let options = AudioReaderOptions(sampleRate: rate, channelCount: 1)
      let reader = try MediaOpener.openAudio(.file(path: path), options: options)
      let block = AudioBlock(channelCount: 1, capacity: 2 * rate + 2000)
      try reader.read(frameCount: 2 * rate + 2000, at: 0, into: block.channels)
      // An eighth of full scale, as ffmpeg's source has it.
      let amplitude: Float = 0.125
      for (low, high, isHeard) in [(0, 400, true), (2 * rate - 400, 2 * rate, true), (2 * rate, 2 * rate + 2000, false)] {
        let peak = (low..<high).map { abs(block[0, $0]) }.max() ?? 0
        #expect(isHeard ? peak > amplitude / 2 : peak == 0, "\(coding.name) at \(rate): \(peak) in \(low)..<\(high)")
      }
      // Periods are whole, so a second later the phase is the same. Encoders of AAC begin imperfectly.
      let turn = (0..<200).map { block[0, $0 + 6000] - block[0, $0 + 6000 + rate] }.map(abs).max() ?? 1
      #expect(turn < 0.02, "\(coding.name) at \(rate): \(turn)")
    }
  }

  /// Cuts read little more than they play, in every container.
  @Test(arguments: [
    "a.mp3 libmp3lame", "a.flac flac", "a.mka flac", "a.ogg libvorbis", "a.opus libopus", "opus.mka libopus",
    "mp3.mka libmp3lame", "aac.mka aac", "aac.aac aac", "a.wav pcm_s16le",
  ])
  func cuts_readFewPackets(_ spelling: String) throws {
    let folder = try TemporaryFolder()
    let parts = spelling.split(separator: " ").map(String.init)
    let path = folder.file(parts[0])
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=150:a=0.3:seed=1", "-c:a", parts[1], path])
    let probed = try MediaProbe.examine(.file(path: path))
    let track = try #require(probed.info.audioTracks.first)
    func open() throws -> any AudioReader {
      try MediaOpener.openAudio(
        .file(path: path), trackIndex: 0, options: AudioReaderOptions(channelCount: 1), info: track, facts: probed.facts)
    }
    let block = AudioBlock(channelCount: 1, capacity: 96_000)
    let whole = try #require(try open() as? any JoinableAudioReader)
    for second in 0..<75 { try whole.read(frameCount: 96_000, at: Int64(second) * 96_000, into: block.channels) }
    var cuts: Int64 = 0
    for cut in 1...5 {
      let reader = try #require(try open() as? any JoinableAudioReader)
      try reader.read(frameCount: 96_000, at: Int64(cut) * 1_300_007, into: block.channels)
      cuts += reader.packetCount
    }
    let share = Double(cuts) / Double(whole.packetCount)
    print("\(spelling): five cuts of 2 s read \(cuts) packets, all of 150 s \(whole.packetCount): \(share)")
    // Ten of 150 seconds are played. Opus needs two seconds before each cut, MP3 one; Ogg is read in whole pages, Matroska in clusters of five seconds.
    #expect(share < 0.3)
  }
}
