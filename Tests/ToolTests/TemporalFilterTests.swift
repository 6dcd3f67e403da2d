import Foundation
import Testing

/// Filters that keep pictures, over decoded footage: in a helper, in the tool's own process and in ffmpeg the same frames.
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
