import Foundation
import Testing

/// Less usual extensions of known formats, and what is said of files that are none.
@Suite struct OtherExtensionTests {
  @Test(arguments: [
    ("m4b", "-f ipod -c:a aac"), ("m4r", "-f ipod -c:a aac"), ("mka", "-f matroska -c:a aac"), ("oga", "-f ogg -c:a flac"),
    ("3gp", "-f 3gp -c:a aac"), ("3g2", "-f 3g2 -c:a aac"), ("mts", "-f mpegts -c:a ac3"),
    ("m2ts", "-f mpegts -mpegts_m2ts_mode 1 -c:a ac3"), ("vob", "-f vob -c:a ac3"), ("wmv", "-f asf -c:a wmav2"),
  ])
  func input_ofEveryName_isReadWhole(_ suffix: String, _ options: String) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.\(suffix)").path
    let made = try ToolRun.program(
      "sh", "-c", "ffmpeg -v error -f lavfi -i sine=440:d=2:r=48000 \(options) '\(path)'")
    try #require(made.status == 0, "\(made.errors)")
    let rendered = try ToolRun.compositor(["render", "a.\(suffix)", "-o", "x.wav", "--progress", "none"], in: scratch.folder)
    #expect(rendered.status == 0, "\(suffix): \(rendered.errors)")
    let length = try ToolRun.program(
      "ffprobe", "-v", "error", "-show_entries", "stream=duration", "-of", "csv=p=0", try scratch.file("x.wav").path)
    let seconds = Double(length.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    #expect(seconds >= 1.99 && seconds < 2.1, "\(suffix): \(seconds)")
  }

  /// Audiobooks, ringtones and Ogg files are written under their usual names, too.
  @Test(arguments: [("m4b", "aac"), ("m4r", "aac"), ("oga", "opus")]) func output_ofEveryName(_ suffix: String, _ codec: String)
    throws
  {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mp4", seconds: 1)
    let rendered = try ToolRun.compositor(["render", "a.mp4", "-o", "x.\(suffix)", "--progress", "none"], in: scratch.folder)
    #expect(rendered.status == 0, "\(rendered.errors)")
    let streams = try ToolRun.streams(scratch.file("x.\(suffix)"))
    #expect(streams.count == 1 && streams[0]["codec_name"] == codec, "\(streams)")
  }

  /// Only a file that is cut is said to be copied in part.
  @Test func unreadableFiles_areAdvisedByTheirKind() throws {
    let scratch = try Scratch()
    let whole = try scratch.clip("whole.mp4", seconds: 1)
    let bytes = try Data(contentsOf: whole)
    // Its index comes last.
    try bytes.prefix(bytes.count / 2).write(to: scratch.file("cut.mp4"))
    try Data("%PDF-1.7 is no media at all, and of no container".utf8).write(to: scratch.file("text.mp4"))
    let cut = try ToolRun.compositor(["probe", "cut.mp4"], in: scratch.folder)
    #expect(
      cut.status == 66 && cut.errors.contains("index (moov) is missing") && cut.errors.contains("copied whole"), "\(cut.errors)"
    )
    let text = try ToolRun.compositor(["probe", "text.mp4"], in: scratch.folder)
    #expect(text.status == 66 && !text.errors.contains("copied whole"), "\(text.errors)")
  }
}
