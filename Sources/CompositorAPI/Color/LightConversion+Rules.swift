extension LightConversion {
  /// A description of each step of the conversion, with its numbers and standard; empty if nothing changes.
  ///
  /// ```swift
  /// let conversion = try LightConversion(from: .bt2100HLG, to: .bt709)
  /// // ["HLG shown on 1000 cd/m², system gamma 1.2 (BT.2100)", "BT.2020 to BT.709 primaries",
  /// //  "colors outside the gamut keep their hue", "BT.2390 roll-off from 1000 to 203 cd/m²", …]
  /// ```
  public var rules: [String] {
    guard !isIdentity else { return [] }
    let curves = [sourceRule].compactMap { $0 }
    let primaries = gamut == nil ? [] : ["\(source.primaries.name) to \(output.primaries.name) primaries"]
    return curves + primaries + [gamutRule, toneRule, outputRule].compactMap { $0 }
  }

  /// The whole conversion on one line: `BT.2020 HLG → BT.709: …`. If light doesn't change, only differences in storage (matrix,
  /// range) are named, or that there are none.
  public var explanation: String { explanation(ofSitedChroma: false) }

  /// The same for frames with a chroma location (4:2:0), in which case its change is named too.
  package func explanation(ofSitedChroma isSited: Bool) -> String {
    var stored: [String] = []
    if isSited, source.chromaLocation != output.chromaLocation {
      stored.append("chroma from \(source.chromaLocation.name) to \(output.chromaLocation.name)")
    }
    let changes = rules
    guard changes.isEmpty else {
      return "\(source.shortName) → \(output.shortName): \((changes + stored).joined(separator: ", "))"
    }
    if source.matrix != output.matrix, source.matrix.rgbToYCbCr != output.matrix.rgbToYCbCr {
      stored.append("\(source.matrix.name) to \(output.matrix.name) matrix")
    }
    if source.range != output.range { stored.append("\(source.range.rawValue) to \(output.range.rawValue) range") }
    if stored.isEmpty { return "\(source.shortName): nothing to convert" }
    return "\(source.shortName): same colors, \(stored.joined(separator: ", "))"
  }

  private var sourceRule: String? {
    switch source.transfer {
    case .hlg:
      return "HLG shown on \(policy.hlgPeakLuminance.readable) cd/m², system gamma \(policy.hlgSystemGamma.readable) (BT.2100)"
    case .pq: return "PQ up to \(sourcePeak.readable) cd/m²"
    case _ where source.transfer.isLog:
      return "\(source.transfer.name) with white at \(policy.diffuseWhite.readable) cd/m², system gamma "
        + "\(policy.hlgSystemGamma.readable) (BT.2100)"
    default:
      guard output.transfer.isHDR else { return sdrRule }
      return "SDR white at \(policy.diffuseWhite.readable) cd/m² (BT.2408), \(curveName(sourceCurve))"
    }
  }

  private var sdrRule: String? {
    sourceCurve.hasSameCurve(as: outputCurve) ? nil : "\(curveName(sourceCurve)) to \(curveName(outputCurve))"
  }

  private var toneRule: String? {
    guard toneCurve != nil, source.transfer.isBright || output.transfer.isHDR else { return nil }
    guard sourcePeak > outputPeak else { return "held at \(outputPeak.readable) cd/m²" }
    let name =
      switch policy.toneMapping {
      case .bt2390: "BT.2390 roll-off"
      case .reinhard: "Reinhard roll-off"
      case .hable: "Hable roll-off"
      case .clip: "clipped"
      }
    return "\(name) from \(sourcePeak.readable) to \(outputPeak.readable) cd/m²"
  }

  private var gamutRule: String? {
    switch gamutStep {
    case .hueLines: "colors outside the gamut keep their hue"
    case .limit: "colors outside the gamut are clipped (BT.2407)"
    case nil: nil
    }
  }

  private var outputRule: String? {
    switch output.transfer {
    case .hlg: source.transfer == .hlg ? nil : "HLG for \(policy.hlgPeakLuminance.readable) cd/m² (BT.2100)"
    case .pq: source.transfer == .pq ? nil : "PQ"
    default: source.transfer.isBright ? curveName(outputCurve) : nil
    }
  }

  private func curveName(_ transfer: TransferFunction) -> String {
    if transfer.hasSameCurve(as: .bt709), policy.sdrCurve == .display { return "BT.1886 display curve" }
    return "\(transfer.name) curve"
  }
}

extension Double {
  /// The number with at most three decimals, without trailing zeros.
  fileprivate var readable: String {
    let rounded = (self * 1000).rounded() / 1000
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}
