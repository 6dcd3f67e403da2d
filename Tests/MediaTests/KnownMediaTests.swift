import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import CompositorTestMedia
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// Catalogs that a program tells what sources hold.
@Suite struct KnownMediaTests {
  @Test(arguments: [false, true])
  func validate_describedFileThatIsMissing_opensNothing_untilItIsRendered(_ byProbe: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("not-there.mov")
    let asked = Mutex<[MediaSource]>([])
    let catalog =
      byProbe
      ? MediaCatalog { source throws(CompositorError) in
        asked.withLock { $0.append(source) }
        return .movie(source)
      } : MediaCatalog()
    if !byProbe { catalog.provide(.movie(.file(path: path))) }
    var movie = Timeline()
    movie.append(.file(path: path))
    let edit = try movie.edit(catalog: catalog)
    #expect(edit.composition.duration == .seconds(2) && edit.videoComposition.renderSize == PixelSize(width: 64, height: 48))
    let report = CompositionValidator.validate(edit, catalog: catalog, registry: .builtIn)
    #expect(report.diagnostics.isEmpty)
    #expect(asked.withLock { $0 } == (byProbe ? [.file(path: path)] : []))

    let validated = try report.get()
    let failure = await #expect(throws: CompositorError.self) {
      _ = try await Exporter.export(validated, to: folder.file("out.mov"))
    }
    #expect(failure?.code == .fileNotFound && failure?.location.file == path, "\(String(describing: failure))")
    let mixer = try #require(validated.audio())
    let silence = #expect(throws: CompositorError.self) {
      try mixer.mix(100, into: AudioBlock(channelCount: 2, capacity: 100))
    }
    #expect(silence?.code == .fileNotFound && silence?.location.file == path)
    #expect(try folder.names.isEmpty)
  }

  /// Two renders at a time: each has its own media under one name, and both have the files of the catalog that they share.
  @Test func catalog_sharingAnother_keepsWhatItIsGiven() throws {
    let asked = Mutex<[MediaSource]>([])
    let shared = MediaCatalog { source throws(CompositorError) in
      asked.withLock { $0.append(source) }
      return .movie(source)
    }
    let (first, second) = (MediaCatalog(sharing: shared), MediaCatalog(sharing: shared))
    let file = MediaSource.file(path: "a.mov")
    for catalog in [first, second, shared] { #expect(try catalog.info(for: file).source == file) }
    #expect(asked.withLock { $0 } == [file])
    let card = MediaSource.custom(name: "card")
    shared.provide(MemoryMedia(size: PixelSize(width: 2, height: 2)), as: "card")
    first.provide(MemoryMedia(size: PixelSize(width: 4, height: 4)), as: "card")
    #expect(try first.info(for: card).videoTracks[0].size.width == 4)
    #expect(try second.info(for: card).videoTracks[0].size.width == 2 && shared.info(for: card).videoTracks[0].size.width == 2)
    second.provide(MediaInfo.movie(file), for: .file(path: "b.mov"))
    #expect(try first.info(for: .file(path: "b.mov")).source == .file(path: "b.mov"))
    #expect(try second.info(for: .file(path: "b.mov")).source == file)
  }

  @Test func validate_probeThatThrows_isADiagnosticAtTheSource() throws {
    let catalog = MediaCatalog { source throws(CompositorError) in
      throw CompositorError(.readFailed, "The database is asleep.")
    }
    let error = #expect(throws: CompositorError.self) { try catalog.info(for: .file(path: "a.mov")) }
    #expect(error?.code == .readFailed && error?.location.file == "a.mov")
  }

  /// Wide, narrow, damaged and missing files among repeated ones: all are read once, before they are removed.
  @Test(.enabled(if: hasFFmpeg)) func files_probedTogether_keepTheirDescriptionsAndErrors() throws {
    let folder = try TemporaryFolder()
    let widths = Array(1...9)
    for width in widths {
      _ = try runTool(
        "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=s=\(width * 2)x8", "-frames:v", "1", folder.file("\(width).png")])
    }
    try Data("no picture".utf8).write(to: URL(filePath: folder.file("damaged.png")))
    let names = widths.map { "\($0).png" } + ["damaged.png", "missing.png"]
    let sources = names.map { MediaSource.file(path: folder.file($0)) }
    let catalog = MediaCatalog()
    #expect(catalog.unknownFiles(sources + sources + [.custom(name: "none")]) == sources)
    catalog.probeFiles(sources + sources)
    #expect(catalog.unknownFiles(sources).isEmpty)
    for name in names where name != "missing.png" { try FileManager.default.removeItem(atPath: folder.file(name)) }
    #expect(try sources.prefix(9).map { try catalog.info(for: $0).videoTracks[0].size.width } == widths.map { $0 * 2 })
    for (source, code) in [(sources[9], CompositorError.Code.unreadableMedia), (sources[10], .fileNotFound)] {
      let error = #expect(throws: CompositorError.self) { try catalog.info(for: source) }
      #expect(error?.code == code && error?.location.file == source.description)
    }
  }

  @Test(.enabled(if: hasFFmpeg)) func render_withGivenDescription_isWhatItIsWithAProbe() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("in.mp4")
    _ = try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i", "sine=duration=1",
        path,
      ])
    let info = try MediaProbe.probe(.file(path: path))
    let known = MediaCatalog { source throws(CompositorError) in
      throw CompositorError(.internalFault, "\(source) is probed.")
    }
    known.provide(info)
    var outputs: [Data] = []
    for (index, catalog) in [MediaCatalog(), known].enumerated() {
      var movie = Timeline()
      movie.append(.file(path: path))
      let validated = try CompositionValidator.validate(movie.edit(catalog: catalog), catalog: catalog, registry: .builtIn)
        .get()
      let settings = ExportSettings(
        video: VideoEncodingSettings(codec: .ffv1), audio: AudioEncodingSettings(codec: .pcmInt16))
      _ = try await Exporter.export(validated, to: folder.file("\(index).mov"), settings: settings)
      outputs.append(try Data(contentsOf: URL(fileURLWithPath: folder.file("\(index).mov"))))
    }
    #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty)
  }
}
