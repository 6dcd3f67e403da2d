/// What the rendered frames should look like, where an edit says; nil follows the sources.
public struct OutputDescription: Hashable, Sendable, Codable {
  /// Format of the frames; nil takes 4:2:0 in 8 bits for H.264, in 10 for PQ and HLG, else in the greatest bit depth among the
  /// sources (8 or 10).
  public var format: PixelFormat?
  /// Bits of each component, 8, 10, 12 or 16, whatever ``format`` says; `nil` leaves it to ``format``.
  public var bitDepth: Int?
  /// Color of the frames; nil takes that of the first source with Y′CbCr pictures, BT.709 where there is none, as far as the
  /// video composition does not say otherwise.
  public var color: ColorTags?
  /// Width of a pixel by its height.
  public var pixelAspectRatio: Rational
  /// What alpha means in the frames: `.opaque` composes over the background.
  public var alphaMode: AlphaMode
  /// What becomes of mastering display and light levels.
  public var hdrMetadata: HDRMetadataChoice

  /// Makes a description; by default everything follows the sources.
  public init(
    format: PixelFormat? = nil, color: ColorTags? = nil, pixelAspectRatio: Rational = .one, alphaMode: AlphaMode = .opaque,
    hdrMetadata: HDRMetadataChoice = .propagate, bitDepth: Int? = nil
  ) {
    self.format = format
    self.bitDepth = bitDepth
    self.color = color
    self.pixelAspectRatio = pixelAspectRatio
    self.alphaMode = alphaMode
    self.hdrMetadata = hdrMetadata
  }

  /// Reads a description; one without a word about HDR metadata propagates it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    format = try container.decodeIfPresent(PixelFormat.self, forKey: .format)
    bitDepth = try container.decodeIfPresent(Int.self, forKey: .bitDepth)
    color = try container.decodeIfPresent(ColorTags.self, forKey: .color)
    pixelAspectRatio = try container.decode(Rational.self, forKey: .pixelAspectRatio)
    alphaMode = try container.decode(AlphaMode.self, forKey: .alphaMode)
    hdrMetadata = try container.read(.hdrMetadata, or: .propagate)
  }
}

/// What becomes of mastering display (SMPTE ST 2086) and light levels (CTA-861.3) in a movie whose color is PQ.
///
/// SDR and HLG movies carry neither: their signal is relative to the display that shows it.
public enum HDRMetadataChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// What the PQ sources say: the mastering display with the brightest white, and the highest of each light level. Sources of
  /// another kind have nothing to say.
  case propagate
  /// None.
  case drop
  /// Measured from the composed frames before they are encoded. The timeline is rendered twice for it, since encoders want to
  /// know in advance.
  case generate
}

/// What is done about interlaced frames of a source.
public enum Deinterlacing: String, Sendable, Hashable, Codable {
  /// Nothing: both fields stay in one frame.
  case off
  /// One frame from each two fields (bwdif); progressive frames pass untouched.
  case sameRate
  /// One frame from each field (bwdif): twice the rate. Progressive frames pass untouched.
  case doubleRate
}
