/// The format and color of the rendered frames. `nil` properties follow the sources.
public struct OutputDescription: Hashable, Sendable, Codable {
  /// The pixel format; `nil` for 4:2:0, with 8 bits for H.264, 10 bits for PQ and HLG, and otherwise the greatest bit depth
  /// among the sources (8 or 10).
  public var format: PixelFormat?
  /// Bits per component: 8, 10, 12 or 16, overriding that of ``format``; `nil` to use that of ``format``.
  public var bitDepth: Int?
  /// The color tags; `nil` for those of the first Y′CbCr source, or BT.709 if there is none. Values that the video composition
  /// sets take precedence.
  public var color: ColorTags?
  /// Pixel aspect ratio: the width of a pixel divided by its height.
  public var pixelAspectRatio: Rational
  /// The meaning of alpha in the frames. `.opaque` composes over the background.
  public var alphaMode: AlphaMode
  /// The mastering display and light level metadata to write.
  public var hdrMetadata: HDRMetadataChoice
  /// Whether the chroma location is that of the sources if they agree, overriding that of ``color``, so that chroma need not be
  /// resampled. Stills and RGB sources are ignored. Default `false`.
  public var followsSourceChromaSites = false
  /// Whether frames have the chroma resolution and bit depth of the finest Y′CbCr source, unless ``format`` or ``bitDepth`` is
  /// set. For lossless outputs. Default `false`.
  public var followsSourceLayout = false
  /// Whether frames have full range if all Y′CbCr sources have, unless ``color`` is set. For lossless outputs whose file states
  /// the range. Default `false`.
  public var followsSourceRange = false
  /// Whether the canvas was not chosen, so that its sides are those of the first clip, rounded up to even ones. An image, an animated image
  /// or a lossless movie then has the exact size of its only source. Default `false`.
  public var roundsCanvas = false
  /// How the peak luminance of PQ sources is determined, unless ``Edit/sourceColors`` specifies it. Default
  /// ``PeakChoice/stated``.
  public var peak = PeakChoice.stated

  /// Width and height of the frames in pixels, each 1 … 16,384; `nil` for the canvas times ``VideoComposition/renderScale``.
  /// The canvas is scaled to fit. If its aspect ratio differs, it is centered between bars in the instruction's background
  /// color.
  public var size: PixelSize?

  /// Creates a description. By default everything follows the sources.
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

  /// Decodes a description. Absent HDR metadata means ``HDRMetadataChoice/propagate``.
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
    followsSourceRange = try container.read(.followsSourceRange, or: false)
    roundsCanvas = try container.read(.roundsCanvas, or: false)
    peak = try container.read(.peak, or: .stated)
    size = try container.decodeIfPresent(PixelSize.self, forKey: .size)
  }
}

/// How the peak luminance of PQ sources is determined, which controls the roll-off of highlights.
public enum PeakChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// From mastering display and light level metadata; 1000 cd/m² if there is neither.
  case stated
  /// By a first pass over the frames that are used, which takes as long as decoding them.
  case measured = "measure"
}

/// Corrections of a source's color tags and of its alpha. `nil` properties keep the source's own.
///
/// ```swift
/// timeline.sourceColors["camera.mov"] = SourceColor(primaries: .bt2020, transfer: .hlg)
/// timeline.sourceColors["grade.mov"] = SourceColor(peak: .measured)
/// ```
///
/// If primaries or transfer function of a still are set, its ICC profile is ignored.
public struct SourceColor: Hashable, Sendable, Codable {
  /// The peak luminance of a PQ source.
  public enum Peak: Hashable, Sendable, Codable {
    /// A luminance in cd/m², 10 … 10,000.
    case luminance(Double)
    /// Measured in a first pass over the frames that are used.
    case measured
  }

  /// The color primaries.
  public var primaries: ColorPrimaries?
  /// The transfer function.
  public var transfer: TransferFunction?
  /// The matrix from Y′CbCr to R′G′B′. It has no effect on RGB sources.
  public var matrix: MatrixCoefficients?
  /// The range of code values.
  public var range: ColorRange?
  /// The location of subsampled chroma.
  public var chromaLocation: ChromaLocation?
  /// The peak luminance of a PQ source, which replaces its mastering display and light level metadata.
  public var peak: Peak?
  /// Whether color is multiplied by alpha (``AlphaMode/premultiplied``) or not (``AlphaMode/straight``); ``AlphaMode/opaque``
  /// ignores alpha. Files rarely state it. It has no effect on sources without alpha.
  public var alphaMode: AlphaMode?
  /// The matrix that movies of the named kind usually have, used if ``matrix`` is `nil`. Images keep theirs.
  private var usualMatrix: MatrixCoefficients?

