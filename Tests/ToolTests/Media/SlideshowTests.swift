import CompositorTestSupport
import Foundation
import Testing

/// Movies of a few images that are each shown for seconds: the last one is shown as long as the container states.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SlideshowTests {
  /// How a slideshow is made: its container, how long its last image is shown in seconds, and whether it has audio of the same length.
  struct Show: Sendable, CustomTestStringConvertible {
    let container: String
    let last: Double
    let hasAudio: Bool
    /// Whether frames are decoded in another order: libavformat then guesses their durations, also when it copies them to Matroska.
    let isReordered: Bool

    var testDescription: String {
      "\(container), \(last) s\(hasAudio ? ", audio" : "")\(isReordered ? ", reordered" : "")"
    }
    var length: Double { 9 + last }
  }

  static let shows = ["mp4", "mov", "mkv"].flatMap { container in
    [0.04, 1, 3, 5].flatMap { last in
      [false, true].flatMap { hasAudio in
        [false, true].filter { !$0 || container != "mkv" }.map {
          Show(container: container, last: last, hasAudio: hasAudio, isReordered: $0)
        }
      }
    }
  }

  /// Images at 0, 3, 6 and 9 s by ffmpeg's concat demuxer. The last one is the one before once more.
  private static func concat(_ name: String, _ options: [String] = [], in scratch: Scratch) throws {
    for number in 1...3 {
      try scratch.make(
        "\(number).png", ["-f", "lavfi", "-i", "testsrc2=s=160x90", "-vf", "hue=h=\(90 * number)", "-frames:v", "1"])
    }
    let lines = (1...3).map { "file \($0).png\nduration 3\n" }.joined() + "file 3.png\n"
    let list = try scratch.file("list.txt", lines)
    try scratch.make(
      name, ["-f", "concat", "-i", list.path, "-fps_mode", "vfr", "-pix_fmt", "yuv420p", "-c:v", "libx264"] + options)
  }

  /// - Parameter last: How long the last image is shown, as an expression of ffmpeg.
  private static func make(_ show: Show, last: String? = nil, in scratch: Scratch) throws -> String {
    let (images, name) = ("images.mp4", "show.\(show.container)")
    try concat(images, ["-bf", show.isReordered ? "2" : "0"], in: scratch)
    // Only the durations of the last packet that is decoded and of the last one that is shown count: others last until the next one.
    let durations = "setts=pts=PTS:dts=DTS:duration='\(last ?? "\(show.last)/TB")'"
    let video = scratch.folder.appending(path: images).path
    let codec = ["mp4": "aac", "mov": "pcm_s16le"][show.container] ?? "flac"
    let audio = ["-f", "lavfi", "-i", "sine=440:r=48000:d=\(show.length)", "-c:a", codec]
    let copied = (show.hasAudio ? audio : []) + ["-c:v", "copy"]
    guard show.container == "mkv" else {
      try scratch.make(name, ["-i", video] + copied + ["-bsf:v", durations])
      return name
    }
    // The muxer of Matroska has another time base than the filter: durations are set in MP4.
    try scratch.make("timed.mp4", ["-i", video, "-c:v", "copy", "-bsf:v", durations])
    try scratch.make(name, ["-i", scratch.folder.appending(path: "timed.mp4").path] + copied)
    return name
  }

  /// Seconds that ffprobe says a file lasts.
  private static func duration(_ name: String, in scratch: Scratch) throws -> Double {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", scratch.folder.appending(path: name).path)
    return try #require(Double(result.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(result.errors)")
  }

  /// Seconds at which a file and its video end, by `probe`.
  private static func ends(_ name: String, in scratch: Scratch) throws -> (file: Double, video: Double) {
    let result = try ToolRun.compositor(["probe", name, "--json"], in: scratch.folder)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let info = try #require(object as? [String: Any], "\(result.errors)")
    let tracks = info["videoTracks"] as? [[String: Any]]
    let range = try #require(tracks?.first?["timeRange"] as? [String: String])
    func seconds(_ text: Any?) throws -> Double {
      let parts = (text as? String ?? "").split(separator: "/").compactMap { Double($0) }
      try #require(parts.count == 2)
      return parts[0] / parts[1]
    }
    return (try seconds(info["duration"]), try seconds(range["start"]) + seconds(range["duration"]))
  }

  /// Renders a file and counts the frames, at 30 a second.
  private static func frames(_ name: String, in scratch: Scratch) throws -> Int {
    let result = try scratch.render([name, "-o", "out.mkv", "--fps", "30"])
    try #require(result.status == 0, "\(result.errors)")
    let video = try ToolRun.streams(scratch.folder.appending(path: "out.mkv")).first { $0["codec_type"] == "video" }
    return try #require(video?["nb_read_frames"].flatMap { Int($0) })
  }

  @Test(arguments: shows) func lastImage_isShownAsLongAsStated(_ show: Show) throws {
    let scratch = try Scratch()
    let name = try Self.make(show, in: scratch)
    let stated = try Self.duration(name, in: scratch)
    // Otherwise this ffmpeg makes other files than those that are meant. An audio codec's frames may go on a little.
    try #require(abs(stated - show.length) < 0.03)
    let ends = try Self.ends(name, in: scratch)
    #expect(abs(ends.file - stated) < 0.03, "\(ends)")
    // The header of a Matroska file with audio states the longer of both; nothing says then that it's the video's.
    if show.last <= 3 || !show.hasAudio || show.container != "mkv" { #expect(abs(ends.video - stated) < 0.03, "\(ends)") }
    let frames = try Self.frames(name, in: scratch)
    #expect(abs(Double(frames) - 30 * stated) < 1.5, "\(frames) frames")
  }

  /// ffmpeg's recipe, without any further step.
  @Test(arguments: ["mp4", "mov", "mkv"]) func recipe_endsAMomentAfterTheLastImage(_ container: String) throws {
    let scratch = try Scratch()
    let name = "show.\(container)"
    try Self.concat(name, in: scratch)
    let stated = try Self.duration(name, in: scratch)
    try #require(abs(stated - 9.04) < 0.001)
    #expect(abs(try Self.ends(name, in: scratch).video - stated) < 0.001)
    #expect(try Self.frames(name, in: scratch) == 272)
  }

  /// A writer that doesn't know how long the last frame is shown states a tick.
  @Test(arguments: ["mp4", "mov"], [false, true])
  func unknownDuration_isAStep(_ container: String, _ isReordered: Bool) throws {
    let scratch = try Scratch()
    let show = Show(container: container, last: 3, hasAudio: false, isReordered: isReordered)
    let name = try Self.make(show, last: "1", in: scratch)
    try #require(abs(try Self.duration(name, in: scratch) - 9) < 0.01)
    #expect(abs(try Self.ends(name, in: scratch).video - 12) < 0.001)
  }

  /// At ordinary rates, a last frame lasts a step whatever is stated.
  @Test(arguments: [5, 24, 25, 60]) func ordinaryRate_isNotChanged(_ rate: Int) throws {
    let scratch = try Scratch()
    let source = ["-f", "lavfi", "-i", "testsrc2=r=\(rate):s=160x90:d=2"]
    try scratch.make("whole.mp4", source + ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "0"])
    let durations = "setts=pts=PTS:dts=DTS:duration='if(eq(N,\(2 * rate - 1)),0.2,1)/\(rate)/TB'"
    try scratch.make("show.mp4", ["-i", scratch.folder.appending(path: "whole.mp4").path, "-c", "copy", "-bsf:v", durations])
    #expect(abs(try Self.ends("show.mp4", in: scratch).video - 2) < 0.001)
  }
}
