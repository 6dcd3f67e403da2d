import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Audio whose timestamps jump or waver: jumps are counted, what wavers is played on.
@Suite(.enabled(if: hasFFmpeg)) struct UnsteadyAudioTests {
  struct Coding: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    var testDescription: String { name }
  }

  static let codings = [
    Coding(name: "aac.mka", arguments: ["-c:a", "aac"]), Coding(name: "vorbis.webm", arguments: ["-c:a", "libvorbis"]),
    Coding(name: "opus.webm", arguments: ["-c:a", "libopus"]),
    Coding(name: "long.webm", arguments: ["-c:a", "libopus", "-frame_duration", "60"]),
    Coding(name: "mp3.mka", arguments: ["-c:a", "libmp3lame"]), Coding(name: "flac.mka", arguments: ["-c:a", "flac"]),
    Coding(name: "pcm.mka", arguments: ["-c:a", "pcm_s16le"]), Coding(name: "aac.m4a", arguments: ["-c:a", "aac"]),
    Coding(name: "aac.ts", arguments: ["-c:a", "aac"]), Coding(name: "ac3.ts", arguments: ["-c:a", "ac3"]),
  ]

  /// Four seconds of noise, and the same packets with other times.
  private static func make(_ coding: Coding, times: String, in folder: borrowing TemporaryFolder) throws -> (String, String) {
    let (steady, unsteady) = (folder.file("steady-\(coding.name)"), folder.file("unsteady-\(coding.name)"))
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.3:seed=3"] + coding.arguments + [steady])
    try runProgram("ffmpeg", ["-v", "error", "-i", steady, "-c", "copy", "-bsf:a", "setts=ts=\(times)", unsteady])
    return (steady, unsteady)
  }

  private static func samples(_ path: String, count: Int) throws -> [Float] {
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: 48_000, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: count)
    try reader.read(frameCount: count, at: 0, into: block.channels)
    return Array(UnsafeBufferPointer(start: block.channels[0], count: count))
  }

  /// {containers × codecs} with a hole of 300 ms in the middle: its place and length are stated, it is silent, and without it nothing
  /// is stated.
  @Test(arguments: codings) func hole_isCountedAndSilent(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let (steady, unsteady) = try Self.make(coding, times: "TS+if(gt(TS*TB\\,2)\\,0.3/TB\\,0)", in: folder)
    let whole = try MediaProbe.probe(.file(path: steady))
    #expect(whole.audioTracks.first?.gaps == [], "\(coding)")
    #expect(!whole.warnings.contains { $0.kind == .unsteadyAudio }, "\(coding): \(whole.warnings)")
    let info = try MediaProbe.probe(.file(path: unsteady))
    let gaps = try #require(info.audioTracks.first).gaps
    try #require(gaps.count == 1, "\(coding): \(gaps)")
    print("\(coding.name): \(gaps[0].duration.seconds) s at \(gaps[0].start.seconds) s")
    #expect(abs(gaps[0].duration.seconds - 0.3) < 0.003)
    #expect(abs(gaps[0].start.seconds - 2) < 0.15)
    let warning = info.warnings.first { $0.kind == .unsteadyAudio }?.message ?? ""
    #expect(
      warning.contains("a gap of 300 ms at ") || warning.contains("a gap of 299 ms at ") || warning.contains("of 301 ms at "))
    let found = try Self.samples(unsteady, count: 192_000)
    let middle = Int(gaps[0].start.seconds * 48_000) + 2400
    #expect(found[middle..<middle + 9600].allSatisfy { abs($0) < 1e-4 }, "silent in the gap")
    #expect(found[middle + 14_400..<middle + 24_000].contains { abs($0) > 0.05 }, "heard after it")
  }

  /// Recorders stamp long packets when they are written: some early, some late. Nothing is cut or padded.
  @Test(arguments: ["(mod(N*2\\,5)-2)*0.0135", "-mod(N\\,2)*0.035", "-min(N\\,20)*0.005"])
  func longPackets_withWaveringTimes_followOneAnother(_ offset: String) throws {
    let folder = try TemporaryFolder()
    let coding = Self.codings[3]
    let (steady, unsteady) = try Self.make(coding, times: "TS+if(gt(N\\,2)\\,(\(offset))/TB\\,0)", in: folder)
    let info = try MediaProbe.probe(.file(path: unsteady))
    #expect(info.audioTracks.first?.gaps == [])
    #expect(info.audioTracks.first?.timeRange == (try MediaProbe.probe(.file(path: steady))).audioTracks.first?.timeRange)
    let isFar = offset.contains("min")
    #expect(
      info.warnings.contains { $0.kind == .unsteadyAudio && $0.message.contains("100 ms later") } == isFar, "\(info.warnings)")
    #expect(try Self.samples(unsteady, count: 180_000) == (try Self.samples(steady, count: 180_000)))
  }

  /// Older muxers wrote granule positions into Ogg that jump although the frames of FLAC are numbered without a gap.
  @Test(arguments: [1105, 20_000]) func numberedFrames_followOneAnother(_ jump: Int) throws {
    let folder = try TemporaryFolder()
    let coding = Coding(name: "flac.ogg", arguments: ["-c:a", "flac"])
    let (steady, unsteady) = try Self.make(coding, times: "TS+if(gte(N\\,10)\\,\(jump)\\,0)", in: folder)
    let track = try #require(try MediaProbe.probe(.file(path: unsteady)).audioTracks.first)
    #expect(track.gaps.isEmpty)
    #expect(track.timeRange.duration == MediaTime(value: 192_000, timescale: 48_000))
    #expect(try Self.samples(unsteady, count: 192_000) == (try Self.samples(steady, count: 192_000)))
  }
}
