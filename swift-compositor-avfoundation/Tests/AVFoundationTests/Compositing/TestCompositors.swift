import AVFoundation
import Synchronization
import Testing

/// An instruction of a test, which says what the compositor does with requests.
final class TestInstruction: NSObject, AVVideoCompositionInstructionProtocol, @unchecked Sendable {
  let timeRange: CMTimeRange
  let enablePostProcessing: Bool
  let containsTweening = true
  let requiredSourceTrackIDs: [NSValue]?
  let passthroughTrackID: CMPersistentTrackID
  let start: @Sendable (AVAsynchronousVideoCompositionRequest) -> Void
  let cancel: @Sendable () -> Void

  init(
    _ timeRange: CMTimeRange, tracks: [CMPersistentTrackID]? = nil, passthrough: CMPersistentTrackID? = nil,
    enablePostProcessing: Bool = false, cancel: @escaping @Sendable () -> Void = {},
    start: @escaping @Sendable (AVAsynchronousVideoCompositionRequest) -> Void
  ) {
    (self.timeRange, self.enablePostProcessing) = (timeRange, enablePostProcessing)
    requiredSourceTrackIDs = tracks?.map { NSNumber(value: $0) }
    passthroughTrackID = passthrough ?? kCMPersistentTrackID_Invalid
    (self.start, self.cancel) = (start, cancel)
  }
}

/// A compositor that does what the instruction says.
class TestCompositor: NSObject, AVVideoCompositing, @unchecked Sendable {
  private let last = Mutex<TestInstruction?>(nil)
  private let contextCount = Mutex(0)

  var sourcePixelBufferAttributes: [String: any Sendable]? {
    [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
  }
  var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
    [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
  }

  var supportsWideColorSourceFrames: Bool { false }

  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) { contextCount.withLock { $0 += 1 } }

  func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
    #expect(contextCount.withLock { $0 } == 1, "the context is set once, before the first request")
    guard let instruction = request.videoCompositionInstruction as? TestInstruction else {
      return request.finish(with: TestFailure(text: "not the test's instruction"))
    }
    last.withLock { $0 = instruction }
    instruction.start(request)
  }

  func cancelAllPendingVideoCompositionRequests() { last.withLock { $0 }?.cancel() }
}

/// An error of a test.
struct TestFailure: Error, Equatable { let text: String }

/// A pixel format as the parameter of a class.
protocol TestFormat { static var type: OSType { get } }

/// A compositor that takes and makes one format.
final class FormatCompositor<Format: TestFormat>: TestCompositor, @unchecked Sendable {
  override var sourcePixelBufferAttributes: [String: any Sendable]? {
    [kCVPixelBufferPixelFormatTypeKey as String: [Format.type, kCVPixelFormatType_32RGBA]]
  }
  override var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
    [kCVPixelBufferPixelFormatTypeKey as String: Format.type]
  }
}

/// An instruction with a value of the program.
final class LabeledInstruction: AVMutableVideoCompositionInstruction { var label = "" }

/// Tells what it gets.
final class LabelCompositor: TestCompositor, @unchecked Sendable {
  override func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
    let label = (request.videoCompositionInstruction as? LabeledInstruction)?.label
    request.finish(with: TestFailure(text: "\(label ?? "lost") \(request.sourceTrackIDs.map(\.intValue))"))
  }
}

/// Writes the same bytes to each pixel of a packed buffer.
func fill(_ buffer: CVPixelBuffer, with pixel: [UInt8]) {
  CVPixelBufferLockBaseAddress(buffer, [])
  defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
  guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
  for row in 0..<CVPixelBufferGetHeight(buffer) {
    let bytes = (base + row * CVPixelBufferGetBytesPerRow(buffer)).assumingMemoryBound(to: UInt8.self)
    for column in 0..<CVPixelBufferGetWidth(buffer) {
      for (place, byte) in pixel.enumerated() { bytes[column * pixel.count + place] = byte }
    }
  }
}

/// The bytes of the pixel in the middle of a packed buffer.
func middle(of buffer: CVPixelBuffer, count: Int = 4) -> [UInt8] {
  CVPixelBufferLockBaseAddress(buffer, .readOnly)
  defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
  guard let base = CVPixelBufferGetBaseAddress(buffer) else { return [] }
  let row = base + CVPixelBufferGetHeight(buffer) / 2 * CVPixelBufferGetBytesPerRow(buffer)
  return (0..<count).map { row.load(fromByteOffset: CVPixelBufferGetWidth(buffer) / 2 * count + $0, as: UInt8.self) }
}

/// R, G and B of the pixel in the middle of an image.
func middle(of image: CGImage) -> [UInt8] {
  guard let data = image.dataProvider?.data as Data? else { return [] }
  let first = image.height / 2 * image.bytesPerRow + image.width / 2 * 4
  return Array(data[first..<first + 3])
}

/// A video composition of a movie with a compositor of a test.
func testComposition(
  of asset: AVAsset, by type: any AVVideoCompositing.Type = TestCompositor.self, _ instructions: [TestInstruction]
) -> AVMutableVideoComposition {
  let video = AVMutableVideoComposition(propertiesOf: asset)
  video.customVideoCompositorClass = type
  video.instructions = instructions
  return video
}

/// The image of an asset with a video composition at a time.
func image(_ asset: AVAsset, _ video: AVVideoComposition?, at seconds: Double) async throws -> CGImage {
  let generator = AVAssetImageGenerator(asset: asset)
  generator.videoComposition = video
  (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
  return try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600)).image
}
