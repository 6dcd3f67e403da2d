import CompositorPlatform

/// A conversion from a source's R′G′B′ signal to light in an output, and from that light to the output's R′G′B′ signal, in
/// double precision.
///
/// Light is display light in the output's primaries. Its unit depends on the output: 1 is SDR white, 10,000 cd/m² for PQ, or
/// the peak of the HLG display for HLG. The steps, each omitted if it has no effect:
///
/// 1. the source's curve, for SDR in an HDR output limited to 0 … 1; for HLG then the OOTF of ITU-R BT.2100 table 5, which
/// multiplies every component by `Y ^ (γ − 1)`. A
/// camera's log curve gives scene light, exposed so that a reflectance of 1 is shown at ``ColorConversionPolicy/diffuseWhite``,
/// which passes through the same OOTF;
/// 2. SDR white becomes ``ColorConversionPolicy/diffuseWhite`` in an HDR output (ITU-R BT.2408);
/// 3. primaries, mapping white to white;
/// 4. if the gamut gets narrower: ``ColorConversionPolicy/GamutMapping``;
/// 5. if the source may be brighter than the output: R, G and B times `curve(m) / m`, with `m` their maximum, which preserves
/// hue and saturation (``ToneCurve``);
/// 6. for an HLG output the inverse OOTF; then the output's curve.
///
/// Any thread may use the value. O(1), a few calls of `pow` per color.
public struct LightConversion: Sendable {
  /// The color tags of the signal to convert.
  public let source: ColorTags
  /// The color tags of the converted signal.
  public let output: ColorTags
  /// The options that standards leave open.
  public let policy: ColorConversionPolicy
  /// The curves that represent the source's and the output's transfer functions under the policy.
  package let sourceCurve, outputCurve: TransferFunction
  /// Whether graphics have the light of SDR video with the code values that they have in sRGB.
  package let isShownAsVideo: Bool
  /// Whether the source's components are limited to 0 … 1, as an SDR display limits them. Overshoots at the edges of
  /// subsampled chroma would otherwise be brighter than white in an HDR output.
  package let isLimited: Bool
  /// The maximum luminance of the source in cd/m², as shown by the output. For SDR in SDR it is the output's peak.
  public let sourcePeak: Double
  /// The maximum luminance of the output in cd/m².
  public let outputPeak: Double
  /// The scale from source light to the output's unit.
  package let scale: Double
  /// The conversion of primaries; `nil` if they are the same.
  package let gamut: Matrix3?
  /// The roll-off of highlights; `nil` if there is none.
  package let toneCurve: ToneCurve?
  /// The gamut mapping; `nil` if no color can be outside the output's gamut, or such colors are kept.
  package let gamutStep: GamutStep?
  /// The coefficients of R, G and B in luminance.
  package let sourceLuminance: SIMD3<Double>
  package let outputLuminance: SIMD3<Double>

  /// A method of gamut mapping.
  package enum GamutStep: Sendable {
    /// Maps along lines of constant hue.
    case hueLines(HueLines)
    /// Limits each component to 0 … `top`.
    case limit(top: Double)
  }

  /// Creates a conversion.
  ///
  /// - Parameter metadata: The source's mastering display and light levels. The source's peak is the lesser of the display's
  ///   maximum and MaxCLL; for PQ without either 1000 cd/m²; for HLG the policy's peak.
  /// - Parameter mixesLight: Whether the light is mixed with that of other sources. If `false`, graphics are converted to other
  ///   SDR code values by their own curves and that of sRGB, as image viewers do. If `true`, their light is that of a display
  ///   showing SDR video.
  /// - Throws: `.conversionNotPossible` if primaries or a curve aren't known, `.invalidValue` if the policy's luminances are
  ///   out of range.
  public init(
    from source: ColorTags, metadata: HDRMetadata? = nil, to output: ColorTags, policy: ColorConversionPolicy = .standard,
    mixesLight: Bool = false
  ) throws(CompositorError) {
    try self.init(from: source, metadata: metadata, to: output, policy: policy, mixesLight: mixesLight, isLimiting: true)
  }

  /// The same for colors that are no samples of video, whose components above 1 are meant.
  ///
  /// - Parameter isLimiting: Whether SDR is limited to 0 … 1 in an HDR output.
  package init(
    from source: ColorTags, metadata: HDRMetadata? = nil, to output: ColorTags, policy: ColorConversionPolicy,
    mixesLight: Bool = false, isLimiting: Bool
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
    // Scene light is graded for the HLG display.
    outputPeak = source.transfer.isLog ? min(peak, policy.hlgPeakLuminance) : peak
    let isBright = source.transfer.isBright
    let isSDR = !isBright && !output.transfer.isHDR
    isLimited = isLimiting && !isBright && output.transfer.isHDR && source.transfer != .linear
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
    // Light that exceeds an SDR output is limited by a common factor rather than per component, even where none is expected.
    let mayExceed = if case .hueLines = gamutStep { true } else { isBright }
    let held = mayExceed && !output.transfer.isHDR ? ToneCurve(.clip, from: 10_000, to: outputPeak) : nil
    toneCurve = ToneCurve(policy.toneMapping, from: sourcePeak, to: outputPeak) ?? held
  }

