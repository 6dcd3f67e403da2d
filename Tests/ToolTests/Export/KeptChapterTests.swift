import CompositorTestSupport
import Foundation
import Testing

/// Chapters of a source that cannot be written as they are: all others are kept, and what becomes of each is said.
@Suite(.enabled(if: hasFFmpeg)) struct KeptChapterTests {
  private static func chapter(_ start: Int, _ end: Int, _ title: String) -> String {
    "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=\(title)\n"
  }

  private static func titles(of name: String, in scratch: Scratch) throws -> [String] {
    try ListedChapters.entries(of: name, in: scratch).map(\.title)
  }

  private static func make(_ name: String, _ codec: String, _ chapters: [String], in scratch: Scratch) throws {
    _ = try scratch.file("chapters.txt", ";FFMETADATA1\n" + chapters.joined())
    let list = try scratch.file("chapters.txt").path
    try scratch.make(name, ["-f", "lavfi", "-i", "sine=duration=2", "-i", list, "-map_metadata", "1", "-c:a", codec])
  }

  private static func expect(
    _ expected: [String], of source: String, as suffix: String, noting notes: [String], in scratch: Scratch
  ) throws {
    let result = try scratch.render([source, "--keep-metadata", "-o", "out.\(suffix)", "--overwrite"])
    try #require(result.status == 0, "\(suffix): \(result.errors)")
    #expect(try titles(of: "out.\(suffix)", in: scratch) == expected, "\(suffix)")
    for note in notes { #expect(result.errors.contains(note), "\(suffix): \(result.errors)") }
  }

  /// {a tab, 200 letters of two bytes, two that begin together} × {containers}.
  @Test(arguments: ["mkv", "mp4", "mov", "webm", "mka", "m4a", "mp3", "opus"])
  func chapters_areKept_asFarAsTheyCanBe(_ suffix: String) throws {
    let scratch = try Scratch()
    let long = String(repeating: "ä", count: 200)
    try Self.make("in.mka", "flac", [Self.chapter(0, 500, "Begin\tning"), Self.chapter(500, 2000, long)], in: scratch)
    try #require(try Self.titles(of: "in.mka", in: scratch) == ["Begin\tning", long])
    // An MP3 holds shorter titles.
    let most = suffix == "mp3" ? 80 : 255
    try Self.expect(
      ["Begin ning", String(repeating: "ä", count: (most - 3) / 2) + "…"], of: "in.mka", as: suffix,
      noting: [
        "1 title of a chapter has several lines or control characters: written with spaces",
        "1 title of a chapter has more than \(most) bytes: shortened",
      ], in: scratch)
    let together = [Self.chapter(0, 500, "First"), Self.chapter(500, 500, "Nothing"), Self.chapter(500, 2000, "Second")]
    try Self.make("in.m4a", "aac", together, in: scratch)
    try #require(try Self.titles(of: "in.m4a", in: scratch) == ["First", "Nothing", "Second"])
    try Self.expect(
      ["First", "Second"], of: "in.m4a", as: suffix, noting: ["1 chapter begins with the next one: left out"], in: scratch)
  }
}
