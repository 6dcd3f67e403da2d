import Foundation
import Testing

/// Filters that keep pictures, over decoded footage: in a worker, in the tool's own process and in ffmpeg the same frames.
@Suite(.serialized) struct TemporalFilterTests {
  struct Filter: CustomTestStringConvertible {
    var use: String
    var graph: String
    /// Frames that ffmpeg drops at the beginning.
    var dropped = 0
    var testDescription: String { graph }
  }

  static let filters = [
    Filter(use: "use: 'avfilter.tmix', frames: 5", graph: "tmix=frames=5"),
    Filter(use: "use: 'avfilter.tblend', all_mode: 'average'", graph: "tblend=all_mode=average", dropped: 1),
    Filter(use: "use: 'avfilter.lagfun', decay: 0.9", graph: "lagfun=decay=0.9"),
    Filter(
      use: "use: 'avfilter.graph', graph: 'tmix=frames=3,tblend=all_mode=average'",
      graph: "tmix=frames=3,tblend=all_mode=average", dropped: 1),
  ]

  private func checksums(_ arguments: [String]) throws -> [Substring] {
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error"] + arguments + ["-map", "0:v", "-f", "framemd5", "-"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  @Test(arguments: filters) func isolatedTrustedAndFFmpeg_areEqual(_ filter: Filter) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("clip.mp4", seconds: 2, size: "160x90", sound: false)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25, video: { codec: "ffv1" }, audio: false },
        assets: { m: { file: "\(clip.path)" } },
        tracks: [{ clips: [{ asset: "m", duration: "50f", effects: [{ \(filter.use) }] }] }] }
      """)
    let expected = try checksums(["-i", clip.path, "-vf", filter.graph])
    #expect(expected.count == 50 - filter.dropped)
    let movie = scratch.folder.appending(path: "o.mkv")
    func frames(_ arguments: [String]) throws -> [Substring] {
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      return try checksums(["-i", movie.path])
    }
    let isolated = try frames(["--threads", "2"])
    #expect(isolated.count == 50)
    let isEqual = Array(isolated.dropFirst(filter.dropped)) == expected
    #expect(isEqual, "isolated differs from ffmpeg")
    let single = try frames(["--threads", "1"])
    #expect(single == isolated)
    let trusted = try frames(["--threads", "2", "--trust-plugin", "libavfilter"])
    #expect(trusted == isolated)
    let part = try frames(["--range", "20f..30f"])
    #expect(part == Array(isolated[20..<30]))
    let images = scratch.folder.appending(path: "images")
    try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
    let all = try ToolRun.compositor(["render", project.path, "-o", images.path + "/%03d.png", "--progress", "none"])
    try #require(all.status == 0, "\(all.errors)")
    try expectStills(of: project, in: images, at: [0, 1, 7, 33], trust: "libavfilter", in: scratch)
  }

  /// A still is the picture of the whole render at that time: PNG for PNG, isolated and trusted.
  private func expectStills(of project: URL, in images: URL, at numbers: [Int], trust: String, in scratch: Scratch) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: images.path).sorted()
    for number in numbers {
      let whole = try checksums(["-i", images.appending(path: names[number]).path])
      for arguments in [[], ["--trust-plugin", trust]] {
        let still = scratch.folder.appending(path: "still.png")
        try? FileManager.default.removeItem(at: still)
        let result = try ToolRun.compositor(["frame", project.path, "--at", "\(number)f", "-o", still.path] + arguments)
        try #require(result.status == 0, "\(result.errors)")
        #expect(try checksums(["-i", still.path]) == whole, "frame \(number) \(arguments)")
      }
    }
  }

  private static let frei0r = ["/usr/lib/frei0r-1", "/usr/local/lib/frei0r-1"].first {
    FileManager.default.fileExists(atPath: $0 + "/delay0r.so")
  }

  /// Plugins of frei0r that keep pictures, over decoded footage in R, G, B. Not among them: `nervous` and `rgbnoise`, which are random;
  /// `distort0r`, whose time frei0r counts in seconds and ffmpeg in milliseconds; `ising0r` and `plasma`, which take no picture.
  /// `delaygrab` counts from its frame 10 on: before that it shows memory that it never wrote, and ffmpeg's own frames differ from run to
  /// run (`MALLOC_PERTURB_=170 ffmpeg … -vf frei0r=delaygrab -f framecrc -`).
  @Test(
    .enabled(if: frei0r != nil, "needs frei0r-plugins"),
    arguments: [
      "aech0r", "baltan", "bgsubtract0r", "cluster", "delay0r", "delaygrab", "glitch0r", "hqdn3d", "lightgraffiti",
      "tehroxx0r", "vertigo",
    ])
  func frei0rWithDelay_isolatedTrustedAndFFmpeg_areEqual(_ name: String) throws {
    let folder = try #require(Self.frei0r)
    let scratch = try Scratch()
    let clip = scratch.folder.appending(path: "clip.mkv")
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1.2", "-vf",
        "format=bgra,setparams=color_primaries=bt709:color_trc=bt709", "-c:v", "ffv1", "-color_primaries", "bt709",
        "-color_trc",
        "bt709", clip.path,
      ])
    try #require(made.status == 0, "\(made.errors)")
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x48", frameRate: 25, format: "rgba", color: "bt709" }, assets: { m: { file: "\(clip.path)" } },
        tracks: [{ clips: [{ asset: "m", duration: "30f" }] }], effects: [{ at: 0, duration: "30f", use: "frei0r.\(name)" }] }
      """)
    // An opaque output: alpha is left out.
    let expected = try checksums(["-i", clip.path, "-vf", "frei0r=\(name),format=rgb24"])
    try #require(expected.count == 30)
    for (number, arguments) in [
      ["--threads", "2"], ["--threads", "1"], ["--trust-plugin", "\(folder)/\(name).so"], ["--range", "12f..18f"],
    ].enumerated() {
      let images = scratch.folder.appending(path: "images\(number)")
      try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", images.path + "/%03d.png", "--progress", "none"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      // The images are numbered from 1 on.
      let frames = try checksums(["-i", images.path + "/%03d.png", "-pix_fmt", "rgb24"])
      let wanted = arguments[0] == "--range" ? Array(expected[12..<18]) : expected
      try #require(frames.count == wanted.count, "\(arguments)")
      let first = name == "delaygrab" && arguments[0] != "--range" ? 10 : 0
      #expect(frames[first...] == wanted[first...], "\(arguments)")
    }
    try expectStills(
      of: project, in: scratch.folder.appending(path: "images0"), at: name == "delaygrab" ? [13] : [0, 13],
      trust: "\(folder)/\(name).so", in: scratch)
  }

  @Test func filterThatNeedsLaterPictures_isRefused() throws {
    let scratch = try Scratch()
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25 }, assets: { m: { generate: "clock", size: "160x90", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "m", duration: "10f", effects: [{ use: "avfilter.minterpolate" }] }] }] }
      """)
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", scratch.folder.appending(path: "o.mp4").path, "--progress", "none"])
    #expect(result.status != 0 && result.errors.contains("avfilter.minterpolate"), "\(result.errors)")
  }
}
