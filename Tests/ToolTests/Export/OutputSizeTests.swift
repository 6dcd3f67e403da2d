import CompositorTestSupport
import Foundation
import Testing

/// `--size`, `--fps`, `--bit-rate`, `--two-pass`, `--key-interval`, `--draft` and `--encoder`, probed with ffprobe.
@Suite(.enabled(if: hasFFmpeg)) struct OutputSizeTests {
  private func render(_ arguments: [String], _ scratch: Scratch, _ output: String) throws -> (file: URL, errors: String) {
    let file = scratch.folder.appending(path: output)
    let result = try ToolRun.compositor(arguments + ["-o", file.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    return (file, result.errors)
  }

  private func video(_ file: URL) throws -> [String: String] {
    try #require(try PresetTests.streams(file).first { $0["codec_type"] == "video" })
  }

  /// One frame of a movie or image as R, G, B.
  private func pixels(_ file: URL) throws -> Data {
    try runProgram("ffmpeg", ["-v", "error", "-i", file.path, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
  }

  private func project(_ scratch: Scratch, output: String) throws -> URL {
    _ = try scratch.clip("in.mp4", seconds: 0.4, size: "160x90", sound: false)
    return try scratch.file(
      "p.json5", "{ version: 1, output: { \(output) }, assets: { a: \"in.mp4\" }, tracks: [{ clips: [{ asset: \"a\" }] }] }")
  }

  @Test(arguments: ["320x180", "160x160", "90x160", "640x64", "128x72", "200x100"]) func size_ofAnyAspect_isExactlyWhatWasAsked(
    _ size: String
  ) throws {
    let scratch = try Scratch()
    for output in [#"size: "160x90""#, ""] {
      let file = try render(
        ["render", try project(scratch, output: output).path, "--size", size, "--overwrite"], scratch, "out.mp4"
      ).file
      let video = try video(file)
      #expect("\(video["width"] ?? "")x\(video["height"] ?? "")" == size)
    }
  }

  @Test func bars_haveTheBackgroundAndThePictureItsAspect() throws {
    let scratch = try Scratch()
    let project = try project(scratch, output: ##"size: "160x90", background: "#ff0000""##)
    let bytes = try pixels(
      try render(["render", project.path, "--size", "160x160"], scratch, "f%d.png").file.deletingLastPathComponent()
        .appending(path: "f1.png"))
    try #require(bytes.count == 160 * 160 * 3)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[(y * 160 + x) * 3..<(y * 160 + x) * 3 + 3]) }
    for y in [0, 16, 33, 126, 143, 159] {
      for x in [0, 80, 159] {
        #expect(pixel(x, y)[0] > 250 && pixel(x, y)[1] < 8 && pixel(x, y)[2] < 8, "\(x) \(y) \(pixel(x, y))")
      }
    }
    // 34 + 90 + 36 rows: the picture is on the grid of chroma, and has no pixel of the bars' color in common with them.
    let plain = try pixels(
      try render(["render", project.path], scratch, "g%d.png").file.deletingLastPathComponent().appending(path: "g1.png"))
    try #require(plain.count == 160 * 90 * 3)
    #expect(bytes[(34 * 160 * 3)..<(124 * 160 * 3)] == plain)
  }

  @Test(arguments: [("50", 20), ("12.5", 5), ("30000/1001", 12), ("29.97", 12), ("10", 4)])
  func frameRate_otherThanTheSources_isTheGrid(
    _ rate: String, _ count: Int
  ) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.4, size: "64x48", sound: false)
    let video = try video(try render(["render", clip.path, "--fps", rate], scratch, "out.mp4").file)
    let expected = ["29.97": "30000/1001", "12.5": "25/2"][rate] ?? (rate.contains("/") ? rate : rate + "/1")
    #expect(video["r_frame_rate"] == expected && video["nb_read_frames"] == "\(count)", "\(video)")
  }

  @Test(arguments: [("h264", "mp4"), ("hevc", "mkv"), ("vp9", "webm"), ("av1", "mkv")]) func twoPasses_ofAnyCodec_hitTheBitRate(
    _ codec: String, _ container: String
  ) throws {
    let scratch = try Scratch()
    let clip = scratch.folder.appending(path: "in.mp4")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=5", "-vf", "noise=alls=8:allf=t", "-c:v", "libx264",
        "-crf",
        "12", "-pix_fmt", "yuv420p", clip.path,
      ])
    let file = scratch.folder.appending(path: "out: 1.\(container)")
    let result = try ToolRun.compositor([
      "render", clip.path, "--codec", codec, "--encoder-speed", "ultrafast", "--bit-rate", "300k", "--two-pass", "-o",
      file.path,
      "--progress", "json",
    ])
    try #require(result.status == 0, "\(result.errors)")
    // Frames of both passes count.
    #expect(result.output.contains(#""frames":250"#))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
    #expect(abs(Double(size) * 8 / 5 / 300_000 - 1) < 0.06, "\(size)")
    #expect(try scratch.names() == ["in.mp4", "out: 1.\(container)"])
  }

  @Test(arguments: [
    ("h264", "mp4", "0.2s"), ("h264", "mp4", "5"), ("hevc", "mp4", "5f"), ("vp9", "webm", "5"), ("av1", "webm", "0.2s"),
  ])
  func keyFrames_ofAnyCodec_areNoFurtherApart(_ codec: String, _ container: String, _ distance: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.8, size: "64x48", sound: false)
    let file = try render(
      ["render", clip.path, "--codec", codec, "--encoder-speed", "ultrafast", "--key-interval", distance], scratch,
      "out.\(container)"
    ).file
    let flags = try runTool(
      "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", file.path])
    let keys = flags.split(separator: "\n").enumerated().filter { $0.element.hasPrefix("K") }.map(\.offset)
    let all = keys + [20]
    #expect(zip(all, all.dropFirst()).allSatisfy { $1 - $0 <= 5 }, "\(keys)")
  }

  @Test func draft_ofALargeMovie_isSmallAndKeepsItsAspect() throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.08, size: "1080x1920", sound: false)
    let video = try video(try render(["render", clip.path, "--draft"], scratch, "out.mp4").file)
    #expect(video["width"] == "540" && video["height"] == "960")
  }

  @Test func join_atASize_fitsEveryClipToIt() throws {
    let scratch = try Scratch()
    let clips = [
      try scratch.clip("a.mp4", seconds: 0.2, size: "160x90", sound: false),
      try scratch.clip("b.mp4", seconds: 0.2, size: "90x160", sound: false),
    ]
    let file = try render(
      ["join"] + clips.map(\.path) + ["--size", "90x160", "--audio-bit-rate", "64k"].prefix(2), scratch, "out.mp4"
    ).file
    let bytes = try runProgram("ffmpeg", ["-v", "error", "-i", file.path, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
    try #require(bytes.count == 10 * 90 * 160)
    // Bars above the first clip, none above the second.
    let first = bytes[45..<90], last = bytes[(9 * 14_400 + 45)..<(9 * 14_400 + 90)]
    #expect(first.allSatisfy { $0 < 5 } && !last.allSatisfy { $0 < 5 })
  }

  @Test func audioBitRate_ofLossyAudio_isTheStreams() throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 4, size: "64x48")
    let file = try render(["render", clip.path, "--audio-bit-rate", "48k"], scratch, "out.m4a").file
    let size = try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
    #expect((16_000..<32_000).contains(size), "\(size)")
  }

  @Test func enlarging_beyondTwice_isSaid() throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.08, size: "64x36", sound: false)
    #expect(try render(["render", clip.path, "--size", "320x180"], scratch, "a.mp4").errors.contains("enlarged 5 times"))
    #expect(try !render(["render", clip.path, "--size", "128x72"], scratch, "b.mp4").errors.contains("enlarged"))
  }

  // No machine that runs tests is known to have a device: where one answers, the movie must be right.
  @Test(arguments: ["vaapi", "nvenc"]) func encoder_ofADevice_answersOrSaysWhatWasTried(_ encoder: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.4, size: "320x240", sound: false)
    let file = scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(["render", clip.path, "--encoder", encoder, "-o", file.path, "--progress", "none"])
    if result.status == 0 {
      #expect(try video(file)["nb_read_frames"] == "10")
    } else {
      #expect(result.status == 69 && result.errors.contains("software"), "\(result.errors)")
      #expect(result.errors.contains(encoder == "vaapi" ? "/dev/dri" : "h264_nvenc") || result.errors.contains("no encoder"))
      #expect(try scratch.names() == ["in.mp4"])
    }
  }

  @Test(arguments: [
    (["--two-pass"], "x.mp4", "bit rate"), (["--bit-rate", "5M"], "x.gif", "gif has no bit rate"),
    (["--size", "0x10"], "x.mp4", "--size"),
    (["--fps", "0"], "x.mp4", "--fps"), (["--fps", "1e9"], "x.mp4", "--fps"), (["--bit-rate", "-8M"], "x.mp4", "--bit-rate"),
    (["--key-interval", "0"], "x.mp4", "--key-interval"), (["--palette", "shared"], "x.mp4", "--palette is for gif"),
    (["--lossless"], "x.gif", "--lossless is for webp"), (["--size", "64x64"], "x.wav", "--size is for video"),
    (["--bit-rate", "1M"], "%d.png", "--bit-rate is for movies"), (["--audio-codec", "aac"], "x.gif", "holds video only"),
    (["--encoder", "nvenc", "--codec", "vp9"], "x.webm", "software"), (["--audio-bit-rate", "64k"], "x.flac", "lossy"),
    (["--codec", "h264"], "x.webm", "cannot hold h264"),
  ]) func mistakes_ofOptions_areUsageErrorsOfOneLine(_ options: [String], _ output: String, _ words: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.2, size: "64x48")
    let result = try ToolRun.compositor(["render", clip.path, "-o", scratch.folder.path + "/" + output] + options)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains(words) && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test(arguments: ["av1", "vp9", "hevc"]) func oddSize_ofSubsampledCodecs_isAnErrorThatNamesAnEvenOne(_ codec: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("in.mp4", seconds: 0.2, size: "64x48", sound: false)
    let result = try ToolRun.compositor([
      "render", clip.path, "--codec", codec, "--size", "63x47", "-o", scratch.folder.path + "/x.mkv",
    ])
    #expect(result.status != 0 && result.errors.contains("64x48"), "\(result.errors)")
  }
}
