import AVFoundation
import Compositor
import Synchronization
import Testing

/// How much memory a program's compositor costs.
@Suite struct CompositorCopyTests {
  private let size = PixelSize(width: 64, height: 32)

  private func context(_ pool: FramePool) -> RenderContext {
    RenderContext(size: size, outputFormat: .bgra, outputAttributes: FrameAttributes(color: .sRGB), pool: pool)
  }

  /// Composes a frame from a frame of track 1, ten times.
  private func compose(
    by start: @escaping @Sendable (AVAsynchronousVideoCompositionRequest) -> Void
  ) async throws -> (areSame: [Bool], allocations: Int) {
    let pool = FramePool()
    let context = context(pool)
    let source = try context.makeFrame(filledWith: .white)
    let video = AVMutableVideoComposition()
    video.customVideoCompositorClass = TestCompositor.self
    video.instructions = [TestInstruction(CMTimeRange(start: .zero, duration: .positiveInfinity), start: start)]
    let composer = try #require(try CustomCompositor(of: video)).composer(in: context)
    var instruction = Instruction(timeRange: TimeRange(start: .zero, duration: .seconds(1)))
    instruction.additionalTrackIDs = [1]
    instruction.tag = "0"
    let before = pool.statistics.allocations
    var areSame: [Bool] = []
    for number in 0..<10 {
      let time = MediaTime(value: Int64(number), timescale: 25)
      let frame = SourceFrame(
        trackID: 1, frame: source, presentationTime: time, duration: MediaTime(value: 1, timescale: 25), requestedTime: time)
      let request = CompositionRequest(time: time, instruction: instruction, sources: [1: frame], context: context)
      areSame.append(try await composer.compose(request).isSameMemory(as: source))
    }
    return (areSame, pool.statistics.allocations - before)
  }

  /// A source that is given back is the frame: nothing is copied.
  @Test func returnedSource_isNotCopied() async throws {
    let result = try await compose { request in
      guard let source = request.sourceFrame(byTrackID: 1) else { return }
      request.finish(withComposedVideoFrame: source)
    }
    #expect(result.areSame.allSatisfy { $0 } && result.allocations == 0)
  }

  /// A buffer that is read costs nothing either; a new buffer is the frame, without a copy in the compositor's memory.
  @Test func newBuffer_becomesTheFrame() async throws {
    let addresses = Mutex<Set<UInt>>([])
    let result = try await compose { request in
      guard let source = request.sourceFrame(byTrackID: 1), let target = request.renderContext.newPixelBuffer() else { return }
      #expect(middle(of: source) == [255, 255, 255, 255])
      fill(target, with: [1, 2, 3, 255])
      CVPixelBufferLockBaseAddress(target, .readOnly)
      addresses.withLock { _ = $0.insert(UInt(bitPattern: CVPixelBufferGetBaseAddress(target))) }
      CVPixelBufferUnlockBaseAddress(target, .readOnly)
      request.finish(withComposedVideoFrame: target)
    }
    #expect(!result.areSame.contains(true) && result.allocations == 0)
    // Frames that are gone give their memory back.
    #expect(addresses.withLock { $0.count } <= 3)
  }
}
