import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Copies of what not every container holds (orientation, alpha beside the frames, codecs of audio): kept, or refused before anything is written.
@Suite struct CopiedLooksTests {
  private static func run(_ arguments: [String], in scratch: Scratch) throws -> ToolRun.Result {
    try ToolRun.compositor(arguments + ["--passthrough", "auto", "--progress", "none", "--overwrite"], in: scratch.folder)
  }

  private static func ffmpeg(_ arguments: [String], _ name: String, in scratch: Scratch) throws {
    try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [try scratch.file(name).path])
  }

  private static let pattern = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4"]

  /// {containers} of a movie that is shown rotated: the copy is shown the same way, or there is none.
  @Test(arguments: ["mp4", "mov", "mkv"]) func rotation_isKeptOrRefused(_ container: String) throws {
    let scratch = try Scratch()
    try Self.ffmpeg(Self.pattern + ["-c:v", "libx264"], "plain.mp4", in: scratch)
    try Self.ffmpeg(
      ["-display_rotation", "90", "-i", try scratch.file("plain.mp4").path, "-c", "copy"], "turned.mp4", in: scratch,
      otherwise: ["-i", try scratch.file("plain.mp4").path, "-c", "copy", "-metadata:s:v", "rotate=90"])
    let own = try MediaProbe.probe(.file(path: try scratch.file("turned.mp4").path)).videoTracks[0].preferredTransform
    try #require(own != .identity)
    for command in [["render", "turned.mp4"], ["join", "turned.mp4", "turned.mp4"]] {
      let result = try Self.run(command + ["-o", "copy.\(container)"], in: scratch)
      if container == "mkv", result.status != 0 {
        #expect(
          result.status == ProcessStatus.invalidProject.rawValue && result.errors.contains("rotated or mirrored"),
          "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: try scratch.file("copy.mkv").path))
      } else {
        #expect(result.status == 0, "\(result.errors)")
        let copy = try MediaProbe.probe(.file(path: try scratch.file("copy.\(container)").path)).videoTracks[0]
        #expect(copy.preferredTransform == own)
      }
    }
    let mixed = try Self.run(["join", "half.mp4", "plain.mp4", "-o", "mixed.\(container)"], in: try Self.halfTurned(scratch))
    #expect(mixed.status == ProcessStatus.invalidProject.rawValue, "\(mixed.errors)")
    if container != "mkv" { #expect(mixed.errors.contains("The orientation of "), "\(mixed.errors)") }
  }

  /// Adds a movie that is shown upside down.
  private static func halfTurned(_ scratch: Scratch) throws -> Scratch {
    try ffmpeg(
      ["-display_rotation", "180", "-i", try scratch.file("plain.mp4").path, "-c", "copy"], "half.mp4", in: scratch,
      otherwise: ["-i", try scratch.file("plain.mp4").path, "-c", "copy", "-metadata:s:v", "rotate=180"])
    return scratch
  }

  /// Tries the option of newer versions of FFmpeg first.
  private static func ffmpeg(
    _ arguments: [String], _ name: String, in scratch: Scratch, otherwise: [String]
  ) throws {
    do { try ffmpeg(arguments, name, in: scratch) } catch { try ffmpeg(otherwise, name, in: scratch) }
  }

  /// {containers} of VP9 whose alpha is a layer beside the frames.
  @Test(arguments: ["mkv", "webm", "mp4"]) func alphaLayer_isKeptOrRefused(_ container: String) throws {
    let scratch = try Scratch()
    try Self.ffmpeg(
      Self.pattern + ["-vf", "format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='4*X'", "-c:v", "libvpx-vp9"],
      "alpha.webm", in: scratch)
    let result = try Self.run(["render", "alpha.webm", "-o", "copy.\(container)"], in: scratch)
    if container == "mp4" {
      #expect(
        result.status == ProcessStatus.invalidProject.rawValue && result.errors.contains("cannot hold the alpha of vp9"),
        "\(result.errors)")
      return
    }
    #expect(result.status == 0 && result.errors.contains("10 frames copied"), "\(result.errors)")
    func hashes(_ name: String) throws -> String {
      try runTool(
        "ffmpeg",
        ["-v", "error", "-c:v", "libvpx-vp9", "-i", try scratch.file(name).path, "-pix_fmt", "yuva420p", "-f", "md5", "-"])
    }
    #expect(try hashes("copy.\(container)") == hashes("alpha.webm"))
    let copy = try MediaProbe.probe(.file(path: try scratch.file("copy.\(container)").path)).videoTracks[0]
    #expect(copy.attributes.alphaMode == .straight)
  }

  /// What libavformat knows but doesn't write is refused before the file is begun, and the advice works.
  @Test func audioThatTheContainerRefuses_isRefusedInOneSentence() throws {
    let scratch = try Scratch()
    try Self.ffmpeg(
      Self.pattern + ["-f", "lavfi", "-i", "sine=d=0.4", "-c:v", "libx264", "-c:a", "flac"], "flac.mkv", in: scratch)
    for container in ["mp4", "mov"] {
      let result = try Self.run(["render", "flac.mkv", "-o", "copy.\(container)"], in: scratch)
      #expect(result.status == ProcessStatus.invalidProject.rawValue, "\(result.errors)")
      #expect(result.errors.contains("A .\(container) file cannot hold the audio of flac.mkv, flac."), "\(result.errors)")
      let encoded = try Self.run(["render", "flac.mkv", "-o", "copy.\(container)", "--audio-codec", "alac"], in: scratch)
      #expect(encoded.status == 0 && encoded.errors.contains("10 frames copied, audio encoded"), "\(encoded.errors)")
    }
  }

  /// libx264 encodes no RGB, which only matters where a cut lies between key frames.
  @Test func formatThatCannotBeEncoded_isCopiedWhole_andCutAtKeyFrames() throws {
    let scratch = try Scratch()
    try scratch.make(
      "rgb.mkv", ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=2", "-c:v", "libx264rgb", "-g", "25", "-bf", "0"])
    for range in [[], ["--range", "0s..1s"], ["--range", "1s..2s"]] {
      let result = try scratch.render(["rgb.mkv", "--passthrough", "auto", "-o", "out.mkv"] + range)
      #expect(result.status == 0 && result.errors.contains("frames copied"), "\(range): \(result.errors)")
      let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: "out.mkv")).first)
      #expect(stream["nb_read_frames"] == (range.isEmpty ? "50" : "25"), "\(range): \(stream)")
    }
    let between = try scratch.render(["rgb.mkv", "--passthrough", "smart", "--range", "5f..30f", "-o", "out.mkv"])
    #expect(between.status == 65 && between.errors.contains("cannot be encoded as this H.264"), "\(between)")
  }

  /// Frames a millisecond beside others have their time once it is snapped to the grid, which MP4 cannot say.
  @Test func framesOfOneTime_areRefusedInOneSentence() throws {
    let scratch = try Scratch()
    try Self.ffmpeg(
      Self.pattern + [
        "-vf", "setpts='if(gt(N,5),(5+floor((N-5)/2))*40+mod(N-5,2),N*40)/1000/TB'", "-fps_mode", "passthrough", "-c:v",
        "libx264",
      ],
      "beside.mkv", in: scratch)
    let result = try Self.run(["render", "beside.mkv", "-o", "copy.mp4"], in: scratch)
    if result.status != 0 {
      #expect(
        result.status == ProcessStatus.invalidProject.rawValue && result.errors.contains("Two frames have the same time."),
        "\(result.errors)")
    }
    #expect(!result.errors.contains("Invalid argument"), "\(result.errors)")
  }
}
