import CompositorTestSupport
import Foundation
import Testing

/// Movies whose edit list has several parts can't be copied: what is said leads to a movie.
@Suite(.enabled(if: hasFFmpeg)) struct CopiedPartsTests {
  /// Adds parts to the edit list of a file's second track, in units of the movie and of the media. The index is the last box.
  private static func addParts(_ parts: [(duration: UInt32, start: UInt32)], to url: URL) throws {
    var bytes = [UInt8](try Data(contentsOf: url))
    func number(_ place: Int) -> UInt32 { bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    func encoded(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    func place(of type: String, from start: Int) throws -> Int {
      let name = Array(type.utf8)
      return try #require((start..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == name }) - 4
    }
    let moov = try place(of: "moov", from: 0)
    let track = try place(of: "trak", from: try place(of: "trak", from: moov) + 8)
    let edit = try place(of: "edts", from: track)
    let list = edit + 8
    let added = parts.flatMap { encoded($0.duration) + encoded($0.start) + encoded(1 << 16) }
    let end = list + Int(number(list))
    for box in [moov, track, edit, list] {
      bytes.replaceSubrange(box..<box + 4, with: encoded(number(box) + UInt32(added.count)))
    }
    // The first part becomes as short as the others.
    bytes.replaceSubrange(list + 12..<list + 20, with: encoded(number(list + 12) + UInt32(parts.count)) + encoded(500))
    bytes.insert(contentsOf: added, at: end)
    try Data(bytes).write(to: url)
  }

  /// Its audio is encoded, since packets run on across the ends of parts: the copy has the samples of the list.
  @Test func audioOfSeveralParts_isEncoded() throws {
    let scratch = try Scratch()
    let name = "a.mp4"
    try scratch.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "aevalsrc='0.3*sin(1000*t*(1+t))':s=48000:d=4",
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "0", "-g", "5", "-c:a", "alac",
        "-sample_fmt", "s16p",
      ])
    try Self.addParts([(500, 49024), (1000, 97024)], to: scratch.file(name))
    func samples(_ options: [String]) throws -> [Int16] {
      try scratch.make("raw.s16", options + ["-map", "0:a", "-f", "s16le"])
      return try Data(contentsOf: scratch.file("raw.s16")).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }
    let media = try samples(["-ignore_editlist", "1", "-i", scratch.file(name).path])
    let all = media[0..<24_000] + media[49_024..<73_024] + media[97_024..<145_024]
    for (first, end, container) in [(600, 1400, "mp4"), (200, 800, "mp4"), (0, 2000, "mov"), (0, 2000, "mkv")] {
      let range = "\(Double(first) / 1000)s..\(Double(end) / 1000)s"
      let copy = "copy.\(container)"
      let result = try scratch.render([name, "--range", range, "--passthrough", "auto", "-o", copy, "--overwrite"])
      #expect(result.status == 0 && result.errors.contains("audio encoded"), "\(range): \(result.errors)")
      let heard = try samples(["-i", scratch.file(copy).path])
      // Matroska cannot hold this codec, so that its audio is AAC, of which ffmpeg decodes the priming, too.
      guard container != "mkv" else {
        #expect(heard.count >= 96_000 && heard.count <= 96_000 + 2 * 1024, "\(heard.count)")
        continue
      }
      #expect(heard == Array(Array(all)[first * 48..<end * 48]), "\(range) in \(container)")
    }
  }

  /// The copy of a project is a movie of two parts.
  @Test(arguments: ["mkv", "mp4"], ["auto", "smart"]) func videoOfSeveralParts_isNotAdvisedToUseEditLists(
    _ container: String, _ mode: String
  ) throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "60", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "12"])
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: "a.mp4" },
        tracks: [{ name: "v", clips: [{ asset: "a", in: "3f", duration: "17f" }, { asset: "a", in: "5f", duration: "20f" }] }] }
      """)
    let made = try ToolRun.compositor(
      ["render", "p.json5", "--passthrough", "edit-list", "-o", "parts.mp4", "--progress", "none"], in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    let result = try ToolRun.compositor(
      ["render", "parts.mp4", "--passthrough", mode, "-o", "x.\(container)", "--progress", "none"], in: scratch.folder)
    #expect(result.status != 0 && result.errors.contains("edit list of several parts. Render the movie."), "\(result.errors)")
  }
}
