import Foundation
import Testing

/// Whose memory is whose: what a plugin was given and gave away is out of its reach.
@Suite(.serialized) struct PluginMemoryTests {
  private static let lossless = #"size: "128x72", frameRate: 25, video: { codec: "ffv1" }, audio: false"#

  private func checksums(_ deed: String, asset: String, in workshop: PluginWorkshop) throws -> [Substring] {
    let plugin = try workshop.hostile(deed, fromFrame: 1)
    let project = try workshop.project(plugin, compositor: "org.example.hostile", output: Self.lossless, asset: asset)
    let output = workshop.scratch.folder.appending(path: "\(deed).mkv")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none", "--threads", "2"])
    try #require(result.status == 0, "\(result.errors)")
    let sums = try ToolRun.program("ffmpeg", "-v", "error", "-i", output.path, "-f", "framemd5", "-")
    return sums.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  /// Writes to every mapping of frames that it finds, but for the output that it is asked for.
  @Test func handedOverFrames_cannotBeWrittenAgain() throws {
    let workshop = try PluginWorkshop()
    let clip = try workshop.scratch.clip("clip.mp4", seconds: 3, size: "128x72", sound: false)
    let sums = try checksums("SCRIBBLE", asset: "file: \"\(clip.path)\"", in: workshop)
    #expect(sums.count == 75)
    // All frames are gray.
    #expect(Set(sums).count == 1)
  }
}
