import CompositorPlatform

/// A curve that rolls off light above the maximum of a display. It maps luminance to luminance, in cd/m².
///
/// Black is 0 on both sides. A luminance above the source's peak is treated as the peak.
public struct ToneCurve: Hashable, Sendable {
  /// The kind of curve.
  public let method: ColorConversionPolicy.ToneMapping
  /// The maximum luminance of the source in cd/m², which becomes ``targetPeak``.
  public let sourcePeak: Double
  /// The maximum luminance of the output in cd/m².
  public let targetPeak: Double

  /// Creates a curve; `nil` if the source is no brighter than the target, so that no roll-off is needed.
  public init?(_ method: ColorConversionPolicy.ToneMapping, from sourcePeak: Double, to targetPeak: Double) {
    guard sourcePeak > targetPeak, targetPeak > 0 else { return nil }
    self.method = method
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
  }

  /// The luminance shown for a luminance of the source, both in cd/m².
  public func luminance(_ source: Double) -> Double {
    guard source > 0 else { return 0 }
    guard source < sourcePeak else { return targetPeak }
    let (x, peak) = (source / targetPeak, sourcePeak / targetPeak)
    switch method {
    case .bt2390: return eetf(source)
    case .reinhard: return targetPeak * x * (1 + x / (peak * peak)) / (1 + x)
    case .hable: return targetPeak * ToneCurve.hable(x) / ToneCurve.hable(peak)
    case .clip: return min(source, targetPeak)
    }
  }

  /// The luminance up to which nothing changes, in cd/m²; `nil` if there is none.
  package var knee: Double? {
    switch method {
    case .bt2390:
      guard let (white, start) = eetfSignals, start > 0 else { return nil }
      return TransferFunction.pq.decode(start * white).map { $0 * 10_000 }
    case .clip: return targetPeak
    case .reinhard, .hable: return nil
    }
  }

  /// The PQ signal of the source's peak, and the knee as a fraction of it.
  private var eetfSignals: (white: Double, knee: Double)? {
    guard let white = TransferFunction.pq.encode(sourcePeak / 10_000),
      let target = TransferFunction.pq.encode(targetPeak / 10_000)
    else { return nil }
    return (white, max(1.5 * target / white - 0.5, 0))
  }

  /// ITU-R BT.2390-10 clause 5.4.1, steps 1 to 4, with blacks of 0.
  private func eetf(_ source: Double) -> Double {
    guard let (white, knee) = eetfSignals, let signal = TransferFunction.pq.encode(source / 10_000),
      let target = TransferFunction.pq.encode(targetPeak / 10_000)
    else { return min(source, targetPeak) }
    let (e, limit) = (signal / white, target / white)
    guard e > knee else { return source }
    let t = (e - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * limit
    return 10_000 * (TransferFunction.pq.decode(spline * white) ?? 0)
  }

  /// Hable's curve with its published constants, not yet scaled to its white.
  private static func hable(_ x: Double) -> Double {
    let (a, b, c, d, e, f) = (0.15, 0.5, 0.1, 0.2, 0.02, 0.3)
    return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f
  }
}

/// Linear light is 1 for nominal white. For PQ it is 1 at 10,000 cd/m²; for HLG it is scene light, 1 at signal 1 (display light
/// depends on all three components: ``LightConversion``).
///
/// SDR video is display-referred by default: BT.709, BT.601, BT.2020 and SMPTE 240M are a power of 2.4, as ITU-R BT.1886
/// specifies for a black of 0, and as zimg and libplacebo linearize them. The scene-referred curves are those of ITU-T H.273
/// table 3. SDR curves are odd functions, so that code values below black and colors outside the gamut survive; HDR curves are
/// constant below black and beyond the largest code value. For a camera's log curve, light is scene reflectance, and the signal
/// is that of the manufacturer's document: a 10-bit code value divided by 1023 or, for Apple Log and LogC, the nominal signal.
extension TransferFunction {
  /// Whether the curve is known.
  public var hasCurve: Bool { family != nil }

  /// The encoded signal of linear light; `nil` if the curve isn't known.
  ///
  /// PQ is constant above 10,000 cd/m², HLG above a signal of 1.1012, which exceeds every legal code value.
  public func encode(_ light: Double, sdrCurve: ColorConversionPolicy.SDRCurve = .display) -> Double? {
    guard let family = family?.standing(for: sdrCurve) else { return nil }
    if isHDR { return family.encode(min(max(light, 0), self == .pq ? 1 : TransferFunction.brightestHLG)) }
    if isLog { return family.encode(light) }
    return light < 0 ? -family.encode(-light) : family.encode(light)
  }

  /// The linear light of an encoded signal; `nil` if the curve isn't known.
  ///
  /// A PQ signal above 1 is treated as 10,000 cd/m², and an HLG signal above 1.25 (beyond every legal code value) as 1.25.
  public func decode(_ signal: Double, sdrCurve: ColorConversionPolicy.SDRCurve = .display) -> Double? {
    guard let family = family?.standing(for: sdrCurve) else { return nil }
    if isHDR { return family.decode(min(max(signal, 0), self == .pq ? 1 : 1.25)) }
    if isLog { return family.decode(signal) }
    return signal < 0 ? -family.decode(-signal) : family.decode(signal)
  }

  /// Whether both code points have the same curve, such as BT.709, BT.601, xvYCC and BT.2020.
  public func hasSameCurve(as other: TransferFunction) -> Bool {
    if self == other { return true }
    guard let family else { return false }
    return family == other.family
  }

