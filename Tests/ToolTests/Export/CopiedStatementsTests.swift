import Foundation
import Testing

/// What containers state of their streams, through copies and renders: color, several codings, chapters.
@Suite struct CopiedStatementsTests {
  private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4"]

  /// The first place of some bytes.
  private static func place(of bytes: [UInt8], in file: [UInt8]) -> Int? {
    file.indices.first { file[$0...].starts(with: bytes) }
  }

  /// A container that says HLG over a bitstream that says BT.709: the copy says HLG.
  @Test(arguments: ["mp4", "mov", "mkv"]) func copies_keepTheContainersColor(_ container: String) throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mp4",
      Self.picture + ["-c:v", "libx264", "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"])
    var bytes = [UInt8](try Data(contentsOf: scratch.file("a.mp4")))
    let box = try #require(Self.place(of: Array("colrnclx".utf8), in: bytes))
    bytes.replaceSubrange(box + 8..<box + 14, with: [0, 9, 0, 18, 0, 9])
    try Data(bytes).write(to: scratch.file("b.mp4"))
    let result = try scratch.render(["b.mp4", "-o", "o.\(container)", "--passthrough", "auto"])
    #expect(result.status == 0, "\(result.errors)")
    let probed = try ToolRun.compositor(["probe", "o.\(container)"], in: scratch.folder)
    #expect(probed.output.contains("BT.2020") && probed.output.contains("HLG"), "\(probed.output)")
  }

  /// A track with a second description of its samples, of the same codec: rendered, but not copied.
  @Test func severalDescriptions_areNotCopied() throws {
    let scratch = try Scratch()
    try scratch.make("a.mp4", Self.picture + ["-c:v", "libx264"])
    var bytes = [UInt8](try Data(contentsOf: scratch.file("a.mp4")))
    // The description is written twice; the boxes around it grow by its size. The index is behind the media, so that nothing moves.
    let table = try #require(Self.place(of: Array("stsd".utf8), in: bytes)) - 4
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let entry = Array(bytes[table + 16..<table + 16 + number(table + 16)])
    for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd"] {
      let box = try #require(bytes.indices.last { bytes[$0...].starts(with: Array(name.utf8)) && $0 <= table + 4 }) - 4
      let size = number(box) + entry.count
      for byte in 0..<4 { bytes[box + byte] = UInt8(size >> (24 - 8 * byte) & 255) }
    }
    bytes[table + 15] = 2
    bytes.insert(contentsOf: entry, at: table + 16)
    try Data(bytes).write(to: scratch.file("b.mp4"))
    let copied = try scratch.render(["b.mp4", "-o", "o.mp4", "--passthrough", "auto"])
    #expect(copied.status == 65 && copied.errors.contains("2 descriptions of coded media"), "\(copied.errors)")
    let rendered = try scratch.render(["b.mp4", "-o", "o.mp4"])
    #expect(rendered.status == 0 && !rendered.errors.contains("stsd"), "\(rendered.errors)")
    #expect(try ToolRun.streams(scratch.file("o.mp4")).first?["nb_read_frames"] == "10")
  }

  /// {a file that begins at 0, one that begins later} × {chapters with and without titles}: all are kept, or said.
  @Test(arguments: ["mp4", "mkv"]) func chapters_areKeptOrSaid(_ container: String) throws {
    let scratch = try Scratch()
    let chapters = try scratch.file(
      "c.txt",
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\n"
    )
    // The priming of AAC is before the video in Matroska, so that the file begins later.
    try scratch.make(
      "a.\(container)",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-i", chapters.path, "-map_metadata"]
        + ["2", "-map", "0", "-map", "1", "-c:v", "libx264", "-c:a", "aac"])
    let plain = try scratch.render(["a.\(container)", "-o", "o.mkv"])
    #expect(plain.status == 0 && plain.errors.contains("2 chapters"), "\(plain.errors)")
    let kept = try scratch.render(["a.\(container)", "-o", "o.mkv", "--keep-metadata"])
    #expect(kept.status == 0 && !kept.errors.contains("chapter"), "\(kept.errors)")
    let shown = try ToolRun.program("ffprobe", "-v", "error", "-show_chapters", "-of", "csv", scratch.file("o.mkv").path)
    #expect(shown.output.contains("One") && shown.output.contains("Chapter 2"), "\(shown.output)")
  }
}
