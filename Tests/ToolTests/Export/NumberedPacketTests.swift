import CompositorTestSupport
import Foundation
import Testing

/// AVI numbers its packets instead of stating when frames are shown. Copied from another container, they have every second number, and a decoder that holds frames
/// back returns the last ones after the last packet.
@Suite(.enabled(if: hasFFmpeg)) struct NumberedPacketTests {
  struct Coding: CustomTestStringConvertible {
    let name: String
    let options: [String]
    var testDescription: String { name }
  }

  private static let h264 = ["-c:v", "libx264", "-b_strategy", "0", "-g", "25"]
  private static let mpeg4 = ["-c:v", "mpeg4", "-q:v", "3", "-g", "25"]
  static let codings =
    (0...2).map { Coding(name: "H.264, \($0) B-frames", options: h264 + ["-bf", "\($0)"]) }
    + [
      Coding(name: "H.264, 3 B-frames", options: h264 + ["-bf", "3", "-x264-params", "b-pyramid=none"]),
      Coding(name: "H.264, pyramid", options: h264 + ["-bf", "3", "-x264-params", "b-pyramid=normal"]),
      Coding(name: "MPEG-4", options: mpeg4 + ["-bf", "0"]), Coding(name: "MPEG-4, 2 B-frames", options: mpeg4 + ["-bf", "2"]),
    ]

  enum Way: String, CaseIterable { case encoded, copied, copiedNTSC, varying, copiedVarying }

  private static let varying = ["-vf", "select='not(eq(mod(n,3),1))'", "-fps_mode", "vfr"]

  /// An AVI of frames 0 ..< `count`, of which those that vary have two of three.
  private func make(_ coding: Coding, _ way: Way, count: Int, in folder: TemporaryFolder) throws -> String {
    let filter = [.varying, .copiedVarying].contains(way) ? Self.varying : []
    let isCopied = way != .encoded && way != .varying
    let (path, encoded) = (folder.file("a.avi"), folder.file(isCopied ? "a.mp4" : "a.avi"))
    try NumberedMovie.make(
      encoded, count: count, rate: way == .copiedNTSC ? "30000/1001" : "25", options: filter + coding.options)
    if isCopied { try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", encoded, "-c", "copy", path]) }
    return path
  }

  private func shown(_ path: String, _ options: [String] = [], in folder: TemporaryFolder) throws -> [Int] {
    let output = folder.file("o.mkv")
    let result = try ToolRun.compositor(
      ["render", path, "-o", output, "--codec", "ffv1", "--overwrite", "--progress", "none"] + options)
    try #require(result.status == 0, "\(result.errors)")
    return try NumberedMovie.numbers(output)
  }

  @Test(arguments: codings, [Way.encoded, .copied, .copiedNTSC]) func everyFrame_isShownOnce(
    _ coding: Coding, _ way: Way
  ) throws {
    let folder = try TemporaryFolder()
    for count in TableSelection.isWhole ? [3, 25, 26, 48, 74] : [3, 25, 74] {
      let path = try make(coding, way, count: count, in: folder)
      var numbers = try shown(path, in: folder)
      // So few frames tell no rate of their own: that of the numbers is rendered, of which each frame has two.
      if count == 3, way != .encoded { numbers = Set(numbers).sorted() }
      #expect(numbers == Array(0..<count), "\(count) frames")
    }
    if way == .copied {
      #expect(try shown(folder.file("a.avi"), ["--range", "1s..2s"], in: folder) == Array(25..<50))
    }
  }

  /// The last frames' times are lost where a decoder holds them back; they follow in order, within the length that the file states.
  @Test(arguments: codings, [Way.varying, .copiedVarying]) func varyingFrames_areShownInTime(
    _ coding: Coding, _ way: Way
  ) throws {
    let folder = try TemporaryFolder()
    for count in TableSelection.isWhole ? [25, 26, 48, 74] : [26, 74] {
      let path = try make(coding, way, count: count, in: folder)
      let (numbers, kept) = (try shown(path, in: folder), (0..<count).filter { $0 % 3 != 1 })
      let known = kept[kept.count - 3]
      let expected: [Int] = (0..<known).map { $0 % 3 == 1 ? $0 - 1 : $0 }
      #expect(numbers == numbers.sorted() && Set(numbers) == Set(kept), "\(count) frames: \(numbers)")
      #expect(Array(numbers.prefix(known)) == expected, "\(count) frames: \(numbers)")
    }
  }
}
