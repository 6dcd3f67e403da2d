import Foundation
import Testing

/// Positions and colors of captions in other formats.
@Suite struct CaptionPlaceTests {
  /// {line as a percentage, as a number, with an anchor; position; align} → the side in SRT and in a track, position in ASS and WebVTT.
  @Test(arguments: [
    ("line:85%", "", "{\\an8\\pos(192,244.8)}"), ("line:84.66%", "", "{\\an8\\pos(192,243.8)}"),
    ("line:10%", "{\\an8}", "{\\an8\\pos(192,28.8)}"), ("line:50%", "{\\an5}", "{\\an8\\pos(192,144)}"),
    ("line:90%,end", "", "{\\an2\\pos(192,259.2)}"), ("line:0", "{\\an8}", nil),
    ("line:85% position:10% align:start", "{\\an1}", "{\\an7\\pos(38.4,244.8)}"),
    ("line:85% position:90% align:end", "{\\an3}", "{\\an9\\pos(345.6,244.8)}"), ("", "", ""),
  ])
  func position_isKept_asFarAsTheFormatHasOne(_ settings: String, _ side: String, _ script: String?) throws {
    let scratch = try Scratch()
    _ = try scratch.file("a.vtt", "WEBVTT\n\n00:00:00.000 --> 00:00:01.000 \(settings)\nlow\n")
    func converted(_ name: String, from source: String = "a.vtt") throws -> String {
      let result = try ToolRun.compositor(["captions", source, "-o", name, "--overwrite"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      return try String(contentsOf: scratch.folder.appending(path: name), encoding: .utf8)
    }
    let subRip = try converted("a.srt")
    #expect(subRip.hasSuffix("\n\(side)low\n"), "\(subRip)")
    let ass = try converted("a.ass")
    if let script { #expect(ass.hasSuffix(",\(script)low\n"), "\(ass)") }
    // What ASS holds comes back.
    if script?.contains("pos") == true, !settings.contains("84.66") {
      let words = Set(settings.split(separator: " ").map(String.init))
      let back = try converted("b.vtt", from: "a.ass")
      #expect(words.allSatisfy { back.contains($0) }, "\(back)")
    }
  }

  /// Colors in the text track of MP4, read back by this tool and in its bytes.
  @Test func colors_areKeptInTracks() throws {
    let scratch = try Scratch()
    try scratch.make("a.mp4", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264"])
    _ = try scratch.file(
      "c.srt",
      "1\n00:00:00,000 --> 00:00:01,000\nplain <font color=\"#ff0000\">red</font> end\n\n2\n00:00:01,000 --> 00:00:02,000\n"
        + "<b><font color=\"#0000ff\">blue</font></b>\n")
    for name in ["o.mp4", "o.mov", "o.mkv"] {
      let made = try scratch.render(["a.mp4", "--captions", "c.srt", "--caption-as", "track", "-o", name])
      #expect(made.status == 0, "\(made.errors)")
      let read = try ToolRun.compositor(["captions", name, "-o", "back.srt", "--overwrite"], in: scratch.folder)
      let back = try String(contentsOf: scratch.folder.appending(path: "back.srt"), encoding: .utf8)
      #expect(read.status == 0 && back.contains("plain <font color=\"#ff0000\">red</font> end"), "\(name): \(back)")
      #expect(back.contains("#0000ff") && back.contains("<b>"), "\(name): \(back)")
    }
  }
}
