import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorPlugins
import CompositorTestSupport
import Testing

private let plugins = Frei0rSearchPath().plugins

/// Twenty frames of real footage (of the generated clock where COMPOSITOR_TEST_MEDIA is not there) through every frei0r plugin
/// of this machine: each renders or ends in an error, and this process goes on. docs/frei0r.md is the table.
@Suite(.enabled(if: !plugins.isEmpty, "needs frei0r-plugins"))
struct Frei0rFootageTests {
  private static let size = PixelSize(width: 176, height: 144)

  private enum Outcome: Sendable {
    case rendered
    case failed(CompositorError)
  }

  @Test func everyPlugin_twentyFramesOfFootage_neverStopsTheHost() async throws {
    let frames = try Self.footage()
    var outcomes: [String: Outcome] = [:]
    // A few in parallel, so that waiting for a deadline does not block the others.
    await withTaskGroup(of: (String, Outcome).self) { tasks in
      for (number, plugin) in plugins.enumerated() {
        if number >= 4, let (name, outcome) = await tasks.next() { outcomes[name] = outcome }
        tasks.addTask { (plugin.name, await Self.outcome(of: plugin.path, frames)) }
      }
      for await (name, outcome) in tasks { outcomes[name] = outcome }
    }
    #expect(outcomes.count == plugins.count)
    var rendered = 0
    for (name, outcome) in outcomes {
      switch outcome {
      case .rendered: rendered += 1
      case .failed(let error):
        #expect([.pluginFailed, .compositorTimedOut, .compositorFailed].contains(error.code), "\(name): \(error)")
        #expect(error.location.file?.hasSuffix("\(name).so") == true || error.location.compositor != nil, "\(name): \(error)")
      }
    }
    #expect(rendered * 10 >= plugins.count * 9, "\(rendered) of \(plugins.count) render")
  }

  private static func outcome(of path: String, _ frames: [Frame]) async -> Outcome {
    do {
      let isolation = PluginIsolation(program: BuiltTool.url.path, deadline: .seconds(3), workerCount: 1)
      let plugin = try IsolatedPlugin(.frei0r(path: path), isolation: isolation)
      let factory = try #require(plugin.factories.first)
      let format = try #require(factory.descriptor.outputFormats.first)
      let context = RenderContext(
        size: size, outputFormat: format, outputAttributes: FrameAttributes(color: .sRGB), pool: FramePool())
      let composer = try factory.makeCompositor(parameters: [:], context: context)
      for number in 0..<20 { try await compose(frames, number, composer, context) }
      return .rendered
    } catch let error as CompositorError {
      return .failed(error)
    } catch {
      return .failed(CompositorError(.internalFault, "\(error)"))
    }
  }

  /// One frame, with as many tracks as the plugin turns out to take.
  private static func compose(
    _ frames: [Frame], _ number: Int, _ composer: any FrameComposer, _ context: RenderContext
  ) async throws {
    for count in 1...3 {
      let time = MediaTime(value: Int64(number), timescale: 25)
      let tracks = (1...count).map { TrackID($0) }
      let instruction = Instruction(
        timeRange: TimeRange(start: .zero, duration: MediaTime(value: 20, timescale: 25)),
        layers: tracks.map { LayerInstruction(trackID: $0) })
      let sources = tracks.map { track in
        SourceFrame(
          trackID: track, frame: frames[(number + Int(track) * 3) % frames.count], presentationTime: time,
          duration: .indefinite, requestedTime: time)
      }
      do {
        let frame = try await composer.compose(
          CompositionRequest(
            time: time, instruction: instruction, sources: Dictionary(uniqueKeysWithValues: sources.map { ($0.trackID, $0) }),
            context: context))
        guard frame.size == size, frame.format == context.outputFormat else {
          throw CompositorError(.internalFault, "a frame of \(frame.size) \(frame.format)")
        }
        return
      } catch let error as CompositorError where error.code == .invalidComposition && count < 3 {
        continue
      }
    }
  }

  private static func footage() throws -> [Frame] {
    let clock = GeneratedSource(pattern: .clock, size: size, frameRate: Rational(25, 1))
    let source =
      mediaFolder.map { MediaSource.file(path: $0.appending(path: "carphone_pristine.mp4").path) } ?? .generated(clock)
    let reader = try MediaOpener.openVideo(source)
    return try (0..<30).map { try #require(try reader.frame(at: MediaTime(value: $0, timescale: 25))).frame }
  }
}
