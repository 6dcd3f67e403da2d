package import CompositorAPI
import Foundation

/// Threads of a video encoder: the one place where their number is decided.
///
/// The pictures of H.264 and HEVC depend on it, so nothing that changes from one export to the next may: not what else runs, only the settings,
/// the size of the frames and the processors of the machine.
package struct EncoderThreads: Hashable, Sendable {
  /// What the encoder is opened with; 0 lets it choose.
  package let count: Int
  /// Threads that it has then, as far as that can be told: those that encode and those that look ahead.
  package let total: Int

  /// Samples of luma for which a thread pays: on one of 320x180 a second thread gains nothing.
  static let pixelsForEach = 320 * 180

  /// - Parameter processorCount: Processors of the machine.
  package init(
    _ encoding: VideoEncodingSettings, size: PixelSize,
    processorCount: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    let usual: Int
    switch encoding.codec {
    // As libx264 chooses for itself: half as many again as processors, and at least two rows of macroblocks for each.
    case .h264 where encoding.encoder == .software:
      let rows = (size.height + 15) / 16
      let worthwhile = max(1, size.width * size.height / Self.pixelsForEach)
      usual = max(1, min(processorCount * 3 / 2, rows / 2, worthwhile, 64))
      count = encoding.threadCount ?? usual
      // Beside frames that are encoded side by side, a thread looks ahead, with helpers.
      total = count > 1 ? count + 1 + max(1, count / 6) : 0
      return
    case .hevc: usual = processorCount + 3
    case .av1, .vp9, .dnxhr, .ffv1, .proRes: usual = processorCount + 1
    case .h264, .gif, .webp, .raw: usual = 0
    }
    count = encoding.threadCount ?? 0
    total = encoding.threadCount ?? usual
  }
}

extension VideoEncodingSettings {
  /// What an encoder keeps in memory, in bytes, as far as that can be told: the frames that it looks ahead at, those it refers to, and those that
  /// its threads work on. Measured of the encoders themselves.
  package func memoryByteCount(format: PixelFormat, size: PixelSize) -> Int {
    let threads = EncoderThreads(self, size: size)
    let frame = format.byteCount(of: size)
    // In H.264 and HEVC, samples have two bytes above 8 bits.
    let luma = max(1, size.width * size.height * (format.bitDepth > 8 ? 2 : 1))
    switch (codec, encoder) {
    case (.h264, .software):
      let (waiting, references) = lookahead
      // A frame that waits has its half-sized copies beside it, a reference its three interpolated ones.
      return (waiting + threads.count + 3) * (frame + 2 * luma) + (references + threads.count + 2) * (frame + 4 * luma)
        + (8 << 20)
    case (.hevc, .software):
      let (waiting, references) = lookahead
      return (waiting + references + 18) * (frame + 3 * luma) + (48 << 20)
    case (.av1, .software), (.vp9, .software): return 48 * frame + (32 << 20)
    case (.ffv1, _), (.proRes, _), (.dnxhr, _): return (threads.total + 1) * 2 * frame + (16 << 20)
    case (.gif, _), (.webp, _): return 8 * frame + (16 << 20)
    case (.raw, _): return 2 * frame
    default: return 16 * frame + (32 << 20)
    }
  }

  /// Frames that libx264's and libx265's presets look ahead at, B frames among them, and those they refer to.
  private var lookahead: (frames: Int, references: Int) {
    switch speed {
    case .ultrafast: (3, 1)
    case .superfast: (6, 2)
    case .veryfast: (16, 2)
    case .faster: (24, 3)
    case .fast: (34, 3)
    case .medium: (44, 4)
    case .slow: (54, 6)
    case .slower: (64, 9)
    case .veryslow: (70, 17)
    }
  }
}
