import AVFoundation
import AVFoundation.AVAsset
import Compositor
import OSLog
import Testing

/// An actor on a queue, whose state callbacks use without a hop.
private actor Feeder {
  private let queue = DispatchSerialQueue(label: "feeder")
  private var number = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Appends a number of pictures.
  func feed(_ input: sending AVAssetWriterInput, count: Int) async {
    nonisolated(unsafe) let input = input
    await withCheckedContinuation { continuation in
      input.requestMediaDataWhenReady(on: queue) {
        let isDone = self.assumeIsolated { feeder in
          while input.isReadyForMoreMediaData, feeder.number < count {
            guard let buffer = try? picture(feeder.number), let sample = try? sample(buffer, at: frames(feeder.number)) else {
              return true
            }
            input.append(sample)
            feeder.number += 1
          }
          return feeder.number == count
        }
        guard isDone else { return }
        input.markAsFinished()
        continuation.resume()
      }
    }
  }
}

@Suite struct SerialQueueTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func queue_isTheExecutorOfAnActor() async throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    nonisolated(unsafe) let shared = input
    await Feeder().feed(shared, count: 30)
    await writer.finishWriting()
    #expect(try numbers(folder["a.mov"]).map(\.number) == Array(0..<30))
  }

  @Test func queue_runsOnePieceOfWorkAfterAnother() async {
    let queue = DispatchSerialQueue(label: "queue", qos: .userInitiated)
    nonisolated(unsafe) var order: [Int] = []
    for index in 0..<100 { queue.async { order.append(index) } }
    let found = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: order) }
    }
    #expect(found == Array(0..<100) && queue.label == "queue" && queue.isIsolatingCurrentContext() == false)
  }

  @Test func logger_takesValuesWithPrivacy() {
    let logger = Logger(subsystem: "tests", category: "values")
    logger.debug("\(1) of \("two", privacy: .private)")
    logger.info("not written")
  }
}
