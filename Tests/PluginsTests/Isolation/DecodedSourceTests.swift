import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorPlugins
import CompositorTestSupport
import Synchronization
import Testing

/// Decoded frames of isolated plugins: decoded into memory that the worker maps, and not copied.
@Suite(.serialized) struct DecodedSourceTests {
  /// The plugins of the benchmark, and an edit that has one of them copy every frame of a file.
  private struct Setting {
    let folder: TemporaryFolder
    let plugin: PluginSpecification
    let clip: String

    init(size: String, frames: Int, _ encoder: [String]) throws {
      folder = try TemporaryFolder()
      let source = PluginCompiler.root.appending(path: "Benchmarks/plain-plugins.c")
      plugin = .binary(path: try PluginCompiler(in: folder.url).compile(source, name: "plain").path)
      clip = folder.file("clip.mp4")
      try runProgram(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25", "-frames:v", "\(frames)"] + encoder + [clip])
    }

    func isolated() throws -> IsolatedPlugin {
      try IsolatedPlugin(plugin, isolation: PluginIsolation(program: BuiltTool.url.path, workerCount: 2))
    }

    func edit(_ factories: [CompositorFactory]) throws -> ValidatedComposition {
      let catalog = MediaCatalog()
      let info = try #require(try catalog.info(for: .file(path: clip)).videoTracks.first)
      var registry = CompositorRegistry.builtIn
      for factory in factories { try registry.register(factory) }
      let project = """
        { version: 1, output: { size: "\(info.size)", frameRate: 25 }, assets: { clip: "\(clip)" },
          tracks: [{ clips: [{ asset: "clip", effects: [{ use: "org.example.copy" }] }] }] }
        """
      let edit = try ProjectFile(project).edit(catalog: catalog)
      return try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()
    }
  }

  private static let fullHD = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "10", "-pix_fmt", "yuv420p"]
  private static let tenBits = [
    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=10", "-pix_fmt", "yuv420p10",
  ]

  private func render(
    _ edit: ValidatedComposition, each: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> [UInt64] {
    let plan = try RenderPlan(edit)
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 2, decoderThreadCount: 2))
    let hashes = Mutex<[UInt64]>([])
    try await pipeline.render(0..<plan.frameCount) { rendered in
      let hash = rendered.frame.pixelHash
      hashes.withLock { $0.append(hash) }
      each(rendered.index)
    }
    await pipeline.close()
    return hashes.withLock { $0 }
  }

  @Test(arguments: [("1918x1078", fullHD), ("638x358", tenBits)])
  func decodedFrames_areReadWhereTheyAre(_ size: String, _ encoder: [String]) async throws {
    let setting = try Setting(size: size, frames: 30, encoder)
    let isolated = try setting.isolated()
    let expected = try await render(setting.edit(setting.plugin.open().factories))
    let found = try await render(setting.edit(isolated.factories))
    #expect(expected.count == 30 && Set(expected).count == 30)
    #expect(found == expected)
    #expect(isolated.sourceCounts == (inPlace: 30, copied: 0))
  }

  @Test func scrubbingBackwards_copiesNothing() async throws {
    let setting = try Setting(size: "1918x1078", frames: 30, Self.fullHD)
    let isolated = try setting.isolated()
    let settings = ImageSettings(format: .yuv420p, render: RenderSettings(decoderThreadCount: 2)).exactly
    let near = try ImageGenerator(setting.edit(setting.plugin.open().factories), settings: settings)
    let far = try ImageGenerator(setting.edit(isolated.factories), settings: settings)
    for number in [29, 28, 27, 21, 20, 12, 11, 10, 9, 3, 0, 17] {
      let time = MediaTime(value: Int64(number), timescale: 25)
      let (expected, found) = (try await near.image(at: time), try await far.image(at: time))
      #expect(found.frame.pixelHash == expected.frame.pixelHash, "frame \(number)")
    }
    #expect(isolated.sourceCounts == (inPlace: 12, copied: 0))
    await near.close()
    await far.close()
  }

  /// A frame that lies elsewhere is copied, and counted as such; one that comes again, as a still does, twice and no more.
  @Test func framesOfTheHeap_areCopiedUntilTheyRepeat() async throws {
    let setting = try Setting(size: "638x358", frames: 5, Self.fullHD)
    let isolated = try setting.isolated()
    let frame = try #require(try MediaOpener.openVideo(.file(path: setting.clip)).frame(at: .zero)).frame
    let context = RenderContext(
      size: frame.size, outputFormat: frame.format, outputAttributes: frame.attributes, pool: FramePool())
    let factory = try #require(isolated.factories.first { $0.descriptor.id == "org.example.copy" })
    let composer = try factory.makeCompositor(parameters: [:], context: context)
    let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
    let source = SourceFrame(
      trackID: 1, frame: frame, presentationTime: .zero, duration: second.duration, requestedTime: .zero)
    let request = CompositionRequest(
      time: .zero, instruction: Instruction(timeRange: second, layers: [LayerInstruction(trackID: 1)]), sources: [1: source],
      context: context)
    for expected in [(inPlace: 0, copied: 1), (0, 2), (1, 2), (2, 2)] {
      #expect(try await composer.compose(request).pixelHash == frame.pixelHash)
      #expect(isolated.sourceCounts == expected)
    }
  }

  @Test func longRender_keepsItsSegmentsAndLeavesNone() async throws {
    #expect(Self.segmentCount == 0)
    let counts = Mutex<[Int]>([])
    do {
      let setting = try Setting(size: "320x180", frames: 600, Self.fullHD)
      let isolated = try setting.isolated()
      let hashes = try await render(setting.edit(isolated.factories)) { number in
        if number % 100 == 99 { counts.withLock { $0.append(Self.segmentCount) } }
      }
      #expect(hashes.count == 600)
      #expect(isolated.sourceCounts == (inPlace: 600, copied: 0))
    }
    let segments = counts.withLock { $0 }
    // What the first hundred frames needed is enough, but for how many frames happen to be on their way at a time.
    #expect(segments.count == 6 && segments[0] > 0)
    #expect((segments.max() ?? 0) <= segments[0] + 8, "\(segments)")
    // A worker that was being started when the last frame came is released once it runs.
    for _ in 0..<100 where Self.segmentCount > 0 { try await Task.sleep(for: .milliseconds(50)) }
    #expect(Self.segmentCount == 0)
  }

  /// Segments of frames that this process has a descriptor of.
  private static var segmentCount: Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.count {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return target?.contains("compositor-frame") == true
    }
  }
}

extension Frame {
  /// A hash of all samples, without padding.
  fileprivate var pixelHash: UInt64 {
    withUnsafePlanes { planes in
      var hasher = Hasher()
      for index in 0..<planes.count {
        let plane = planes[index]
        for y in 0..<plane.height {
          hasher.combine(
            bytes: UnsafeRawBufferPointer(
              start: plane.base + y * plane.stride, count: format.rowBytes(plane: index, of: size)))
        }
      }
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
  }
}
