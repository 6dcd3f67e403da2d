import CompositorTestSupport
import Foundation
import Testing

/// Movies that ffmpeg split and put together again without coding: packets at the joint have times that were made up, which don't follow the order
/// of frames. None is damaged.
@Suite(.enabled(if: hasFFmpeg)) struct SplitMovieTests {
  struct Coding: CustomTestStringConvertible {
    let codec: String
    let bFrames: Int
    var testDescription: String { "\(codec), \(bFrames) B-frames" }

    var options: [String] {
      let x265 = "log-level=error:open-gop=0:keyint=25:b-adapt=0:bframes=\(bFrames)"
      return codec == "libx264"
        ? ["-c:v", codec, "-g", "25", "-b_strategy", "0", "-bf", "\(bFrames)"] : ["-c:v", codec, "-x265-params", x265]
    }
  }

  static let codings = ["libx264", "libx265"].flatMap { codec in [0, 2, 3].map { Coding(codec: codec, bFrames: $0) } }
  static let joints = ["mp4", "mov", "ts"].flatMap { container in [1.2, 1.4, 1.76].map { (container, $0) } }

  private static let count = 75

  /// A movie of two parts: to `cut`, and from the key frame before it.
  private func make(_ coding: Coding, _ container: String, cut: Double, in folder: TemporaryFolder) throws -> String {
    let (whole, list, path) = (folder.file("whole.mp4"), folder.file("list.txt"), folder.file("joined.\(container)"))
    try NumberedMovie.make(whole, count: Self.count, rate: "25", options: coding.options)
    let tool = ["-v", "error", "-nostdin", "-y"]
    try runProgram("ffmpeg", tool + ["-t", "\(cut)", "-i", whole, "-c", "copy", folder.file("1.mp4")])
    try runProgram("ffmpeg", tool + ["-ss", "\(cut)", "-i", whole, "-c", "copy", folder.file("2.mp4")])
    try Data("file 1.mp4\nfile 2.mp4\n".utf8).write(to: URL(filePath: list))
    // The muxer says that it makes up times.
    try runProgram("ffmpeg", ["-v", "quiet", "-nostdin", "-y", "-f", "concat", "-i", list, "-c", "copy", path])
    return path
  }

  /// The frames that ffmpeg decodes, without those that aren't later than one before them or last less than half of a frame.
  private func expectedNumbers(_ path: String) throws -> [Int] {
    let entries = ["-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0"]
    let times = String(decoding: try runProgram("ffprobe", ["-v", "error"] + entries + [path]), as: UTF8.self)
      .split(whereSeparator: { $0.isNewline || $0 == "," }).compactMap { Double($0) }
    let numbers = try NumberedMovie.numbers(path)
    try #require(times.count == numbers.count)
    var later: [(time: Double, number: Int)] = []
    for (time, number) in zip(times, numbers) where later.last.map({ time > $0.time }) ?? true { later.append((time, number)) }
    let ends = later.dropFirst().map(\.time) + [.infinity]
    return zip(later, ends).filter { $1 - $0.time > 0.02 }.map { $0.0.number }
  }

  private func withoutRepeats(_ numbers: [Int]) -> [Int] {
    numbers.enumerated().filter { $0.offset == 0 || numbers[$0.offset - 1] != $0.element }.map(\.element)
  }

  @Test(arguments: TableSelection.pairs(codings, joints, each: 3)) func partsPutTogether_areNotDamaged(
    _ coding: Coding, _ joint: (container: String, cut: Double)
  ) throws {
    let folder = try TemporaryFolder()
    let path = try make(coding, joint.container, cut: joint.cut, in: folder)
    let validation = try ToolRun.compositor(["validate", path])
    #expect(validation.status == 0, "\(joint): \(validation.output)")
    let output = folder.file("out.mkv")
    let result = try ToolRun.compositor(["render", path, "-o", output, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0 && !result.errors.contains("decoded"), "\(joint): \(result.errors)")
    let numbers = try NumberedMovie.numbers(output)
    // Without B-frames, the second part's first frames are within the rounding of the time of the first part's last.
    if coding.bFrames > 0 {
      #expect(withoutRepeats(numbers) == (try expectedNumbers(path)), "\(joint)")
    } else {
      #expect(Set(numbers).isSuperset(of: Int(joint.cut * 25 + 0.5)..<Self.count), "\(joint): \(numbers)")
    }
  }
}
