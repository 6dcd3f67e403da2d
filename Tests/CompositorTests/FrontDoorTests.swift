import Compositor
import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorTimeline
import CompositorMediaIO
import CompositorOverlay
import Foundation
import Testing

/// What a program finds behind `import Compositor`.
struct FrontDoorTests {
  static let size = PixelSize(width: 160, height: 90)

  static func source(_ pattern: GeneratedSource.Pattern, seconds: Int = 2, tone: Double? = nil) -> MediaSource {
    .generated(
      GeneratedSource(
        pattern: pattern, size: size, frameRate: 25, duration: .seconds(seconds), toneFrequency: tone))
  }

  static func movie() throws -> Timeline {
    var movie = Timeline()
    movie.append(source(.clock, tone: 440))
    movie.append(source(.bars, tone: 660), transition: .dissolve(.seconds(1)))
    movie.overlay(.title("Magic"), at: .seconds(0.5), for: .seconds(1))
    return movie
  }

  @Test func timeline_withoutCanvas_takesSizeAndRateOfTheFirstClip() async throws {
    let edit = try Self.movie().edit(catalog: MediaCatalog())
    #expect(edit.videoComposition.renderSize == Self.size)
    #expect(edit.videoComposition.frameDuration == .frames(1, at: 25))
    #expect(edit.composition.duration == .seconds(3))
    #expect(try await Self.movie().validate().isEmpty)
  }

