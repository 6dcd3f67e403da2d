import CompositorTestSupport
import Foundation
import Testing

/// Captions of television (CEA-608): in the video, where they are named and only copies keep them, and as a track of QuickTime, which is read.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct ClosedCaptionTests {
  private static let name = "closed captions in the video (CEA-608/708)"

  /// Captions in a file's video, as ffmpeg reads them.
  private static func captions(in name: String, _ scratch: Scratch) throws -> String {
    let path = scratch.folder.appending(path: name).path
    return try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "movie=\(path)[out0+subcc]", "-map", "s", "-f", "srt", "-"
    ).output
  }

  @Test(arguments: ["mp4", "mkv", "ts"]) func captionsInTheVideo_areNamed_andKeptByCopies(_ kind: String) throws {
    let scratch = try Scratch()
    let name = "in.\(kind)"
    try ClosedCaptionMovie(isErased: true).make(name, in: scratch)
    // Otherwise this ffmpeg makes other files than those that are meant.
    try #require(try Self.captions(in: name, scratch).contains("HELLO WORLD"))
    let probed = try ToolRun.compositor(["probe", name], in: scratch.folder)
    #expect(probed.status == 0 && probed.output.contains(Self.name), "\(probed.output)")
    let rendered = try scratch.render([name, "-o", "out.mp4"])
    #expect(
      rendered.status == 0 && rendered.errors.contains("note: \(name): \(Self.name) are not kept; --passthrough"),
      "\(rendered.errors)")
    let copied = try scratch.render([name, "-o", "copy.mkv", "--passthrough", "auto"])
    #expect(copied.status == 0 && !copied.errors.contains(Self.name), "\(copied.errors)")
    #expect(try Self.captions(in: "copy.mkv", scratch).contains("HELLO WORLD"))
    let refused = try ToolRun.compositor(["captions", name, "-o", "c.srt"], in: scratch.folder)
    #expect(refused.status != 0 && refused.errors.contains(Self.name) && refused.errors.contains("subcc"), "\(refused.errors)")
  }

  @Test func videoWithoutCaptions_saysNothing() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mp4", seconds: 1)
    let probed = try ToolRun.compositor(["probe", "in.mp4"], in: scratch.folder)
    let rendered = try scratch.render(["in.mp4", "-o", "out.mp4"])
    let refused = try ToolRun.compositor(["captions", "in.mp4", "-o", "c.srt"], in: scratch.folder)
    #expect(!(probed.output + rendered.errors + refused.errors).contains("CEA"), "\(refused.errors)")
  }

  /// The decoder returns a caption when it is erased or replaced, and the last one at the end of the track.
  @Test(arguments: [true, false]) func track_hasTheTimesOfItsDecoder(_ isErased: Bool) throws {
    let scratch = try Scratch()
    try ClosedCaptionMovie(isErased: isErased).make("in.mp4", in: scratch)
    let movie = scratch.folder.appending(path: "in.mp4").path
    try scratch.make(
      "track.mov",
      ["-i", movie, "-f", "lavfi", "-i", "movie=\(movie)[out0+subcc]", "-map", "0", "-map", "1:s", "-c", "copy"])
    let expected = try ToolRun.program(
      "ffmpeg", "-v", "error", "-i", scratch.folder.appending(path: "track.mov").path, "-map", "0:s", "-f", "srt", "-"
    ).output
    let result = try ToolRun.compositor(["captions", "track.mov", "-o", "c.srt"], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    let read = try String(contentsOf: scratch.folder.appending(path: "c.srt"), encoding: .utf8)
    let (times, right) = (Self.times(read), Self.times(expected))
    try #require(times.count == 4 && right.count == 4, "\(read)\n\(expected)")
    for (time, wanted) in zip(times, right) { #expect(abs(time - wanted) < 0.002, "\(read)\n\(expected)") }
    #expect(abs(times[0] - 0.4) < 0.01 && abs(times[1] - 2.002) < 0.01)
  }

  /// Starts and ends in an SRT file, in seconds.
  private static func times(_ text: String) -> [Double] {
    text.matches(of: /(\d\d):(\d\d):(\d\d),(\d\d\d)/).compactMap { match in
      guard let minutes = Double(match.2), let seconds = Double("\(match.3).\(match.4)") else { return nil }
      return 60 * minutes + seconds
    }
  }
}
