import CompositorTestSupport
import Foundation
import Testing

/// Bitstreams without a container: every frame once, in its order, at the stated rate or 25 per second.
@Suite(.enabled(if: hasFFmpeg)) struct RawStreamTests {
  struct Stream: CustomTestStringConvertible {
    let suffix: String
    let arguments: [String]
    /// The rate of frames that are made at 30 per second.
    var rate = "30/1"
    var size = "96x64"
    var made = 30
    var testDescription: String { suffix }

    static let all = [
      Stream(suffix: "h264", arguments: ["-c:v", "libx264", "-bf", "3"]),
      Stream(suffix: "264", arguments: ["-c:v", "libx264", "-f", "h264"]),
      Stream(suffix: "avc", arguments: ["-c:v", "libx264", "-f", "h264"]),
      Stream(suffix: "hevc", arguments: ["-c:v", "libx265", "-x265-params", "log-level=0"]),
      Stream(suffix: "265", arguments: ["-c:v", "libx265", "-x265-params", "log-level=0", "-f", "hevc"]),
      Stream(suffix: "mjpeg", arguments: ["-c:v", "mjpeg", "-f", "mjpeg"], rate: "25/1"),
      Stream(suffix: "mjpg", arguments: ["-c:v", "mjpeg", "-f", "mjpeg"], rate: "25/1"),
      Stream(suffix: "jpg", arguments: ["-c:v", "mjpeg", "-f", "mjpeg"], rate: "25/1"),
      Stream(suffix: "m2v", arguments: ["-c:v", "mpeg2video", "-bf", "2"]),
      Stream(suffix: "ivf", arguments: ["-c:v", "libvpx"]),
      Stream(suffix: "obu", arguments: ["-c:v", "libaom-av1", "-cpu-used", "8"], rate: "25/1"),
      Stream(suffix: "y4m", arguments: []),
      Stream(suffix: "dv", arguments: ["-c:v", "dvvideo"], rate: "25/1", size: "720x576", made: 25),
    ]
  }

  private func hashes(_ path: String) throws -> [String] {
    try runTool("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  @Test(arguments: Stream.all) func everyFrame_isShownOnce(_ stream: Stream) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("raw.\(stream.suffix)")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=s=\(stream.size):r=\(stream.made):end_pts=20", "-frames:v", "12",
        "-pix_fmt",
        "yuv420p",
      ]
        + stream.arguments + [path])
    let result = try ToolRun.compositor(["render", path, "-o", folder.file("out.mkv"), "--codec", "ffv1"])
    try #require(result.status == 0, "\(result.errors)")
    let (found, expected) = (try hashes(folder.file("out.mkv")), try hashes(path))
    #expect(found.count == 12)
    // ffmpeg may show frames without times in another order.
    // JPEG and DV have other ranges and sizes than the movie.
    if !["mjpeg", "dvvideo"].contains(stream.arguments.dropFirst().first) { #expect(Set(found) == Set(expected)) }
    #expect(Set(found).count == 12)
    #expect(try ToolRun.streams(URL(filePath: folder.file("out.mkv"))).first?["r_frame_rate"] == stream.rate)
  }

  /// The order is that of presentation, also at a time that is reached directly.
  @Test(arguments: ["h264", "hevc", "m2v"]) func frameAtATime_isTheSame_asReadFromTheStart(_ suffix: String) throws {
    let folder = try TemporaryFolder()
    let stream = try #require(Stream.all.first { $0.suffix == suffix })
    let source = [
      "-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=s=96x64:r=30:end_pts=20", "-frames:v", "12", "-pix_fmt", "yuv420p",
    ]
    try runProgram("ffmpeg", source + stream.arguments + [folder.file("raw.\(suffix)")])
    try runProgram("ffmpeg", source + stream.arguments + [folder.file("whole.mkv")])
    for frame in [0, 5, 11, 3] {
      var images: [Data] = []
      for name in ["raw.\(suffix)", "whole.mkv"] {
        let result = try ToolRun.compositor(
          ["frame", folder.file(name), "--at", "\(frame)f", "-o", folder.file("still.png"), "--overwrite"])
        try #require(result.status == 0, "\(result.errors)")
        images.append(
          try runProgram("ffmpeg", ["-v", "error", "-i", folder.file("still.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
      }
      #expect(images[0] == images[1], "\(suffix), frame \(frame)")
    }
  }

  /// A photo with further images in it is a photo.
  @Test func photoWithAPreview_isAStill() throws {
    let folder = try TemporaryFolder()
    for (name, size) in [("photo", "96x64"), ("preview", "48x32")] {
      try runProgram(
        "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size)", "-frames:v", "1", folder.file("\(name).jpg")])
    }
    let bytes = try ["photo", "preview"].map { try Data(contentsOf: URL(filePath: folder.file("\($0).jpg"))) }
    try (bytes[0] + bytes[1]).write(to: URL(filePath: folder.file("both.jpg")))
    let result = try ToolRun.compositor(["probe", folder.file("both.jpg")])
    #expect(result.output.contains("still") || result.output.contains("jpeg"), "\(result.output)")
    #expect(!result.output.contains("frames/s"), "\(result.output)")
  }
}
