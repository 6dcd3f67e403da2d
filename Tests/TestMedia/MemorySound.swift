package import CompositorAPI
import CompositorMedia
package import CompositorMediaIO
import Synchronization

/// Audio in memory: sample n of channel c is `value(n, c)`; readers are counted.
package final class MemorySound: MediaProvider {
  package let seconds: Int64
  package let value: @Sendable (Int64, Int) -> Float
  private let counts = Mutex((opened: 0, open: 0, peak: 0))

  package init(seconds: Int64 = 100, value: @escaping @Sendable (Int64, Int) -> Float) {
    self.seconds = seconds
    self.value = value
  }

  package var openedCount: Int { counts.withLock { $0.opened } }
  package var openNow: Int { counts.withLock { $0.open } }
  package var peakOpen: Int { counts.withLock { $0.peak } }

  private var track: AudioTrackInfo {
    AudioTrackInfo(index: 0, codec: "memory", sampleRate: 48_000, channelCount: 2, timeRange: .seconds(0, seconds))
  }

  package func describe() throws(CompositorError) -> MediaInfo {
    MediaInfo(source: .custom(name: "sound"), container: "memory", duration: .seconds(seconds), audioTracks: [track])
  }

  package func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    throw CompositorError(.trackNotFound, "Audio has no pictures.")
  }

  package func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader {
    counts.withLock { counts in
      counts.opened += 1
      counts.open += 1
      counts.peak = max(counts.peak, counts.open)
    }
    return Reader(self, info: track, options: options)
  }

  private func didClose() { counts.withLock { $0.open -= 1 } }

  private final class Reader: AudioReader {
    let info: AudioTrackInfo
    let options: AudioReaderOptions
    private let sound: MemorySound

    init(_ sound: MemorySound, info: AudioTrackInfo, options: AudioReaderOptions) {
      (self.sound, self.info, self.options) = (sound, info, options)
    }

    deinit { sound.didClose() }

    func read(
      frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
    ) throws(CompositorError) {
      for (channel, samples) in channels.enumerated() {
        for index in 0..<frameCount { samples[index] = sound.value(position + Int64(index), channel) }
      }
    }
  }
}
