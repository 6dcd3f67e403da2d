import CCompositorFFmpeg

/// HDR metadata that changes from frame to frame. It is neither applied nor written: only the base layer is read.
public struct DynamicMetadata: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A kind of dynamic metadata.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Dolby Vision, ETSI GS CCM 001.
    case dolbyVision
    /// HDR10+, SMPTE ST 2094-40.
    case hdr10Plus
  }

  /// The kind of metadata.
  public var kind: Kind
  /// Dolby Vision's profile, such as 8; `nil` if the file doesn't state it.
  public var profile: Int?
  /// Dolby Vision's base layer compatibility ID: 0 none, 1 and 6 HDR10, 2 BT.709 SDR, 4 HLG; `nil` if not stated.
  public var baseLayerCompatibility: Int?
  /// Whether an enhancement layer refines the base layer; it is not read.
  public var hasEnhancementLayer: Bool

  /// Creates a description.
  public init(_ kind: Kind, profile: Int? = nil, baseLayerCompatibility: Int? = nil, hasEnhancementLayer: Bool = false) {
    self.kind = kind
    self.profile = profile
    self.baseLayerCompatibility = baseLayerCompatibility
    self.hasEnhancementLayer = hasEnhancementLayer
  }

  /// Whether the base layer cannot be shown without the metadata. This is so for Dolby Vision profile 5, whose base layer is
  /// IPT-C2 whatever compatibility it claims, and for 8.0, 10.0 and 20.0.
  public var hasNoBaseLayer: Bool {
    guard let profile, let baseLayerCompatibility else { return false }
    return profile == 5 || (baseLayerCompatibility == 0 && [8, 10, 20].contains(profile))
  }

  /// A short name: `Dolby Vision 8.4`, `HDR10+`.
  public var description: String {
    switch kind {
    case .hdr10Plus: return "HDR10+"
    case .dolbyVision:
      guard let profile else { return "Dolby Vision" }
      // Only these profiles have variants by the base layer's compatibility.
      guard [8, 9, 10, 20].contains(profile), let baseLayerCompatibility else { return "Dolby Vision \(profile)" }
      return "Dolby Vision \(profile).\(baseLayerCompatibility)"
    }
  }

  /// A sentence about what is read of such a source and what is lost.
  public var loss: String {
    if hasNoBaseLayer { return "\(self) has no base layer that can be shown: its colors cannot be converted." }
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