  /// The transfer function whose curve represents this one under a policy: that of SDR video for sRGB, unless sRGB is
  /// interpreted colorimetrically.
  public func standing(for policy: ColorConversionPolicy) -> TransferFunction {
    self == .sRGB && policy.srgb == .graphics ? .bt709 : self
  }

  /// Whether its code values are displayed like those of sRGB: sRGB itself, and the curves of SDR video.
  package var sharesDisplayWithSRGB: Bool { self == .sRGB || hasSameCurve(as: .bt709) || self == .smpte240M }

  /// The curve of sRGB if this one shares its display, otherwise its own.
  var asViewed: TransferFunction { sharesDisplayWithSRGB ? .sRGB : self }

  /// Whether both code points represent the same light under a policy.
  public func hasSameCurve(as other: TransferFunction, policy: ColorConversionPolicy) -> Bool {
    standing(for: policy).hasSameCurve(as: other.standing(for: policy))
  }

  /// Families of curves, with the parameters of the standards.
  private enum Family: Hashable {
    /// `scale · L^power − (scale − 1)` above `threshold`, `slope · L` below.
    case segmented(scale: Double, power: Double, threshold: Double, slope: Double)
    /// `L^(1 / gamma)`.
    case gamma(Double)
    /// `(scale · L)^(1 / gamma)`.
    case scaledGamma(Double, scale: Double)
    /// `1 + log₁₀(L) / decades`, limited to 0.
    case decades(Double)
    case linear, pq, hlg
    /// A camera's log curve of scene light.
    case log(LogCurve)

    /// A scene-referred curve, or the display-referred one that replaces it.
    func standing(for sdrCurve: ColorConversionPolicy.SDRCurve) -> Family {
      // sRGB is display-referred already.
      if case .segmented(_, let power, _, _) = self, power == 0.45, sdrCurve == .display { return .gamma(2.4) }
      return self
    }

    func encode(_ light: Double) -> Double {
      switch self {
      case .segmented(let scale, let power, let threshold, let slope):
        light < threshold ? slope * light : scale * pow(light, power) - (scale - 1)
      case .gamma(let gamma): pow(light, 1 / gamma)
      case .scaledGamma(let gamma, let scale): pow(scale * light, 1 / gamma)
      case .decades(let decades): max(1 + log10(max(light, 1e-9)) / decades, 0)
      case .linear: light
      case .log(let curve): curve.encode(light)
      case .pq: TransferFunction.encodePQ(light)
      case .hlg: TransferFunction.encodeHLG(light)
      }
    }

    func decode(_ signal: Double) -> Double {
      switch self {
      case .segmented(let scale, let power, let threshold, let slope):
        signal < threshold * slope ? signal / slope : pow((signal + scale - 1) / scale, 1 / power)
      case .gamma(let gamma): pow(signal, gamma)
      case .scaledGamma(let gamma, let scale): pow(signal, gamma) / scale
      case .decades(let decades): signal > 0 ? pow(10, (signal - 1) * decades) : 0
      case .linear: signal
      case .log(let curve): curve.decode(signal)
      case .pq: TransferFunction.decodePQ(signal)
      case .hlg: TransferFunction.decodeHLG(signal)
      }
    }
  }

  /// BT.709 with the constants that make both segments meet, which H.273 specifies for every bit depth.
  private static let bt709Family = Family.segmented(
    scale: 1.099296826809442, power: 0.45, threshold: 0.018053968510807, slope: 4.5)

  private var family: Family? {
    switch self {
    case .bt709, .bt601, .xvYCC, .bt1361, .bt2020_10, .bt2020_12: TransferFunction.bt709Family
    case .smpte240M: .segmented(scale: 1.111572195921731, power: 0.45, threshold: 0.022821585529445, slope: 4.0)
    case .sRGB: .segmented(scale: 1.055, power: 1 / 2.4, threshold: 0.0031308, slope: 12.92)
    case .gamma22: .gamma(2.2)
    case .gamma28: .gamma(2.8)
    case .log100: .decades(2)
    case .log316: .decades(2.5)
    case .st428: .scaledGamma(2.6, scale: 48 / 52.37)
    case .adobeRGB: .gamma(563.0 / 256)
    case .proPhotoRGB: .segmented(scale: 1, power: 1 / 1.8, threshold: 1.0 / 512, slope: 16)
    case .linear: .linear
    case .pq: .pq
    case .hlg: .hlg
    default: logCurve.map(Family.log)
    }
  }

  // SMPTE ST 2084, section 5.
  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

  private static func encodePQ(_ light: Double) -> Double {
    let power = pow(light, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  private static func decodePQ(_ signal: Double) -> Double {
    let power = pow(signal, 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  // ARIB STD-B67; ITU-R BT.2100 table 5.
  private static let brightestHLG = 32.0 * 32 / 49 / 12
  private static let hlgA = 0.17883277
  private static let hlgB = 1 - 4 * hlgA
  private static let hlgC = 0.5 - hlgA * log(4 * hlgA)

  private static func encodeHLG(_ light: Double) -> Double {
    light <= 1.0 / 12 ? (3 * light).squareRoot() : hlgA * log(12 * light - hlgB) + hlgC
  }

  private static func decodeHLG(_ signal: Double) -> Double {
    signal <= 0.5 ? signal * signal / 3 : (exp((signal - hlgC) / hlgA) + hlgB) / 12
  }
}