  /// The correction for a name of ``ColorTags/names``; `nil` for any other name. It sets primaries and transfer function, and
  /// for movies the matrix, unless the name is a camera's, because cameras write their matrix into their files. Range and
  /// chroma location stay the source's.
  public static func named(_ name: String) -> SourceColor? {
    guard let tags = ColorTags.named(name) else { return nil }
    var color = SourceColor(primaries: tags.primaries, transfer: tags.transfer)
    let isVideo = tags.isCodePoint && tags.matrix != .identity && tags.transfer != .sRGB
    color.usualMatrix = isVideo ? tags.matrix : nil
    return color
  }

  /// Creates a correction.
  public init(
    primaries: ColorPrimaries? = nil, transfer: TransferFunction? = nil, matrix: MatrixCoefficients? = nil,
    range: ColorRange? = nil, chromaLocation: ChromaLocation? = nil, peak: Peak? = nil, alphaMode: AlphaMode? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
    self.peak = peak
    self.alphaMode = alphaMode
  }

  /// A copy in which the values that `other` sets take precedence.
  public func overruled(by other: SourceColor) -> SourceColor {
    var color = self
    color.primaries = other.primaries ?? primaries
    color.transfer = other.transfer ?? transfer
    color.matrix = other.matrix ?? (other.usualMatrix == nil ? matrix : nil)
    color.usualMatrix = other.usualMatrix ?? usualMatrix
    color.range = other.range ?? range
    color.chromaLocation = other.chromaLocation ?? chromaLocation
    color.peak = other.peak ?? peak
    color.alphaMode = other.alphaMode ?? alphaMode
    return color
  }

  /// Whether primaries or transfer function are set, so that a still's ICC profile is ignored.
  public var setsColor: Bool { primaries != nil || transfer != nil }

  /// A frame's attributes with the corrections applied.
  ///
  /// - Parameters:
  ///   - format: The pixel format of the frame.
  ///   - isImage: Whether the frame is an image, whose matrix isn't that of movies.
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
    if let alphaMode, format.hasAlpha, attributes.alphaMode != .opaque { attributes.alphaMode = alphaMode }
    if case .luminance(let luminance) = peak { attributes.hdr = SourceColor.metadata(attributes.hdr, peak: luminance) }
    return attributes
  }

  /// Metadata with the given peak luminance. A mastering display with a lower peak is omitted.
  private static func metadata(_ stated: HDRMetadata?, peak: Double) -> HDRMetadata {
    let display = stated?.masteringDisplay.flatMap { $0.maximumLuminance >= peak ? $0 : nil }
    let average = stated?.contentLightLevel?.maximumFrameAverageLightLevel ?? 0
    let level = Int(min(max(peak.rounded(.up), 1), 10_000))
    return HDRMetadata(
      masteringDisplay: display,
      contentLightLevel: ContentLightLevel(maximumContentLightLevel: level, maximumFrameAverageLightLevel: min(average, level)))
  }
}

/// The mastering display (SMPTE ST 2086) and light level (CTA-861.3) metadata of a PQ movie.
///
/// SDR and HLG movies have neither, because their signal is relative to the display that shows it.
public enum HDRMetadataChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Combines the metadata of the PQ sources: the mastering display with the brightest white, and the maximum of each light
  /// level. Other sources are ignored.
  case propagate
  /// Writes no metadata.
  case drop
  /// Measures the composed frames before they are encoded. This renders the timeline twice, because encoders need the values in
  /// advance.
  case generate
}

/// How interlaced frames of a source are handled.
public enum Deinterlacing: String, Sendable, Hashable, Codable {
  /// Leaves both fields in one frame.
  case off
  /// Makes one frame from each two fields (bwdif). Progressive frames are unchanged.
  case sameRate
  /// Makes one frame from each field (bwdif), which doubles the frame rate. Progressive frames are unchanged.
  case doubleRate
}
