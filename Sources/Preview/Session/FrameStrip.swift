import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation
import Foundation

/// A few small frames of a movie, for a strip above its timeline.
enum FrameStrip {
  /// The most frames of a strip.
  static let count = 16
  /// The box of a frame in pixels.
  private static let size = PixelSize(width: 192, height: 108)

  /// Renders the frames in the middle of equal parts of a movie, or near it at key frames, in order of time. Frames that cannot be
  /// rendered are left out: playback reports the error. Stops when the task is canceled.
  ///
  /// - Parameter receive: Receives the index of a part, the number of parts and a JPEG.
  static func make(
    _ composition: ValidatedComposition, frameCount: Int, receive: (_ index: Int, _ count: Int, Data) -> Void
  ) async {
    let duration = composition.edit.composition.duration
    let count = min(FrameStrip.count, frameCount)
    guard count > 0, duration.isNumeric, duration > .zero else { return }
    var settings = ImageSettings(color: .sdr, maximumSize: size)
    settings.toleranceBefore = duration.multiplied(by: 1, over: Int64(2 * count))
    settings.toleranceAfter = settings.toleranceBefore
    settings.render.damaged = .keep
    let encoding = FrameEncoding(policy: composition.edit.videoComposition.colorConversion)
    do {
      guard let times = try ThumbnailTimes.count(count).times(in: duration) else { return }
      let generator = try ImageGenerator(composition, settings: settings)
      for await answer in generator.requests(at: times) {
        guard !Task.isCancelled else { break }
        guard case .success(let image) = answer.result, let shown = try? encoding.shown(image.frame),
          let bytes = try? encoding.jpeg(shown, quality: 75)
        else { continue }
        receive(answer.index, count, Data(bytes))
      }
      await generator.close()
    } catch {
      return
    }
  }
}
