import CCompositorFFmpeg

/// HDR metadata that changes from picture to picture. It is neither applied nor written: pictures are read as their base layer.
public struct DynamicMetadata: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A kind of dynamic metadata.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Dolby Vision, ETSI GS CCM 001.
    case dolbyVision
    /// HDR10+, SMPTE ST 2094-40.
    case hdr10Plus
  }

  /// Which.
  public var kind: Kind
  /// Dolby Vision's profile, such as 8; nil where the file does not say.
  public var profile: Int?
  /// Dolby Vision's number for what the base layer is by itself: 0 nothing, 1 and 6 HDR10, 2 BT.709 SDR, 4 HLG; nil where the
  /// file does not say.
  public var baseLayerCompatibility: Int?
  /// Whether a second picture refines the base layer; it is not read.
  public var hasEnhancementLayer: Bool

  /// Makes a description.
  public init(_ kind: Kind, profile: Int? = nil, baseLayerCompatibility: Int? = nil, hasEnhancementLayer: Bool = false) {
    self.kind = kind
    self.profile = profile
    self.baseLayerCompatibility = baseLayerCompatibility
    self.hasEnhancementLayer = hasEnhancementLayer
  }

  /// Whether what is left without the metadata is no picture that can be shown: Dolby Vision profile 5, whose base layer is IPT-C2
  /// whatever compatibility it claims, and 8.0, 10.0 and 20.0, whose base layer is nothing by itself.
  public var hasNoBaseLayer: Bool {
    guard let profile, let baseLayerCompatibility else { return false }
    return profile == 5 || (baseLayerCompatibility == 0 && [8, 10, 20].contains(profile))
  }

  /// `Dolby Vision 8.4`, `HDR10+`.
  public var description: String {
    switch kind {
    case .hdr10Plus: return "HDR10+"
    case .dolbyVision:
      guard let profile else { return "Dolby Vision" }
      // Only these profiles have variants by what their base layer is.
      guard [8, 9, 10, 20].contains(profile), let baseLayerCompatibility else { return "Dolby Vision \(profile)" }
      return "Dolby Vision \(profile).\(baseLayerCompatibility)"
    }
  }

  /// What is read of such a source, and what is lost, in one sentence.
  public var loss: String {
    if hasNoBaseLayer { return "\(self) has no picture that can be shown without it: its colors cannot be converted." }
    let base =
      switch baseLayerCompatibility {
      case 1, 6: "its HDR10 base layer"
      case 2: "its SDR base layer"
      case 4: "its HLG base layer"
      default: "its base layer"
      }
    let layer = hasEnhancementLayer ? " and its enhancement layer are" : " is"
    return kind == .hdr10Plus
      ? "HDR10+ metadata is not used and not written: the source is read as HDR10."
      : "\(self) is read as \(base); its dynamic metadata\(layer) not used and not written."
  }
}

extension DynamicMetadata {
  init(_ configuration: cff_dolby_vision) {
    self.init(
      .dolbyVision, profile: Int(configuration.profile), baseLayerCompatibility: Int(configuration.base_compatibility),
      hasEnhancementLayer: configuration.has_enhancement_layer)
  }
}
