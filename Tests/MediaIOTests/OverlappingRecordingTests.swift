import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Movies that ffmpeg cut and put together without coding: a part begins with the key frame before its cut, at times of the part before it.
@Suite(.enabled(if: hasFFmpeg)) struct OverlappingRecordingTests {
  /// Where parts begin and how long they are, in seconds.
  private static let cuts: [[(start: Double, length: Double)]] = [
    [(0.6, 1.2), (2.3, 1)], [(0, 1), (1.4, 1), (2.2, 1)], [(0.2, 0.5), (0.5, 0.5)],
  ]
  /// Frames that are reordered in MP4 have times at the joint that FFmpeg's muxer makes up, which contradict each other.
  private static let files: [(container: String, bFrames: Int)] = [("mkv", 0), ("mkv", 3), ("mp4", 0), ("mov", 0)]

  private func make(
    _ coding: [String], _ container: String, _ cuts: [(start: Double, length: Double)], in folder: TemporaryFolder
  ) throws -> String {
    let tool = ["-v", "quiet", "-nostdin", "-y"]
    let whole = folder.file("whole.\(container)")
    try NumberedMovie.make(whole, count: 90, rate: "25", options: coding)
    for (index, cut) in cuts.enumerated() {
      let part = [
        "-ss", "\(cut.start)", "-t", "\(cut.length)", "-i", whole, "-c", "copy", folder.file("\(index).\(container)"),
      ]
      try runProgram("ffmpeg", tool + part)
    }
    let list = cuts.indices.map { "file \($0).\(container)\n" }.joined()
    try Data(list.utf8).write(to: URL(filePath: folder.file("list.txt")))
    let path = folder.file("joined.\(container)")
    try runProgram("ffmpeg", tool + ["-f", "concat", "-i", folder.file("list.txt"), "-c", "copy", path])
    return path
  }

  private func checksums(_ reader: any VideoReader, at times: [MediaTime]) throws -> [UInt32?] {
    try times.map { time in try reader.frame(at: time).map { checksum($0.frame) } }
  }

  @Test(arguments: files, cuts.indices)
  func frame_ofAnyTime_isTheOneSeenInOrder(_ file: (container: String, bFrames: Int), _ cuts: Int) throws {
    let folder = try TemporaryFolder()
    let coding = ["-c:v", "libx264", "-g", "25", "-bf", "\(file.bFrames)"]
    let path = try make(coding, file.container, Self.cuts[cuts], in: folder)
    let reader = try MediaOpener.openVideo(.file(path: path))
    let range = reader.info.timeRange
    let count = Int(range.duration.seconds * 25)
    let times = (0..<count).map { range.start + MediaTime(value: Int64($0), timescale: 25) }
    let inOrder = try checksums(reader, at: times)
    #expect(try checksums(reader, at: times.reversed()) == inOrder.reversed(), "backward: \(file)")
    // As renders open files: by their description.
    let (_, facts) = try MediaProbe.examine(.file(path: path))
    for (time, expected) in zip(times, inOrder) {
      let single = try MediaOpener.openVideo(.file(path: path), info: reader.info, facts: facts, allocator: nil)
      #expect(try single.frame(at: time).map { checksum($0.frame) } == expected, "\(file) at \(time)")
    }
    let single = try MediaOpener.openVideo(.file(path: path))
    let mixed = times.indices.map { $0 * 37 % times.count }
    #expect(try checksums(single, at: mixed.map { times[$0] }) == mixed.map { inOrder[$0] }, "\(file)")
  }
}
