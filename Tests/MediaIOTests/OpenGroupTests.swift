import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Groups of frames that refer to the group before them: reading may begin at their key frame, wherever in the file it is, also where only
/// a few frames follow it.
@Suite(.enabled(if: hasFFmpeg)) struct OpenGroupTests {
  private static let codings: [[String]] = [
    ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=12:bframes=3:b-adapt=0"],
    ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=12:bframes=1:ref=4"],
    ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=12:bframes=5:b-pyramid=normal"],
    ["-c:v", "libx264", "-x264-params", "keyint=12:intra-refresh=1:bframes=0"],
    ["-c:v", "libx265", "-x265-params", "log-level=error:open-gop=1:keyint=12:bframes=4"],
    ["-c:v", "mpeg2video", "-g", "12", "-bf", "2"], ["-c:v", "mpeg4", "-g", "12", "-bf", "2"],
  ]
  /// Numbers of frames, and thus of those after the last key frame.
  private static let counts = [36, 37, 38, 39, 40, 43, 47]

  private func checksums(_ reader: any VideoReader, at times: [MediaTime]) throws -> [UInt32?] {
    try times.map { time in try reader.frame(at: time).map { checksum($0.frame) } }
  }

  @Test(arguments: codings, TableSelection.pairs(["mp4", "mkv", "ts"], counts, each: 3))
  func frame_ofAnyTime_isTheOneSeenInOrder(_ coding: [String], _ file: (container: String, count: Int)) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("open.\(file.container)")
    try NumberedMovie.make(path, count: file.count, rate: "25", options: coding)
    let (info, facts) = try MediaProbe.examine(.file(path: path))
    let reader = try MediaOpener.openVideo(.file(path: path))
    let start = reader.info.timeRange.start
    let times = (0..<file.count).map { start + MediaTime(value: Int64($0), timescale: 25) }
    let inOrder = try checksums(reader, at: times)
    #expect(Set(inOrder).count > 1 && !inOrder.contains(nil))
    #expect(try checksums(reader, at: times.reversed()) == inOrder.reversed(), "backward: \(file)")
    for (time, expected) in zip(times, inOrder).suffix(26) {
      let single = try MediaOpener.openVideo(.file(path: path), info: info.videoTracks[0], facts: facts, allocator: nil)
      #expect(try single.frame(at: time).map { checksum($0.frame) } == expected, "\(file) at \(time)")
      #expect(single.damage.isEmpty, "\(single.damage)")
    }
  }

  /// A render backward, as a user asks for it.
  @Test func intraRefresh_hasNoFrameThatIsNotWhole() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("refresh.mkv")
    try NumberedMovie.make(path, count: 60, rate: "25", options: Self.codings[3])
    let reader = try MediaOpener.openVideo(.file(path: path))
    for number in stride(from: 59, through: 0, by: -7) {
      let time = MediaTime(value: Int64(number), timescale: 25)
      let seen = try #require(try reader.frame(at: time))
      let single = try MediaOpener.openVideo(.file(path: path))
      #expect(try single.frame(at: time).map { checksum($0.frame) } == checksum(seen.frame), "frame \(number)")
    }
  }
}