  @Test func export_writesTheMovieAndTellsProgress() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "o.mp4").path
    let result = try await Self.movie().export(to: path, preset: .h264) { _ in }
    #expect(result.frameCount == 75 && result.duration == .seconds(3))
    let error = await #expect(throws: CompositorError.self) { try await Self.movie().export(to: path) }
    #expect(error?.code == .outputExists && error?.localizedDescription.contains("o.mp4") == true)
    #expect(error?.errorCode == CompositorError.Code.outputExists.rawValue)
    #expect((error as (any LocalizedError)?)?.recoverySuggestion?.isEmpty == false)
    #expect(try await Self.movie().export(to: path, preset: .h264, overwriting: true).frameCount == 75)
  }

  @Test func frames_areTheStills_inOrder_andCanBeLeft() async throws {
    let movie = try Self.movie()
    var frames: [RenderedFrame] = []
    for try await rendered in try await movie.frames(format: .rgba) { frames.append(rendered) }
    #expect(frames.map(\.index) == Array(0..<75))
    let times: [MediaTime] = [0, 20, 30, 60, 74].map { .frames($0, at: 25) }
    for (time, still) in zip(times, try await movie.stills(at: times)) {
      let rendered = try #require(frames.first { $0.time == time })
      #expect(rendered.frame.isEqual(to: still.frame), "\(time)")
    }
    var part: [MediaTime] = []
    for try await rendered in try await movie.frames(in: .seconds(1) ..< .seconds(2)) {
      part.append(rendered.time)
      if part.count == 5 { break }
    }
    #expect(part == (25..<30).map { .frames($0, at: 25) })
    let none = try await movie.frames(in: .seconds(5) ..< .seconds(6))
    for try await _ in none { Issue.record("A frame beyond the end") }
  }

  @Test func frames_ofACanceledTask_end() async throws {
    let sequence = try await Self.movie().frames()
    let task = Task {
      var count = 0
      for try await _ in sequence {
        count += 1
        if count == 3 { try await Task.sleep(for: .seconds(30)) }
      }
    }
    try await Task.sleep(for: .milliseconds(300))
    task.cancel()
    let start = ContinuousClock.now
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func closure_asACompositor_composesOneRender() async throws {
    var movie = Timeline()
    movie.append(Self.source(.clock))
    movie.effects = [TimelineEffect(timeRange: .zero ..< .seconds(1), compositor: "org.example.gray")]
    var registry = CompositorRegistry.builtIn
    try registry.register("org.example.gray") { request in
      var frame = try request.context.makeFrame()
      frame.withUnsafeMutablePlanes { planes in
        for index in 0..<planes.count {
          for y in 0..<planes[index].height { memset(planes[index].base + y * planes[index].stride, 128, planes[index].width) }
        }
      }
      return frame.freeze()
    }
    let other: @Sendable (CompositionRequest) async throws -> Frame = { try $0.context.makeFrame().freeze() }
    #expect(throws: CompositorError.self) { try registry.register("org.example.gray", compose: other) }
    let images = try await movie.stills(
      at: [.zero, .seconds(1)], settings: ImageSettings(format: .yuv420p).exactly, registry: registry)
    let luma = images.map { image in Set(image.frame.bytes(ofRow: 45)) }
    #expect(luma[0] == [128] && luma[1].count > 1)
  }

  /// An effect is no transition; over a part of the timeline, it changes all layers together, of which nothing is said.
  @Test func effect_isRefusedAsATransition_andNotOverLayers() async throws {
    let blur: CompositorID = "builtin.gaussian-blur"
    var movie = Timeline()
    movie.append(Self.source(.clock))
    movie.append(Self.source(.clock), transition: .compositor(blur, .seconds(0.5)))
    #expect(await movie.validate().map(\.path) == ["tracks[0].clips[1].transition"])
    await #expect(throws: CompositorError.self) { _ = try await movie.stills(at: [.zero]) }
    var layered = Timeline()
    layered.append(Self.source(.clock))
    layered.tracks.append(TimelineTrack(clips: [TimelineClip(Self.source(.clock))]))
    layered.effects = [TimelineEffect(timeRange: .zero ..< .seconds(1), compositor: blur)]
    #expect(await layered.validate().filter { $0.code == .layerNotSeen && $0.message.contains("effect") }.isEmpty)
  }

  /// A timeline that cannot be converted is reported with everything that prevents it, not only the first.
  @Test func validate_severalMistakes_reportsEach() async throws {
    let blur: CompositorID = "builtin.gaussian-blur"
    var movie = Timeline()
    movie.append(Self.source(.clock))
    movie.append("missing-1.mp4", for: .seconds(1))
    movie.append(Self.source(.clock), transition: .compositor(blur, .seconds(0.5)))
    movie.append(Self.source(.clock)) { $0.speed = .constant(Rational(1, 100_000)) }
    movie.append(Self.source(.clock)) { $0.fadeIn = AudioFade(.seconds(99)) }
    movie.append("missing-2.mp4", for: .seconds(1), track: 1)
    movie.overlay(.title("never seen"), for: .zero)
    movie.captions = [TimelineCaptions(contentsOf: "missing.srt")]
    let diagnostics = await movie.validate()
    #expect(diagnostics.allSatisfy { $0.severity == .error })
    let clips = ["tracks[0].clips[2]", "tracks[0].clips[1]", "tracks[0].clips[3]", "tracks[0].clips[4]", "tracks[1].clips[0]"]
    let places = diagnostics.map { $0.path ?? "" }
    #expect(places.count == 7)
    #expect(zip(places, clips + ["titles[0]", "captions[0]"]).allSatisfy { $0.hasPrefix($1) }, "\(places)")
    #expect(diagnostics.count { $0.code == .mediaUnavailable } == 3)
  }

  @Test func tag_ofAnInstruction_isInItsRequests() async throws {
    var edit = try Self.movie().edit(catalog: MediaCatalog())
    for index in edit.videoComposition.instructions.indices {
      edit.videoComposition.instructions[index].compositor = "org.example.tag"
      edit.videoComposition.instructions[index].tag = "part \(index)"
    }
    var registry = CompositorRegistry.builtIn
    try registry.register("org.example.tag") { request in
      #expect(request.instruction.tag == "part \(request.instructionIndex)")
      return try request.context.makeFrame().freeze()
    }
    _ = try await edit.stills(at: [.zero, .seconds(1.5), .seconds(2.5)], registry: registry)
    let data = try JSONEncoder().encode(edit)
    #expect(try JSONDecoder().decode(Edit.self, from: data) == edit)
  }
}

extension Frame {
  /// The samples of a row of the first plane.
  func bytes(ofRow y: Int) -> [UInt8] {
    withRow(y, as: UInt8.self) { row in (0..<row.count).map { row[$0] } }
  }

  /// The samples of the first plane.
  var bytes: [UInt8] { (0..<size.height).flatMap(bytes(ofRow:)) }

  /// Whether both have the same samples in the first plane.
  fileprivate func isEqual(to other: Frame) -> Bool { format == other.format && size == other.size && bytes == other.bytes }
}
