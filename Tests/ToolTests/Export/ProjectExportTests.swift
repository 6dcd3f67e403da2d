import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// A project that the library exports with `ProjectFile.exportSettings` is what `compositor render` writes of it, byte by byte.
@Suite struct ProjectExportTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let output: String
    let suffix: String
    var testDescription: String { "\(suffix) \(output)" }
  }

  private static func project(_ output: String) -> String {
    """
    { version: 1, output: { \(output) },
      assets: { clock: { generate: "clock", size: "64x48", frameRate: 25, duration: "1s", tone: 440 } },
      tracks: [{ clips: [{ asset: "clock" }] }] }
    """
  }

  /// Exports a project's text with the library.
  private static func export(
    _ file: ProjectFile, to path: String, _ overrides: OutputOverrides = OutputOverrides()
  ) async throws -> ExportResult {
    let catalog = MediaCatalog()
    var edit = try file.edit(catalog: catalog)
    overrides.preset?.apply(to: &edit)
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    let settings = try file.exportSettings(for: composition, to: path, overrides: overrides)
    return try await Exporter.export(composition, to: path, settings: settings)
  }

  private static func bytes(_ url: URL) throws -> Data { try Data(contentsOf: url) }

  /// Compares both movies, and that the tool prints the notes that the library gives.
  private static func compare(_ scratch: Scratch, _ text: String, _ suffix: String, _ changed: Changed? = nil) async throws {
    let project = try scratch.file("project.json5", text)
    let (made, rendered) = (try scratch.file("library.\(suffix)"), try scratch.file("tool.\(suffix)"))
    let overrides = changed?.overrides ?? OutputOverrides()
    let result = try await export(try ProjectFile(contentsOf: project.path), to: made.path, overrides)
    let tool = try scratch.render([project.path, "-o", rendered.path] + (changed?.arguments ?? []))
    try #require(tool.status == 0, "\(tool.errors)")
    #expect(try bytes(made) == bytes(rendered) && !bytes(made).isEmpty)
    // What they advise is spelled as options by the tool.
    for note in result.notes {
      #expect(tool.errors.contains("note: \(note.message)"), "\(note.message) is not in \(tool.errors)")
    }
  }

  static let cases = [
    Case(output: "", suffix: "mp4"), Case(output: "", suffix: "webm"), Case(output: "", suffix: "nut"),
    Case(output: "color: 'hlg'", suffix: "mp4"), Case(output: "color: 'pq'", suffix: "webm"),
    Case(output: "audio: { codec: 'opus', sampleRate: 24000, channels: 1, bitRate: '48k' }", suffix: "mkv"),
    Case(output: "audio: false", suffix: "mov"), Case(output: "audio: { sampleRate: 44100 }", suffix: "m4a"),
    Case(output: "video: { quality: 40, keyFrameInterval: '10f', encoderSpeed: 'ultrafast' }", suffix: "webm"),
    Case(output: "video: { codec: 'ffv1' }, audio: { codec: 'flac', bitDepth: 16 }", suffix: "mkv"),
    Case(
      output: """
        metadata: { title: 'A day', location: [48.2082, 16.3738] }, fastStart: false, rotation: 90, cover: { at: '10f' },
        chapters: [{ at: '0s', title: 'Hello' }, { at: '12f', title: 'Numbers' }]
        """, suffix: "mp4"),
    Case(output: "preset: 'phone'", suffix: "mp4"), Case(output: "preset: 'web', audio: { bitRate: '64k' }", suffix: "mp4"),
    Case(output: "preset: 'archive'", suffix: "mkv"), Case(output: "preset: 'gif'", suffix: "gif"),
    Case(output: "preset: 'gif', frameRate: 25", suffix: "gif"), Case(output: "preset: 'hevc-pq'", suffix: "mov"),
  ]

  @Test(arguments: cases) func project_exportedByTheLibrary_isWhatTheToolWrites(_ tested: Case) async throws {
    try await Self.compare(try Scratch(), Self.project(tested.output), tested.suffix)
  }

  /// Options, and the same overrides.
  struct Changed: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    let overrides: OutputOverrides
    var testDescription: String { name }

    init(_ name: String, _ arguments: [String], _ change: (inout OutputOverrides) -> Void) {
      (self.name, self.arguments) = (name, arguments)
      var overrides = OutputOverrides()
      change(&overrides)
      self.overrides = overrides
    }
  }

  static let changes = [
    Changed("codec", ["--codec", "hevc", "--quality", "40", "--encoder-speed", "ultrafast"]) {
      ($0.codec, $0.quality, $0.encoderSpeed) = (.hevc, 40, .ultrafast)
    },
    Changed("size and rate", ["--size", "32x24", "--fps", "5", "--sampling", "best"]) {
      ($0.size, $0.frameRate, $0.sampling) = (PixelSize(width: 32, height: 24), Rational(5, 1), .best)
    },
    Changed("draft", ["--draft", "--key-interval", "10f"]) { ($0.isDraft, $0.keyFrameInterval) = (true, .frames(10)) },
    Changed("two passes", ["--two-pass", "--bit-rate", "200k", "--encoder-threads", "2"]) {
      ($0.isTwoPass, $0.bitRate, $0.encoderThreadCount) = (true, 200_000, 2)
    },
    Changed("samples", ["--audio-codec", "alac", "--sample-rate", "44100", "--channels", "1"]) {
      ($0.audioCodec, $0.sampleRate, $0.channelCount) = (.alac, 44_100, 1)
    },
    Changed("bit rate of audio", ["--audio-codec", "opus", "--audio-bit-rate", "64k"]) {
      ($0.audioCodec, $0.audioBitRate) = (.opus, 64_000)
    },
    Changed("no audio", ["--no-audio"]) { $0.omitsAudio = true },
    Changed("no video", ["--no-video"]) { $0.videoTrack = .never },
    Changed("preset", ["--preset", "phone"]) { $0.preset = .phone },
    Changed("preset of HDR", ["--preset", "hevc-hlg"]) { $0.preset = .hevcHLG },
    Changed(
      "metadata",
      [
        "--metadata", "title=Another day", "--chapter", "0s=One", "--chapter", "10f=Two", "--cover-at", "5f", "--no-fast-start",
        "--rotation", "180",
      ]
    ) {
      $0.metadata.entries = ["title": "Another day"]
      $0.metadata.chapters = [Chapter(start: .zero, title: "One"), Chapter(start: .frames(10, at: 25), title: "Two")]
      $0.metadata.cover = .frame(at: .frames(5, at: 25))
      ($0.metadata.hasFastStart, $0.metadata.orientation) = (false, Orientation(quarterTurns: 2))
    },
  ]

  @Test(arguments: changes) func overrides_areTheOptionsOfTheTool(_ changed: Changed) async throws {
    let output = """
      size: '64x48', metadata: { title: 'A day', artist: 'Ada' }, chapters: [{ at: '0s', title: 'Hello' }],
      video: { quality: 30 }
      """
    try await Self.compare(try Scratch(), Self.project(output), "mp4", changed)
  }

  /// Alpha of images, and audio as that of the file.
  @Test(.enabled(if: hasFFmpeg), arguments: ["webp", "mp4", "mkv", "%02d.png"])
  func mediaFile_isExportedAsByTheTool(_ suffix: String) async throws {
    let scratch = try Scratch()
    try scratch.make(
      "in.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.2:r=10,format=rgba,colorchannelmixer=aa=0.5", "-f", "lavfi", "-i",
        "sine=sample_rate=44100:duration=0.2", "-pix_fmt", "bgra", "-c:v", "ffv1", "-c:a", "flac", "-metadata", "title=A day",
      ])
    let folder = scratch.folder.path
    let source = "\(folder)/in.mkv"
    let keeps = suffix == "mkv"
    var overrides = OutputOverrides()
    if keeps { overrides.metadata.source = .onlyMedia }
    _ = try await Self.export(try ProjectFile(media: source), to: "\(folder)/library.\(suffix)", overrides)
    let tool = try scratch.render([source, "-o", "\(folder)/tool.\(suffix)"] + (keeps ? ["--keep-metadata"] : []))
    try #require(tool.status == 0, "\(tool.errors)")
    for name in try scratch.names() where name.hasPrefix("library.") {
      let rendered = try scratch.file(name.replacing("library.", with: "tool."))
      #expect(try Self.bytes(scratch.file(name)) == Self.bytes(rendered), "\(name)")
    }
    #expect(try scratch.names().count == (suffix == "%02d.png" ? 5 : 3))
  }
}
