package import CompositorAPI
package import CompositorMediaIO

/// A stage in the path of samples from files to the mix. It produces samples in order from those of the stage before it.
///
/// A stage that needs later samples than it returns (a limiter, a processor with latency) requests more from the stage before
/// it; sample n stays sample n. One owner at a time.
package protocol AudioStage: AnyObject {
  /// Writes samples `position` ..< `position + count` of every channel to the beginning of `block`.
  ///
  /// - Parameters:
  ///   - count: 1 … ``AudioChunk/size``.
  ///   - position: Position of the first sample, in samples from composition time 0. Each call continues the previous one.
  ///   - block: A block with the mix's number of channels, whose contents are overwritten.
  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError)
}

/// The number of samples that stages process at a time. The result does not depend on it.
package enum AudioChunk {
  /// Maximum number of samples requested from a stage.
  package static let size = 1024
}
