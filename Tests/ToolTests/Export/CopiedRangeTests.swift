import CompositorTestSupport
import Foundation
import Testing

/// Copies of short ranges: the frames that a decoder shows are those of the range.
@Suite struct CopiedRangeTests {
  private static func hashes(of file: String, in scratch: Scratch) throws -> [String] {
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-i", scratch.file(file).path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private static let (containers, groups) = (["mkv", "mp4", "ts"], ["", ":open-gop=1"])
  private static let ranges = [
    (0, 1), (0, 3), (1, 4), (1, 11), (2, 5), (3, 9), (5, 30), (23, 26), (24, 25), (24, 40), (30, 50),
  ]

  /// {containers with and without decoding times} × {closed and open groups} × {beginnings and ends near the start, within and across groups}.
  /// `make test` runs four of the ranges for each file.
  @Test(arguments: containers, groups)
  func range_hasItsFrames(_ container: String, _ groups: String) throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264", "-pix_fmt", "yuv420p",
      "-bf",
      "3", "-x264-params", "keyint=24:scenecut=0:b-adapt=0:b-pyramid=normal\(groups)", scratch.file("a.\(container)").path)
    try #require(made.status == 0, "\(made.errors)")
    let all = try Self.hashes(of: "a.\(container)", in: scratch)
    try #require(all.count == 50)
    let row = 2 * (Self.containers.firstIndex(of: container) ?? 0) + (groups.isEmpty ? 0 : 1)
    for (first, end) in TableSelection.columns(Self.ranges, ofRow: row, each: 4) {
      let copied = try ToolRun.compositor(
        [
          "render", "a.\(container)", "--range", "\(first)f..\(end)f", "--passthrough", "edit-list", "-o", "o.mp4",
          "--overwrite",
          "--progress", "none",
        ], in: scratch.folder)
      #expect(copied.status == 0, "\(container)\(groups) \(first)..\(end): \(copied.errors)")
      guard copied.status == 0 else { continue }
      let found = try Self.hashes(of: "o.mp4", in: scratch)
      #expect(found == Array(all[first..<end]), "\(container)\(groups) \(first)..\(end): \(found.count) frames")
      let smart = try ToolRun.compositor(
        [
          "render", "a.\(container)", "--range", "\(first)f..\(end)f", "--passthrough", "smart", "-o", "o.mkv", "--overwrite",
          "--progress", "none",
        ], in: scratch.folder)
      // Open groups may leave nothing that could be copied.
      #expect(smart.status == 0 || smart.errors.contains("groups of pictures"), "\(smart.errors)")
      if smart.status == 0 {
        #expect(try Self.hashes(of: "o.mkv", in: scratch).count == end - first, "\(container)\(groups) \(first)..\(end), smart")
      }
    }
  }
}
