import Foundation
import Testing

/// What a render leaves of its only source: metadata, chapters, timecode, speeds of edit lists, alpha of images, colors of captions.
@Suite struct UnkeptTests {
  private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"]
  private static let x264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]

  /// {metadata, chapters, timecode} × {kept, not asked for, chosen, a part of the file}.
  @Test func metadata_notKept_isSaid() throws {
    let scratch = try Scratch()
    let chapters = try scratch.file(
      "chapters.txt", ";FFMETADATA1\ntitle=Summer\nartist=Ann\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n")
    try scratch.make(
      "a.mov", Self.picture + ["-i", chapters.path, "-map_metadata", "1", "-timecode", "01:00:00:00"] + Self.x264)
    try scratch.make("plain.mp4", Self.picture + Self.x264)
    let said = try scratch.render(["a.mov", "-o", "o.mp4"])
    #expect(
      said.status == 0 && said.errors.contains("a.mov: not kept: artist, title, 1 chapter, the timecode: --keep-metadata"),
      "\(said.errors)")
    let kept = try scratch.render(["a.mov", "-o", "o.mp4", "--keep-metadata"])
    #expect(kept.errors.contains("a.mov: not kept: the timecode") && !kept.errors.contains("chapter"), "\(kept.errors)")
    for arguments in [
      ["plain.mp4", "-o", "o.mp4"], ["a.mov", "-o", "o.mp4", "--range", "0s..0.5s"], ["a.mov", "-o", "o.gif"],
    ] {
      let quiet = try scratch.render(arguments)
      #expect(quiet.status == 0 && !quiet.errors.contains("not kept"), "\(arguments): \(quiet.errors)")
    }
  }

  /// Edit lists with a section at another speed. The rate is rewritten in place.
  @Test(arguments: [0, 0x0002_0000]) func editList_notPlayed_isSaid(_ change: Int) throws {
    let scratch = try Scratch()
    try scratch.make("a.mp4", Self.picture + Self.x264 + ["-bf", "0", "-use_editlist", "1"])
    var bytes = [UInt8](try Data(contentsOf: scratch.file("a.mp4")))
    // Version 0: size, type, flags, count, then duration, start and rate.
    let list = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("elst".utf8)) })
    let count = Int(bytes[list + 11])
    let last = list + 12 + 12 * (count - 1)
    for byte in 0..<4 { bytes[last + 8 + byte] = UInt8(truncatingIfNeeded: change >> (24 - 8 * byte)) }
    try Data(bytes).write(to: scratch.file("b.mp4"))
    let result = try scratch.render(["b.mp4", "-o", "o.mp4"])
    let speed = change == 0 ? "0.0" : "2.0"
    #expect(
      result.status == 0
        && result.errors.contains("drops elst (the edit list of video 0: speeds of \(speed), played at 1)"), "\(result.errors)")
    let untouched = try scratch.render(["a.mp4", "-o", "o.mp4"])
    #expect(untouched.status == 0 && !untouched.errors.contains("elst"), "\(untouched.errors)")
  }

  /// {frame, numbered images, animated WebP} of a movie with alpha keep it; JPEG says that it cannot. A project is drawn as it is written.
  @Test func images_ofAMovieWithAlpha_keepIt() throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mov",
      [
        "-f", "lavfi", "-i", "color=red:s=64x48:r=5:d=0.4,format=rgba,colorchannelmixer=aa=0.5", "-c:v", "prores_ks",
        "-profile:v",
        "4444", "-pix_fmt", "yuva444p10le",
      ])
    func alpha(_ name: String) throws -> UInt8 {
      let raw = try scratch.file("alpha.gray")
      let made = try ToolRun.program(
        "ffmpeg", "-v", "error", "-y", "-i", scratch.file(name).path, "-vf", "format=rgba,alphaextract", "-frames:v", "1", "-f",
        "rawvideo", raw.path)
      try #require(made.status == 0, "\(made.errors)")
      return try #require(try Data(contentsOf: raw).first)
    }
    let frame = try ToolRun.compositor(["frame", "a.mov", "-o", "f.png", "--at", "0s"], in: scratch.folder)
    #expect(frame.status == 0 && !frame.errors.contains("alpha"), "\(frame.errors)")
    #expect(abs(Int(try alpha("f.png")) - 128) <= 1)
    let images = try scratch.render(["a.mov", "-o", "i%02d.png"])
    #expect(images.status == 0 && !images.errors.contains("alpha"), "\(images.errors)")
    #expect(abs(Int(try alpha("i01.png")) - 128) <= 1)
    let jpeg = try ToolRun.compositor(["frame", "a.mov", "-o", "f.jpg", "--at", "0s"], in: scratch.folder)
    #expect(jpeg.status == 0 && jpeg.errors.contains("its alpha is not kept"), "\(jpeg.errors)")
    _ = try scratch.file("p.json5", "{ version: 1, assets: { a: 'a.mov' }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    let project = try ToolRun.compositor(["frame", "p.json5", "-o", "p.png", "--at", "0s"], in: scratch.folder)
    #expect(project.status == 0 && project.errors.contains("its alpha is not kept"), "\(project.errors)")
    #expect(try alpha("p.png") == 255)
  }

  @Test func audioOfNumberedImages_isSaidToBeLeftOut() throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mp4", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4"] + Self.x264)
    let said = try scratch.render(["a.mp4", "-o", "i%02d.png"])
    #expect(said.status == 0 && said.errors.contains("images hold no audio"), "\(said.errors)")
    let asked = try scratch.render(["a.mp4", "-o", "i%02d.png", "--no-audio"])
    #expect(asked.status == 0 && !asked.errors.contains("audio"), "\(asked.errors)")
  }

  /// Deinterlacing to twice the rate shows all frames at twice the rate only.
  @Test func fields_thatARateHides_areCounted() throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mpg",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=1", "-vf", "tinterlace=4", "-c:v", "mpeg2video", "-flags", "+ilme+ildct"])
    let said = try scratch.render(["a.mpg", "-o", "o.mp4", "--deinterlace", "double"])
    #expect(
      said.status == 0 && said.errors.contains("has 50 frames a second, the output 25: 25 of its frames"), "\(said.errors)")
    let shown = try scratch.render(["a.mpg", "-o", "o.mp4", "--deinterlace", "double", "--fps", "50"])
    #expect(shown.status == 0 && !shown.errors.contains("frames a second"), "\(shown.errors)")
  }

  /// {styles of ASS and SSA} → text formats: the color of a style is that of its text.
  @Test(arguments: ["&H0000FFFF", "65535"]) func colorOfAStyle_isKept(_ color: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "s.ass",
      """
      [Script Info]
      ScriptType: v4.00+

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment
      Style: Default,Sans,16,&H00FFFFFF,0,2
      Style: Warm,Sans,16,\(color),0,2

      [Events]
      Format: Layer, Start, End, Style, Text
      Dialogue: 0,0:00:00.00,0:00:01.00,Warm,yellow{\\c&HFFFFFF&} white
      Dialogue: 0,0:00:01.00,0:00:02.00,Default,plain
      """)
    let result = try ToolRun.compositor(["captions", "s.ass", "-o", "s.srt"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let text = try String(contentsOf: scratch.file("s.srt"), encoding: .utf8)
    #expect(text.lowercased().contains("<font color=\"#ffff00\">yellow</font>") && text.contains("\nplain"), "\(text)")
  }

  /// Two lines of times that cannot be read, one of them with another arrow, are two captions.
  @Test func times_withAnotherArrow_areCounted() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "s.vtt",
      "WEBVTT\n\n00:01.000 -> 00:02.000\nbad arrow\n\n00:00.500 --> 00:01.000\nok\n\n00:03.000 --> 00:02.x00\nbad\n")
    let result = try ToolRun.compositor(["captions", "s.vtt", "-o", "s.srt"], in: scratch.folder)
    #expect(result.status == 0 && result.errors.contains("2 captions have times that cannot be read"), "\(result.errors)")
  }
}
