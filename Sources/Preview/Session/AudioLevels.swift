import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorValidation
import Foundation

/// The lowest and the highest sample of each part of a movie's audio, for drawing on a page.
enum AudioLevels {
  /// Number of parts of a movie.
  static let count = 2000
  /// Number of parts sent at a time.
  private static let portion = 100

  /// Mixes all audio once, faster than it plays, and sends levels in portions as they become known. Stops when the task is
  /// canceled or audio cannot be read: the rest stays flat, and playback reports the error.
  ///
  /// - Parameter receive: Receives the index of the first part, the total number of parts, and two signed bytes for each part
  ///   of the portion.
  static func measure(_ composition: ValidatedComposition, receive: (_ first: Int, _ count: Int, Data) -> Void) async {
    var settings = ReaderSettings()
    settings.mediaTypes = [.audio]
    // Peaks for a drawing need neither a high rate nor both channels.
    settings.audio = ReaderAudioFormat(sampleRate: 16_000, channelCount: 1)
    settings.render.damaged = .keep
    do {
      let reader = try await CompositionReader(composition, settings: settings)
      let total = reader.sampleCount
      guard total > 0 else { return }
      var (first, levels) = (0, [Int8]())
      for part in 0..<count {
        let size = Int(total * Int64(part + 1) / Int64(count) - total * Int64(part) / Int64(count))
        levels += try await pair(size, from: reader)
        guard levels.count == portion * 2 || part == count - 1 else { continue }
        receive(first, count, Data(levels.map { UInt8(bitPattern: $0) }))
        (first, levels) = (part + 1, [])
        try Task.checkCancellation()
      }
    } catch {
      return
    }
  }

  /// The extremes of the next samples.
  private static func pair(_ size: Int, from reader: CompositionReader) async throws -> [Int8] {
    var (low, high, left) = (Float(0), Float(0), size)
    while left > 0, let block = try await reader.nextAudio(left), block.sampleCount > 0 {
      for sample in block.channels[0] { (low, high) = (min(low, sample), max(high, sample)) }
      left -= block.sampleCount
    }
    return [low, high].map { Int8(min(max(-127, ($0 * 127).rounded()), 127)) }
  }
}
