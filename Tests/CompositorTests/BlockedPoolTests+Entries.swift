import Compositor
import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTimeline
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// Every other asynchronous entry point of the library but those of players, whose timers are tasks of the pool.
extension BlockedPoolTests {
  private static let times: [MediaTime] = [.zero, .seconds(1), .seconds(2)]

  private static func composition() throws -> ValidatedComposition {
    try CompositionValidator.validate(try edit(), catalog: MediaCatalog()).get()
  }

  private static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  @Test func editAndTimeline_inAFullPool_areCheckedRenderedAndRead() async throws {
    let (edit, timeline) = (try Self.edit(), try FrontDoorTests.movie())
    let counts = try await BlockedPool.results {
      var counts = [await edit.validate().count, await timeline.validate().count, 0, 0, 0]
      for try await _ in try await edit.frames() { counts[2] += 1 }
      for try await _ in try await timeline.frames(in: .zero ..< .seconds(1)) { counts[3] += 1 }
      counts[4] = try await timeline.stills(at: Self.times).count
      return counts
    }
    #expect(counts.allSatisfy { $0 == [0, 0, 75, 25, 3] } && !counts.isEmpty)
  }

  @Test func reader_inAFullPool_givesFramesSamplesAndWarnings() async throws {
    let timeline = try FrontDoorTests.movie()
    let counts = try await BlockedPool.results {
      let reader = try await timeline.reader()
      var (frames, samples) = (0, 0)
      while try await reader.nextFrame() != nil { frames += 1 }
      samples += try await reader.nextAudio(480)?.sampleCount ?? 0
      let block = AudioBlock(channelCount: 2, capacity: 4096)
      while case let count = try await reader.readAudio(4096, into: block), count > 0 { samples += count }
      let warnings = await reader.warnings().count
      await reader.close()
      let left = try await timeline.reader()
      _ = try await left.nextMedia()
      await left.close()
      return [frames, samples, warnings]
    }
    #expect(counts.allSatisfy { $0 == [75, 144_000, 0] } && !counts.isEmpty)
  }

  @Test func exports_inAFullPool_return() async throws {
    let (edit, composition) = (try Self.edit(), try Self.composition())
    let settings = ExportSettings(video: VideoEncodingSettings(speed: .ultrafast))
    try await Self.withFolder { folder in
      let counts = try await BlockedPool.results {
        @Sendable func path(_ ending: String) -> String { folder.appending(path: UUID().uuidString + ending).path }
        let exported = try await edit.export(to: path(".mp4"), settings: settings)
        let audio = try await Exporter.export(composition, to: path(".wav"))
        let null = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
        let streamed = try await Exporter.export(
          composition, to: MovieStream(descriptor: null.fileDescriptor), container: .nut, settings: settings)
        try await ImageExporter.export(composition, at: .seconds(1), to: path(".png"))
        let thumbnails = try await ThumbnailExporter.export(composition, .count(2), to: path("-%d.png"))
        let batch = BatchExporter(outputs: [.success(path(".mp4")), .success(path(".mp4"))], rowsAtATime: 2)
        let summary = await batch.run { _ in
          (composition, settings)
        } report: { _ in
        }
        return [exported.frameCount, audio.frameCount, streamed.frameCount, thumbnails.thumbnails.count, summary.completed]
      }
      #expect(counts.allSatisfy { $0 == [75, 0, 75, 2, 2] } && !counts.isEmpty)
    }
  }

  @Test func imagesPeaksAndRehearsal_inAFullPool_return() async throws {
    let composition = try Self.composition()
    let counts = try await BlockedPool.results {
      let generator = try ImageGenerator(composition)
      _ = try await generator.image(at: .seconds(1))
      let images = Mutex(0)
      await generator.images(at: Self.times) { _, result in
        if case .success = result { images.withLock { $0 += 1 } }
      }
      await generator.close()
      let peaks = try await composition.measuringPeaks().peaks.count
      let diagnostics = try await CompositionValidator.rehearse(composition).count
      return [images.withLock { $0 }, peaks, diagnostics]
    }
    #expect(counts.allSatisfy { $0 == [3, 0, 0] } && !counts.isEmpty)
  }

  @Test func compositorWithoutAnswer_inAFullPool_timesOut() async throws {
    var registry = CompositorRegistry.builtIn
    try registry.register("org.example.endless") { request in
      try await Task.sleep(for: .seconds(3600))
      guard let source = request.sources.values.first else { throw CompositorError(.noFrame, "No source.") }
      return source.frame
    }
    var movie = try FrontDoorTests.movie()
    movie.effects = [TimelineEffect(timeRange: .zero ..< .seconds(1), compositor: "org.example.endless")]
    let composition = try CompositionValidator.validate(
      try movie.edit(catalog: MediaCatalog()), catalog: MediaCatalog(), registry: registry
    ).get()
    let codes = try await BlockedPool.results { () -> CompositorError.Code? in
      var settings = ImageSettings.exact
      settings.render.compositorDeadline = .milliseconds(200)
      let generator = try ImageGenerator(composition, settings: settings)
      do { _ = try await generator.image(at: .zero) } catch let error as CompositorError { return error.code }
      return nil
    }
    #expect(codes.allSatisfy { $0 == .compositorTimedOut } && !codes.isEmpty)
  }
}
