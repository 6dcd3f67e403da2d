#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// From a source's R′G′B′ signal to light in an output, and from that light to the output's R′G′B′ signal, in double precision.
///
/// Light is what a display shows, in the output's primaries. Its unit is the output's: 1 is SDR white, 10,000 cd/m² for PQ, the
/// peak of the HLG display for HLG. The steps, each left out where it does nothing:
///
/// 1. the source's curve; for HLG then the OOTF of ITU-R BT.2100 table 5: every component times `Y ^ (γ − 1)`. A camera's log
///    curve gives the light of a scene, exposed so that a reflectance of 1 is shown at ``ColorConversionPolicy/diffuseWhite``,
///    and goes through the same OOTF;
/// 2. SDR white becomes ``ColorConversionPolicy/diffuseWhite`` in an HDR output (ITU-R BT.2408);
/// 3. primaries, white to white;
/// 4. where primaries narrow: ``ColorConversionPolicy/GamutMapping``;
/// 5. where the source may be brighter than the output: R, G and B times `curve(m) / m`, `m` their largest, so that hue and
///    saturation stay (``ToneCurve``);
/// 6. for an HLG output the inverse OOTF; the output's curve.
///
/// A value; any thread may use it. O(1), a few calls of `pow` per color.
public struct LightConversion: Sendable {
  /// What the signal is.
  public let source: ColorTags
  /// What it becomes.
  public let output: ColorTags
  /// The choices that standards leave open.
  public let policy: ColorConversionPolicy
  /// The curves that stand for the source's and the output's transfer functions under the policy.
  package let sourceCurve, outputCurve: TransferFunction
  /// Whether a graphic's light is that of SDR video of the codes that the graphic has in sRGB.
  package let isShownAsVideo: Bool
  /// The brightest the source may be, cd/m² of the output's picture; SDR in SDR counts as the output's peak.
  public let sourcePeak: Double
  /// The brightest the output shows, cd/m².
  public let outputPeak: Double
  /// Source light to the output's unit.
  package let scale: Double
  /// Primaries; nil where both are the same.
  package let gamut: Matrix3?
  /// How highlights are rolled off; nil where they are not.
  package let toneCurve: ToneCurve?
  /// What becomes of colors outside the output's gamut; nil where none can be, or they are kept.
  package let gamutStep: GamutStep?
  /// Shares of R, G and B in luminance.
  package let sourceLuminance: SIMD3<Double>
  package let outputLuminance: SIMD3<Double>

  /// How light comes into a gamut.
  package enum GamutStep: Sendable {
    /// Along lines of constant hue.
    case hueLines(HueLines)
    /// Each component is limited to 0 … `top`.
    case limit(top: Double)
  }

