import CompositorAPI
import CompositorMediaIO

/// Makes stages from the processors of an audio mix.
struct AudioProcessing {
  let provider: any AudioProcessorProvider
  let sampleRate: Int
  let channelCount: Int
  /// The first sample to mix, in samples from composition time 0.
  let position: Int64

  /// A stage that applies processors to the samples of `source`, in order; `source` itself if there are none.
  ///
  /// - Parameter track: The track of the samples, for errors; `nil` for the mix.
  func chain(_ uses: [AudioProcessorUse], after source: any AudioStage, track: TrackID? = nil) -> any AudioStage {
    let samples = SequentialSamples(of: source, channelCount: channelCount, position: position)
    let chain = AudioProcessorChain(
      uses, provider: provider, sampleRate: sampleRate, channelCount: channelCount, position: position
    ) { count, channels throws(CompositorError) in try samples.read(count, into: channels) }
    guard let chain else { return source }
    return ProcessedStage(chain, track: track)
  }
}

/// A stage's samples after processing.
private final class ProcessedStage: AudioStage {
  private let chain: AudioProcessorChain
  private let track: TrackID?

  init(_ chain: AudioProcessorChain, track: TrackID?) { (self.chain, self.track) = (chain, track) }

  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError) {
    do throws(CompositorError) {
      try chain.read(count, into: block.channels)
    } catch {
      throw error.locating(ErrorLocation(track: track))
    }
  }
}

/// A stage's samples in order, in requests of any size.
private final class SequentialSamples {
  private let source: any AudioStage
  private let chunk: AudioBlock
  private var position: Int64

  init(of source: any AudioStage, channelCount: Int, position: Int64) {
    self.source = source
    self.position = position
    chunk = AudioBlock(channelCount: channelCount, capacity: AudioChunk.size)
  }

  func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    var done = 0
    while done < count {
      let part = min(AudioChunk.size, count - done)
      try source.render(part, from: position, into: chunk)
      for (samples, made) in zip(channels, chunk.channels) { (samples + done).update(from: made, count: part) }
      position += Int64(part)
      done += part
    }
  }
}
