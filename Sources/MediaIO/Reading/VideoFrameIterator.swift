public import CompositorAPI

/// Reads the frames of a video track one after another: each once, with the time and the duration that its file states, whether
/// the rate varies, frames are stored out of order, or an edit list chooses some of them.
///
/// Like its reader, it has one owner at a time. Other requests to the reader in between don't change the order, but cost seeks.
///
/// ```swift
/// let reader = try MediaOpener.openVideo(.file(path: "clip.mp4"))
/// var frames = reader.frames(from: .seconds(2))
/// while let frame = try frames.next() { show(frame.frame, at: frame.presentationTime) }
/// ```
public struct VideoFrameIterator {
  private let reader: any VideoReader
  private let start: MediaTime?
  private var last: MediaTime?

  fileprivate init(_ reader: any VideoReader, from start: MediaTime?) { (self.reader, self.start) = (reader, start) }

  /// The next frame; `nil` after the last one. A still is a single frame of endless duration.
  ///
  /// - Throws: The errors of ``VideoReader/frame(after:)``. The next call tries again.
  public mutating func next() throws(CompositorError) -> DecodedVideoFrame? {
    let frame = if let last { try reader.frame(after: last) } else { try first() }
    if let frame { last = frame.presentationTime }
    return frame
  }

  private func first() throws(CompositorError) -> DecodedVideoFrame? {
    guard let start else { return try reader.frame(after: reader.info.timeRange.start - .seconds(1)) }
    if let shown = try reader.frame(at: start) { return shown }
    return try reader.frame(after: start)
  }
}

extension VideoReader {
  /// The frames in order of time.
  ///
  /// - Parameter start: Media time, numeric; the first frame is the one shown then, or the track's first one if that starts
  ///   later. `nil`, the default, starts with the track's first frame.
  public func frames(from start: MediaTime? = nil) -> VideoFrameIterator { VideoFrameIterator(self, from: start) }
}
