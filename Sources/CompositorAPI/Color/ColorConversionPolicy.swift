import CompositorPlatform

/// Options of conversions between SDR, HLG and PQ. Each default is the value of a standard.
///
/// ```swift
/// video.colorConversion.toneMapping = .reinhard
/// video.colorConversion.diffuseWhite = 100
/// ```
///
/// Conversions within SDR, within PQ or within HLG don't depend on it, except for ``gamutMapping``, ``sdrCurve``, ``srgb`` and
/// ``dithering``.
public struct ColorConversionPolicy: Hashable, Sendable {
  /// How light above the output's peak is compressed.
  public enum ToneMapping: String, Hashable, Sendable, Codable, CaseIterable {
    /// The EETF of ITU-R BT.2390 clause 5.4: unchanged below its knee, a Hermite spline in PQ above.
    case bt2390
    /// Reinhard's extended curve, `x (1 + x / p²) / (1 + x)` with light and source peak relative to the output's peak.
    case reinhard
    /// Hable's filmic curve, with its white at the source's peak.
    case hable
    /// Unchanged up to the output's peak, and clipped above it.
    case clip
  }

  /// How colors outside a narrower output gamut are mapped.
  public enum GamutMapping: String, Hashable, Sendable, Codable, CaseIterable {
    /// ``preserveHue`` for HDR and for camera log, ``clip`` for SDR.
    case automatic
    /// Moves colors toward gray along a line of constant hue and intensity in ICtCp, by a soft curve. Gradients outside the
    /// gamut remain gradients, and the last 5 % of the way to the gamut's boundary is compressed to make room for them.
    case preserveHue = "preserve-hue"
    /// Clips each component separately (the hard clip of ITU-R BT.2407). Colors inside the gamut don't change; hues outside
    /// shift.
    case clip
  }

  /// How SDR code values are interpreted as light.
  public enum SDRCurve: String, Hashable, Sendable, Codable, CaseIterable {
    /// Display-referred: ITU-R BT.1886 with a black of 0, a power of 2.4, for BT.709, BT.601, BT.2020 and SMPTE 240M.
    case display
    /// Scene-referred: the curves of ITU-T H.273 table 3 and their exact inverses.
    case camera
  }

  /// How sRGB code values (stills, graphics, colors of titles and generated sources) are interpreted as light.
  public enum SRGBCurve: String, Hashable, Sendable, Codable, CaseIterable {
    /// Like SDR video: R′G′B′ keeps its code values in SDR outputs, and in HDR outputs a color has the light of SDR video of
    /// that color.
    case graphics
    /// As defined by IEC 61966-2-1. In SDR video, whose display is a power of 2.4, dark and middle tones get higher code
    /// values.
    case colorimetric
  }

  /// How code values are rounded if the output has a lower bit depth than a source.
  public enum Dithering: String, Hashable, Sendable, Codable, CaseIterable {
    /// Ordered dithering with an 8 × 8 pattern that depends only on the sample's position, so every render gives the same code
    /// values.
    case ordered
    /// Rounding to the nearest code value.
    case none
  }

  /// The luminance of SDR white in HDR video, in cd/m², 50 … 1000. Default 203, ITU-R BT.2408.
  public var diffuseWhite: Double
  /// The peak luminance of the HLG display, in cd/m², 100 … 10,000, which determines the system gamma. Default 1000, ITU-R
  /// BT.2100 table 5.
  public var hlgPeakLuminance: Double
  /// The luminance of HDR video that becomes SDR white, in cd/m², 50 … 1000: the target of tone mapping. Default 203, so that
  /// SDR converted to HDR and back is unchanged below the knee of the roll-off.
  public var sdrPeakLuminance: Double
  /// How light above the output's peak is compressed. Default ``ToneMapping/bt2390``.
  public var toneMapping: ToneMapping
  /// How colors outside the output's gamut are mapped. Default ``GamutMapping/automatic``.
  public var gamutMapping: GamutMapping
  /// How SDR code values are interpreted as light. Default ``SDRCurve/display``.
  public var sdrCurve: SDRCurve
  /// How sRGB code values are interpreted as light. Default ``SRGBCurve/graphics``.
  public var srgb: SRGBCurve
  /// How code values are rounded if bit depth is reduced. Default ``Dithering/ordered``.
  public var dithering: Dithering

  /// Creates a policy. Default arguments are the values of the standards.
  public init(
    diffuseWhite: Double = 203, hlgPeakLuminance: Double = 1000, sdrPeakLuminance: Double = 203,
    toneMapping: ToneMapping = .bt2390, gamutMapping: GamutMapping = .automatic, sdrCurve: SDRCurve = .display,
    srgb: SRGBCurve = .graphics, dithering: Dithering = .ordered
  ) {
    self.diffuseWhite = diffuseWhite
    self.hlgPeakLuminance = hlgPeakLuminance
    self.sdrPeakLuminance = sdrPeakLuminance
    self.toneMapping = toneMapping
    self.gamutMapping = gamutMapping
    self.sdrCurve = sdrCurve
    self.srgb = srgb
    self.dithering = dithering
  }

  /// The policy with the values of the standards.
  public static let standard = ColorConversionPolicy()

  /// Checks that every luminance is within its range.
  ///
  /// - Throws: `.invalidValue`, naming the value that is out of range.
  public func validate() throws(CompositorError) {
    let checks = [
      ("diffuseWhite", diffuseWhite, 50.0...1000), ("hlgPeakLuminance", hlgPeakLuminance, 100.0...10_000),
      ("sdrPeakLuminance", sdrPeakLuminance, 50.0...1000),
    ]
    for (name, value, range) in checks where !range.contains(value) {
      throw CompositorError(
        .invalidValue, "A color conversion's \(name) is \(value) cd/m².",
        recoverySuggestion: "Give \(Int(range.lowerBound)) … \(Int(range.upperBound)) cd/m².")
    }
  }

  /// The exponent of HLG's OOTF for ``hlgPeakLuminance``: `1.2 + 0.42 log₁₀(L / 1000)` for 400 … 2000 cd/m², beyond them
  /// `1.2 · 1.111 ^ log₂(L / 1000)`, ITU-R BT.2100 table 5, note 5f.
  public var hlgSystemGamma: Double {
    let ratio = hlgPeakLuminance / 1000
    return (0.4...2).contains(ratio) ? 1.2 + 0.42 * log10(ratio) : 1.2 * pow(1.111, log2(ratio))
  }
}

extension ColorConversionPolicy: Codable {
  private enum CodingKeys: String, CodingKey {
    case diffuseWhite, hlgPeakLuminance, sdrPeakLuminance, toneMapping, gamutMapping, sdrCurve, srgb, dithering
  }

  /// Decodes a policy. Missing keys have their defaults.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` under the conditions of ``validate()``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ standard: Value) throws -> Value {
      try values.decodeIfPresent(Value.self, forKey: key) ?? standard
    }
    let standard = ColorConversionPolicy.standard
    self.init(
      diffuseWhite: try read(.diffuseWhite, standard.diffuseWhite),
      hlgPeakLuminance: try read(.hlgPeakLuminance, standard.hlgPeakLuminance),
      sdrPeakLuminance: try read(.sdrPeakLuminance, standard.sdrPeakLuminance),
      toneMapping: try read(.toneMapping, standard.toneMapping),
      gamutMapping: try read(.gamutMapping, standard.gamutMapping),
      sdrCurve: try read(.sdrCurve, standard.sdrCurve), srgb: try read(.srgb, standard.srgb),
      dithering: try read(.dithering, standard.dithering))
    try validate()
  }
}
