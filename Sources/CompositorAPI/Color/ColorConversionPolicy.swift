#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The choices that conversions between SDR, HLG and PQ leave open, each with the value of a standard as its default.
///
/// ```swift
/// video.colorConversion.toneMapping = .reinhard
/// video.colorConversion.diffuseWhite = 100
/// ```
///
/// Conversions that stay within SDR, within PQ or within HLG do not depend on it, except for ``gamutMapping``, ``sdrCurve``, ``srgb`` and
/// ``dithering``.
public struct ColorConversionPolicy: Hashable, Sendable {
  /// How light above what the output shows is rolled off.
  public enum ToneMapping: String, Hashable, Sendable, Codable, CaseIterable {
    /// The EETF of ITU-R BT.2390 clause 5.4: untouched below its knee, a Hermite spline in PQ above.
    case bt2390
    /// Reinhard's extended curve, `x (1 + x / p²) / (1 + x)` with light and source peak relative to the output's peak.
    case reinhard
    /// Hable's filmic curve, its white at the source's peak.
    case hable
    /// Untouched up to the output's peak, held there above.
    case clip
  }

  /// What becomes of colors outside a narrower output's gamut.
  public enum GamutMapping: String, Hashable, Sendable, Codable, CaseIterable {
    /// ``preserveHue`` for HDR and for camera log, ``clip`` for SDR.
    case automatic
    /// Moved toward gray along a line of constant hue and intensity in ICtCp, by a soft curve: gradients outside the gamut stay
    /// gradients, and the last twentieth of the way to the gamut's boundary makes room for them.
    case preserveHue = "preserve-hue"
    /// Each component is limited on its own (ITU-R BT.2407's hard clip): colors in the gamut stay, hues outside shift.
    case clip

    /// Reads a word; what earlier versions wrote in camel case is read too.
    public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
  }

  /// What SDR code values mean as light.
  public enum SDRCurve: String, Hashable, Sendable, Codable, CaseIterable {
    /// As a display shows them: ITU-R BT.1886 with black at 0, a power of 2.4, for BT.709, BT.601, BT.2020 and SMPTE 240M.
    case display
    /// As a camera makes them: the curves of ITU-T H.273 table 3 and their exact inverses.
    case camera
  }

  /// What sRGB code values (stills, graphics, colors of titles and generated sources) mean as light.
  public enum SRGBCurve: String, Hashable, Sendable, Codable, CaseIterable {
    /// The same as the codes of SDR video: R′G′B′ keeps its codes in SDR outputs, and in HDR outputs a color is the light that SDR
    /// video of that color is.
    case graphics
    /// As IEC 61966-2-1 defines it. In SDR video, whose display is a power of 2.4, dark and middle tones get higher codes.
    case colorimetric
  }

  /// How codes are rounded where the output is less deep than a source.
  public enum Dithering: String, Hashable, Sendable, Codable, CaseIterable {
    /// An ordered 8 × 8 pattern that depends on the sample's position alone, so every render gives the same codes.
    case ordered
    /// To the nearest code.
    case none
  }

  /// Where SDR white stands in an HDR picture, cd/m², [50, 1000]. Default 203, ITU-R BT.2408.
  public var diffuseWhite: Double
  /// The peak of the display that HLG is seen on, cd/m², [100, 10000]; the system gamma follows from it. Default 1000,
  /// ITU-R BT.2100 table 5.
  public var hlgPeakLuminance: Double
  /// The luminance of the HDR picture that becomes SDR white, cd/m², [50, 1000]: the target of tone mapping. Default 203, so
  /// that SDR turned into HDR and back is unchanged below the roll-off's knee.
  public var sdrPeakLuminance: Double
  /// How light above the output's peak is rolled off. Default ``ToneMapping/bt2390``.
  public var toneMapping: ToneMapping
  /// What becomes of colors outside the output's gamut. Default ``GamutMapping/automatic``.
  public var gamutMapping: GamutMapping
  /// What SDR code values mean as light. Default ``SDRCurve/display``.
  public var sdrCurve: SDRCurve
  /// What sRGB code values mean as light. Default ``SRGBCurve/graphics``.
  public var srgb: SRGBCurve
  /// How codes are rounded where depth is lost. Default ``Dithering/ordered``.
  public var dithering: Dithering

  /// Makes a policy; every argument left out has its standard's value.
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

  /// The standards' values.
  public static let standard = ColorConversionPolicy()

  /// Checks that every luminance is within its range.
  ///
  /// - Throws: `.invalidValue`, saying which one is not.
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

  /// Reads what is there; the rest has its standard's value.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` as ``validate()``.
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

extension ColorConversionPolicy.GamutMapping: SpelledWord {}
