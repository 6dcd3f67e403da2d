import CompositorTestSupport
import Foundation
import Testing

/// Styles within styles in caption tracks: each letter keeps its own, in every container, as FFmpeg reads it.
@Suite(.enabled(if: hasFFmpeg)) struct NestedCaptionStyleTests {
  /// A run of text with its style, as `b`, `i`, `u` and a color.
  private struct Run: Equatable {
    var text: String
    var style: String
  }

  /// The runs of ASS text, as FFmpeg writes it.
  private static func runs(_ text: String) -> [Run] {
    var (runs, flags, color): ([Run], Set<String>, String) = ([], [], "")
    var rest = text[...]
    while !rest.isEmpty {
      if rest.hasPrefix("{"), let end = rest.firstIndex(of: "}") {
        for tag in rest[rest.index(after: rest.startIndex)..<end].split(separator: "\\") {
          if tag == "r" { (flags, color) = ([], "") }
          if let match = tag.wholeMatch(of: /([biu])([01])/) {
            if match.2 == "1" { flags.insert(String(match.1)) } else { flags.remove(String(match.1)) }
          }
          if let match = tag.wholeMatch(of: /1?c(?:&H([0-9A-F]+)&)?/) { color = match.1.map { String($0) } ?? "" }
        }
        rest = rest[rest.index(after: end)...]
        continue
      }
      let style = flags.sorted().joined() + (color.isEmpty || color == "FFFFFF" ? "" : " \(color)")
      let letter = String(rest.removeFirst())
      if runs.last?.style != style { runs.append(Run(text: "", style: style)) }
      runs[runs.count - 1].text += letter
    }
    return runs
  }

  @Test(arguments: ["mkv", "mp4", "mov", "webm"]) func everyLetter_keepsItsStyle(_ suffix: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "in.srt",
      """
      1
      00:00:00,500 --> 00:00:01,000
      <font color="yellow"><b>Hello <i>there</i>, comma</b></font>

      2
      00:00:01,000 --> 00:00:01,500
      <font color="yellow">one <font color="red">two</font> three</font> four

      3
      00:00:01,500 --> 00:00:02,000
      <i>one <b>two <u>three</u></b> four</i> five

      """)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x64", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x64", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "2s" }] }], captions: [{ file: "in.srt", as: "track" }] }
      """)
    let output = scratch.folder.appending(path: "o.\(suffix)")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let read = try ToolRun.program("ffmpeg", "-v", "error", "-i", output.path, "-map", "0:s:0", "-f", "ass", "-")
    let cues = read.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Dialogue:") }
      .compactMap { $0.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false).last.map(String.init) }
    let hasColors = suffix != "webm"
    func styled(_ parts: (String, String)...) -> [Run] {
      parts.reduce(into: []) { (runs: inout [Run], part: (String, String)) in
        let style = hasColors ? part.1 : part.1.filter { "biu".contains($0) }
        if runs.last?.style == style {
          runs[runs.count - 1].text += part.0
        } else {
          runs.append(Run(text: part.0, style: style))
        }
      }
    }
    #expect(
      cues.map(Self.runs) == [
        styled(("Hello ", "b FFFF"), ("there", "bi FFFF"), (", comma", "b FFFF")),
        styled(("one ", " FFFF"), ("two", " FF"), (" three", " FFFF"), (" four", "")),
        styled(("one ", "i"), ("two ", "bi"), ("three", "biu"), (" four", "i"), (" five", "")),
      ], "\(read.output)")
  }
}
