import CompositorAPI
import CompositorExport
import CompositorPlayback
import Foundation

extension WebSocketChannel {
  /// The audio format of pages.
  static let audioFormat = ReaderAudioFormat(sampleRate: 48_000, channelCount: 2)

  /// Sends samples of a player's audio once they are mixed, or an error.
  ///
  /// - Parameters:
  ///   - duration: Duration in seconds, limited to 0.02 … 2.
  ///   - run: The number of the page's action.
  func sendAudio(of player: Player, from time: MediaTime, duration: Double, run: Int) {
    let count = Int(min(max(0.02, duration), 2) * Double(WebSocketChannel.audioFormat.sampleRate))
    Task {
      do throws(CompositorError) {
        let block = try await player.audio(from: time, count: count)
        var data = Data(capacity: block.channels.count * count * 4)
        for samples in block.channels { samples.withUnsafeBytes { data.append(contentsOf: $0) } }
        send(
          AudioHeader(
            run: run, time: block.time.seconds, sampleRate: block.sampleRate, channelCount: block.channels.count,
            sampleCount: block.sampleCount), body: data)
      } catch {
        if error.code != .cancelled { send(FailureMessage(error)) }
        // Each request has a response, so that the page can count pending ones.
        let format = WebSocketChannel.audioFormat
        send(
          AudioHeader(
            run: run, time: time.seconds, sampleRate: format.sampleRate, channelCount: format.channelCount, sampleCount: 0),
          body: Data())
      }
    }
  }
}
