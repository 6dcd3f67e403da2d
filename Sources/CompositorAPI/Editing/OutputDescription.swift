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
  /// Whether chroma is sited as it is in the sources where these agree, whatever ``color`` says, so that it need not be resampled.
  /// Stills and R, G, B do not count. Default false.
  public var followsSourceChromaSites = false
  /// Whether frames have the chroma resolution and the bits of the finest source with Y′CbCr pictures, as far as ``format`` and ``bitDepth``
  /// say nothing: for what is kept without loss. Default false.
  public var followsSourceLayout = false
  /// Where the brightest light of PQ sources is known from, as far as ``Edit/sourceColors`` does not say. Default ``PeakChoice/stated``.
  public var peak = PeakChoice.stated

  /// Columns and rows of the frames, each 1 … 16,384; nil takes the canvas times ``VideoComposition/renderScale``. The canvas is scaled
  /// until it fits; where its aspect is another one, it stands in the middle of bars in the background color of the instruction.
  public var size: PixelSize?

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
    followsSourceChromaSites = try container.read(.followsSourceChromaSites, or: false)
    followsSourceLayout = try container.read(.followsSourceLayout, or: false)
    peak = try container.read(.peak, or: .stated)
    size = try container.decodeIfPresent(PixelSize.self, forKey: .size)
  }
}

/// Where the brightest light of PQ sources is known from, which decides how highlights are rolled off.
public enum PeakChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Mastering display and light levels; 1000 cd/m² without either.
  case stated
  /// A first pass over the frames that are used, which takes as long as decoding them.
  case measured = "measure"
}

/// What is known better of a source's color than the source says itself. What is `nil` stays as the source has it.
///
/// ```swift
/// timeline.sourceColors["camera.mov"] = SourceColor(primaries: .bt2020, transfer: .hlg)
/// timeline.sourceColors["grade.mov"] = SourceColor(peak: .measured)
/// ```
///
/// A still whose primaries or transfer function are said is not converted by its ICC profile.
public struct SourceColor: Hashable, Sendable, Codable {
  /// The brightest light of a PQ source.
  public enum Peak: Hashable, Sendable, Codable {
    /// In cd/m², 10 … 10,000.
    case luminance(Double)
    /// Measured in a first pass over the frames that are used.
    case measured
  }

  /// The colors of R, G and B.
  public var primaries: ColorPrimaries?
  /// The curve between light and signal.
  public var transfer: TransferFunction?
  /// Y′CbCr to R′G′B′. Nothing for pictures of R, G, B.
  public var matrix: MatrixCoefficients?
  /// Code values of black and white.
  public var range: ColorRange?
  /// Siting of subsampled chroma.
  public var chromaLocation: ChromaLocation?
  /// The brightest light of a PQ source, in place of its mastering display and light levels.
  public var peak: Peak?
  /// The matrix of movies of the kind that was named, if ``matrix`` says nothing; images keep theirs.
  private var usualMatrix: MatrixCoefficients?

  /// What a name of ``ColorTags/names`` says: primaries and curve, and for movies the matrix, unless it is a camera's name: cameras
  /// write their matrix into their files. Range and chroma site stay the source's. `nil` for any other name.
  public static func named(_ name: String) -> SourceColor? {
    guard let tags = ColorTags.named(name) else { return nil }
    var color = SourceColor(primaries: tags.primaries, transfer: tags.transfer)
    let isVideo = tags.isCodePoint && tags.matrix != .identity && tags.transfer != .sRGB
    color.usualMatrix = isVideo ? tags.matrix : nil
    return color
  }

  /// Makes a description.
  public init(
    primaries: ColorPrimaries? = nil, transfer: TransferFunction? = nil, matrix: MatrixCoefficients? = nil,
    range: ColorRange? = nil, chromaLocation: ChromaLocation? = nil, peak: Peak? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
    self.peak = peak
  }

  /// The same with what another description says over it.
  public func overruled(by other: SourceColor) -> SourceColor {
    var color = self
    color.primaries = other.primaries ?? primaries
    color.transfer = other.transfer ?? transfer
    color.matrix = other.matrix ?? (other.usualMatrix == nil ? matrix : nil)
    color.usualMatrix = other.usualMatrix ?? usualMatrix
    color.range = other.range ?? range
    color.chromaLocation = other.chromaLocation ?? chromaLocation
    color.peak = other.peak ?? peak
    return color
  }

  /// Whether what the source's pictures are is said, so that a still's ICC profile does not count.
  public var saysColors: Bool { primaries != nil || transfer != nil }

  /// A frame's attributes with what is known better in their place.
  ///
  /// - Parameters:
  ///   - format: The frame's format.
  ///   - isImage: Whether the frame comes from an image, whose matrix is not that of movies.
  public func applied(
    to attributes: FrameAttributes, in format: PixelFormat, isImage: Bool = false
  ) -> FrameAttributes {
    var attributes = attributes
    var color = attributes.color
    color.primaries = primaries ?? color.primaries
    color.transfer = transfer ?? color.transfer
    if !format.isRGB, color.matrix != .identity { color.matrix = matrix ?? (isImage ? nil : usualMatrix) ?? color.matrix }
    color.range = range ?? color.range
    color.chromaLocation = chromaLocation ?? color.chromaLocation
    attributes.color = color
    if case .luminance(let luminance) = peak { attributes.hdr = SourceColor.metadata(attributes.hdr, peak: luminance) }
    return attributes
  }

  /// Metadata whose peak is a luminance: a mastering display that shows less is left out.
  private static func metadata(_ stated: HDRMetadata?, peak: Double) -> HDRMetadata {
    let display = stated?.masteringDisplay.flatMap { $0.maximumLuminance >= peak ? $0 : nil }
    let average = stated?.contentLightLevel?.maximumFrameAverageLightLevel ?? 0
    let level = Int(min(max(peak.rounded(.up), 1), 10_000))
    return HDRMetadata(
      masteringDisplay: display,
      contentLightLevel: ContentLightLevel(maximumContentLightLevel: level, maximumFrameAverageLightLevel: min(average, level)))
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