  /// Makes a conversion.
  ///
  /// - Parameter metadata: The source's mastering display and light levels. The source's peak is the lesser of the display's
  ///   maximum and MaxCLL; for PQ without either 1000 cd/m²; for HLG the policy's peak.
  /// - Parameter mixesLight: Whether the light is mixed with that of other sources. Graphics that stay codes are turned into other SDR codes by
  ///   their own curves and that of sRGB, as viewers of images do; as light they are what a display makes of SDR video.
  /// - Throws: `.conversionNotPossible` where primaries or a curve are not known, `.invalidValue` where the policy's
  ///   luminances are out of range.
  public init(
    from source: ColorTags, metadata: HDRMetadata? = nil, to output: ColorTags, policy: ColorConversionPolicy = .standard,
    mixesLight: Bool = false
  ) throws(CompositorError) {
    try policy.validate()
    for tags in [source, output] where !tags.transfer.hasCurve { throw LightConversion.unknownCurve(tags.transfer) }
    if output.transfer.isLog { throw LightConversion.cameraOutput(output.transfer) }
    self.source = source
    self.output = output
    self.policy = policy
    let areCodes = !mixesLight && LightConversion.areCodes(of: source, in: output, policy)
    sourceCurve = areCodes ? source.transfer.asViewed : source.transfer.standing(for: policy)
    outputCurve = areCodes ? output.transfer.asViewed : output.transfer.standing(for: policy)
    isShownAsVideo = policy.srgb == .graphics && source.isOfGraphics && !areCodes && source.transfer != .sRGB
    let peak = policy.peak(of: output.transfer)
    // The light of a scene is graded for the display that HLG is seen on.
    outputPeak = source.transfer.isLog ? min(peak, policy.hlgPeakLuminance) : peak
    let isBright = source.transfer.isBright
    let isSDR = !isBright && !output.transfer.isHDR
    sourcePeak = isSDR ? outputPeak : policy.peak(ofSource: source, metadata)
    scale = isSDR ? 1 : policy.unit(ofSource: source.transfer) / policy.unit(of: output.transfer)
    guard let matrix = source.primaries.conversion(to: output.primaries),
      let sourceXYZ = source.primaries.rgbToXYZ, let outputXYZ = output.primaries.rgbToXYZ
    else { throw LightConversion.unknownPrimaries(source.primaries, output.primaries) }
    gamut = source.primaries == output.primaries ? nil : matrix
    (sourceLuminance, outputLuminance) = (sourceXYZ.rows.1, outputXYZ.rows.1)
    let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2]
    let isNarrower = rows.contains { $0.min() < -0.01 }
    gamutStep = isNarrower ? LightConversion.gamutStep(policy, isBright: isBright, into: output) : nil
    // What exceeds an SDR output is held there as a whole, not component by component, even if it should not be there.
    let mayExceed = if case .hueLines = gamutStep { true } else { isBright }
    let held = mayExceed && !output.transfer.isHDR ? ToneCurve(.clip, from: 10_000, to: outputPeak) : nil
    toneCurve = ToneCurve(policy.toneMapping, from: sourcePeak, to: outputPeak) ?? held
  }

  /// Whether a graphic becomes SDR, or SDR a graphic: by the curve of sRGB on the side of video, with which it shares the display, so that
  /// codes of the same primaries stay and others are what viewers of images make of them.
  private static func areCodes(of source: ColorTags, in output: ColorTags, _ policy: ColorConversionPolicy) -> Bool {
    guard policy.srgb == .graphics else { return false }
    let (isFromGraphic, isIntoGraphic) = (source.isOfGraphics, output.isOfGraphics)
    return (isFromGraphic && (isIntoGraphic || output.transfer.sharesDisplayWithSRGB))
      || (isIntoGraphic && source.transfer.sharesDisplayWithSRGB)
  }

  private static func gamutStep(_ policy: ColorConversionPolicy, isBright: Bool, into output: ColorTags) -> GamutStep? {
    // What is bright is rolled off afterwards, all components alike.
    let clip = GamutStep.limit(top: isBright || output.transfer.isHDR ? .infinity : 1)
    switch policy.gamutMapping {
    case .automatic where !isBright, .clip: return clip
    case .automatic, .preserveHue: return HueLines.of(output.primaries).map(GamutStep.hueLines)
    }
  }

  /// Whether the signal stays as it is.
  public var isIdentity: Bool { gamut == nil && sourceCurve.hasSameCurve(as: outputCurve) }

  /// Whether each component can be converted on its own, by a curve from signal to signal.
  package var isPerComponent: Bool {
    gamut == nil && toneCurve == nil && !isSceneLight && output.transfer != .hlg
  }

  /// The light that a source's signal makes in the output.
  public func light(of signal: SIMD3<Double>) -> SIMD3<Double> {
    var light = signal.mapped(sourceLight)
    if isSceneLight { light *= systemFactor((light * sourceLuminance).sum()) }
    light *= scale
    if let gamut { light = gamut * light }
    switch gamutStep {
    case .hueLines(let lines): light = lines.map(light)
    case .limit(let top): light = pointwiseMin(pointwiseMax(light, SIMD3()), SIMD3(repeating: top))
    case nil: break
    }
    return toneCurve == nil ? light : light * toneFactor(light.max())
  }

  /// Whether the source's curve gives the light of a scene, which HLG's OOTF makes that of a display.
  package var isSceneLight: Bool { source.transfer == .hlg || source.transfer.isLog }

  /// The light of one component of the source; where it is a scene's, 1 is that of an HLG signal of 1.
  package func sourceLight(_ signal: Double) -> Double {
    guard let curve = source.transfer.logCurve else {
      let light = sourceCurve.decode(signal, sdrCurve: policy.sdrCurve) ?? 0
      guard isShownAsVideo else { return light }
      let code = TransferFunction.sRGB.encode(light) ?? 0
      return TransferFunction.bt709.decode(code, sdrCurve: policy.sdrCurve) ?? 0
    }
    let isLimitedCode = curve.unit == .code && source.range == .limited
    // A curve ends at 1; what mixtures of codes say beyond it is not light.
    let value = min(isLimitedCode ? (64 + 876 * signal) / 1023 : signal, 1)
    return policy.exposure * max(curve.decode(value), 0)
  }

  /// The output's signal for light in the output.
  public func signal(of light: SIMD3<Double>) -> SIMD3<Double> {
    var light = light
    if output.transfer == .hlg { light *= inverseSystemFactor((light * outputLuminance).sum()) }
    return light.mapped { outputCurve.encode($0, sdrCurve: policy.sdrCurve) ?? 0 }
  }

  /// The output's signal for a source's signal; the same where nothing has to be converted.
  public func convert(_ signal: SIMD3<Double>) -> SIMD3<Double> { isIdentity ? signal : self.signal(of: light(of: signal)) }

  /// The luminance of light 1 in the output, cd/m².
  package var outputUnit: Double { policy.unit(of: output.transfer) }

  /// What the OOTF multiplies scene light with, by its luminance, 0 … 1.
  package func systemFactor(_ luminance: Double) -> Double {
    luminance > 0 ? pow(luminance, policy.hlgSystemGamma - 1) : 0
  }

  /// What the inverse OOTF multiplies display light with, by its luminance, 0 … 1.
  package func inverseSystemFactor(_ luminance: Double) -> Double {
    luminance > 0 ? pow(luminance, 1 / policy.hlgSystemGamma - 1) : 0
  }

  /// What the roll-off multiplies light with, by its largest component, in the output's unit.
  package func toneFactor(_ largest: Double) -> Double {
    guard let toneCurve, largest > 0 else { return 1 }
    let unit = policy.unit(of: output.transfer)
    return toneCurve.luminance(largest * unit) / (largest * unit)
  }

  private static func unknownCurve(_ transfer: TransferFunction) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "The curve of transfer function \(transfer.rawValue) (H.273) is not known.",
      recoverySuggestion: "Tag the source with the transfer function that it really has.")
  }

  private static func cameraOutput(_ transfer: TransferFunction) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "\(transfer.name) is a camera's curve: sources can have it, outputs cannot.",
      recoverySuggestion: "Choose BT.709, HLG or PQ for the output.")
  }

  private static func unknownPrimaries(_ source: ColorPrimaries, _ output: ColorPrimaries) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "Color primaries \(source.rawValue) cannot become \(output.rawValue) (H.273).",
      recoverySuggestion: "Choose primaries for the output that have a definition, for example BT.709.")
  }
}

