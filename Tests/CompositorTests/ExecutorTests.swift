import Compositor
import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTimeline
import Dispatch
import Foundation
import Synchronization
import Testing

/// A program's own executor: one serial queue.
private final class QueueExecutor: TaskExecutor {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "org.example.executor")

  init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  /// Whether the caller runs on this executor.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
}

/// Where code runs, and that a render takes its edit as it is when it begins.
struct ExecutorTests {
  private static func registry(_ compose: @escaping @Sendable () -> Void) throws -> CompositorRegistry {
    var registry = CompositorRegistry.builtIn
    try registry.register("org.example.first") { request in
      compose()
      guard let source = request.sources.values.first else { throw CompositorError(.noFrame, "No source.") }
      return source.frame
    }
    return registry
  }

  private static func movie() throws -> Timeline {
    var movie = try FrontDoorTests.movie()
    movie.effects = [TimelineEffect(timeRange: .zero ..< .seconds(1), compositor: "org.example.first")]
    return movie
  }

  private static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  @Test func entries_underTheCallersExecutor_comeBackToIt() async throws {
    let executor = QueueExecutor()
    let composed = Mutex<[Bool]>([])
    let told = Mutex<[(rendered: Int, isOurs: Bool)]>([])
    let registry = try Self.registry { composed.withLock { $0.append(executor.isCurrent) } }
    let movie = try Self.movie()
    try await Self.withFolder { folder in
      let path = folder.appending(path: "o.mp4").path
      try await withTaskExecutorPreference(executor) {
        #expect(executor.isCurrent)
        #expect(await movie.validate(registry: registry).isEmpty)
        #expect(executor.isCurrent)
        _ = try await movie.stills(at: [.zero, .seconds(2)], registry: registry)
        #expect(executor.isCurrent)
        let result = try await movie.export(to: path, preset: .h264, registry: registry) { progress in
          told.withLock { $0.append((progress.framesRendered, executor.isCurrent)) }
        }
        #expect(result.frameCount == 75 && executor.isCurrent)
        for try await rendered in try await movie.frames(in: .zero ..< .seconds(0.4), registry: registry) {
          #expect(executor.isCurrent, "frame \(rendered.index)")
        }
        #expect(executor.isCurrent)
      }
    }
    // Progress is reported on the caller's executor; composing blocks a thread for long and has threads of its own.
    // Each frame is reported when it is composed; the number of further reports depends on the encoder.
    let rendered = told.withLock { $0.map(\.rendered) }
    #expect(rendered == rendered.sorted() && Set(rendered) == Set(1...75))
    #expect(told.withLock { $0.allSatisfy(\.isOurs) })
    #expect(composed.withLock { $0.count } >= 36 && composed.withLock { !$0.contains(true) })
  }

  @Test func blockingCall_underItsOwnThread_needsNoOther() throws {
    let movie = try Self.movie()
    let registry = try Self.registry {}
    let images = try BlockingCall.run { try await movie.stills(at: [.seconds(0.2)], registry: registry) }
    #expect(images.count == 1)
  }

  @Test func export_ofAnEditThatIsChangedMeanwhile_writesItAsItWas() async throws {
    let registry = try Self.registry {}
    let settings = ExportSettings(video: VideoEncodingSettings(speed: .ultrafast, threadCount: 1))
    try await Self.withFolder { folder in
      let files = ["before", "changed"].map { folder.appending(path: "\($0).mp4") }
      let timeline = Mutex(try Self.movie())
      let edit = Mutex(try Self.movie().edit(catalog: MediaCatalog()))
      _ = try await timeline.withLock { $0 }.export(to: files[0].path, settings: settings, registry: registry)
      @Sendable func change() {
        timeline.withLock { timeline in
          timeline.append(FrontDoorTests.source(.bars))
          timeline.effects = []
        }
        edit.withLock { edit in
          edit.titles = Titles()
          edit.audioMix = AudioMix()
          edit.videoComposition.instructions.removeAll()
        }
      }
      let kept = edit.withLock { $0 }
      let result = try await kept.export(to: files[1].path, settings: settings, registry: registry) { progress in
        if progress.framesDone == 1 { change() }
      }
      #expect(result.frameCount == 75 && edit.withLock { $0.videoComposition.instructions.isEmpty })
      #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]))
    }
  }
}
