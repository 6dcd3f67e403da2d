import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Windows Media Audio, whose container rounds times and whose decoder drops two frames at the beginning and returns one more at the end.
@Suite(.enabled(if: hasFFmpeg)) struct WindowsMediaTests {
  private static func make(_ codec: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.file("\(codec).wma")
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=1:r=44100:a=0.3:seed=5", "-c:a", codec, path])
    return path
  }

  /// Every sample that the decoder returns is read, at the time at which ffmpeg's own option for all of them has it.
  @Test(arguments: ["wmav1", "wmav2"]) func samples_areAllOfTheDecoder(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(codec, in: folder)
    let raw = try runProgram(
      "ffmpeg", ["-v", "error", "-flags2", "+skip_manual", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    let wanted = raw.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let track = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first)
    #expect(track.timeRange == TimeRange(start: .zero, duration: MediaTime(value: Int64(wanted.count), timescale: 44_100)))
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: 44_100, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: wanted.count)
    try reader.read(frameCount: wanted.count, at: 0, into: block.channels)
    let found = UnsafeBufferPointer(start: block.channels[0], count: wanted.count)
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(wanted[2048..<4096].contains { abs($0) > 0.1 })
  }

  @Test func cutShort_isToldWithTheLengthOfTheHeader() throws {
    let folder = try TemporaryFolder()
    let path = try Self.make("wmav2", in: folder)
    let cut = folder.file("cut.wma")
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count * 6 / 10).write(to: URL(filePath: cut))
    let info = try MediaProbe.probe(.file(path: cut))
    let track = try #require(info.audioTracks.first)
    #expect(info.warnings.contains { $0.kind == .truncated })
    #expect(track.timeRange.end.seconds > 0.99)
    #expect((track.readableEnd ?? .zero).seconds < 0.8)
    #expect(try MediaProbe.probe(.file(path: path)).warnings.isEmpty)
  }
}
