import Foundation
import CompositorTestSupport
import Testing

/// A plugin that needs frames at other times, `Plugins/denoise`: isolated, in the tool's own process and by plain arithmetic over what
/// ffmpeg decodes the same frames, in any order.
@Suite(.serialized) struct OtherTimePluginTests {
  struct Footage: CustomTestStringConvertible {
    var name: String
    /// What ffmpeg makes a clip of; empty for a file of the shared set.
    var encoding: [String] = []
    var pixelFormat = "yuv420p"
    var frameCount = 28
    var threshold: Int
    var testDescription: String { "\(name), threshold \(threshold)" }

    /// The file; nil where the shared set is absent.
    func file(in scratch: Scratch) throws -> URL? {
      guard !encoding.isEmpty else { return mediaFolder?.appending(path: name) }
      let clip = scratch.folder.appending(path: "clip.mkv")
      let source = "testsrc2=s=162x90:r=25:d=\(Double(frameCount) / 25),noise=alls=24:allf=t,format=\(pixelFormat)"
      let result = try ToolRun.run(
        URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source] + encoding + [clip.path])
      try #require(result.status == 0, "\(result.errors)")
      return clip
    }
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "250", "-bf", "3"]
  static let footage =
    [
      Footage(name: "H.264", encoding: h264, threshold: 12), Footage(name: "H.264", encoding: h264, threshold: 255),
      Footage(name: "H.264 of 10 bits", encoding: h264, pixelFormat: "yuv420p10", threshold: 24),
    ] + (mediaFolder == nil ? [] : [Footage(name: "chaplin.mp4", frameCount: 30, threshold: 20)])

  /// Samples of all frames, as ffmpeg decodes them.
  private func samples(_ file: URL, _ footage: Footage, in scratch: Scratch) throws -> [[Int]] {
    let raw = scratch.folder.appending(path: "raw-\(UUID().uuidString).yuv")
    let format = footage.pixelFormat == "yuv420p" ? "yuv420p" : footage.pixelFormat + "le"
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-i", file.path, "-map", "0:v", "-frames:v", "\(footage.frameCount)", "-f", "rawvideo",
      "-pix_fmt", format, raw.path)
    try #require(result.status == 0, "\(result.errors)")
    let bytes = [UInt8](try Data(contentsOf: raw))
    let isWide = format != "yuv420p"
    let all =
      isWide ? stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 } : bytes.map(Int.init)
    // A part of the movie has fewer frames than the clip.
    let size = try #require(try ToolRun.streams(file).first { $0["codec_type"] == "video" })
    let (width, height) = (Int(size["width"] ?? "") ?? 0, Int(size["height"] ?? "") ?? 0)
    let count = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    return stride(from: 0, to: all.count, by: count).map { Array(all[$0..<$0 + count]) }
  }

  /// What the plugin's arithmetic makes of frames in a row.
  private func denoised(_ frames: [[Int]], _ footage: Footage) -> [[Int]] {
    let limit = footage.threshold << (footage.pixelFormat == "yuv420p" ? 0 : 2)
    let scale = 65536 / limit
    return frames.indices.map { index in
      let (before, after) = (frames[max(index - 1, 0)], frames[min(index + 1, frames.count - 1)])
      return frames[index].indices.map { place in
        let now = frames[index][place]
        let sum = [before[place] - now, after[place] - now].reduce(0) { $0 + max(0, limit - abs($1)) * scale / 256 * $1 }
        return (now * 1024 + sum + 512) >> 10
      }
    }
  }

  @Test(arguments: footage) func denoiser_isolatedTrustedAndArithmetic_areEqual(_ footage: Footage) throws {
    let workshop = try PluginWorkshop()
    let scratch = workshop.scratch
    let plugin = try workshop.compile(ToolRun.root.appending(path: "Plugins/denoise/denoise.c"), name: "denoise")
    let clip = try #require(try footage.file(in: scratch))
    let source = try samples(clip, footage, in: scratch)
    try #require(source.count == footage.frameCount)
    let expected = denoised(source, footage)
    let size = try #require(try ToolRun.streams(clip).first { $0["codec_type"] == "video" })
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], assets: { m: { file: "\(clip.path)" } },
        output: { size: "\(size["width"] ?? "")x\(size["height"] ?? "")", frameRate: 25, format: "\(footage.pixelFormat)",
          video: { codec: "ffv1" }, audio: false },
        tracks: [{ clips: [{ asset: "m", duration: "\(footage.frameCount)f",
          effects: [{ use: "org.example.denoise", threshold: \(footage.threshold) }] }] }] }
      """)
    let movie = scratch.folder.appending(path: "o.mkv")
    func frames(_ arguments: [String]) throws -> [[Int]] {
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      return try samples(movie, footage, in: scratch)
    }
    func differences(_ frames: [[Int]], _ expected: [[Int]]) -> Int {
      abs(frames.count - expected.count) + zip(frames, expected).count { $0 != $1 }
    }
    #expect(differences(expected, source) > footage.frameCount / 2)
    for trust in [[], ["--trust-plugin", plugin.path]] {
      for threads in ["1", "2"] {
        #expect(differences(try frames(["--threads", threads] + trust), expected) == 0, "\(threads) threads, \(trust)")
      }
      #expect(differences(try frames(["--range", "17f..25f"] + trust), Array(expected[17..<25])) == 0, "\(trust)")
    }
    // A still of the project and the same frame of the movie that was rendered of it.
    _ = try frames([])
    for index in [0, 13, footage.frameCount - 1] {
      let stills = try [project, movie].map { input in
        let still = scratch.folder.appending(path: "still-\(UUID().uuidString).png")
        let result = try ToolRun.compositor(["frame", input.path, "--at", "\(index)f", "-o", still.path])
        try #require(result.status == 0, "\(result.errors)")
        return try ToolRun.program("ffmpeg", "-v", "error", "-i", still.path, "-f", "framemd5", "-").output
      }
      let isEqual = stills[0] == stills[1]
      #expect(isEqual, "frame \(index)")
    }
  }

  @Test func denoiser_passesEveryCheck() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(ToolRun.root.appending(path: "Plugins/denoise/denoise.c"), name: "denoise")
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("2 sources at other times."))
  }

  /// What a plugin does wrong when it asks, and what the error says.
  static let mistakes = [
    ("TRACK", "asks for track 99"), ("INFINITE", "not a number of seconds"), ("FAR", "more than 10.0 s"),
    ("MANY", "17 sources at other times"), ("COUNT", "filled 1073741824 needs"), ("UNDECLARED", "does not say so"),
    ("FAILS", "It will not say."), ("OTHER", "which the request does not have"),
  ]

  private func asking(_ deed: String, in workshop: PluginWorkshop) throws -> URL {
    try workshop.compile(PluginWorkshop.fixtures.appending(path: "asking.c"), flags: ["-DDEED=\(deed)"], name: "asking")
  }

  @Test(arguments: mistakes) func mistakeInNeeds_isOneErrorOfThePlugin(_ deed: String, _ says: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try asking(deed, in: workshop)
    let project = try workshop.project(plugin, compositor: "org.example.asking")
    for trust in [[], ["--trust-plugin", plugin.path]] {
      let output = workshop.scratch.folder.appending(path: "out.mp4")
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", output.path, "--progress", "none", "--threads", "1"] + trust)
      #expect(result.status == 69 && result.errors.contains(says), "\(trust): \(result.errors)")
      for place in ["instruction 0", "0.12 s", "org.example.asking"] {
        #expect(result.errors.contains(place), "\(result.errors)")
      }
      if deed != "OTHER" || trust.isEmpty { #expect(result.errors.contains("asking.so"), "\(result.errors)") }
      #expect(!FileManager.default.fileExists(atPath: output.path))
    }
  }

  @Test(arguments: ["CRASHES", "HANGS"]) func endInNeeds_isOneErrorOfThePlugin(_ deed: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try asking(deed, in: workshop)
    let project = try workshop.project(plugin, compositor: "org.example.asking")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "none", "--plugin-deadline", "3", "--threads", "1"])
    #expect(result.status == (deed == "HANGS" ? 75 : 69) && result.errors.contains("asking.so"), "\(result.errors)")
    #expect(workshop.isGone(plugin))
  }

  @Test(arguments: [
    ("TRACK", "asks for track 99"), ("FICKLE", "other needs the second time"), ("SCARCE", "does not declare as needed"),
  ])
  func check_findsNeedsThatCannotBe(_ deed: String, _ says: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try asking(deed, in: workshop)
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    let line = result.output.split(separator: "\n").first { $0.contains("FAILED   needs") }
    #expect(result.status == 65 && line?.contains(says) == true, "\(result.output)")
  }
}
