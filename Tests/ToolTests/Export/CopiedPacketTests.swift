import CompositorTestSupport
import Foundation
import Testing

/// Packets that are stored unlike most: copies have the frames of a render.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct CopiedPacketTests {
  /// What ffprobe says of the packets of a file's video, in order.
  private static func packets(_ path: String, _ entries: String) throws -> [[Int]] {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=\(entries)", "-of", "csv=p=0", path)
    return result.output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
  }

  /// The numbers of the frames that a copy of a range has, or a render.
  private static func frames(_ name: String, _ range: String, _ options: [String], in scratch: Scratch) throws -> [Int] {
    let made = try scratch.render([name, "-o", "c.mp4", "--range", range, "--overwrite"] + options)
    #expect(made.status == 0, "\(range): \(made.errors)")
    guard made.status == 0 else { return [] }
    let shown = try scratch.render(["c.mp4", "-o", "shown.mkv", "--codec", "ffv1", "--overwrite"])
    #expect(shown.status == 0, "\(range): \(shown.errors)")
    return try NumberedMovie.numbers(scratch.folder.appending(path: "shown.mkv").path)
  }

  /// A unit whose length counts those after it, too, which follow start codes: so a phone writes its prefix units.
  @Test(arguments: ["auto", "smart"]) func startCodesAfterALength_areUnits(_ mode: String) throws {
    let scratch = try Scratch()
    let file = scratch.folder.appending(path: "a.mp4")
    try NumberedMovie.make(file.path, count: 24, rate: "25", options: ["-c:v", "libx264", "-g", "12", "-bf", "2"])
    let first = try #require(try Self.packets(file.path, "size,pos").first)
    try #require(first.count == 2)
    var bytes = [UInt8](try Data(contentsOf: file))
    let (size, start) = (first[0], first[1])
    func length(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    // x264 states its settings in a first unit, of type 6.
    let second = start + 4 + length(start)
    try #require(bytes[start + 4] & 31 == 6 && second + 4 < start + size)
    bytes.replaceSubrange(second..<second + 4, with: [0, 0, 0, 1])
    bytes.replaceSubrange(start..<start + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: (size - 4) >> (24 - 8 * $0)) })
    try Data(bytes).write(to: file)
    for (from, end) in [(0, 24), (0, 12), (12, 24)] {
      let range = "\(from)f..\(end)f"
      #expect(try Self.frames("a.mp4", range, ["--passthrough", mode], in: scratch) == Array(from..<end), "\(range)")
    }
  }

  /// An animated WebP is a movie, but not one of packets.
  @Test func animatedWebP_isSaidToHaveNoPackets() throws {
    let scratch = try Scratch()
    try scratch.make("a.webp", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-c:v", "libwebp_anim"])
    for mode in ["auto", "smart", "edit-list"] {
      let result = try scratch.render(["a.webp", "-o", "c.mp4", "--passthrough", mode])
      #expect(result.status == 65 && result.errors.contains("An animated WebP has no packets of video."), "\(result.errors)")
    }
  }

  /// Of the last frames, libavformat states times of decoding after those of presentation.
  @Test func negativeCompositionOffsets_copyHasEveryFrame() throws {
    let scratch = try Scratch()
    let path = scratch.folder.appending(path: "a.mp4").path
    try NumberedMovie.make(
      path, count: 5, rate: "25",
      options: [
        "-c:v", "libx264", "-bf", "3", "-x264-params", "b-pyramid=normal:b-adapt=0:scenecut=0", "-movflags",
        "negative_cts_offsets",
      ])
    try #require(try Self.packets(path, "pts,dts").contains { $0.count == 2 && $0[0] < $0[1] })
    for (from, end) in (0..<5).flatMap({ from in (from + 1...5).map { (from, $0) } }) {
      let range = "\(from)f..\(end)f"
      #expect(try Self.frames("a.mp4", range, ["--passthrough", "auto"], in: scratch) == Array(from..<end), "\(range)")
    }
  }
}
