import CompositorAPI
import CompositorMediaIO
import CompositorProjectFormat
import Foundation
import Testing

/// Chapters of text files.
@Suite struct ChapterFileTests {
  /// A file with a text, removed when the object is.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "chapters-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
      let path = url.appending(path: name).path
      try Data(bytes).write(to: URL(filePath: path))
      return path
    }
  }

  private static func chapters(_ text: String, name: String = "chapters.txt", rate: Rational = 25) throws -> [Chapter] {
    let folder = try Folder()
    return try ChapterFile(contentsOf: folder.file(name, text.utf8)).chapters(frameRate: rate)
  }

  /// `seconds title` for each chapter.
  private static func shown(_ text: String, name: String = "chapters.txt") throws -> [String] {
    try chapters(text, name: name).map { "\($0.start.seconds) \($0.title)" }
  }

  @Test(arguments: [
    "00:02 Title", "0:02 Title", "00:00:02 Title", "0:02 - Title", "0:02 – Title", "0:02: Title", "0:02, Title", "0:02-Title",
    "0:02\tTitle", "[0:02] Title", "(0:02) Title", "[00:00:02] - Title", "- 0:02 Title", "• 0:02 Title", "1. 0:02 Title",
    "12) 0:02 Title", "0:02 - 0:05 Title", "0:02 → 0:05 Title", "[0:02 - 0:05] Title", "Title 0:02", "Title - 0:02",
    "Title (0:02)",
    "2s Title", "50f Title", "2000ms Title", "00:00:02:00 Title", "4/2 Title", "  0:02  Title  ", "0:02.000 Title",
    "0:02,0 | Title",
  ])
  func list_everyForm_isRead(line: String) throws {
    #expect(try Self.shown("0:00 Intro\n\(line)\n") == ["0.0 Intro", "2.0 Title"])
  }

  @Test func list_commentsHeadingsAndEndsOfLines_dontMatter() throws {
    for end in ["\n", "\r\n", "\r"] {
      let lines = ["\u{feff}Chapters:", "", "# a comment", "0:00 Ada: a life", "  ", "1:02:03.5 5 questions – and answers"]
      #expect(try Self.shown(lines.joined(separator: end)) == ["0.0 Ada: a life", "3723.5 5 questions – and answers"])
    }
  }

  @Test func list_frames_areOfTheMoviesRate() throws {
    let chapters = try Self.chapters("0f A\n00:00:01:12 B", rate: Rational(30_000, 1001))
    #expect(chapters[1] == Chapter(start: MediaTime(value: 42 * 1001, timescale: 30_000), title: "B"))
  }

  @Test func cueSheet_hasItsTracks() throws {
    let sheet = """
      PERFORMER "Ada"
      TITLE "Engines"
      FILE "engines.wav" WAVE
        TRACK 01 AUDIO
          TITLE "First"
          PERFORMER "Ada"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE Second one
          INDEX 00 03:24:00
          INDEX 01 03:25:15
        TRACK 03 AUDIO
          INDEX 01 100:00:74
      """
    #expect(
      try Self.chapters(sheet, name: "engines.cue") == [
        Chapter(start: .zero, title: "First"), Chapter(start: MediaTime(value: 1026, timescale: 5), title: "Second one"),
        Chapter(start: MediaTime(value: 450_074, timescale: 75), title: "Track 3"),
      ])
  }

  @Test func metadataOfFFmpeg_hasItsChapters() throws {
    let text = """
      ;FFMETADATA1
      title=Not a chapter
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1500
      title=One \\= two\\; three
      [STREAM]
      title=Neither
      [CHAPTER]
      TIMEBASE=1001/30000
      START=3
      END=9
      title=Two
      [CHAPTER]
      START=2500000000
      title=Nanoseconds
      """
    #expect(
      try Self.chapters(text) == [
        Chapter(start: .zero, title: "One = two; three"),
        Chapter(start: MediaTime(value: 1001, timescale: 10_000), title: "Two"),
        Chapter(start: MediaTime(value: 5, timescale: 2), title: "Nanoseconds"),
      ])
  }

  @Test func numberedChapters_andLabels_areRead() throws {
    let numbered = "CHAPTER01=00:00:00.000\nCHAPTER01NAME=Intro\nCHAPTER02=00:01:05.500\nCHAPTER02NAME=Numbers\n"
    #expect(try Self.shown(numbered) == ["0.0 Intro", "65.5 Numbers"])
    #expect(try Self.shown("0.000000\t1.000000\tIntro\n65.500000\t65.500000\tNumbers\n") == ["0.0 Intro", "65.5 Numbers"])
  }

  @Test(arguments: [
    (
      "chapters.txt", "0:00 A\n\nB", 3, "\"B\" has no time.", "Write a time and a title on each line, such as \"1:05 Numbers\"."
    ),
    ("chapters.txt", "0:00 A\n0:75 B", 2, "In \"0:75\"", "Write \"1:15\"."),
    ("chapters.txt", "0:00 A\n1:5 B", 2, "one digit", "Write \"1:05\"."),
    ("chapters.txt", "0:00 A\n0:02", 2, "The chapter has no title.", "Write one after the time."),
    ("chapters.txt", "", 1, "This file has no chapters.", "Write a time"),
    ("chapters.txt", "# only\n", 1, "no chapters", "Write a time"),
    ("a.cue", "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:61:00", 3, "is not an index", "INDEX 01 03:25:00"),
    (
      "a.cue", "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE \"b\" WAVE", 4, "several files",
      "one cue sheet for each"
    ),
    ("m.txt", ";FFMETADATA1\n[CHAPTER]\ntitle=A", 2, "no START", "START=1500"),
    ("m.txt", ";FFMETADATA1\n[CHAPTER]\nSTART=5", 2, "no title", "title=Numbers"),
    ("m.txt", ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=0/5\nSTART=5\ntitle=A", 3, "time base", "TIMEBASE=1/1000"),
    ("m.txt", ";FFMETADATA1\n[CHAPTER]\nSTART=-5\ntitle=A", 3, "start of a chapter", "START=1500"),
    ("m.txt", "CHAPTER01=00:00:00.000\nCHAPTER02NAME=B", 2, "is not the time or the name", "CHAPTER01NAME=Intro"),
  ])
  func mistake_isReportedWithItsLine(name: String, text: String, line: Int, message: String, advice: String) throws {
    let error = try #require(throws: CompositorError.self) { try Self.chapters(text, name: name) }
    #expect(error.code == .invalidProject && error.message.contains(message), "\(error)")
    #expect(error.location.document?.line == line && error.location.document?.file.hasSuffix(name) == true, "\(error)")
    #expect(error.recoverySuggestion?.contains(advice) == true, "\(error)")
  }

  @Test func notUTF8_isReportedWithItsLine() throws {
    let folder = try Folder()
    let path = try folder.file("latin.txt", Array("0:00 A\n0:02 Caf".utf8) + [0xe9])
    let error = try #require(throws: CompositorError.self) { try ChapterFile(contentsOf: path) }
    #expect(error.location.document?.line == 2 && error.recoverySuggestion == "Save the list of chapters as UTF-8.", "\(error)")
  }

  /// A chapter that is not the last one may be the mistake; a line of spaces takes no longer to refuse than another.
  @Test func chapterWithoutATitle_andALineOfAMegabyte_areRefusedAtTheirLine() throws {
    for (text, line) in [
      ("CHAPTER01=00:00:00.000\nCHAPTER02=00:01:00.000\nCHAPTER02NAME=B", 1),
      ("CHAPTER01=00:00:00.000\nCHAPTER01NAME=A\nCHAPTER02=00:01:00.000", 3),
      ("0:00 Intro\na" + String(repeating: " ", count: 1_000_000) + "b", 2),
    ] {
      let error = try #require(throws: CompositorError.self) { try Self.chapters(text) }
      #expect(error.code == .invalidProject && error.location.document?.line == line, "\(error.message)")
    }
  }

  private static func project(_ file: String, _ folder: Folder) throws -> ProjectFile {
    try ProjectFile(
      "{ version: 1, output: { chapters: '\(file)' }, assets: { a: { generate: 'bars' } }, tracks: [{ clips: [{ asset: 'a', duration: '5s' }] }] }",
      name: "p.json5", directory: folder.url.path + "/")
  }

  @Test func project_withAFile_hasItsChapters() throws {
    let folder = try Folder()
    _ = try folder.file("chapters.txt", "0:00 Hello\n50f Numbers".utf8)
    let metadata = try Self.project("chapters.txt", folder).output.metadata
    #expect(
      try metadata.chapters(frameRate: 25) == [
        Chapter(start: .zero, title: "Hello"), Chapter(start: MediaTime(value: 50, timescale: 25), title: "Numbers"),
      ])
  }

  @Test func project_withoutTheFile_isAMistakeAtTheKey() throws {
    let folder = try Folder()
    _ = try folder.file("chapters.txt", "0:00 Hello".utf8)
    let error = try #require(throws: CompositorError.self) { try Self.project("chapter.txt", folder) }
    #expect(
      error.location.path == "output.chapters" && error.message == "There is no list of chapters \"chapter.txt\".", "\(error)")
    #expect(error.recoverySuggestion == "Did you mean \"chapters.txt\"?", "\(error)")
  }
}
