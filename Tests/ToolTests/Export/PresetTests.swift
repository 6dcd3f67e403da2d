import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Every preset, written by the tool, read by ffprobe and decoded by ffmpeg.
struct PresetTests {
  /// What ffprobe is to say of the first video and audio stream.
  struct Expectation: Sendable {
    let preset: ExportPreset
    let container: String
    /// Codec, profile, pixel format; nil without video.
    let video: (codec: String, profile: String, format: String)?
    let audio: String?
    var frames = 15
    var color = "bt709"
  }

  static let expectations: [Expectation] = [
    .init(preset: .phone, container: "mp4", video: ("h264", "High", "yuv420p"), audio: "aac"),
    .init(preset: .web, container: "mp4", video: ("h264", "High", "yuv420p"), audio: "aac"),
    .init(preset: .archive, container: "mkv", video: ("ffv1", "", "yuv420p"), audio: "flac"),
    .init(preset: .edit, container: "mov", video: ("prores", "Standard", "yuv422p10le"), audio: "pcm_s24le"),
    .init(preset: .gif, container: "gif", video: ("gif", "", "bgra"), audio: nil, frames: 8, color: ""),
    .init(preset: .h264, container: "mov", video: ("h264", "High", "yuv420p"), audio: "aac"),
    .init(preset: .h264SDR, container: "mp4", video: ("h264", "High", "yuv420p"), audio: "aac"),
    .init(preset: .hevc, container: "mp4", video: ("hevc", "Main", "yuv420p"), audio: "aac"),
    .init(preset: .hevcSDR, container: "mp4", video: ("hevc", "Main", "yuv420p"), audio: "aac"),
    .init(preset: .hevc10, container: "mp4", video: ("hevc", "Main 10", "yuv420p10le"), audio: "aac"),
    .init(preset: .hevcHLG, container: "mp4", video: ("hevc", "Main 10", "yuv420p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .hevcPQ, container: "mp4", video: ("hevc", "Main 10", "yuv420p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .av1, container: "webm", video: ("av1", "Main", "yuv420p"), audio: "opus"),
    .init(preset: .av1HLG, container: "mp4", video: ("av1", "Main", "yuv420p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .av1PQ, container: "mp4", video: ("av1", "Main", "yuv420p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .vp9, container: "webm", video: ("vp9", "Profile 0", "yuv420p"), audio: "opus"),
    .init(preset: .vp9Alpha, container: "webm", video: ("vp9", "Profile 0", "yuv420p"), audio: "opus"),
    .init(preset: .proRes422, container: "mov", video: ("prores", "Standard", "yuv422p10le"), audio: "pcm_s24le"),
    .init(preset: .proRes4444, container: "mov", video: ("prores", "4444", "yuva444p"), audio: "pcm_s24le"),
    .init(preset: .proResHLG, container: "mov", video: ("prores", "HQ", "yuv422p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .proResPQ, container: "mov", video: ("prores", "HQ", "yuv422p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .dnxhrLB, container: "mov", video: ("dnxhd", "DNXHR LB", "yuv422p"), audio: "pcm_s24le"),
    .init(preset: .dnxhrSQ, container: "mov", video: ("dnxhd", "DNXHR SQ", "yuv422p"), audio: "pcm_s24le"),
    .init(preset: .dnxhrHQ, container: "mov", video: ("dnxhd", "DNXHR HQ", "yuv422p"), audio: "pcm_s24le"),
    .init(preset: .dnxhrHQX, container: "mov", video: ("dnxhd", "DNXHR HQX", "yuv422p10le"), audio: "pcm_s24le"),
    .init(preset: .dnxhr444, container: "mov", video: ("dnxhd", "DNXHR 444", "yuv444p10le"), audio: "pcm_s24le"),
    .init(preset: .ffv1, container: "mkv", video: ("ffv1", "", "yuv420p"), audio: "aac"),
    .init(preset: .ffv1HLG, container: "mkv", video: ("ffv1", "", "yuv420p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .ffv1PQ, container: "mkv", video: ("ffv1", "", "yuv420p10le"), audio: "aac", color: "bt2020nc"),
    .init(preset: .aac, container: "m4a", video: nil, audio: "aac"),
    .init(preset: .mp3, container: "mp3", video: nil, audio: "mp3"),
    .init(preset: .opus, container: "opus", video: nil, audio: "opus"),
    .init(preset: .flac, container: "flac", video: nil, audio: "flac"),
    .init(preset: .wav, container: "wav", video: nil, audio: "pcm_s24le"),
  ]

  @Test func expectations_leaveOutNoPreset() {
    // FFmpeg has no decoder of animated WebP: see `AnimationTests`.
    #expect(Set(Self.expectations.map(\.preset)).union([.webp]) == Set(ExportPreset.allCases))
  }

  @Test(.enabled(if: hasFFmpeg), arguments: expectations) func preset_everyOne_isWrittenAsTheTableSays(
    _ expected: Expectation
  ) throws {
    let scratch = try Scratch()
    let plain = try scratch.clip("plain.mp4", seconds: 0.6, size: "256x144")
    let input = scratch.folder.appending(path: "in.mp4")
    // Untagged pictures of this size would be those of a DVD.
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-i", plain.path, "-c:a", "copy", "-c:v", "libx264", "-preset", "ultrafast"]
        + colorTagging(primaries: "bt709", transfer: "bt709", matrix: "bt709") + [input.path])
    let output = scratch.folder.appending(path: "out.\(expected.container)")
    let result = try ToolRun.compositor(
      [
        "render", input.path, "-o", output.path, "--preset", expected.preset.rawValue, "--progress", "none",
      ] + (expected.preset.video.codec == .av1 && expected.video != nil ? ["--encoder-speed", "ultrafast"] : []))
    try #require(result.status == 0, "\(result.errors)")
    let streams = try Self.streams(output)
    let video = streams.first { $0["codec_type"] == "video" }
    let audio = streams.first { $0["codec_type"] == "audio" }
    #expect(audio?["codec_name"] == expected.audio)
    #expect((video == nil) == (expected.video == nil))
    if let video, let wanted = expected.video {
      #expect(video["codec_name"] == wanted.codec)
      if !wanted.profile.isEmpty { #expect(video["profile"] == wanted.profile) }
      #expect(video["pix_fmt"]?.hasPrefix(wanted.format) == true, "\(video)")
      #expect(video["width"] == "256" && video["height"] == "144")
      #expect(video["nb_read_frames"] == "\(expected.frames)")
      if !expected.color.isEmpty { #expect(video["color_space"] == expected.color) }
    }
    try runProgram("ffmpeg", ["-v", "error", "-xerror", "-i", output.path, "-f", "null", "-"])
  }

  static func streams(_ file: URL) throws -> [[String: String]] {
    let text = try runProgram(
      "ffprobe",
      [
        "-v", "error", "-count_frames", "-show_entries",
        "stream=codec_type,codec_name,profile,pix_fmt,width,height,nb_read_frames,color_space,r_frame_rate,bit_rate", "-of",
        "json",
        file.path,
      ])
    let object = try JSONSerialization.jsonObject(with: text) as? [String: Any]
    return try #require(object?["streams"] as? [[String: Any]]).map { $0.mapValues { "\($0)" } }
  }

  // VP9 has its alpha beside the frames: libvpx' decoder reads it, libavcodec's own does not.
  @Test(.enabled(if: hasFFmpeg)) func vp9Alpha_ofAMovieOnNothing_isTransparentThere() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mp4", seconds: 0.2, size: "64x48", sound: false)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { preset: "vp9-alpha", size: "128x48", background: "#00000000" }, assets: { a: "in.mp4" },
        tracks: [{ clips: [{ asset: "a", fit: "none", transform: { x: "25%", y: "50%" } }] }] }
      """)
    let output = scratch.folder.appending(path: "out.webm")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let alpha = try runProgram(
      "ffmpeg",
      ["-v", "error", "-c:v", "libvpx-vp9", "-i", output.path, "-frames:v", "1", "-vf", "alphaextract", "-f", "rawvideo", "-"])
    try #require(alpha.count == 128 * 48)
    let row = alpha[(24 * 128)..<(25 * 128)]
    #expect(row.prefix(56).allSatisfy { $0 > 250 } && row.suffix(56).allSatisfy { $0 < 5 }, "\(Array(row))")
  }

  @Test func preset_ofAnotherExtension_isAMistakeThatNamesThoseThatFit() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mp4", seconds: 0.2)
    let result = try ToolRun.compositor(["render", input.path, "-o", scratch.folder.path + "/x.webm", "--preset", "phone"])
    #expect(result.status == 64 && result.errors.contains(".mp4, .m4v or .mov"), "\(result.errors)")
    let project = try scratch.file(
      "p.json5",
      #"{ version: 1, output: { preset: "gif" }, assets: { a: "in.mp4" }, tracks: [{ clips: [{ asset: "a" }] }] }"#)
    let other = try ToolRun.compositor(["render", project.path, "-o", scratch.folder.path + "/x.mp4"])
    #expect(
      other.status != 0 && other.errors.contains("p.json5:1:") && other.errors.contains("output.preset"), "\(other.errors)")
  }

  @Test(.enabled(if: hasFFmpeg)) func preset_inAProject_losesAgainstItsOtherKeys() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mp4", seconds: 0.4)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { preset: "phone", video: { codec: "hevc", encoderSpeed: "ultrafast" }, audio: { codec: "alac" } },
        assets: { a: "in.mp4" }, tracks: [{ clips: [{ asset: "a" }] }] }
      """)
    let output = scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    #expect(try Self.streams(output).compactMap { $0["codec_name"] } == ["hevc", "alac"])
  }

  @Test func presets_asJSON_nameEveryPreset() throws {
    let result = try ToolRun.compositor(["presets", "--json"])
    let objects = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    #expect(objects?.compactMap { $0["name"] as? String } == ExportPreset.allCases.map(\.rawValue))
    #expect(try ToolRun.compositor(["presets"]).output.split(separator: "\n").count == ExportPreset.allCases.count + 1)
  }
}
