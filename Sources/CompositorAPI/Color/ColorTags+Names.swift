extension ColorPrimaries {
  /// The name people know, such as `BT.709` or `Display P3`; `primaries 22` for a code point without one.
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
    default: "primaries \(rawValue)"
    }
  }
}

extension TransferFunction {
  /// The name people know, such as `PQ` or `sRGB`; `transfer 10` for a code point without one.
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
    default: "transfer \(rawValue)"
    }
  }
}

extension MatrixCoefficients {
  /// The name people know, such as `BT.709` or `RGB`; `matrix 14` for a code point without one.
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
  /// Primaries and curve in the shortest words that people use: `BT.709`, `BT.2020 PQ`, `Display P3 sRGB`.
  public var shortName: String {
    if primaries == .bt709, transfer.hasSameCurve(as: .bt709) { return "BT.709" }
    if primaries == .bt709, transfer == .sRGB { return "sRGB" }
    return primaries.name == transfer.name ? primaries.name : "\(primaries.name) \(transfer.name)"
  }

  /// All tags in words: `BT.2020 primaries, PQ, BT.2020 matrix, limited range, chroma top left`.
  public var longName: String {
    let curve = transfer.isHDR || transfer == .linear ? transfer.name : "\(transfer.name) curve"
    guard matrix != .identity else { return "\(primaries.name) primaries, \(curve), RGB, \(range.rawValue) range" }
    return
      "\(primaries.name) primaries, \(curve), \(matrix.name) matrix, \(range.rawValue) range, chroma \(chromaLocation.name)"
  }
}
