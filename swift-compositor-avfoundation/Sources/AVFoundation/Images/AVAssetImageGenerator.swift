internal import Compositor
public import Foundation

/// Makes single images of an asset.
///
/// Without a video composition it shows the first video track.
open class AVAssetImageGenerator: NSObject {
  /// How a requested image ended.
  public enum Result: Int, Sendable {
    /// There is an image.
    case succeeded = 0
    /// There is none; the error says why.
    case failed = 1
    /// It was canceled.
    case cancelled = 2
  }

  /// The asset, which is read when an image is requested.
  public let asset: AVAsset
  /// Whether images are rotated upright as the track says. Ignored with a video composition. Default false.
  open var appliesPreferredTrackTransform = false
  /// The box that images are made to fit, in pixels; they are never enlarged. A width or height of zero does not limit them.
  open var maximumSize = CGSize.zero
  /// How much earlier than requested an image may be. Default any time: the key frame before.
  open var requestedTimeToleranceBefore = CMTime.positiveInfinity
  /// How much later than requested an image may be. Default any time.
  open var requestedTimeToleranceAfter = CMTime.positiveInfinity
  /// What is composed; `nil` for the first video track.
  open var videoComposition: AVVideoComposition?
  private let pending = PendingImages()

  /// A generator for an asset.
  public init(asset: AVAsset) { self.asset = asset }

  /// Images and the times that they show, and the program's compositor, if there is one.
  private struct Source: Sendable {
    let generator: ImageGenerator
    let compositor: CustomCompositor?
  }

  private func source() throws(AVError) -> Source {
    var settings = ImageSettings(format: .rgba, color: .sdr)
    let box = maximumSize.pixels
    if box.width > 0 || box.height > 0 {
      settings.maximumSize = PixelSize(width: box.width > 0 ? box.width : .max, height: box.height > 0 ? box.height : .max)
    }
    settings.render.compositorDeadline = CustomCompositor.deadline
    settings.toleranceBefore = requestedTimeToleranceBefore.media
    settings.toleranceAfter = requestedTimeToleranceAfter.media
    var translation = EditTranslation(asset: asset, videoComposition: videoComposition)
    translation.turnsUpright = appliesPreferredTrackTransform
    let edit = try translation.translated()
    guard edit.hasVideo else { throw AVError(.noImageAtTime, "The asset has no video track.") }
    settings.render.overlays = edit.overlays
    do {
      return Source(generator: try ImageGenerator(edit.composition, settings: settings), compositor: edit.compositor)
    } catch {
      throw AVError(error)
    }
  }

  /// The image at a time, within the tolerances.
  ///
  /// Blocks the thread, but needs no other one.
  /// - Throws: `AVError`: there is no image at that time, or it cannot be made.
  open func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
    let source = try source()
    let made = try BlockingCall.run { try await AVAssetImageGenerator.image(at: requestedTime, of: source) }
    actualTime?.pointee = made.actualTime
    return made.image
  }

  /// The image at a time, within the tolerances.
  ///
  /// - Throws: `AVError`: there is no image at that time, or it cannot be made.
  open func image(
    at time: CMTime, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (image: CGImage, actualTime: CMTime) {
    let made = try await AVAssetImageGenerator.image(at: time, of: try source())
    return (made.image, made.actualTime)
  }

  /// Makes images and calls a closure with each, from another thread.
  @preconcurrency open func generateCGImagesAsynchronously(
    forTimes requestedTimes: [NSValue],
    completionHandler handler: @escaping @Sendable (CMTime, CGImage?, CMTime, Result, (any Error)?) -> Void
  ) {
    let times = requestedTimes.map(\.timeValue)
    do {
      let source = try source()
      let task = Task(executorPreference: Worker.shared) {
        await AVAssetImageGenerator.makeImages(at: times, of: source, handler)
      }
      pending.add(task)
    } catch {
      for time in times { handler(time, nil, .invalid, .failed, error) }
    }
  }

  private static func makeImages(
    at times: [CMTime], of source: Source,
    _ handler: @Sendable (CMTime, CGImage?, CMTime, Result, (any Error)?) -> Void
  ) async {
    for time in times {
      switch await outcome(at: time, of: source) {
      case .success(let made): handler(time, made.image, made.actualTime, .succeeded, nil)
      case .failure(let error):
        let isCanceled = (error as? AVError)?.code == .operationCancelled
        handler(time, nil, .invalid, isCanceled ? .cancelled : .failed, error)
      }
    }
    await source.generator.close()
  }

  /// Cancels the images that are not made yet; their closures are called.
  open func cancelAllCGImageGeneration() { pending.cancelAll() }

  private struct Made: Sendable {
    let image: CGImage
    let actualTime: CMTime
  }

  private static func image(at time: CMTime, of source: Source) async throws -> Made {
    let outcome = await outcome(at: time, of: source)
    await source.generator.close()
    return try outcome.get()
  }

  private static func outcome(at time: CMTime, of source: Source) async -> Swift.Result<Made, any Error> {
    do {
      let generated = try await source.generator.image(at: time.media)
      guard let image = CGImage(generated.frame) else { return .failure(AVError(.noImageAtTime, "The image has no pixels.")) }
      return .success(Made(image: image, actualTime: CMTime(generated.actualTime)))
    } catch {
      return .failure(source.compositor.explain(error))
    }
  }
}

extension CGImage {
  /// A copy of a frame of 8-bit R, G, B, A.
  convenience init?(_ frame: Frame) {
    let (width, height) = (frame.size.width, frame.size.height)
    let bytes = frame.withUnsafePlanes { planes in
      let plane = planes[0]
      var bytes = Data(capacity: width * height * 4)
      for row in 0..<height {
        bytes.append(Data(bytes: plane.base + row * plane.stride, count: width * 4))
      }
      return bytes
    }
    guard let provider = CGDataProvider(data: NSData(data: bytes)), let space = CGColorSpace(name: CGColorSpace.sRGB) else {
      return nil
    }
    let alpha: CGImageAlphaInfo = frame.attributes.alphaMode == .opaque ? .noneSkipLast : .last
    self.init(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4, space: space,
      bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue), provider: provider, decode: nil, shouldInterpolate: true,
      intent: .defaultIntent)
  }
}
