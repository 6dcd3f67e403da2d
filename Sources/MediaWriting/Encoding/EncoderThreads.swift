package import CompositorAPI

/// The number of threads of a video encoder. This is the only place where it is decided.
///
/// The frames of H.264, HEVC and AV1 depend on the number, so it follows from the settings and the frame size alone. Neither
/// the machine's processors nor its load may change a byte of a movie.
package struct EncoderThreads: Hashable, Sendable {
  /// Number of threads that the encoder is opened with, 1 … 64; never 0, which would let it choose by the number of processors.
  package let count: Int
  /// Number of frames encoded at a time, if the encoder has a setting for it (HEVC); otherwise `nil`.
  package let frameCount: Int?
  /// Total number of threads that the encoder starts, including those for lookahead; 0 if it works on the caller's thread.
  package let total: Int

  /// Number of luma samples above which another thread of libx264 pays off: at 320x180, a second thread gains nothing.
  private static let pixelsForEach = 320 * 180

  package init(_ encoding: VideoEncodingSettings, size: PixelSize) {
    let count = encoding.threadCount ?? Self.usualCount(encoding, size)
    let isSoftware = encoding.encoder == .software
    self.count = count
    frameCount = encoding.codec == .hevc && isSoftware ? Self.frameCount(of: count, encoding.quality) : nil
    switch encoding.codec {
    // Besides the frame threads, a lookahead thread with helpers runs.
    case .h264 where isSoftware: total = count > 1 ? count + 1 + max(1, count / 6) : 0
    // A pool, and a thread for each frame.
    case .hevc where isSoftware: total = count + Self.frameCount(of: count, encoding.quality)
    case .av1 where isSoftware: total = count
    case .vp9, .dnxhr, .ffv1, .proRes: total = count > 1 ? count : 0
    case .h264, .hevc, .av1, .gif, .webp, .raw: total = 0
    }
  }

  private static func usualCount(_ encoding: VideoEncodingSettings, _ size: PixelSize) -> Int {
    // A hardware encoder needs no threads of the processor.
    guard encoding.encoder == .software else { return 1 }
    let pixels = size.width * size.height
    let most = pixels <= 1920 * 1088 ? 4 : pixels <= 3840 * 2160 ? 8 : 16
    switch encoding.codec {
    // libx264 needs two rows of macroblocks for each thread.
    case .h264: return max(1, min(most, (size.height + 15) / 16 / 2, pixels / pixelsForEach))
    case .hevc, .av1, .vp9, .proRes, .dnxhr: return most
    // A frame has four slices.
    case .ffv1: return 4
    case .gif, .webp, .raw: return 1
    }
  }

  /// libx265's own choice on a machine with as many processors as there are threads. With an average bit rate it is 1: the rate
  /// control of a frame otherwise depends on how far the frames before it are at that moment (measured: about one movie in
  /// twenty had different bytes).
  private static func frameCount(of threads: Int, _ quality: VideoEncodingSettings.Quality) -> Int {
    if case .bitRate = quality { return 1 }
    return switch threads {
    case ..<4: 1
    case ..<8: 2
    case ..<16: 3
    default: 4
    }
  }
}

extension VideoEncodingSettings {
  /// An estimate of an encoder's memory in bytes: its lookahead frames, reference frames, and the frames that its threads work
  /// on. Derived from measurements of the encoders.
  package func memoryByteCount(format: PixelFormat, size: PixelSize) -> Int {
    let threads = EncoderThreads(self, size: size)
    let frame = format.byteCount(of: size)
    // In H.264 and HEVC, samples above 8 bits use two bytes.
    let luma = max(1, size.width * size.height * (format.bitDepth > 8 ? 2 : 1))
    switch (codec, encoder) {
    case (.h264, .software):
      let (waiting, references) = lookahead
      // A waiting frame has half-sized copies, a reference has three interpolated ones.
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

  /// The number of lookahead frames of libx264's and libx265's presets, B frames included, and of reference frames.
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
