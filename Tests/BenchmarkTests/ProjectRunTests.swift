import BuiltinCompositors
import CompositorAPI
import CompositorBenchmark
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorValidation
import Synchronization
import Testing

/// Edits of one's own: what is read, and whose time counts.
@Suite(.serialized) struct ProjectRunTests {
  private static let size = PixelSize(width: 192, height: 108)

  /// Noise whose frames are counted when they are read.
  private final class CountedMedia: MediaProvider {
    private let media: NoiseMedia
    private let count = Mutex(0)

    init(_ source: WorkloadSource, _ frames: [Frame], _ frameDuration: MediaTime) {
      media = NoiseMedia(source, frames, frameDuration: frameDuration, duration: .seconds(4))
    }

    var readCount: Int { count.withLock { $0 } }

    func describe() throws(CompositorError) -> MediaInfo { try media.describe() }

    func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
      CountedReader(reader: try media.openVideo(trackIndex: trackIndex, options: options)) { self.count.withLock { $0 += 1 } }
    }
  }

  private final class CountedReader: VideoReader {
    private let reader: any VideoReader
    private let note: () -> Void

    init(reader: any VideoReader, note: @escaping () -> Void) { (self.reader, self.note) = (reader, note) }

    var info: VideoTrackInfo { reader.info }

    func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
      note()
      return try reader.frame(at: time)
    }
  }

  /// A dissolve of two sources, with the compositors that it may name.
  private struct Project {
    let composition: ValidatedComposition
    let media: [CountedMedia]

    init(by compositor: CompositorFactory? = nil) throws {
      let scene = try Workload.dissolve.scene(on: WorkloadCanvas(size: ProjectRunTests.size, format: .yuv420p))
      let catalog = MediaCatalog()
      media = zip(scene.sources, NoiseFrames.make(scene.sources, minimumBytes: 1)).map { source, frames in
        let media = CountedMedia(source, frames, Workload.dissolve.frameDuration)
        catalog.provide(media, as: source.name)
        return media
      }
      var (edit, registry) = (scene.edit, CompositorRegistry.builtIn)
      if let compositor {
        try registry.register(compositor)
        for index in edit.videoComposition.instructions.indices {
          edit.videoComposition.instructions[index].compositor = compositor.descriptor.id
        }
      }
      composition = try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()
    }
  }

  private static func configuration(threads: [Int] = [1]) -> BenchmarkConfiguration {
    BenchmarkConfiguration(workloads: [], threads: threads, repetitions: 2, maximumRepetitions: 2, checkedFrames: 0)
  }

  /// Sources are read once for all compositors and thread counts, which keep the same memory.
  @Test func sources_areReadOnceForAllRows() async throws {
    let project = try Project()
    let others = ["one", "two"].map { name in
      CompositorFactory(CompositorID(rawValue: "org.example.\(name)")) { try #require($0.sources.values.first).frame }
    }
    let report = try await Benchmark.run(
      project.composition, name: "mine", compositors: others, configuration: Self.configuration(threads: [1, 2]),
      frameCount: 12)
    #expect(report.rows.count == 6 && report.rows.allSatisfy { $0.figures != nil }, "\(report.table)")
    for media in project.media { #expect((12...14).contains(media.readCount), "\(media.readCount) frames were read") }
  }

  /// Decoded frames are limited for all rows together.
  @Test func byteLimit_holdsForAllRowsTogether() async throws {
    let project = try Project()
    // Of 31,104 bytes each, two for a frame of the output: the second one exceeds the limit.
    _ = try await Benchmark.run(
      project.composition, name: "mine", configuration: Self.configuration(threads: [1, 2]), byteLimit: 3 * 31_104)
    for media in project.media { #expect(media.readCount <= 3, "\(media.readCount) frames were read") }
  }

  /// A plugin's compositor that takes time without using a processor of this process.
  private static func sleeper(isIsolated: Bool) -> CompositorFactory {
    let descriptor = CompositorDescriptor(id: "org.example.sleeper", name: "Sleeper")
    return CompositorFactory(
      descriptor, plugin: "sleeper.so", isSelective: false, isIsolated: isIsolated, allocator: SharedFrames()
    ) { _, _ in Sleeper() }
  }

  private struct Sleeper: FrameComposer {
    func compose(_ request: CompositionRequest) async throws -> Frame {
      try await Task.sleep(for: .milliseconds(20))
      return try #require(request.sources.values.first).frame
    }
  }

  /// The cost of a compositor is processor time, in this process and in those of plugins: waiting costs nothing, so that a busy
  /// machine makes no plugin slower. `BenchCommandTests` shows that the time of workers counts.
  @Test(arguments: [true, false]) func cost_ofACompositorThatWaits_isProcessorTime(_ isIsolated: Bool) async throws {
    let factory = Self.sleeper(isIsolated: isIsolated)
    let named = try await Benchmark.run(
      try Project(by: factory).composition, name: "mine", configuration: Self.configuration(), frameCount: 4)
    let given = try await Benchmark.run(
      try Project().composition, name: "mine", compositors: [factory], configuration: Self.configuration(), frameCount: 4)
    for row in [try #require(named.rows.first), try #require(given.rows.last)] {
      let cost = try #require(row.figures?.cost, "\(row.failure ?? "")").milliseconds
      #expect(cost < 15, "\(row.compositor): \(cost) ms")
    }
  }
}
