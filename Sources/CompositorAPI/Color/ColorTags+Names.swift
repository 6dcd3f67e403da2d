extension ColorPrimaries {
  /// The common name, such as `BT.709` or `Display P3`; `primaries 3` for a code point without one.
  public var name: String {
    switch self {
    case .bt709: "BT.709"
    case .unspecified: "unspecified primaries"
    case .bt470M: "BT.470 M"
    case .bt601_625: "BT.601 (625)"
    case .bt601_525: "BT.601 (525)"
    case .smpte240M: "SMPTE 240M"
    case .bt2020: "BT.2020"
    case .dciP3: "DCI P3"
    case .displayP3: "Display P3"
    case .film: "film"
    case .ebu3213: "EBU 3213"
    case .adobeRGB: "Adobe RGB"
    case .proPhotoRGB: "ProPhoto RGB"
    case .sGamut3: "S-Gamut3"
    case .sGamut3Cine: "S-Gamut3.Cine"
    case .vGamut: "V-Gamut"
    case .arriWideGamut3: "ARRI Wide Gamut 3"
    case .arriWideGamut4: "ARRI Wide Gamut 4"
    case .cinemaGamut: "Cinema Gamut"
    default: "primaries \(rawValue)"
    }
  }
}

extension TransferFunction {
  /// The common name, such as `PQ` or `sRGB`; `transfer 3` for a code point without one.
  public var name: String {
    switch self {
    case .bt709: "BT.709"
    case .unspecified: "unspecified transfer"
    case .gamma22: "gamma 2.2"
    case .gamma28: "gamma 2.8"
    case .bt601: "BT.601"
    case .smpte240M: "SMPTE 240M"
    case .linear: "linear"
    case .xvYCC: "xvYCC"
    case .sRGB: "sRGB"
    case .bt2020_10, .bt2020_12: "BT.2020"
    case .pq: "PQ"
    case .hlg: "HLG"
    case .log100: "log 100"
    case .log316: "log 316"
    case .bt1361: "BT.1361"
    case .st428: "ST 428"
    case .adobeRGB: "Adobe RGB"
    case .proPhotoRGB: "ProPhoto RGB"
    case .appleLog: "Apple Log"
    case .sLog3: "S-Log3"
    case .vLog: "V-Log"
    case .logC3: "LogC3"
    case .logC4: "LogC4"
    case .cLog3: "C-Log3"
    case .cLog2: "C-Log2"
    case .fLog2: "F-Log2"
    default: "transfer \(rawValue)"
    }
  }
}

extension MatrixCoefficients {
  /// The common name, such as `BT.709` or `RGB`; `matrix 14` for a code point without one.
  public var name: String {
    switch self {
    case .identity: "RGB"
    case .bt709: "BT.709"
    case .unspecified: "unspecified matrix"
    case .fcc: "FCC"
    case .bt601_625, .bt601_525: "BT.601"
    case .smpte240M: "SMPTE 240M"
    case .bt2020: "BT.2020"
    default: "matrix \(rawValue)"
    }
  }
}

extension ChromaLocation {
  /// `left`, `center`, `top left`, `top`.
  public var name: String { self == .topLeft ? "top left" : rawValue }
}

extension ColorTags {
  /// The shortest common name of primaries and curve: `BT.709`, `BT.2020 PQ`, `Display P3 sRGB`.
  public var shortName: String {
    if primaries == .bt709, transfer.hasSameCurve(as: .bt709) { return "BT.709" }
    if primaries == .bt709, transfer == .sRGB { return "sRGB" }
    return primaries.name == transfer.name ? primaries.name : "\(primaries.name) \(transfer.name)"
  }

  /// A description of all tags: `BT.2020 primaries, PQ, BT.2020 matrix, limited range, chroma top left`.
  public var longName: String {
    let curve = transfer.isHDR || transfer.isLog || transfer == .linear ? transfer.name : "\(transfer.name) curve"
    guard matrix != .identity else { return "\(primaries.name) primaries, \(curve), RGB, \(range.rawValue) range" }
    return
      "\(primaries.name) primaries, \(curve), \(matrix.name) matrix, \(range.rawValue) range, chroma \(chromaLocation.name)"
  }
}

extension ColorPrimaries {
  /// CIE 1931 XYZ as coded for digital cinema by SMPTE ST 428-1. Conversions don't support it.
  package static let cieXYZ = ColorPrimaries(rawValue: 10)
}

extension ColorTags {
  /// The tags with every unspecified value resolved. All defaults are chosen here.
  ///
  /// A frame less than 1280 pixels wide and at most 576 high is considered standard definition, as in mpv and libplacebo; this
  /// includes 854 × 480 and 768 × 576, which have square pixels. It is BT.601 with 625 lines if its height is 288 or 576,
  /// otherwise with 525 lines. Larger frames are BT.709. With an `identity` matrix (R, G, B) the other values are those of
  /// sRGB. Missing values follow those that are given: BT.2020 primaries imply the BT.2020 matrix, and PQ and HLG imply BT.2020
  /// (ITU-R BT.2100). Primaries without known chromaticities are treated as unspecified, except CIE XYZ (10), which isn't an
  /// RGB space. A given matrix or transfer function is kept, whether or not it is known.
  public func resolved(for size: PixelSize) -> ColorTags {
    var tags = self
    let fallback = matrix == .identity ? .sRGB : ColorTags.fallback(for: size)
    if tags.primaries.chromaticities == nil, tags.primaries != .cieXYZ {
      switch tags.matrix {
      case .bt2020: tags.primaries = .bt2020
      case .bt709: tags.primaries = .bt709
      case .unspecified, .identity: tags.primaries = transfer.isHDR ? .bt2020 : fallback.primaries
      default: tags.primaries = fallback.primaries
      }
    }
    if tags.matrix == .unspecified {
      switch tags.primaries {
      case .bt2020: tags.matrix = .bt2020
      case .bt601_525: tags.matrix = .bt601_525
      case .bt601_625: tags.matrix = .bt601_625
      default: tags.matrix = primaries == .unspecified ? fallback.matrix : .bt709
      }
    }
    if tags.transfer == .unspecified { tags.transfer = tags.matrix == .identity ? .sRGB : .bt709 }
    return tags
  }

  private static func fallback(for size: PixelSize) -> ColorTags {
    guard size.width < 1280, size.height <= 576 else { return .bt709 }
    return size.height == 576 || size.height == 288 ? .bt601_625 : .bt601_525
  }

  /// Whether both tags give the same colors for the same code values in a format. Chroma location is compared only if chroma is
  /// subsampled, and transfer functions by the curves that represent them under the policy.
  public func isEquivalent(
    to other: ColorTags, in format: PixelFormat, policy: ColorConversionPolicy = .standard
  ) -> Bool {
    primaries == other.primaries && transfer.hasSameCurve(as: other.transfer, policy: policy)
      && (format.isRGB || matrix.rgbToYCbCr == other.matrix.rgbToYCbCr && matrix.rgbToYCbCr != nil || matrix == other.matrix)
      && (range == other.range || format.sample != .unsigned)
      && (format.subsampling == .s444 || chromaLocation == other.chromaLocation)
  }
}

extension ColorTags {
  /// Whether the tags are those of graphics or photos, which viewers convert to sRGB.
  package var isOfGraphics: Bool { [.sRGB, .adobeRGB, .proPhotoRGB].contains(transfer) }
}
