import CCompositorPNG
public import CompositorAPI
public import CompositorMediaIO

/// Writes each frame as an image file of its own, in the format of its extension. Times only decide the order. One owner at a
/// time.
public final class ImageSequenceWriter: MovieSink {
  private let path: (Int) -> String
  private let settings: ImageFileSettings
  private var writtenCount = 0
  private var byteCount: Int64 = 0
  private var end = MediaTime.zero
  private var lastTime = MediaTime.negativeInfinity
  private var isFinished = false

  /// Writes frames to the paths that `path` returns for 0, 1, 2 …. Creates each file or replaces its contents.
  public init(settings: ImageFileSettings = ImageFileSettings(), path: @escaping (Int) -> String) {
    self.path = path
    self.settings = settings
  }

  /// Writes one file. Accepts the frames of ``ImageFileWriter/write(_:to:settings:overwrites:)``.
  ///
  /// - Throws: `.invalidValue` for times out of order; the errors of ``ImageFileWriter/write(_:to:settings:overwrites:)``.
  public func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError) {
    let file = path(writtenCount)
    guard !isFinished, time.isNumeric, duration.isNumeric, time > lastTime else {
      throw CompositorError(
        .invalidValue, "A frame at \(time.readable) does not follow the previous one.",
        recoverySuggestion: "Append frames in order.",
        at: ErrorLocation(file: file, time: time))
    }
    byteCount += try ImageFileWriter.writePart(frame, to: file, settings: settings)
    (lastTime, end) = (time, time + duration)
    writtenCount += 1
  }

  /// Throws, because images have no audio.
  public func append(_ block: AudioBlock, count: Int, track: Int) throws(CompositorError) {
    throw CompositorError(.invalidValue, "Images hold no audio.", recoverySuggestion: "Write a movie.")
  }

  /// Always 0, because images have no audio.
  public func missingAudioSampleCount(track: Int) -> Int64 { 0 }

  /// Ends the sequence. Every file is already complete.
  public func finish() throws(CompositorError) -> MovieSummary {
    isFinished = true
    return MovieSummary(
      path: path(0), frameCount: writtenCount, duration: end, audioSampleCounts: [], byteCount: byteCount)
  }

  /// Removes all files written, unless the sequence was finished.
  public func abandon() {
    guard !isFinished else { return }
    for index in 0..<writtenCount { cpng_remove_regular_file(path(index)) }
    writtenCount = 0
  }
}
