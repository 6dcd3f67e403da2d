import Foundation
import Testing

/// What a stream or its container says that differs from what it said before, or elsewhere: channels, pixel aspects, ranges, pages, chapters.
@Suite struct ChangingStreamTests {
  private static func field(_ name: String, of file: String, in scratch: Scratch) throws -> String {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=\(name)", "-of", "csv=p=0",
      scratch.file(file).path)
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// {AAC, AC-3, MP3} × {more, fewer} channels in the middle of a stream: said by `probe`, `validate` and `render`.
  @Test(arguments: [
    ("aac", "adts", [1, 2]), ("aac", "adts", [2, 1]), ("ac3", "ac3", [2, 6]), ("libmp3lame", "mp3", [2, 1]),
  ])
  func channels_thatChange_areSaid(_ codec: String, _ format: String, _ channels: [Int]) throws {
    let scratch = try Scratch()
    var whole = Data()
    for count in channels {
      let layout = [1: "mono", 2: "stereo", 6: "5.1"][count] ?? ""
      try scratch.make(
        "part",
        ["-f", "lavfi", "-i", "sine=440:d=1:r=48000", "-af", "aformat=channel_layouts=\(layout)", "-c:a", codec]
          + (format == "mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : []) + ["-f", format])
      whole += try Data(contentsOf: scratch.file("part"))
    }
    let name = "a." + (format == "adts" ? "aac" : format)
    try whole.write(to: scratch.file(name))
    let said = "The number of channels of audio track 0 changes"
    for command in [["probe", name], ["validate", name], ["render", name, "-o", "o.wav", "--progress", "none"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect((result.output + result.errors).contains(said), "\(command): \(result.output)\(result.errors)")
    }
    try Data(contentsOf: scratch.file("part")).write(to: scratch.file("same." + (format == "adts" ? "aac" : format)))
    let same = try ToolRun.compositor(["probe", "same." + (format == "adts" ? "aac" : format)], in: scratch.folder)
    #expect(same.status == 0 && !same.output.contains(said), "\(same.output)")
  }

  /// {codecs whose bitstream states no pixel aspect, and one that does} × {containers}: a copy has the source's.
  @Test(arguments: ["prores_ks", "mjpeg", "libx264"], ["mov", "mkv"])
  func copies_keepThePixelAspect(_ codec: String, _ container: String) throws {
    let scratch = try Scratch()
    try scratch.make("a.mov", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4,setsar=8/9", "-c:v", codec])
    let result = try scratch.render(["a.mov", "-o", "o.\(container)", "--passthrough", "auto"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Self.field("sample_aspect_ratio", of: "o.\(container)", in: scratch).hasPrefix("8:9"))
  }

  /// A container's pixel aspect that differs from the bitstream's takes precedence, in copies, too.
  @Test func copies_keepTheContainersPixelAspect() throws {
    let scratch = try Scratch()
    try scratch.make("a.mp4", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4,setsar=1", "-c:v", "libx264"])
    try scratch.make("b.mkv", ["-i", scratch.file("a.mp4").path, "-c", "copy", "-aspect", "16:9"])
    for name in ["o.mkv", "o.mp4"] {
      let result = try scratch.render(["b.mkv", "-o", name, "--passthrough", "auto"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(try Self.field("sample_aspect_ratio", of: name, in: scratch).hasPrefix("4:3"))
    }
  }

  /// Full range is kept by the archive, bit by bit; other lossless outputs say that they don't.
  @Test(arguments: ["yuvj420p", "gray"]) func archive_keepsFullRange(_ format: String) throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mkv",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-vf", "scale=out_range=full,format=\(format)", "-c:v", "ffv1"]
        + ["-color_range", "pc"])
    let archived = try scratch.render(["a.mkv", "-o", "o.mkv", "--preset", "archive"])
    #expect(archived.status == 0 && !archived.errors.contains("range becomes"), "\(archived.errors)")
    #expect(try Self.field("color_range", of: "o.mkv", in: scratch) == "pc")
    var luma: [Data] = []
    for name in ["a.mkv", "o.mkv"] {
      try scratch.make("raw", ["-i", scratch.file(name).path, "-vf", "extractplanes=y", "-f", "rawvideo"])
      luma.append(try Data(contentsOf: scratch.file("raw")))
    }
    #expect(luma[0] == luma[1], "\(format)")
    // Others have limited range: by default, and where no container states another one.
    for arguments in [
      ["-o", "p.mkv", "--codec", "ffv1"], ["-o", "p.mov", "--preset", "ffv1"], ["-o", "p.nut", "--preset", "ffv1"],
    ] {
      let plain = try scratch.render(["a.mkv"] + arguments)
      #expect(plain.status == 0 && plain.errors.contains("full range becomes limited range"), "\(arguments): \(plain.errors)")
    }
  }

  /// A TIFF of 2x2 gray pixels with some directories.
  private static func tiff(pages: Int, compression: Int, photometry: Int = 1, more: [(Int, Int)] = []) -> Data {
    func number(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(value >> (8 * $0) & 255) } }
    var bytes: [UInt8] = [0x49, 0x49, 42, 0] + number(8, 4)
    for page in 0..<pages {
      let fields =
        [
          (256, 2), (257, 2), (258, 8), (259, compression), (262, photometry), (273, 0), (277, 1), (278, 2), (279, 4),
        ] + more
      let pixels = bytes.count + 2 + 12 * fields.count + 4
      bytes += number(fields.count, 2)
      for (tag, value) in fields {
        let count = tag == 34_675 ? 4 : 1
        bytes += number(tag, 2) + number(4, 2) + number(count, 4) + number(tag == 273 ? pixels : value, 4)
      }
      bytes += number(page + 1 < pages ? pixels + 4 : 0, 4) + [0, 80, 160, 255]
    }
    return Data(bytes)
  }

  /// {one page, several, JPEG data, tiles, inks with and without a profile}.
  @Test func tiffs_areReadOrRefusedInTheirWords() throws {
    let scratch = try Scratch()
    for (name, data) in [
      ("one.tiff", Self.tiff(pages: 1, compression: 1)), ("three.tiff", Self.tiff(pages: 3, compression: 1)),
      ("jpeg.tiff", Self.tiff(pages: 1, compression: 7)), ("inks.tiff", Self.tiff(pages: 1, compression: 1, photometry: 5)),
      ("tiles.tiff", Self.tiff(pages: 1, compression: 1, more: [(322, 16), (323, 16), (324, 8), (325, 4)])),
      ("profile.tiff", Self.tiff(pages: 1, compression: 1, photometry: 5, more: [(34_675, 8)])),
    ] { try data.write(to: scratch.file(name)) }
    func frame(_ name: String) throws -> ToolRun.Result {
      try ToolRun.compositor(["frame", name, "-o", "o.png", "--at", "0s", "--overwrite"], in: scratch.folder)
    }
    let one = try frame("one.tiff")
    #expect(one.status == 0 && !one.errors.contains("images"), "\(one.errors)")
    let three = try ToolRun.compositor(["probe", "three.tiff"], in: scratch.folder)
    #expect(three.status == 0 && three.output.contains("The TIFF has 3 images; the first one is shown."), "\(three.output)")
    let jpeg = try frame("jpeg.tiff")
    #expect(jpeg.status == 69 && jpeg.errors.contains("JPEG data"), "\(jpeg.errors)")
    let tiles = try frame("tiles.tiff")
    #expect(
      tiles.status == 69 && tiles.errors.contains("stored in tiles") && tiles.errors.contains("magick"), "\(tiles.errors)")
    let inks = try frame("inks.tiff")
    #expect(inks.status != 0 && inks.errors.contains("has no ICC profile"), "\(inks.errors)")
    let profile = try frame("profile.tiff")
    #expect(profile.status != 0 && profile.errors.contains("inks look like"), "\(profile.errors)")
  }

  /// Chapters that play a Matroska file in another order. The flag is written over that of the default edition.
  @Test func orderedChapters_areSaid() throws {
    let scratch = try Scratch()
    let chapters = try scratch.file(
      "c.txt", ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n")
    try scratch.make(
      "a.mkv",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-i", chapters.path, "-map_metadata", "1", "-c:v", "libx264"])
    var bytes = [UInt8](try Data(contentsOf: scratch.file("a.mkv")))
    let plain = try ToolRun.compositor(["probe", "a.mkv"], in: scratch.folder)
    #expect(plain.status == 0 && !plain.output.contains("EditionFlagOrdered"), "\(plain.output)")
    let flag = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0x45, 0xdb, 0x81, 0x01]) }, "the muxer writes no flag of the edition")
    bytes[flag + 1] = 0xdd
    try Data(bytes).write(to: scratch.file("b.mkv"))
    let result = try scratch.render(["b.mkv", "-o", "o.mp4"])
    #expect(result.status == 0 && result.errors.contains("EditionFlagOrdered (ordered chapters"), "\(result.errors)")
  }

  /// Two channels behind the listener are left and right, at full level.
  @Test func pairOfBackChannels_isStereo() throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.wav",
      ["-f", "lavfi", "-i", "sine=440:d=0.5:r=48000", "-af", "pan=BL+BR|BL=c0|BR=0.5*c0", "-c:a", "pcm_s16le"])
    let result = try scratch.render(["a.wav", "-o", "o.wav"])
    #expect(result.status == 0, "\(result.errors)")
    var samples: [Data] = []
    for name in ["a.wav", "o.wav"] {
      try scratch.make("raw", ["-i", scratch.file(name).path, "-f", "s16le"])
      samples.append(try Data(contentsOf: scratch.file("raw")))
    }
    #expect(samples[0] == samples[1])
  }

  /// Mistakes that only a render found, or that were mended into their opposite.
  @Test func mistakes_areFoundByValidate() throws {
    let scratch = try Scratch()
    _ = try scratch.file("c.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n")
    let rest =
      "assets: { a: { generate: 'bars', size: '64x48', frameRate: 25 } }, tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }]"
    _ = try scratch.file(
      "two.json5",
      "{ version: 1, \(rest), captions: [{ file: 'c.srt', as: 'track', default: true }, { file: 'c.srt', as: 'track', default: true }] }"
    )
    let two = try ToolRun.compositor(["validate", "two.json5"], in: scratch.folder)
    #expect(two.status == 65 && two.output.contains("More than one track of captions is the default"), "\(two.output)")
    _ = try scratch.file("hdr.json5", "{ version: 1, output: { color: 'hdr' }, \(rest) }")
    let hdr = try ToolRun.compositor(["validate", "hdr.json5"], in: scratch.folder)
    #expect(hdr.status == 65 && !hdr.output.contains("sdr\"?") && hdr.output.contains("pq"), "\(hdr.output)")
  }

  /// A second recording that `cat` appended to a file of Matroska: its frames have the times of the first one's.
  @Test(arguments: ["webm", "mkv"]) func appendedRecording_isSaid(_ container: String) throws {
    let scratch = try Scratch()
    try scratch.make("a.\(container)", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libvpx", "-b:v", "200k"])
    let part = try Data(contentsOf: scratch.file("a.\(container)"))
    try (part + part).write(to: scratch.file("b.\(container)"))
    let once = try ToolRun.compositor(["validate", "a.\(container)", "--strict"], in: scratch.folder)
    #expect(once.status == 0, "\(once.output)")
    for command in [["validate", "b.\(container)"], ["render", "b.\(container)", "-o", "o.mp4", "--progress", "none"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(
        (result.output + result.errors).contains("50 frames of a second recording that was appended"),
        "\(result.output)\(result.errors)")
    }
  }

  /// The language of the audio of the only source is that of the output; entries that are not kept are named.
  @Test func languageAndEntries_areKeptOrSaid() throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4", "-c:v", "libx264"]
        + ["-metadata:s:a", "language=fra"])
    for name in ["o.mkv", "o.mp4", "o.m4a"] {
      #expect(try scratch.render(["a.mp4", "-o", name]).status == 0)
      let language = try ToolRun.program(
        "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream_tags=language", "-of", "csv=p=0",
        scratch.file(name).path)
      #expect(language.output.hasPrefix("fr"), "\(name): \(language.output)")
    }
    try scratch.make(
      "a.flac",
      ["-f", "lavfi", "-i", "sine=d=0.4", "-metadata", "title=T", "-metadata", "track=3", "-metadata", "MOOD=blue"])
    let kept = try scratch.render(["a.flac", "-o", "o.flac", "--keep-metadata"])
    #expect(kept.status == 0 && kept.errors.contains("entries of the source that are not kept: mood"), "\(kept.errors)")
    let tags = try ToolRun.program(
      "ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", scratch.file("o.flac").path)
    #expect(tags.output.lowercased().contains("track=3"), "\(tags.output)")
  }
}