  /// Whether a graphic is converted to SDR, or SDR to a graphic. Video then uses the curve of sRGB, because it shares the
  /// display, so that code values with the same primaries don't change and others are what image viewers show.
  private static func areCodes(of source: ColorTags, in output: ColorTags, _ policy: ColorConversionPolicy) -> Bool {
    guard policy.srgb == .graphics else { return false }
    let (isFromGraphic, isIntoGraphic) = (source.isOfGraphics, output.isOfGraphics)
    return (isFromGraphic && (isIntoGraphic || output.transfer.sharesDisplayWithSRGB))
      || (isIntoGraphic && source.transfer.sharesDisplayWithSRGB)
  }

  private static func gamutStep(_ policy: ColorConversionPolicy, isBright: Bool, into output: ColorTags) -> GamutStep? {
    // Bright light is rolled off later, all components alike.
    let clip = GamutStep.limit(top: isBright || output.transfer.isHDR ? .infinity : 1)
    switch policy.gamutMapping {
    case .automatic where !isBright, .clip: return clip
    case .automatic, .preserveHue: return HueLines.of(output.primaries).map(GamutStep.hueLines)
    }
  }

  /// Whether the conversion doesn't change the signal.
  public var isIdentity: Bool { gamut == nil && sourceCurve.hasSameCurve(as: outputCurve) }

  /// Whether each component can be converted separately, by a curve from signal to signal.
  package var isPerComponent: Bool {
    gamut == nil && toneCurve == nil && !isSceneLight && output.transfer != .hlg
  }

  /// Converts the source's signal to light in the output.
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

  /// Whether the source's curve gives scene light, which HLG's OOTF turns into display light.
  package var isSceneLight: Bool { source.transfer == .hlg || source.transfer.isLog }

  /// The light of one component of the source. For scene light, 1 is that of an HLG signal of 1.
  package func sourceLight(_ signal: Double) -> Double {
    guard let curve = source.transfer.logCurve else {
      let signal = isLimited ? min(max(signal, 0), 1) : signal
      let light = sourceCurve.decode(signal, sdrCurve: policy.sdrCurve) ?? 0
      guard isShownAsVideo else { return light }
      let code = TransferFunction.sRGB.encode(light) ?? 0
      return TransferFunction.bt709.decode(code, sdrCurve: policy.sdrCurve) ?? 0
    }
    let isLimitedCode = curve.unit == .code && source.range == .limited
    // A curve ends at 1; mixed code values beyond it don't represent light.
    let value = min(isLimitedCode ? (64 + 876 * signal) / 1023 : signal, 1)
    return policy.exposure * max(curve.decode(value), 0)
  }

  /// Converts light to the output's signal.
  public func signal(of light: SIMD3<Double>) -> SIMD3<Double> {
    var light = light
    if output.transfer == .hlg { light *= inverseSystemFactor((light * outputLuminance).sum()) }
    return light.mapped { outputCurve.encode($0, sdrCurve: policy.sdrCurve) ?? 0 }
  }

  /// Converts the source's signal to the output's signal.
  public func convert(_ signal: SIMD3<Double>) -> SIMD3<Double> { isIdentity ? signal : self.signal(of: light(of: signal)) }

  /// The luminance of light 1 in the output, cd/m².
  package var outputUnit: Double { policy.unit(of: output.transfer) }

  /// The factor of the OOTF for scene light of a luminance, 0 … 1.
  package func systemFactor(_ luminance: Double) -> Double {
    luminance > 0 ? pow(luminance, policy.hlgSystemGamma - 1) : 0
  }

  /// The factor of the inverse OOTF for display light of a luminance, 0 … 1.
  package func inverseSystemFactor(_ luminance: Double) -> Double {
    luminance > 0 ? pow(luminance, 1 / policy.hlgSystemGamma - 1) : 0
  }

  /// The factor of the roll-off for light with the given largest component, in the output's unit.
  package func toneFactor(_ largest: Double) -> Double {
    guard let toneCurve, largest > 0 else { return 1 }
    let unit = policy.unit(of: output.transfer)
    return toneCurve.luminance(largest * unit) / (largest * unit)
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

  /// The factor for scene reflectance with which HLG's OOTF shows 1 at ``diffuseWhite``.
  fileprivate var exposure: Double { pow(diffuseWhite / hlgPeakLuminance, 1 / hlgSystemGamma) }

  /// The maximum luminance of a scene, shown as HLG is, limited to 10,000 cd/m², the maximum of PQ.
  fileprivate func peak(of curve: LogCurve) -> Double {
    min(max(hlgPeakLuminance * pow(exposure * curve.decode(1), hlgSystemGamma), diffuseWhite), 10_000)
  }

  /// The maximum luminance of an output in cd/m².
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
