import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestMedia
import Synchronization
import Testing

@Suite struct ImageGeneratorTests {
  private func edit() throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 5), .seconds(0, 5))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 5), layers: [LayerInstruction(trackID: track)])]
    return edit
  }

  @Test func images_atManyTimes_giveExactlyOneAnswerEach() async throws {
    let generator = try ImageGenerator(edit().validated(), settings: ImageSettings(format: .yuv420p).exactly)
    let times = [
      MediaTime(value: 7, timescale: 30), MediaTime(value: 299, timescale: 60), .seconds(5), .seconds(-1), .invalid,
      .positiveInfinity, .zero, MediaTime(value: 7, timescale: 30),
    ]
    var answers: [(MediaTime, UInt8?)] = []
    await generator.images(at: times) { time, result in
      switch result {
      case .success(let image):
        // 299/60 s lies in the middle of frame 149.
        #expect(image.requestedTime == time)
        #expect(
          image.actualTime == (time == MediaTime(value: 299, timescale: 60) ? MediaTime(value: 149, timescale: 30) : time))
        answers.append((time, image.frame.firstLuma))
      case .failure(let error):
        #expect(error.code == .noFrame)
        answers.append((time, nil))
      }
    }
    let order = [3, 6, 0, 7, 1, 2, 5, 4]
    #expect(answers.map(\.0) == order.map { times[$0] })
    let shown = [nil, 0, 7, 7, 149, nil, nil, nil].map { $0.map(MemoryMedia.luma) }
    #expect(answers.map(\.1) == shown)
    await generator.close()
  }

  @Test func images_afterCancellation_areAllAnsweredAsCancelled() async throws {
    let generator = try ImageGenerator(edit().validated(), settings: .exact)
    let codes = Mutex<[CompositorError.Code?]>([])
    let task = Task {
      await generator.images(at: (0..<10).map { MediaTime(value: Int64($0), timescale: 30) }) { _, result in
        var code: CompositorError.Code?
        if case .failure(let error) = result { code = error.code }
        codes.withLock { $0.append(code) }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await task.value
    #expect(codes.withLock { $0 } == [nil] + Array(repeating: .cancelled, count: 9))
    await generator.close()
  }

  @Test func maximumSize_rendersSmallerInTheSameShape() async throws {
    let settings = ImageSettings(maximumSize: PixelSize(width: 32, height: 100)).exactly
    let generator = try ImageGenerator(edit().validated(), settings: settings)
    let image = try await generator.image(at: .zero)
    #expect(image.frame.size == PixelSize(width: 32, height: 18))
    #expect(image.frame.format == .rgba)
    await generator.close()
    #expect(throws: CompositorError.self) {
      try ImageGenerator(edit().validated(), settings: ImageSettings(maximumSize: PixelSize(width: 0, height: 1)).exactly)
    }
  }
}
