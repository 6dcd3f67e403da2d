/// The motion blur of a layer of a title or of an instruction: it is shown as the mean of what it shows while a shutter is open,
/// centered at the frame's time.
///
/// The mean is that of premultiplied colors and coverage in the signal in which layers are mixed, which is exact for layers that lie
/// over the picture: as if as many frames had been drawn and mixed. A layer that does not change while the shutter is open is drawn as
/// without. A movie that moves shows one of its frames meanwhile.
public struct MotionBlur: Hashable, Sendable {
  /// How long the shutter is open, in seconds of the layer's parent or of the movie, above 0 and at most 60: half the duration of a frame is a shutter
  /// angle of 180 degrees.
  public var exposure: Double
  /// The number of moments of which the mean is taken, 2 … 64; `nil` for as many as the movement of the layer's corners needs: one for
  /// each two pixels, between 16 and 64.
  public var samples: Int?

  /// Creates a motion blur.
  public init(exposure: Double, samples: Int? = nil) { (self.exposure, self.samples) = (exposure, samples) }

  /// The number of moments for a movement of the layer's corners, in pixels: one for each two pixels.
  package static func sampleCount(forDistance distance: Double) -> Int {
    distance.isFinite ? Int(min(max((distance / 2).rounded(.up), 16), 64)) : 64
  }

  /// Checks that it can be drawn.
  ///
  /// - Throws: `.invalidValue`, with the key.
  package func requireUsable() throws(CompositorError) {
    guard exposure > 0, exposure <= 60 else {
      throw CompositorError(
        .invalidValue, "A shutter cannot be open for \(exposure) s.",
        recoverySuggestion: "Give a time above 0 and at most 60 s; half the duration of a frame is usual.",
        at: ErrorLocation(path: "exposure"))
    }
    guard (2...64).contains(samples ?? 2) else {
      throw CompositorError(
        .invalidValue, "A motion blur cannot have \(samples ?? 0) samples.", recoverySuggestion: "Give 2 to 64, or none.",
        at: ErrorLocation(path: "samples"))
    }
  }
}

extension MotionBlur: Codable {
  private enum CodingKeys: CodingKey { case exposure, samples }

  /// Decodes a motion blur, of which only the samples may be missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      exposure: try values.decode(Double.self, forKey: .exposure),
      samples: try values.decodeIfPresent(Int.self, forKey: .samples))
    try requireUsable()
  }
}
