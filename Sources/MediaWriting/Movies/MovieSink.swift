public import CompositorAPI
public import CompositorMediaIO

/// A summary of what was written.
public struct MovieSummary: Hashable, Sendable {
  /// Path of the file, or of the first file of an image sequence.
  public let path: String
  /// Number of frames written.
  public let frameCount: Int
  /// End of the last frame; without video, end of the longest audio track.
  public let duration: MediaTime
  /// Samples written per channel, for each audio track.
  public let audioSampleCounts: [Int64]
  /// Total size of all files in bytes.
  public let byteCount: Int64

  /// Samples written per channel to the first audio track; 0 without one.
  public var audioSampleCount: Int64 { audioSampleCounts.first ?? 0 }
}

/// A destination of finished frames and audio, such as a movie file or a folder of images.
///
/// Frames come in order, as does the audio of each track. To use little memory, append a frame, then append
/// ``missingAudioSampleCount(track:)`` samples to each audio track, and so on. One owner at a time.
///
/// ```swift
/// for frame in frames {
///   try sink.append(frame.frame, at: frame.time, duration: frame.duration)
///   while sink.missingAudioSampleCount > 0 {
///     let count = Int(min(Int64(block.capacity), sink.missingAudioSampleCount))
///     try mixer.mix(count, into: block)
///     try sink.append(block, count: count)
///   }
/// }
/// let summary = try sink.finish()
/// ```
public protocol MovieSink: AnyObject {
  /// Appends a frame. It is kept by reference as long as the encoder needs it.
  ///
  /// - Parameters:
  ///   - time: Presentation time, ≥ 0 and later than the previous frame's.
  ///   - duration: Duration, > 0.
  /// - Throws: `.invalidValue` for an invalid time, `.invalidCompositorOutput` for a frame whose size or format differs from
  ///   the declared one, `.encodeFailed`, `.writeFailed`.
  func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError)

  /// Appends the first `count` samples of `block` to an audio track.
  ///
  /// - Parameter track: Index among the audio tracks, from 0.
  /// - Throws: `.invalidValue` if there is no such track or the channels differ, `.encodeFailed`, `.writeFailed`.
  func append(_ block: AudioBlock, count: Int, track: Int) throws(CompositorError)

  /// Number of samples to append until an audio track is as long as the video so far: the end of the last frame times the
  /// sample rate, rounded to nearest with halves up, minus the samples appended. 0 without video or without such a track; never
  /// negative.
  func missingAudioSampleCount(track: Int) -> Int64

  /// Number of frames that have left the encoder so far; `nil` if frames are written as they are appended.
  var encodedFrameCount: Int? { get }

  /// Signals the end of the input, and encodes some of the frames that the encoders still hold. Encoding all of them at once may
  /// take long, so call this repeatedly to do it in steps; ``finish()`` does what is left.
  ///
  /// - Returns: Whether frames may remain.
  /// - Throws: The errors of ``append(_:at:duration:)``; call ``abandon()`` then.
  func drain() throws(CompositorError) -> Bool

  /// Finishes the file: everything is encoded, written, flushed and durable when this method returns.
  ///
  /// - Throws: `.writeFailed`, `.encodeFailed`; call ``abandon()`` then.
  func finish() throws(CompositorError) -> MovieSummary

  /// Closes and removes the written files. Can be called at any time and more than once; does nothing after a successful
  /// ``finish()``.
  func abandon()
}

extension MovieSink {
  /// `nil`, because frames are written as they are appended.
  public var encodedFrameCount: Int? { nil }

  /// `false`, because no frame waits in an encoder.
  public func drain() throws(CompositorError) -> Bool { false }

  /// Appends the first `count` samples of `block` to the first audio track: see ``append(_:count:track:)``.
  public func append(_ block: AudioBlock, count: Int) throws(CompositorError) { try append(block, count: count, track: 0) }

  /// Number of samples until the first audio track is as long as the video so far: see ``missingAudioSampleCount(track:)``.
  public var missingAudioSampleCount: Int64 { missingAudioSampleCount(track: 0) }
}
