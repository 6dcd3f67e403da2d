import CompositorTestSupport
import Foundation
import Testing

/// {codecs} × {whether the container states the order of fields} × {ways of deinterlacing}: frames whose codec has no flag for fields are deinterlaced if the container
/// has one; else they stay as they are, and that is said.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct UnflaggedFieldTests {
  /// Codecs of captures, and the options with which ffmpeg writes them.
  static let codecs = [
    "huffyuv": ["-pix_fmt", "yuv422p"], "ffvhuff": ["-pix_fmt", "yuv420p"], "utvideo": ["-pix_fmt", "yuv422p"],
    "magicyuv": ["-pix_fmt", "yuv422p"], "rawvideo": ["-pix_fmt", "uyvy422"], "mjpeg": ["-pix_fmt", "yuvj422p", "-q:v", "2"],
  ]

  private static func make(_ codec: String, _ name: String, isFlagged: Bool, in scratch: Scratch) throws {
    // Only ffmpeg's encoder says that its frames are interlaced, which Matroska keeps.
    let field = isFlagged ? "tff" : "prog"
    try scratch.make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=192x128:r=50:d=0.4", "-vf", "interlace=scan=tff:lowpass=off,setfield=\(field)"]
        + ["-c:v", codec] + (codecs[codec] ?? []))
  }

  private static func frames(_ name: String, in scratch: Scratch) throws -> String {
    try ToolRun.program(
      "ffmpeg", "-v", "error", "-i", scratch.folder.appending(path: name).path, "-f", "framemd5", "-fps_mode", "passthrough",
      "-"
    ).output
  }

  @Test(arguments: codecs.keys.sorted(), ["same", "double"]) func unflaggedFrames_stayAndAreNamed(
    _ codec: String, _ mode: String
  ) throws {
    let scratch = try Scratch()
    try Self.make(codec, "tape.avi", isFlagged: false, in: scratch)
    let asked = ["--deinterlace", mode]
    let sentence = "tape.avi does not say whether its frames are interlaced: deinterlacing leaves them as they are"
    let clean = try scratch.render(["tape.avi", "-o", "clean.mkv", "--codec", "ffv1"] + asked)
    #expect(clean.status == 0 && clean.errors.contains(sentence) && clean.errors.contains("setfield"), "\(clean.errors)")
    let validated = try ToolRun.compositor(["validate", "tape.avi", "--json"] + asked, in: scratch.folder)
    #expect(validated.output.contains(sentence) && validated.output.contains("interlacedMedia"), "\(validated.output)")
    let woven = try scratch.render(["tape.avi", "-o", "woven.mkv", "--codec", "ffv1"])
    #expect(woven.status == 0 && !woven.errors.contains("interlaced"), "\(woven.errors)")
    #expect(try Self.frames("clean.mkv", in: scratch) == Self.frames("woven.mkv", in: scratch))
  }

  @Test(arguments: codecs.keys.sorted()) func fieldsThatTheContainerStates_areDeinterlaced(_ codec: String) throws {
    let scratch = try Scratch()
    try Self.make(codec, "tape.mkv", isFlagged: true, in: scratch)
    let woven = try scratch.render(["tape.mkv", "-o", "woven.mkv", "--codec", "ffv1"])
    try #require(woven.status == 0 && woven.errors.contains("tape.mkv is interlaced"), "\(woven.errors)")
    let clean = try scratch.render(["tape.mkv", "-o", "clean.mkv", "--codec", "ffv1", "--deinterlace", "same"])
    #expect(clean.status == 0 && !clean.errors.contains("does not say"), "\(clean.errors)")
    #expect(try Self.frames("clean.mkv", in: scratch) != Self.frames("woven.mkv", in: scratch))
  }
}
