import CompositorAPI
import CompositorExport
import CompositorPlayback
import Foundation

extension WebSocketChannel {
  /// Audio as pages get it.
  static let audioFormat = ReaderAudioFormat(sampleRate: 48_000, channelCount: 2)

  /// Sends samples of a player's audio once they are mixed, or why there are none.
  ///
  /// - Parameters:
  ///   - duration: Seconds, brought into 0.02 … 2.
  ///   - run: The number that the page asked with.
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
        // Each question has an answer, so that the page can count those that are open.
        let format = WebSocketChannel.audioFormat
        send(
          AudioHeader(
            run: run, time: time.seconds, sampleRate: format.sampleRate, channelCount: format.channelCount, sampleCount: 0),
          body: Data())
      }
    }
  }
}
