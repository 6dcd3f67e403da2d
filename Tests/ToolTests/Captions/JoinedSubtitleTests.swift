import CompositorTestSupport
import Foundation
import Testing

/// Files of different subtitle tracks, joined: every track is kept, each language in one.
@Suite(.enabled(if: hasFFmpeg)) struct JoinedSubtitleTests {
  /// The languages of the files' tracks; empty for a track without one.
  private static let files: [String: [String]] = [
    "none": [], "one": ["eng"], "two": ["eng", "ger"], "other": ["ger"], "free": [""],
  ]

  /// A second of video with tracks whose one cue says the file and the language.
  private static func make(_ name: String, in scratch: Scratch) throws {
    let languages = files[name] ?? []
    var inputs = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1"]
    var maps = ["-map", "0:v"]
    for (index, language) in languages.enumerated() {
      let cue = "1\n00:00:00,200 --> 00:00:00,800\n\(name) \(language)\n"
      inputs += ["-i", try scratch.file("\(name)\(index).srt", cue).path]
      maps += ["-map", "\(index + 1)"]
      if !language.isEmpty { maps += ["-metadata:s:s:\(index)", "language=\(language)"] }
    }
    let output = scratch.folder.appending(path: name + ".mkv").path
    let arguments = ["ffmpeg", "-v", "error", "-y"] + inputs + maps + ["-c:v", "libx264", "-c:s", "srt", output]
    let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), arguments)
    try #require(made.status == 0, "\(made.errors)")
  }

  /// What each track of a file says, by FFmpeg.
  private static func texts(_ file: String, count: Int) throws -> [[String]] {
    try (0..<count).map { index in
      let read = try ToolRun.program("ffmpeg", "-v", "error", "-i", file, "-map", "0:s:\(index)", "-f", "srt", "-")
      return read.output.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.first?.isLetter == true }
    }
  }

  @Test(arguments: [
    (["one", "two"], [["one eng", "two eng"], ["two ger"]]), (["two", "one"], [["two eng", "one eng"], ["two ger"]]),
    (["none", "two"], [["two eng"], ["two ger"]]), (["one", "other"], [["one eng"], ["other ger"]]),
    (["other", "two"], [["other ger", "two ger"], ["two eng"]]), (["one", "none", "other"], [["one eng"], ["other ger"]]),
    (["free", "one"], [["free", "one eng"]]), (["two", "two"], [["two eng", "two eng"], ["two ger", "two ger"]]),
  ])
  func join_keepsEveryTrack(_ names: [String], _ expected: [[String]]) throws {
    let scratch = try Scratch()
    for name in Set(names) { try Self.make(name, in: scratch) }
    let result = try ToolRun.compositor(
      ["join"] + names.map { $0 + ".mkv" } + ["--subtitle-tracks", "all", "-o", "o.mkv", "--progress", "none"],
      in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    let output = scratch.folder.appending(path: "o.mkv").path
    let counted = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "s", "-show_entries", "stream=index", "-of", "csv=p=0", output)
    let count = counted.output.split(whereSeparator: \.isNewline).count
    #expect(try Self.texts(output, count: count) == expected)
  }

  /// Styles of scripts are those of one file: joined captions lose them, which is said once a file.
  @Test(arguments: [("ass", true), ("srt", false)]) func join_ofStyledCaptions_saysWhatIsNotKept(
    _ codec: String, _ isSaid: Bool
  ) throws {
    let scratch = try Scratch()
    let cue = try scratch.file("c.srt", "1\n00:00:00,200 --> 00:00:00,800\nHello\n").path
    try scratch.make(
      "a.mkv",
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1", "-i", cue, "-map", "0", "-map", "1", "-c:v", "libx264", "-c:s", codec])
    let result = try ToolRun.compositor(
      ["join", "a.mkv", "a.mkv", "--subtitle-tracks", "all", "-o", "o.mkv", "--progress", "none"], in: scratch.folder)
    let note = "a.mkv: the styles of subtitle track 0 are not kept"
    #expect(result.status == 0 && result.errors.components(separatedBy: note).count == (isSaid ? 2 : 1), "\(result.errors)")
    let alone = try scratch.render(["a.mkv", "--subtitle-tracks", "all", "-o", "p.mkv"])
    #expect(alone.status == 0 && !alone.errors.contains(note), "\(alone.errors)")
  }
}
