import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// Files that cannot be read to their end: what the tool says, and what it leaves.
@Suite struct DamagedMediaTests {
  /// The lines of the standard error stream that say `kind`.
  private func lines(_ kind: String, of result: ToolRun.Result) -> [String] {
    result.errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("compositor: \(kind): ") }
  }

  /// The openings of the file in the order of a render: it is described, its video is read, its audio is read.
  @Test(arguments: [1, 2, 3], ["mp4", "mkv"])
  func render_fileOnAFailingDisk_ends74AndLeavesNothing(_ opening: Int, _ container: String) throws {
    let scratch = try Scratch()
    // Short key frame distances, so that a part of the file is decoded well before its middle.
    _ = try scratch.clip("a.\(container)", seconds: 6, size: "320x180")
    let environment = try FailingDisk.environment(for: "a.\(container)", fromOpening: opening, in: scratch)
    let before = try scratch.names()
    let result = try ToolRun.compositor(
      ["render", "a.\(container)", "-o", "x.mkv", "--progress", "none"], in: scratch.folder, environment: environment)
    #expect(result.status == ProcessStatus.inputOutput.rawValue, "\(result.errors)")
    #expect(lines("error", of: result).count == 1 && result.errors.contains("Input/output error"), "\(result.errors)")
    #expect(result.errors.contains("a.\(container)"))
    #expect(try scratch.names() == before)
    let healthy = try ToolRun.compositor(["probe", "a.\(container)"], in: scratch.folder)
    #expect(healthy.status == 0 && !healthy.output.contains("warning"), "\(healthy.output)")
  }

  @Test(arguments: ["mkv", "webm", "flv", "mp4"])
  func cutShort_eachContainer_isWarnedOfAndRenderedAsFarAsItIsThere(_ container: String) throws {
    let scratch = try Scratch()
    let cut = try scratch.file("cut.\(container)")
    try makeCutShort(cut, container, in: scratch)
    let probed = try ToolRun.compositor(["probe", cut.lastPathComponent], in: scratch.folder)
    #expect(probed.status == 0)
    let sentence =
      /warning: The file is cut short: its frames end at [23]\.\d\d\d s, but the header promises them until 6\.\d\d\d s\./
    #expect(probed.output.contains(sentence), "\(probed.output)")
    let validated = try ToolRun.compositor(["validate", cut.lastPathComponent], in: scratch.folder)
    #expect(
      validated.status == ProcessStatus.missingMedia.rawValue && validated.output.contains("cut short and has video until"),
      "\(validated.output)")
    let kept = try ToolRun.compositor(["validate", cut.lastPathComponent, "--damaged", "keep"], in: scratch.folder)
    #expect(kept.status == 0 && kept.output.contains("warning"), "\(kept.output)")
    // All of it cannot be rendered: one line says so, before anything is.
    let whole = try ToolRun.compositor(["render", cut.lastPathComponent, "-o", "x.mkv"], in: scratch.folder)
    #expect(whole.status == ProcessStatus.missingMedia.rawValue)
    let said = whole.errors.split(separator: "\n")
    #expect(said.count == 1 && said[0].contains("error: ") && said[0].contains("cut short"), "\(whole.errors)")
    let part = try ToolRun.compositor(
      ["render", cut.lastPathComponent, "-o", "part.mkv", "--range", "0..2s", "--progress", "none"], in: scratch.folder)
    #expect(part.status == 0, "\(part.errors)")
    #expect(try ToolRun.streams(scratch.file("part.mkv")).first?["nb_read_frames"] == "50")
  }

  @Test func cutShortSound_underAStill_isAnErrorUnlessItIsKept() throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=4", "-c:a", "aac", scratch.folder.appending(path: "whole.mka").path)
    try #require(made.status == 0)
    let bytes = try Data(contentsOf: scratch.file("whole.mka"))
    try bytes.prefix(bytes.count / 2).write(to: scratch.file("s.mka"))
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25 }, assets: { a: { generate: "bars", size: "160x90" }, s: "s.mka" },
        tracks: [{ clips: [{ asset: "a", duration: "3s" }] }, { clips: [{ asset: "s", duration: "3s" }] }] }
      """)
    func render(_ range: String, _ policy: String) throws -> ToolRun.Result {
      try ToolRun.compositor(
        ["render", "p.json5", "-o", "x.mkv", "--overwrite", "--range", range, "--progress", "none", "--damaged", policy],
        in: scratch.folder)
    }
    let failed = try render("0..3s", "fail")
    #expect(failed.status == ProcessStatus.missingMedia.rawValue && failed.errors.contains("s.mka"), "\(failed.errors)")
    // What is there can be used without a word.
    let part = try render("0..1s", "fail")
    #expect(part.status == 0 && part.errors.isEmpty, "\(part.errors)")
    let kept = try render("0..3s", "keep")
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(lines("warning", of: kept).filter { $0.contains("s.mka") && $0.contains("silence") }.count == 1, "\(kept.errors)")
  }

  private func makeCutShort(_ cut: URL, _ container: String, in scratch: Scratch) throws {
    let codec =
      container == "webm"
      ? ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"] : ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
    let whole = try scratch.file("whole.\(container)")
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=6:s=160x90:r=25", "-f", "lavfi", "-i", "sine=d=6", "-g", "25"]
        + codec
        + ["-movflags", "+faststart", whole.path].suffix(container == "mp4" ? 3 : 1))
    try #require(made.status == 0, "\(made.errors)")
    let bytes = try Data(contentsOf: whole)
    try bytes.prefix(bytes.count / 2).write(to: cut)
  }

  @Test(arguments: ["v:0", "a:0"], ["mp4", "mov"])
  func render_packetsThatGiveNothing_isAnErrorAtTheirTime(_ stream: String, _ container: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("a.\(container)", seconds: 3, size: "320x180")
    try damagePackets(of: stream, at: 30..<33, in: clip)
    let result = try ToolRun.compositor(
      ["render", clip.lastPathComponent, "-o", "x.mkv", "--progress", "none"], in: scratch.folder)
    #expect(result.status == ProcessStatus.missingMedia.rawValue, "\(result.errors)")
    let errors = lines("error", of: result)
    #expect(errors.count == 1 && errors[0].contains(clip.lastPathComponent) && errors[0].contains("track 0"), "\(errors)")
    #expect(try scratch.names() == [clip.lastPathComponent])
    // A part of the file that the damage does not lie in is whole.
    let part = try ToolRun.compositor(
      ["render", clip.lastPathComponent, "-o", "part.mkv", "--range", "2s..", "--progress", "none"], in: scratch.folder)
    #expect(part.status == 0, "\(part.errors)")
  }

  @Test func render_damagedAudioAndPicturesKept_goesOnAndCountsEachLoss() throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("a.mp4", seconds: 3, size: "320x180")
    try damagePackets(of: "v:0", at: 30..<33, in: clip)
    try damagePackets(of: "a:0", at: 40..<42, in: clip)
    let result = try ToolRun.compositor(
      ["render", "a.mp4", "-o", "x.mkv", "--progress", "json", "--damaged", "keep"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let warnings = lines("warning", of: result)
    #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("a.mp4") && $0.contains("could not be decoded") })
    #expect(warnings.contains { $0.contains("audio track 0") && $0.contains("silence") }, "\(result.errors)")
    let last = try #require(result.output.split(separator: "\n").last)
    let event = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    let losses = try #require(event["losses"] as? [[String: Any]])
    let video = try #require(losses.first { $0["mediaType"] as? String == "video" })
    let audio = try #require(losses.first { $0["mediaType"] as? String == "audio" })
    #expect(video["source"] as? String == "a.mp4" && video["track"] as? Int == 0 && video["kind"] as? String == "undecodable")
    // The decoder gives no frames either that refer to the damaged ones: as many as ffmpeg lacks are lost.
    let decoded = try ToolRun.program(
      "ffmpeg", "-v", "quiet", "-i", clip.path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framecrc", "-")
    let count = decoded.output.split(separator: "\n").count { !$0.hasPrefix("#") }
    #expect(video["count"] as? Int == 75 - count && video["time"] as? Double == 30.0 / 25, "\(video)")
    #expect((audio["count"] as? Int ?? 0) >= 2 && (audio["reason"] as? String)?.isEmpty == false, "\(audio)")
    // Packet 40 of AAC begins after 39 that are heard, the first being an encoder's run-in.
    #expect(abs((audio["time"] as? Double ?? 0) - 39 * 1024.0 / 48000) < 0.05, "\(audio)")
    let streams = try ToolRun.streams(scratch.file("x.mkv"))
    #expect(streams.first { $0["codec_type"] == "video" }?["nb_read_frames"] == "75")
  }

  /// The file ends within its last packets; everything that the clip asks for is there.
  @Test(arguments: ["mp4", "mkv", "ts", "avi"])
  func render_clipOfAFileCutAtItsEnd_isRendered(_ container: String) throws {
    let scratch = try Scratch()
    let codec =
      container == "avi" ? ["-c:v", "mpeg4", "-c:a", "mp3"] : ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    let whole = try scratch.file("whole.\(container)")
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=4:s=160x90:r=25", "-f", "lavfi", "-i", "sine=d=4", "-g", "25"]
        + codec + (container == "mp4" ? ["-movflags", "+faststart"] : []) + [whole.path])
    try #require(made.status == 0, "\(made.errors)")
    let bytes = try Data(contentsOf: whole)
    for share in [0.7, 0.99] {
      try bytes.prefix(Int(Double(bytes.count) * share)).write(to: scratch.file("cut.\(container)"))
      _ = try scratch.file(
        "p.json5",
        """
        { version: 1, output: { size: "160x90", frameRate: 25 }, assets: { a: "cut.\(container)" },
          tracks: [{ clips: [{ asset: "a", duration: "2s" }] }] }
        """)
      let result = try ToolRun.compositor(
        ["render", "p.json5", "-o", "x.mkv", "--overwrite", "--progress", "none"], in: scratch.folder)
      #expect(result.status == 0 && result.errors.isEmpty, "\(share): \(result.errors)")
      #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "50")
    }
  }

  /// A table of 2^32 − 1 chunk offsets takes 34 GB, which FFmpeg 5 refuses as it refuses any want of memory. FFmpeg 7 takes as
  /// many offsets as the box has room for; then nothing is missing, and everything must be there.
  @Test func probe_lengthThatNoMemorySatisfies_isDamageOrReadWhole() throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("a.mp4", seconds: 1)
    let frameCount = try ToolRun.streams(clip).first?["nb_read_frames"]
    var bytes = try Data(contentsOf: clip)
    let table = try #require(bytes.range(of: Data("stco".utf8)))
    bytes.replaceSubrange(table.upperBound + 4..<table.upperBound + 8, with: [0xff, 0xff, 0xff, 0xff])
    try bytes.write(to: clip)
    let isRead = try ToolRun.program("ffprobe", "-v", "error", clip.path).status == 0
    for command in [["probe", "a.mp4"], ["render", "a.mp4", "-o", "x.mkv", "--progress", "none"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(result.status == (isRead ? 0 : ProcessStatus.missingMedia.rawValue), "\(result.errors)")
      #expect(isRead || result.errors.contains("damaged") && !result.errors.contains("memory"), "\(result.errors)")
    }
    guard isRead else { return }
    #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == frameCount)
  }

  /// Overwrites packets with bytes that no decoder takes.
  private func damagePackets(of stream: String, at indices: Range<Int>, in file: URL) throws {
    let listed = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pos,size", "-of", "csv=p=0", file.path)
    let packets = listed.output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    var bytes = try Data(contentsOf: file)
    for packet in packets[indices] {
      let (size, position) = (packet[0], packet[1])
      bytes.replaceSubrange(position..<position + size, with: repeatElement(0xff, count: size))
    }
    try bytes.write(to: file)
  }
}
