import Compositor
import CompositorTestSupport
import Foundation
import Testing

/// The default codec follows from the container and the composition, whatever else is set: a setting that leaves the codec open
/// doesn't choose one.
@Suite struct DefaultCodecTests {
  /// What an edit is, as far as a codec may depend on it.
  enum Kind: String, CaseIterable, Sendable { case sdr, hdr, alpha }

  /// Settings that change nothing about the movie, and choose no codec.
  enum Unrelated: String, CaseIterable, Sendable {
    case wholeRange, threads, defaults

    func settings(of edit: Edit) -> ExportSettings {
      switch self {
      case .wholeRange: ExportSettings(timeRange: TimeRange(start: .zero, end: edit.composition.duration))
      case .threads: ExportSettings(render: RenderSettings(threadCount: 2))
      case .defaults: ExportSettings()
      }
    }
  }

  static let containers = MovieContainer.allCases.filter { !$0.isAudioOnly }

  private static func edit(_ kind: Kind) throws -> Edit {
    var movie = Timeline()
    let size = PixelSize(width: 64, height: 48)
    movie.append(.generated(GeneratedSource(pattern: .bars, size: size, frameRate: 25, duration: .frames(3, at: 25))))
    var edit = try movie.edit(catalog: MediaCatalog())
    switch kind {
    case .sdr: break
    case .hdr: edit.render(in: .bt2100HLG)
    case .alpha: edit.output.alphaMode = .straight
    }
    return edit
  }

  /// The bytes of an export, or the error that prevents it.
  private static func outcome(_ edit: Edit, _ container: MovieContainer, _ settings: ExportSettings?) async throws -> Outcome {
    let folder = try TemporaryFolder()
    let path = folder.file("movie.\(container.rawValue)")
    do {
      try await edit.export(to: path, settings: settings)
    } catch {
      return .error(error.code, error.message)
    }
    return .bytes(try Data(contentsOf: URL(filePath: path)))
  }

  private enum Outcome: Equatable {
    case bytes(Data)
    case error(CompositorError.Code, String)

    var isMovie: Bool { if case .bytes = self { true } else { false } }
  }

  @Test(arguments: containers, Kind.allCases)
  func codec_withUnrelatedSettings_isThatWithoutSettings(_ container: MovieContainer, _ kind: Kind) async throws {
    let edit = try Self.edit(kind)
    let expected = try await Self.outcome(edit, container, nil)
    #expect(expected.isMovie || kind == .hdr, "\(expected)")
    for unrelated in Unrelated.allCases {
      let found = try await Self.outcome(edit, container, unrelated.settings(of: edit))
      #expect(found == expected, "\(container.rawValue), \(kind), \(unrelated)")
    }
  }

  @Test(arguments: [
    ("mp4", Kind.sdr, "h264"), ("mp4", .hdr, "hevc"), ("mov", .hdr, "hevc"), ("mkv", .sdr, "h264"), ("mkv", .hdr, "hevc"),
    ("webm", .sdr, "vp9"), ("webm", .hdr, "vp9"), ("webm", .alpha, "vp9"), ("mov", .alpha, "h264"),
  ])
  func codec_isWhatTheFileAndTheColorRequire(_ suffix: String, _ kind: Kind, _ codec: String) async throws {
    let folder = try TemporaryFolder()
    let edit = try Self.edit(kind)
    let path = folder.file("movie.\(suffix)")
    try await edit.export(to: path, settings: Unrelated.wholeRange.settings(of: edit))
    #expect(try MediaCatalog().info(for: .file(path: path)).videoTracks.first?.codec == codec)
    let composition = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
    #expect(VideoEncodingSettings.defaultCodec(for: composition, in: path).rawValue == codec)
  }

  /// Quality and speed of the default codec, and a codec that is chosen.
  @Test func settingsOfVideo_applyToTheDefaultCodec_andAChosenOneIsKept() async throws {
    let folder = try TemporaryFolder()
    let edit = try Self.edit(.hdr)
    var settings = ExportSettings(video: VideoEncodingSettings(quality: .constant(40), speed: .ultrafast))
    #expect(settings.video.chosenCodec == nil && settings.video.codec == .h264)
    let (small, large) = (folder.file("small.mp4"), folder.file("large.mp4"))
    try await edit.export(to: small, settings: settings)
    settings.video.quality = .constant(4)
    try await edit.export(to: large, settings: settings)
    let tracks = try [small, large].map { try MediaCatalog().info(for: .file(path: $0)).videoTracks.first?.codec }
    #expect(tracks == ["hevc", "hevc"])
    let sizes = try [small, large].map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(sizes[0] < sizes[1])
    settings.video.codec = .h264
    await #expect {
      try await edit.export(to: folder.file("refused.mp4"), settings: settings)
    } throws: { error in
      (error as? CompositorError)?.code == .unsupportedOutput
    }
  }

  @Test func frames_asAMovie_haveTheDefaultCodec() async throws {
    let frames = try await Self.edit(.hdr).frames()
    #expect(frames.movie(.mp4).video?.encoding.chosenCodec == .hevc && frames.movie(.webm).video?.encoding.chosenCodec == .vp9)
    #expect(frames.movie(.mkv, video: VideoEncodingSettings(codec: .ffv1)).video?.encoding.chosenCodec == .ffv1)
  }

  @Test func settings_readAgain_haveTheCodec_ifOneWasChosen() throws {
    for settings in [VideoEncodingSettings(), VideoEncodingSettings(codec: .h264), VideoEncodingSettings(codec: .ffv1)] {
      let read = try JSONDecoder().decode(VideoEncodingSettings.self, from: JSONEncoder().encode(settings))
      #expect(read == settings && read.chosenCodec == settings.chosenCodec)
    }
    let before = try JSONDecoder().decode(VideoEncodingSettings.self, from: Data(#"{"codec":"h264"}"#.utf8))
    #expect(before.chosenCodec == .h264)
  }
}
