package import CompositorAPI
package import CompositorMediaIO

/// A part of the way of samples from files to the mix: gives samples in order, each from those of the stage before it.
///
/// A stage that needs later samples than it gives (a limiter, a processor with latency) asks the stage before it for more; sample n
/// stays sample n. One owner at a time.
package protocol AudioStage: AnyObject {
  /// Writes samples `position` ..< `position + count` of every channel to the beginning of `block`.
  ///
  /// - Parameters:
  ///   - count: 1 … ``AudioChunk/size``.
  ///   - position: In samples from composition time 0. Each call continues the one before.
  ///   - block: As many channels as the mix has; its contents are overwritten.
  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError)
}

/// Samples that stages work on at a time; what comes out does not depend on it.
package enum AudioChunk {
  /// The most samples that a stage is asked for.
  package static let size = 1024
}
