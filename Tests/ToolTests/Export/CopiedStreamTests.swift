import CompositorTestSupport
import Foundation
import Testing

/// Streams that were copied into another container without encoding: every frame that a player shows, once and in order.
@Suite struct CopiedStreamTests {
  private static let av1 = ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-g", "100"]

  /// The numbers of the frames that a render of a file has.
  private static func rendered(_ name: String, in scratch: Scratch, _ arguments: [String] = []) throws -> [Int] {
    let result = try scratch.render([name, "-o", "o.mkv", "--codec", "ffv1"] + arguments)
    #expect(result.status == 0, "\(name): \(result.errors)")
    #expect(!result.errors.contains("damaged"), "\(name): \(result.errors)")
    return try NumberedMovie.numbers(scratch.folder.appending(path: "o.mkv").path)
  }

  /// {MPEG-4 from AVI, MPEG-2 from a program stream} × {MP4, MOV}: their frames have the times of decoding, in coded order.
  @Test(arguments: [
    ("a.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "25", "-vtag", "XVID", "-q:v", "3"], "mp4"),
    ("a.avi", ["-c:v", "mpeg4", "-bf", "1", "-q:v", "3"], "mov"), ("a.avi", ["-c:v", "mpeg4", "-bf", "0", "-q:v", "3"], "mp4"),
    ("a.mpg", ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "2"], "mp4"),
    ("a.mpg", ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "2"], "mov"),
  ])
  func copy_withTimesOfDecoding_isWhole(_ name: String, _ options: [String], _ container: String) throws {
    let scratch = try Scratch()
    let original = scratch.folder.appending(path: name).path
    try NumberedMovie.make(original, count: 60, rate: "25", options: options)
    let copy = scratch.folder.appending(path: "copy.\(container)").path
    try runProgram("ffmpeg", ["-v", "error", "-y", "-i", original, "-c", "copy", copy])
    #expect(try Self.rendered(name, in: scratch) == Array(0..<60), "the original")
    #expect(try Self.rendered("copy.\(container)", in: scratch) == Array(0..<60))
  }

  /// {AV1, H.264} × {MP4, MOV}: what an edit list cuts away is not shown.
  @Test(arguments: ["av1 mp4", "h264 mp4", "h264 mov"]) func cutCopy_beginsAtItsEdit(_ spelling: String) throws {
    let scratch = try Scratch()
    let words = spelling.split(separator: " ").map(String.init)
    let original = scratch.folder.appending(path: "a.\(words[1])").path
    let options = words[0] == "av1" ? Self.av1 : ["-c:v", "libx264", "-g", "100"]
    try NumberedMovie.make(original, count: 60, rate: "25", options: options)
    let cut = scratch.folder.appending(path: "cut.\(words[1])").path
    try runProgram("ffmpeg", ["-v", "error", "-y", "-ss", "1.2", "-i", original, "-c", "copy", cut])
    let validated = try ToolRun.compositor(["validate", "cut.\(words[1])"], in: scratch.folder)
    #expect(validated.status == 0 && !validated.output.contains("warning"), "\(validated.output)")
    #expect(try Self.rendered("cut.\(words[1])", in: scratch) == Array(30..<60))
    #expect(try Self.rendered("cut.\(words[1])", in: scratch, ["--range", "0.4s..0.8s"]) == Array(40..<50))
  }

  /// A copy of this tool's own.
  @Test func ownCopy_ofAV1_isReadBack() throws {
    let scratch = try Scratch()
    try NumberedMovie.make(scratch.folder.appending(path: "a.mp4").path, count: 60, rate: "25", options: Self.av1)
    let made = try scratch.render(["a.mp4", "-o", "c.mp4", "--range", "1s..2s", "--passthrough", "auto"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try Self.rendered("c.mp4", in: scratch) == Array(25..<50))
  }
}
