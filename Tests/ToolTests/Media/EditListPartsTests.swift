import CompositorTestSupport
import Foundation
import Testing

/// Movies whose edit list has several parts, as editors write them that don't encode, and as `--passthrough edit-list` does: each part is shown from its
/// beginning, however many frames are decoded before the one that is shown first.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct EditListPartsTests {
  /// The first frame of a part and the one after its last.
  private typealias Part = (first: Int, end: Int)

  /// Cuts at every place of a group of frames, repeated and swapped media, and parts of a single frame.
  private static let edits: [[Part]] = [
    [(5, 20), (33, 48)], [(0, 7), (8, 16), (17, 29), (31, 50)], [(40, 52), (10, 22)], [(3, 20), (3, 20)],
    [(20, 21), (22, 23), (24, 25)], [(12, 24), (24, 36)], [(1, 60), (0, 1), (59, 60)],
  ]

  private static func make(_ name: String, _ codec: [String], frames: String, in scratch: Scratch) throws {
    try scratch.make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25,noise=alls=20:allf=t", "-frames:v", "60", "-pix_fmt", "yuv420p"]
        + codec + ["-bf", frames])
  }

  private static func hashes(_ name: String, in scratch: Scratch) throws -> [String] {
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-i", scratch.file(name).path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces)
    }
  }

  private static func render(_ arguments: [String], in scratch: Scratch) throws {
    let result = try ToolRun.compositor(["render"] + arguments + ["--overwrite", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
  }

  /// A project that shows the parts one after the other.
  private static func project(_ parts: [Part], of name: String) -> String {
    let clips = parts.map {
      "{ asset: \"a\", in: \"\($0.first)f\", duration: \"\($0.end - $0.first)f\" }"
    }
    return """
      { version: 1, assets: { a: "\(name)" },
        tracks: [{ name: "v", clips: [\(clips.joined(separator: ", "))] }] }
      """
  }

  /// {frames that are decoded ahead} × {codecs with closed and open groups} × {containers} × {edits}: rendered, the copy is what the project is.
  @Test(arguments: [0, 1, 2, 3], ["mp4", "mov"])
  func everyPart_isShownFromItsBeginning(_ reordered: Int, _ container: String) throws {
    let scratch = try Scratch()
    let codecs = [
      "h264": ["-c:v", "libx264", "-crf", "20", "-x264-params", "keyint=12:scenecut=0:b-adapt=0"],
      "open": ["-c:v", "libx264", "-crf", "20", "-x264-params", "keyint=12:scenecut=0:b-adapt=0:b-pyramid=normal:open-gop=1"],
      "mpeg4": ["-c:v", "mpeg4", "-q:v", "3", "-g", "12"],
    ]
    for (row, (codec, options)) in codecs.sorted(by: { $0.key < $1.key }).enumerated() {
      let name = "\(codec).\(container)"
      try Self.make(name, options, frames: "\(reordered)", in: scratch)
      // `make test` takes others of each codec and container.
      for parts in TableSelection.columns(Self.edits, ofRow: 3 * reordered + row + (container == "mov" ? 1 : 0), each: 2) {
        // Of single frames after a recovery point, libavcodec shows none: FFmpeg's own tools decode nothing of such a copy either.
        if codec == "open", parts.contains(where: { $0.end - $0.first == 1 }), reordered > 0 { continue }
        _ = try scratch.file("p.json5", Self.project(parts, of: name))
        try Self.render(["p.json5", "--passthrough", "edit-list", "-o", "copy.\(container)"], in: scratch)
        try Self.render(["p.json5", "-o", "right.mkv", "--codec", "ffv1"], in: scratch)
        try Self.render(["copy.\(container)", "-o", "found.mkv", "--codec", "ffv1"], in: scratch)
        let (right, found) = (try Self.hashes("right.mkv", in: scratch), try Self.hashes("found.mkv", in: scratch))
        try #require(right.count == parts.reduce(0) { $0 + $1.end - $1.first })
        #expect(found == right, "\(name) \(parts): \(found.count) frames of \(right.count)")
      }
    }
  }

  /// Pictures of single times, for which the reader seeks, in every part.
  @Test(arguments: [0, 3]) func timesOfEveryPart_haveTheirFrames(_ reordered: Int) throws {
    let scratch = try Scratch()
    try Self.make(
      "a.mp4", ["-c:v", "libx264", "-x264-params", "keyint=12:scenecut=0:b-adapt=0"], frames: "\(reordered)", in: scratch)
    let parts: [Part] = [(5, 20), (33, 48), (8, 22)]
    _ = try scratch.file("p.json5", Self.project(parts, of: "a.mp4"))
    try Self.render(["p.json5", "--passthrough", "edit-list", "-o", "copy.mp4"], in: scratch)
    for frame in [43, 0, 14, 15, 16, 29, 30, 31, 38, 7, 22] {
      for (source, picture) in [("p.json5", "right.png"), ("copy.mp4", "found.png")] {
        let result = try ToolRun.compositor(
          ["frame", source, "--at", "\(frame)f", "-o", picture, "--overwrite"], in: scratch.folder)
        try #require(result.status == 0, "\(result.errors)")
      }
      let right = try Self.hashes("right.png", in: scratch)
      #expect(try Self.hashes("found.png", in: scratch) == right, "frame \(frame)")
    }
  }
}