extension ColorConversionPolicy {
  /// The luminance of light 1, cd/m².
  fileprivate func unit(of output: TransferFunction) -> Double {
    output == .pq ? 10_000 : output == .hlg ? hlgPeakLuminance : sdrPeakLuminance
  }

  fileprivate func unit(ofSource source: TransferFunction) -> Double {
    source.isLog ? hlgPeakLuminance : source.isHDR ? unit(of: source) : diffuseWhite
  }

  /// What the reflectance of a scene is multiplied with, so that HLG's OOTF shows 1 at ``diffuseWhite``.
  fileprivate var exposure: Double { pow(diffuseWhite / hlgPeakLuminance, 1 / hlgSystemGamma) }

  /// A scene's brightest, shown as HLG is; 10,000 cd/m² at most, as PQ has it.
  fileprivate func peak(of curve: LogCurve) -> Double {
    min(max(hlgPeakLuminance * pow(exposure * curve.decode(1), hlgSystemGamma), diffuseWhite), 10_000)
  }

  /// The brightest an output shows, cd/m².
  fileprivate func peak(of output: TransferFunction) -> Double { unit(of: output) }

  fileprivate func peak(ofSource source: ColorTags, _ metadata: HDRMetadata?) -> Double {
    if let curve = source.transfer.logCurve { return peak(of: curve) }
    guard source.transfer == .pq else { return unit(ofSource: source.transfer) }
    let known = [
      metadata?.masteringDisplay?.maximumLuminance, (metadata?.contentLightLevel?.maximumContentLightLevel).map(Double.init),
    ].compactMap { $0 }.filter { $0.isFinite && $0 > 0 }
    return min(max(known.min() ?? 1000, diffuseWhite), 10_000)
  }
}

extension SIMD3<Double> {
  fileprivate func mapped(_ function: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(function(x), function(y), function(z))
  }
}
