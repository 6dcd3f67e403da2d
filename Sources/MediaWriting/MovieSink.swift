public import CompositorAPI
public import CompositorMediaIO

/// What was written.
public struct MovieSummary: Hashable, Sendable {
  /// The file, or the first file of an image sequence.
  public let path: String
  /// Frames written.
  public let frameCount: Int
  /// End of the last frame; without video, of the longest audio track.
  public let duration: MediaTime
  /// Samples written per channel, for each audio track.
  public let audioSampleCounts: [Int64]
  /// Size of all files together.
  public let byteCount: Int64

  /// Samples written per channel to the first audio track; 0 without one.
  public var audioSampleCount: Int64 { audioSampleCounts.first ?? 0 }
}

/// Where finished frames and audio go: a movie file, a folder of images.
///
/// Frames come in order, and so does the audio of each track. The usual way, which keeps little in memory, is: append a frame, then
/// append ``missingAudioSampleCount(track:)`` samples to each audio track. One owner at a time.
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
  /// Adds a frame. It is kept by reference for as long as the encoder needs it.
  ///
  /// - Parameters:
  ///   - time: Presentation time, ≥ 0, later than that of the frame before.
  ///   - duration: How long it is shown, > 0.
  /// - Throws: `.invalidValue` for a bad time, `.invalidCompositorOutput` for a frame of another size or format than declared,
  ///   `.encodeFailed`, `.writeFailed`.
  func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError)

  /// Adds the first `count` samples of `block` to an audio track.
  ///
  /// - Parameter track: Index among the audio tracks, from 0.
  /// - Throws: `.invalidValue` if there is no such track or the channels differ, `.encodeFailed`, `.writeFailed`.
  func append(_ block: AudioBlock, count: Int, track: Int) throws(CompositorError)

  /// Samples still to be appended until an audio track is as long as the video so far: the end of the last frame times the
  /// sample rate, rounded to nearest with halves up, minus what was appended. 0 without video or without such a track; never
  /// negative.
  func missingAudioSampleCount(track: Int) -> Int64

  /// Frames that have left the encoder so far; nil where a frame is written as soon as it is appended.
  var encodedFrameCount: Int? { get }

  /// Says that nothing more is appended, and encodes a little of what the encoders still hold, which may take as long as many frames do in
  /// all. ``finish()`` does what is left.
  ///
  /// - Returns: Whether anything may be left.
  /// - Throws: What ``append(_:at:duration:)`` throws; call ``abandon()`` then.
  func drain() throws(CompositorError) -> Bool

  /// Ends the file: everything is encoded, written, flushed and made durable before this returns.
  ///
  /// - Throws: `.writeFailed`, `.encodeFailed`; call ``abandon()`` then.
  func finish() throws(CompositorError) -> MovieSummary

  /// Closes and removes what was written. Safe to call at any time, more than once; does nothing after a successful
  /// ``finish()``.
  func abandon()
}

extension MovieSink {
  /// nil: frames are written as they come.
  public var encodedFrameCount: Int? { nil }

  /// `false`: no frame waits in an encoder.
  public func drain() throws(CompositorError) -> Bool { false }

  /// Adds the first `count` samples of `block` to the first audio track: see ``append(_:count:track:)``.
  public func append(_ block: AudioBlock, count: Int) throws(CompositorError) { try append(block, count: count, track: 0) }

  /// Samples until the first audio track is as long as the video so far: see ``missingAudioSampleCount(track:)``.
  public var missingAudioSampleCount: Int64 { missingAudioSampleCount(track: 0) }
}
