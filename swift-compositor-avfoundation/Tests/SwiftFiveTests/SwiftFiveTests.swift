import AVFoundation
import Testing

/// A compositor as programs of Swift 5 write it: a class that is not final, with state behind a queue. Attributes may be `[String: Any]`
/// there, of which the compiler warns, as it does on Apple's systems.
class InvertingCompositor: NSObject, AVVideoCompositing {
  private let queue = DispatchQueue(label: "inverting")
  private var context: AVVideoCompositionRenderContext?

  var sourcePixelBufferAttributes: [String: any Sendable]? = [
    kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
  ]
  var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
    kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
  ]

  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {
    queue.sync { context = newRenderContext }
  }

  func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
    queue.async {
      guard let id = request.sourceTrackIDs.first?.int32Value, let source = request.sourceFrame(byTrackID: id),
        let target = self.context?.newPixelBuffer()
      else { return request.finish(with: NSError(domain: "test", code: 1)) }
      CVPixelBufferLockBaseAddress(source, .readOnly)
      CVPixelBufferLockBaseAddress(target, [])
      guard let from = CVPixelBufferGetBaseAddress(source)?.assumingMemoryBound(to: UInt8.self),
        let to = CVPixelBufferGetBaseAddress(target)?.assumingMemoryBound(to: UInt8.self)
      else { return request.finish(with: NSError(domain: "test", code: 2)) }
      for row in 0..<CVPixelBufferGetHeight(target) {
        for column in 0..<CVPixelBufferGetWidth(target) {
          let (a, b) = (
            from + row * CVPixelBufferGetBytesPerRow(source) + column * 4,
            to + row * CVPixelBufferGetBytesPerRow(target) + column * 4
          )
          for part in 0..<3 { b[part] = 255 - a[part] }
          b[3] = 255
        }
      }
      CVPixelBufferUnlockBaseAddress(target, [])
      CVPixelBufferUnlockBaseAddress(source, .readOnly)
      request.finish(withComposedVideoFrame: target)
    }
  }
}

/// Edits in the mode of Swift 5: closures that capture what they like, blocking properties, semaphores.
@Suite final class SwiftFiveTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("five-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A movie of two seconds in one color, made by another program.
  private func movie(_ name: String, _ color: String) throws -> AVAsset {
    let url = folder.appendingPathComponent(name)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=\(color):s=160x90:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2",
      "-pix_fmt", "yuv420p", "-shortest", url.path,
    ]
    try process.run()
    process.waitUntilExit()
    return AVAsset(url: url)
  }

  @Test func clips_areMerged() throws {
    let composition = AVMutableComposition()
    let track = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    var time = CMTime.zero
    for (name, color) in [("a.mp4", "white"), ("b.mp4", "black")] {
      let asset = try movie(name, color)
      try track?.insertTimeRange(
        CMTimeRangeMake(start: .zero, duration: asset.duration), of: asset.tracks(withMediaType: .video)[0], at: time)
      time = CMTimeAdd(time, asset.duration)
    }
    let image = try export(composition, nil)
    #expect(image.width == 160 && mean(image) > 240)
  }

  @Test func ownCompositor_makesTheFrames() throws {
    let asset = try movie("a.mp4", "white")
    let video = AVMutableVideoComposition(propertiesOf: asset)
    video.customVideoCompositorClass = InvertingCompositor.self
    // White becomes black.
    #expect(try mean(export(asset, video)) < 10)
  }

  /// The mean of all bytes of the first row but alpha.
  private func mean(_ image: CGImage) -> Double {
    guard let data = image.dataProvider?.data as Data? else { return -1 }
    return (0..<image.width).map { Double(data[$0 * 4]) }.reduce(0, +) / Double(image.width)
  }

  /// Exports, waits on this thread, and shows the picture after a second.
  private func export(_ asset: AVAsset, _ video: AVVideoComposition?) throws -> CGImage {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    let url = folder.appendingPathComponent("out.mp4")
    session.outputURL = url
    session.outputFileType = .mp4
    session.videoComposition = video
    let done = DispatchSemaphore(value: 0)
    var wasCalled = false
    session.exportAsynchronously {
      wasCalled = session.status == .completed
      done.signal()
    }
    done.wait()
    #expect(wasCalled, "\(String(describing: session.error))")
    let generator = AVAssetImageGenerator(asset: AVAsset(url: url))
    return try generator.copyCGImage(at: CMTimeMakeWithSeconds(1, preferredTimescale: 600), actualTime: nil)
  }
}
