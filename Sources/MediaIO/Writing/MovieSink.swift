public import CompositorAPI

/// What was written.
public struct MovieSummary: Hashable, Sendable {
  /// The file, or the first file of an image sequence.
  public let path: String
  /// Frames written.
  public let frameCount: Int
  /// End of the last frame.
  public let duration: MediaTime
  /// Samples written per channel; 0 without a sound track.
  public let audioSampleCount: Int64
  /// Size of all files together.
  public let byteCount: Int64
}

/// Where finished frames and sound go: a movie file, a folder of images.
///
/// Frames come in order; sound comes in order too. The usual way, which keeps little in memory, is: append a frame, then
/// append ``missingAudioSampleCount`` samples of sound. One owner at a time.
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

  /// Adds the first `count` samples of `block` to the sound.
  ///
  /// - Throws: `.invalidValue` where there is no sound track or the channels differ, `.encodeFailed`, `.writeFailed`.
  func append(_ block: AudioBlock, count: Int) throws(CompositorError)

  /// Samples still to be appended until the sound is as long as the pictures so far: the end of the last frame times the
  /// sample rate, rounded to nearest with halves up, minus what was appended. 0 without a sound track; never negative.
  var missingAudioSampleCount: Int64 { get }

  /// Ends the file: everything is encoded, written, flushed and made durable before this returns.
  ///
  /// - Throws: `.writeFailed`, `.encodeFailed`; call ``abandon()`` then.
  func finish() throws(CompositorError) -> MovieSummary

  /// Closes and removes what was written. Safe to call at any time, more than once; does nothing after a successful
  /// ``finish()``.
  func abandon()
}
