import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// What files say of themselves, read back by ffprobe and by our own probe.
@Suite(.enabled(if: hasFFmpeg)) struct WriteMetadataTests {
  private static let rate = MediaTime(value: 1, timescale: 25)

  private func description(_ container: MovieContainer, codec: VideoEncodingSettings.Codec? = nil) -> MovieDescription {
    let audio = AudioTrackDescription(encoding: AudioEncodingSettings(channelCount: 1))
    guard let codec = codec ?? container.videoCodecs.first else {
      return MovieDescription(container: container, audioTracks: [audio])
    }
    let encoding = VideoEncodingSettings(codec: codec, speed: .ultrafast, threadCount: 1)
    let format = encoding.acceptedFormats.first { $0 == .yuv420p || $0 == .yuv422p10 } ?? .yuv420p
    return MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: PixelSize(width: 64, height: 48), format: format, timing: .constant(frameDuration: Self.rate), encoding: encoding),
      audioTracks: [audio])
  }

  private func write(_ description: MovieDescription, to path: String, seconds: Int = 1) throws {
    if description.video != nil {
      _ = try writeMovie(description, to: path, frameCount: 25 * seconds, frameDuration: Self.rate)
      return
    }
    let writer = try MovieWriter(description, path: path)
    let block = AudioBlock(channelCount: 1, capacity: 4800)
    for _ in 0..<10 * seconds { try writer.append(block, count: 4800) }
    _ = try writer.finish()
  }

  private func probed(_ path: String) throws -> [String: Any] {
    let data = try runProgram(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-show_chapters", "-of", "json", path])
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Entries of the file; Ogg's stand at its stream.
  private func tags(_ path: String) throws -> [String: String] {
    let all = try probed(path)
    let streams = all["streams"] as? [[String: Any]] ?? []
    var tags: [String: String] = [:]
    for place in [all["format"] as? [String: Any]] + streams.map(Optional.some) {
      for (key, value) in place?["tags"] as? [String: String] ?? [:] where tags[key.lowercased()] == nil {
        tags[key.lowercased()] = value
      }
    }
    return tags
  }

  private static let anyKeys = [
    "title", "artist", "album", "date", "comment", "genre", "copyright", "location", "composer", "album_artist", "make",
    "model",
    "mood_of_the_day",
  ]

  /// Images that move and Y4M have no place for entries.
  private static let containers = MovieContainer.allCases.filter { ![.gif, .webp, .y4m].contains($0) }

  @Test(arguments: containers) func entries_ofEveryKeyOfEveryContainer_areReadBack(_ container: MovieContainer) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.\(container.rawValue)")
    var written: [String: String] = [:]
    for key in container.metadataKeys.isEmpty ? Self.anyKeys : container.metadataKeys {
      written[key] = "Ünïcode – 日本語 🎬 \(key)"
    }
    written["comment"] = String(repeating: "Zeile mit ß.\n", count: container == .nut ? 50 : 1500) + "Ende"
    if written["location"] != nil { written["location"] = "+48.2082+016.3738/" }
    if written["date"] != nil { written["date"] = "2024-05-01" }
    if written["language"] != nil { written["language"] = "deu" }
    if written["track"] != nil { written["track"] = "3" }
    if written["disc"] != nil { written["disc"] = "1/2" }
    var description = description(container)
    description.metadata = written
    try write(description, to: path)
    let found = try tags(path)
    let ours = try MediaProbe.probe(.file(path: path)).metadata
    for (key, value) in written {
      #expect(found[key.lowercased()] == value, "\(container.rawValue) \(key)")
      if ![.opus, .ogg].contains(container) {
        #expect(ours.first { $0.key.lowercased() == key.lowercased() }?.value == value, "\(container.rawValue) \(key)")
      }
    }
  }

  @Test(arguments: MovieContainer.allCases) func chapters_inEveryContainer_areReadBackOrRefused(_ container: MovieContainer)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("x.\(container.rawValue)")
    var description = description(container)
    description.chapters = [
      Chapter(start: .zero, title: "Anfang – 始まり"), Chapter(start: MediaTime(value: 1001, timescale: 1000), title: "Zwei"),
      Chapter(start: MediaTime(value: 5, timescale: 2), title: String(repeating: "ü", count: container == .mp3 ? 40 : 127)),
    ]
    description.end = .seconds(3)
    guard container.holdsChapters else {
      let error = try #require(throws: CompositorError.self) { try description.validate() }
      #expect(error.code == .unsupportedOutput && error.avFoundationCode == -11861)
      return
    }
    try write(description, to: path, seconds: 3)
    let found = try #require(try probed(path)["chapters"] as? [[String: Any]])
    #expect(found.map { ($0["tags"] as? [String: String])?["title"] } == description.chapters.map(\.title))
    #expect(found.map { $0["start_time"] as? String } == ["0.000000", "1.001000", "2.500000"])
    #expect(found.last?["end_time"] as? String == "3.000000" || [.flac, .opus, .ogg].contains(container), "\(found)")
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.chapters.map(\.title) == description.chapters.map(\.title))
    #expect(zip(info.chapters, description.chapters).allSatisfy { abs($0.start.seconds - $1.start.seconds) < 0.0005 })
    // The chapters are no tracks that are played.
    #expect(info.videoTracks.count == (container.isAudioOnly ? 0 : 1) && info.audioTracks.count == 1)
    #expect(abs(info.duration.seconds - 3) < 0.1)
  }

  /// `make test` takes one format for each container.
  @Test(arguments: TableSelection.pairs(MovieContainer.allCases, ["jpg", "png"], each: 1))
  func cover_inEveryContainer_isReadBackByteByByteOrRefused(_ container: MovieContainer, _ suffix: String) throws {
    let folder = try TemporaryFolder()
    let (path, image) = (folder.file("x.\(container.rawValue)"), folder.file("cover.\(suffix)"))
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x200", "-frames:v", "1", image])
    let cover = try CoverPicture(contentsOf: image)
    #expect(cover.format == (suffix == "png" ? .png : .jpeg) && cover.size == PixelSize(width: 320, height: 200))
    var description = description(container)
    description.cover = cover
    guard container.holdsCover else {
      let error = try #require(throws: CompositorError.self) { try description.validate() }
      #expect(error.code == .unsupportedOutput)
      return
    }
    try write(description, to: path)
    let streams = try #require(try probed(path)["streams"] as? [[String: Any]])
    let picture = try #require(streams.first { ($0["disposition"] as? [String: Int])?["attached_pic"] == 1 })
    #expect(picture["width"] as? Int == 320 && picture["codec_name"] as? String == (suffix == "png" ? "png" : "mjpeg"))
    let copy = folder.file("copy.\(suffix)")
    let index = try #require(picture["index"] as? Int)
    try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(index)", "-c", "copy", "-f", "image2", "-update", "1", copy])
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(cover.bytes))
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.otherTracks.contains { $0.kind == .cover || $0.kind == .attachment })
    #expect(info.videoTracks.count == (container.isAudioOnly ? 0 : 1) && abs(info.duration.seconds - 1) < 0.1)
  }

  /// Types of the top boxes of an MPEG-4 file, in order.
  private func boxes(_ path: String) throws -> [String] {
    let data = try Data(contentsOf: URL(filePath: path))
    var (offset, types): (Int, [String]) = (0, [])
    while offset + 8 <= data.count {
      var size = data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      if size == 1 { size = data[offset + 8..<offset + 16].reduce(0) { $0 << 8 | Int($1) } }
      types.append(String(decoding: data[offset + 4..<offset + 8], as: UTF8.self))
      offset += max(size, 8)
    }
    return types
  }

  @Test(arguments: [MovieContainer.mp4, .mov, .m4v, .m4a]) func fastStart_isAChoice(_ container: MovieContainer) throws {
    let folder = try TemporaryFolder()
    for isFast in [true, false] {
      var description = description(container)
      description.hasFastStart = isFast
      let path = folder.file("\(isFast).\(container.rawValue)")
      try write(description, to: path)
      let order = try boxes(path)
      let (index, media) = (try #require(order.firstIndex(of: "moov")), try #require(order.firstIndex(of: "mdat")))
      #expect((index < media) == isFast, "\(order)")
    }
  }

  @Test(arguments: [
    (MovieContainer.mp4, VideoEncodingSettings.Codec.h264), (.mov, .h264), (.mkv, .h264), (.mp4, .hevc), (.mov, .hevc),
    (.mkv, .hevc), (.mov, .proRes), (.mkv, .proRes), (.mov, .ffv1), (.mkv, .ffv1), (.mp4, .av1), (.mkv, .av1),
  ])
  func pixelAspect_inEveryCodecAndContainer_isReadBack(
    _ container: MovieContainer, _ codec: VideoEncodingSettings.Codec
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.\(container.rawValue)")
    var description = description(container, codec: codec)
    description.video?.attributes.pixelAspectRatio = Rational(64, 45)
    try write(description, to: path)
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "stream=sample_aspect_ratio,display_aspect_ratio", "-of",
        "csv=p=0", path,
      ])
    #expect(text.trimmingCharacters(in: .whitespacesAndNewlines) == "64:45,256:135", "\(container) \(codec)")
    #expect(try MediaProbe.probe(.file(path: path)).videoTracks[0].attributes.pixelAspectRatio == Rational(64, 45))
  }

  @Test func entries_thatWouldBeLost_areRefused() throws {
    let cases: [(MovieContainer, [String: String], String)] = [
      (.mp4, ["mood": "x"], "title, artist"), (.mov, ["composer": "x"], "title, artist"), (.wav, ["location": "x"], "title"),
      (.mkv, ["title": ""], "leave it out"), (.mkv, ["title": "a\u{1}"], "leave it out"), (.mkv, ["": "x"], "ASCII"),
      (.flac, ["a=b": "x"], "ASCII"), (.mkv, ["mood of the day": "x"], "letters"), (.mkv, ["title-ger": "x"], "letters"),
      (.ogg, ["CHAPTER001": "x"], "letters"), (.ogg, ["description": "x"], "comment"),
      (.mkv, ["Title": "a", "title": "b"], "one"),
      (.mkv, ["creation_time": "x"], "date"), (.mov, ["comment": String(repeating: "x", count: 70_000)], "Shorten"),
      (.mp4, ["location": "Vienna"], "ISO 6709"), (.mp4, ["location": "+91+000/"], "-90 to 90"),
      (.opus, ["metadata_block_picture": "x"], "cover"),
    ]
    for (container, metadata, suggestion) in cases {
      var description = description(container)
      description.metadata = metadata
      let error = try #require(throws: CompositorError.self, "\(container) \(metadata.keys)") { try description.validate() }
      #expect([.unsupportedOutput, .invalidValue].contains(error.code))
      #expect(error.recoverySuggestion?.contains(suggestion) == true, "\(error)")
    }
  }

  @Test func chapters_outOfOrderOrOutside_areRefused() throws {
    let second = MediaTime.seconds(1)
    let cases: [[Chapter]] = [
      [Chapter(start: second, title: "a"), Chapter(start: second, title: "b")],
      [Chapter(start: second, title: "a"), Chapter(start: .zero, title: "b")], [Chapter(start: .seconds(3), title: "a")],
      [Chapter(start: .invalid, title: "a")], [Chapter(start: .positiveInfinity, title: "a")],
      [Chapter(start: MediaTime(value: -1, timescale: 1), title: "a")],
      [Chapter(start: MediaTime(value: 1, timescale: 0), title: "a")],
      [Chapter(start: .zero, title: "")], [Chapter(start: .zero, title: "a\nb")],
      [Chapter(start: .zero, title: String(repeating: "x", count: 256))],
      (0..<1000).map { Chapter(start: MediaTime(value: $0, timescale: 1000), title: "a") },
    ]
    for chapters in cases {
      var description = description(.mkv)
      (description.chapters, description.end) = (chapters, .seconds(3))
      let error = try #require(throws: CompositorError.self) { try description.validate() }
      #expect(error.code == .invalidValue, "\(error)")
    }
    var late = description(.mp4)
    (late.chapters, late.end) = ([Chapter(start: second, title: "a")], .seconds(3))
    let unsupported = try #require(throws: CompositorError.self) { try late.validate() }
    #expect(unsupported.code == .unsupportedOutput && unsupported.location.path == "chapters[0]")
    late.container = .mkv
    try late.validate()
    var description = description(.mp3)
    description.chapters = [Chapter(start: .zero, title: String(repeating: "x", count: 81))]
    description.end = .seconds(3)
    let error = try #require(throws: CompositorError.self) { try description.validate() }
    #expect(error.code == .unsupportedOutput && error.location.path == "chapters[0]")
  }

  @Test func covers_thatAreNoPictures_areRefused() throws {
    for bytes: [UInt8] in [
      [], [0xff, 0xd8, 0xff], Array("not a picture, but long enough to look at".utf8), [0x89, 0x50, 0x4e, 0x47],
    ] {
      #expect(throws: CompositorError.self) { try CoverPicture(bytes: bytes) }
    }
    let error = try #require(throws: CompositorError.self) { try CoverPicture(contentsOf: "/nowhere/cover.jpg") }
    #expect(error.code == .fileNotFound)
  }

  @Test(
    arguments: [
      ("2024-05-01T12:30:00Z", 1_714_566_600), ("2024-05-01 12:30:00.25+02:00", 1_714_559_400), ("1970-01-01T00:00:00Z", 0),
      ("2000-02-29T23:59:59-0130", 951_874_199), ("1969-12-31T23:59:59Z", -1), ("2024-05-01", nil),
      ("2023-02-29T00:00:00Z", nil),
      ("2024-05-01T12:30:00", nil), ("2024-13-01T12:30:00Z", nil), ("", nil),
    ] as [(String, Int?)]) func date_ofEveryForm_isTheMomentOrNone(_ text: String, _ seconds: Int?)
  {
    #expect(MetadataDate(text)?.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    ("+48.2082+016.3738/", "+48.2082+016.3738/"), ("-33.8568+151.2153+004.000/", "-33.8568+151.2153+004.000/"),
    ("+00.0000-000.1000", "+00.0000-000.1000/"),
  ]) func location_ofISO6709_isReadAndWritten(_ text: String, _ expected: String) throws {
    #expect(try GeographicLocation(iso6709: text).iso6709 == expected)
  }
}
