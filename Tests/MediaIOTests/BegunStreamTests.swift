import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Streams of audio without a container that begin within a frame, as recorders and programs that cut by bytes leave them.
@Suite(.enabled(if: hasFFmpeg)) struct BegunStreamTests {
  private static let rate = 48_000

  private func samples(_ path: String, count: Int) throws -> [Float] {
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: Self.rate, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: count)
    try reader.read(frameCount: count, at: 0, into: block.channels)
    #expect(reader.damage.isEmpty, "\(reader.damage)")
    return Array(UnsafeBufferPointer(start: block.channels[0], count: count))
  }

  /// {formats} × {bytes that are missing at the beginning}: the file begins with the first whole frame.
  @Test(arguments: [
    ("a.ac3", ["-c:a", "ac3"], 1536), ("a.eac3", ["-c:a", "eac3"], 1536),
    ("surround.eac3", ["-c:a", "eac3", "-ac", "6"], 1536),
    ("a.aac", ["-c:a", "aac", "-aac_pns", "0"], 1024), ("a.mp2", ["-c:a", "mp2"], 1152),
    ("a.mp3", ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"], 1152),
  ]) func bytesBeforeTheFirstFrame_areLeftOut(_ name: String, _ coding: [String], _ frame: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:d=3:r=\(Self.rate)", "-ac", "2"] + coding + [path])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let count = 3 * Self.rate
    let whole = try samples(path, count: count)
    let duration = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first).timeRange.duration
    for missing in [1, 36, 500, 777, 1200] {
      let cut = folder.file("cut." + name)
      try bytes.dropFirst(missing).write(to: URL(filePath: cut))
      let info = try MediaProbe.probe(.file(path: cut))
      let track = try #require(info.audioTracks.first)
      let what: Comment = "\(name), \(missing) bytes: \(track.timeRange), \(info.warnings)"
      let lost = Int(((duration - track.timeRange.duration).seconds * Double(Self.rate)).rounded())
      #expect(
        track.timeRange.start == .zero && lost > 0 && lost <= 8 * frame && lost % frame == 0 && info.warnings.isEmpty, what)
      // Behind what a decoder lacks of the frames before.
      let found = try samples(cut, count: count - lost)
      #expect((24_000..<count - lost - 4000).allSatisfy { abs(found[$0] - whole[$0 + lost]) < 0.01 }, what)
    }
  }
}
