extension BenchmarkRow {
  /// Milliseconds per frame by stage, summed over threads; `nil` for a stage that was not measured.
  public struct Stages: Sendable, Hashable, Codable {
    /// Waiting for decoders.
    public let decode: Double?
    /// Converting sources for compositors, and frames for delivery.
    public let convert: Double
    /// Inside the compositors, without the host's overhead.
    public let compose: Double
    /// Titles, captions and other overlays.
    public let titles: Double
    /// Encoding and writing.
    public let encode: Double?
    /// Mixing audio.
    public let audio: Double?

    package init(
      decode: Double?, convert: Double, compose: Double, titles: Double, encode: Double?, audio: Double?
    ) {
      self.decode = decode
      self.convert = convert
      self.compose = compose
      self.titles = titles
      self.encode = encode
      self.audio = audio
    }
  }

  /// The processor time of decoding alone and of encoding alone, in milliseconds per frame, and of the export that does both and
  /// composes.
  public struct Codecs: Sendable, Hashable, Codable {
    /// Decoding all sources, without composing.
    public let decodeMilliseconds: Double
    /// Encoding the composed frames, which are in memory.
    public let encodeMilliseconds: Double
    /// The whole export.
    public let wholeMilliseconds: Double

    package init(decodeMilliseconds: Double, encodeMilliseconds: Double, wholeMilliseconds: Double) {
      self.decodeMilliseconds = decodeMilliseconds
      self.encodeMilliseconds = encodeMilliseconds
      self.wholeMilliseconds = wholeMilliseconds
    }

    /// What compositing adds, as a fraction of decoding plus encoding: 0.03 is 3 %. Below 0 if the difference is smaller than the
    /// noise.
    public var added: Double {
      let codecs = decodeMilliseconds + encodeMilliseconds
      return (wholeMilliseconds - codecs) / codecs
    }
  }
}
