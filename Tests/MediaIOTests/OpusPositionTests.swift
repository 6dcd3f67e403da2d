import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Opus begins with samples that are dropped. Containers say so in their own ways, some of them in whole milliseconds.
@Suite struct OpusPositionTests {
  struct Row: CustomTestStringConvertible {
    let name: String
    /// The encoding of the video; `nil` for audio only.
    var video: [String]?
    /// Options of the muxer.
    var muxer: [String] = []
    var testDescription: String { "\(name)\(video == nil ? "" : " with a picture") \(muxer.joined(separator: " "))" }
  }

  private static let mjpeg = ["-c:v", "mjpeg"]
  private static let vp8 = ["-c:v", "libvpx", "-b:v", "100k"]

  static let rows = [
    Row(name: "a.mkv"), Row(name: "a.mkv", video: mjpeg), Row(name: "a.webm"), Row(name: "a.webm", video: vp8),
    Row(name: "a.mkv", video: mjpeg, muxer: ["-avoid_negative_ts", "disabled"]),
    Row(name: "a.mkv", video: mjpeg, muxer: ["-fflags", "+bitexact"]),
    Row(name: "a.mp4"), Row(name: "a.mp4", video: mjpeg), Row(name: "a.ogg"),
  ]

  private static func make(_ row: Row, in folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.file(row.name)
    let picture = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2"]
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=2:r=48000:a=0.3:seed=3"] + (row.video == nil ? [] : picture)
        + (row.video ?? []) + ["-c:a", "libopus"] + row.muxer + [path])
    return path
  }

  private static func read(_ path: String, from position: Int64, count: Int) throws -> [Float] {
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: 48_000, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: count)
    try reader.read(frameCount: count, at: position, into: block.channels)
    return Array(UnsafeBufferPointer(start: block.channels[0], count: count))
  }

  @Test(arguments: rows)
  func read_opusInEachContainer_isWhereItsPictureIs(_ row: Row) throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(row, in: folder)
    let raw = folder.file("decoded.raw")
    try runProgram("ffmpeg", ["-v", "error", "-i", path, "-vn", "-c:a", "pcm_f32le", "-f", "f32le", raw])
    let decoded = try Data(contentsOf: URL(filePath: raw)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    for (start, count) in [(0, 96_000), (24_000, 48_000), (95_000, 1000), (1, 5000)] {
      let read = try Self.read(path, from: Int64(start), count: count)
      let difference = read.indices.map { abs(read[$0] - decoded[start + $0]) }.max() ?? 1
      #expect(difference < 0.001, "from \(start)")
    }
    guard row.video != nil else { return }
    let video = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first)
    #expect(video.timeRange.start == .zero)
  }
}
