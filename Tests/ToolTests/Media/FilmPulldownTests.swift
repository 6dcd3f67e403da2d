import CompositorTestSupport
import Foundation
import Testing

/// Films on NTSC DVDs: each frame is coded once, and flags tell players to repeat fields, so that frames last two and three fields in turn.
@Suite(.enabled(if: hasFFmpeg)) struct FilmPulldownTests {
  /// {elementary stream, VOB, MPEG, TS, Matroska, MP4, MOV}, each of the very packets.
  static let containers: [(name: String, options: [String])] = [
    ("film.m2v", []), ("film.vob", ["-f", "vob"]), ("film.mpg", []), ("film.ts", []), ("film.mkv", []), ("film.mp4", []),
    ("film.mov", []),
  ]
  private static let count = 120

  /// Sets the flags and the rate as a DVD has them: 2:3 and 29.97 (ISO/IEC 13818-2, 6.2).
  private static func pulledDown(_ bytes: Data) -> Data {
    var bytes = [UInt8](bytes)
    var (groupStart, newest, current) = (0, -1, 0)
    for place in bytes.indices.dropLast(10) where bytes[place..<place + 3].elementsEqual([0, 0, 1]) {
      switch bytes[place + 3] {
      case 0xb3: bytes[place + 7] = bytes[place + 7] & 0xf0 | 4
      case 0xb8: groupStart = newest + 1
      case 0x00:
        current = groupStart + (Int(bytes[place + 4]) << 2 | Int(bytes[place + 5]) >> 6)
        newest = max(newest, current)
      case 0xb5 where bytes[place + 4] >> 4 == 1: bytes[place + 5] &= 0xf7
      case 0xb5 where bytes[place + 4] >> 4 == 8:
        let turn = current % 4
        let (isTopFirst, repeatsField) = (turn < 2, turn % 2 == 0)
        bytes[place + 7] = bytes[place + 7] & 0x7f | (isTopFirst ? 0x80 : 0)
        bytes[place + 7] = bytes[place + 7] & 0xfd | (repeatsField ? 2 : 0)
        bytes[place + 8] |= 0x80
      default: break
      }
    }
    return Data(bytes)
  }

  /// Frames of several kilobytes, as on a disc. If many share a packet of a program stream, libavformat's times after a jump are late.
  private static func make(_ container: (name: String, options: [String]), in folder: TemporaryFolder) throws -> String {
    let plain = folder.file("plain.m2v")
    try NumberedMovie.make(
      plain, count: count, rate: "24000/1001",
      options: ["-vf", "noise=alls=30:allf=t", "-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-q:v", "1", "-f", "mpeg2video"])
    let stream = folder.file("film.m2v")
    try pulledDown(Data(contentsOf: URL(filePath: plain))).write(to: URL(filePath: stream))
    guard !container.name.hasSuffix("m2v") else { return stream }
    // Through Matroska, whose times are those of the flags.
    let whole = folder.file("whole.mkv")
    try runProgram("ffmpeg", ["-v", "error", "-y", "-fflags", "+genpts", "-i", stream, "-c", "copy", whole])
    let path = folder.file(container.name)
    try runProgram("ffmpeg", ["-v", "error", "-y", "-i", whole, "-c", "copy"] + container.options + [path])
    return path
  }

  @Test(arguments: containers.indices) func everyFrame_isShownOnce(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(Self.containers[index], in: folder)
    let output = folder.file("o.mkv")
    let result = try ToolRun.compositor(["render", path, "-o", output, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let numbers = try NumberedMovie.numbers(output)
    print("\(Self.containers[index].name): \(Set(numbers).count) of \(Self.count) frames, \(numbers.count) in all")
    #expect(numbers == Array(0..<Self.count), "\(result.errors)")
    #expect(try ToolRun.streams(URL(filePath: output)).first?["r_frame_rate"] == "24000/1001")
  }

  /// Times are those of the film: a cut begins with the frame of its time, whichever way it is reached.
  @Test(arguments: containers.indices.dropFirst()) func cut_beginsWithItsFrame(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(Self.containers[index], in: folder)
    let output = folder.file("o.mkv")
    let result = try ToolRun.compositor(
      ["render", path, "-o", output, "--codec", "ffv1", "--range", "61f..80f", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    #expect(try NumberedMovie.numbers(output) == Array(61..<80))
  }

  /// A later part of a disc begins within a group of frames: what follows its first key frame is shown, each frame once.
  @Test(.enabled(if: hasMPEGTools, "needs mpeg2enc and mplex of mjpegtools"), arguments: [20, 47, 75])
  func part_showsEveryFrameOnce(_ sectors: Int) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.disc(in: folder)
    let (part, output) = (folder.file("part.vob"), folder.file("o.mkv"))
    try Data(contentsOf: URL(filePath: whole)).dropFirst(sectors * 2048).write(to: URL(filePath: part))
    let result = try ToolRun.compositor(["render", part, "-o", output, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let found = try Self.numbers(output, in: folder)
    let (first, last) = (try #require(found.first), try #require(found.last))
    // Audio may begin before and end after it: its first frame is shown before it, and its last one is held.
    let shown = found.enumerated().filter { $0.offset == 0 || found[$0.offset - 1] != $0.element }.map(\.element)
    #expect(shown == Array(first...last) && shown.count > Self.count / 2, "\(found)\(result.errors)")
    #expect(last == Self.count - 1 && found.filter { $0 > first && $0 < last }.count == shown.count - 2, "\(found)")
    #expect(try ToolRun.streams(URL(filePath: output)).first?["r_frame_rate"] == "24000/1001")
    #expect(!result.errors.contains("is not shown") && !result.errors.contains("are not shown"), "\(result.errors)")
  }

  static let hasMPEGTools = ["mpeg2enc", "mplex"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

  /// A film as an authoring program writes it, in frames of a disc's size.
  private static func disc(in folder: TemporaryFolder) throws -> String {
    let plain = folder.file("plain.mkv")
    try NumberedMovie.make(plain, count: count, rate: "24000/1001", options: ["-c:v", "ffv1"])
    let (frames, stream, path) = (folder.file("film.y4m"), folder.file("film.m2v"), folder.file("film.vob"))
    let filters = "scale=720:480:flags=neighbor,noise=alls=20:allf=t"
    try runProgram("ffmpeg", ["-v", "error", "-y", "-i", plain, "-vf", filters, "-pix_fmt", "yuv420p", frames])
    try runProgram(
      "bash",
      ["-c", "mpeg2enc -v 0 -f 8 -p -q 3 -b 4000 -o '\(stream)' <'\(frames)' && mplex -v 0 -f 8 -o '\(path)' '\(stream)'"])
    return path
  }

  /// The numbers of frames of a disc's size.
  private static func numbers(_ path: String, in folder: TemporaryFolder) throws -> [Int] {
    let small = folder.file("small.mkv")
    let size = "scale=\(NumberedMovie.width):\(NumberedMovie.height):flags=area"
    try runProgram(
      "ffmpeg", ["-v", "error", "-y", "-i", path, "-an", "-vf", size, "-fps_mode", "passthrough", "-c:v", "ffv1", small])
    return try NumberedMovie.numbers(small)
  }
}
