/// Primaries without a code point in ITU-T H.273. Their numbers, 128 and up, are private to this package and are never read
/// from or written to files.
extension ColorPrimaries {
  /// Adobe RGB (1998).
  public static let adobeRGB = ColorPrimaries(rawValue: 128)
  /// ProPhoto RGB, ISO 22028-2 (ROMM RGB); its white is D50.
  public static let proPhotoRGB = ColorPrimaries(rawValue: 129)
  /// Sony S-Gamut3.
  public static let sGamut3 = ColorPrimaries(rawValue: 130)
  /// Sony S-Gamut3.Cine.
  public static let sGamut3Cine = ColorPrimaries(rawValue: 131)
  /// Panasonic V-Gamut.
  public static let vGamut = ColorPrimaries(rawValue: 132)
  /// ARRI Wide Gamut 3.
  public static let arriWideGamut3 = ColorPrimaries(rawValue: 133)
  /// ARRI Wide Gamut 4.
  public static let arriWideGamut4 = ColorPrimaries(rawValue: 134)
  /// Canon Cinema Gamut.
  public static let cinemaGamut = ColorPrimaries(rawValue: 135)

  /// Whether these primaries have an ITU-T H.273 code point, so that a file can be tagged with them.
  public var isCodePoint: Bool { rawValue < 128 }
}

/// Curves without a code point in ITU-T H.273, numbered like the primaries.
extension TransferFunction {
  /// Adobe RGB (1998): a power of 563/256.
  public static let adobeRGB = TransferFunction(rawValue: 128)
  /// ProPhoto RGB, ISO 22028-2: a power of 1.8 with a straight toe.
  public static let proPhotoRGB = TransferFunction(rawValue: 129)
  /// Apple Log.
  public static let appleLog = TransferFunction(rawValue: 130)
  /// Sony S-Log3.
  public static let sLog3 = TransferFunction(rawValue: 131)
  /// Panasonic V-Log.
  public static let vLog = TransferFunction(rawValue: 132)
  /// ARRI LogC3 for exposure index 800.
  public static let logC3 = TransferFunction(rawValue: 133)
  /// ARRI LogC4.
  public static let logC4 = TransferFunction(rawValue: 134)
  /// Canon Log 3.
  public static let cLog3 = TransferFunction(rawValue: 135)
  /// Canon Log 2.
  public static let cLog2 = TransferFunction(rawValue: 136)
  /// Fujifilm F-Log2.
  public static let fLog2 = TransferFunction(rawValue: 137)

  /// Whether this curve has an ITU-T H.273 code point, so that a file can be tagged with it.
  public var isCodePoint: Bool { rawValue < 128 }
  /// Whether this is a camera's log curve, which only sources may have. A linear value of 1 is the reflectance of a perfect
  /// white.
  public var isLog: Bool { logCurve != nil }
}

extension ColorTags {
  /// Whether primaries and curve have ITU-T H.273 code points, which outputs require.
  public var isCodePoint: Bool { primaries.isCodePoint && transfer.isCodePoint }

  /// Tags by the name of a camera, a file format or a common color space; `nil` if the name isn't among ``names``.
  ///
  /// ```swift
  /// let color = ColorTags.named("s-log3")  // S-Gamut3 primaries, S-Log3, BT.709 matrix, limited range
  /// ```
  ///
  /// Matrix, range and chroma location are those that files of the kind usually have. If a file specifies its own, those take
  /// precedence.
  public static func named(_ name: String) -> ColorTags? { known.first { $0.name == name }?.tags }

  /// The names that ``named(_:)`` accepts, in display order.
  public static var names: [String] { known.map(\.name) }

  private static let known: [(name: String, tags: ColorTags)] = [
    ("sdr", .bt709), ("bt709", .bt709), ("bt601-525", .bt601_525), ("bt601-625", .bt601_625),
    (
      "bt2020",
      ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited, chromaLocation: .topLeft)
    ),
    ("hlg", .bt2100HLG), ("pq", .bt2100PQ), ("srgb", .sRGB),
    ("display-p3", ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .limited)),
    ("adobe-rgb", ColorTags(primaries: .adobeRGB, transfer: .adobeRGB, matrix: .identity, range: .full)),
    ("prophoto-rgb", ColorTags(primaries: .proPhotoRGB, transfer: .proPhotoRGB, matrix: .identity, range: .full)),
    ("apple-log", camera(.bt2020, .appleLog, .bt2020)),
    ("s-log3", camera(.sGamut3, .sLog3)), ("s-log3-cine", camera(.sGamut3Cine, .sLog3)),
    ("v-log", camera(.vGamut, .vLog)),
    ("logc3", camera(.arriWideGamut3, .logC3)), ("logc4", camera(.arriWideGamut4, .logC4)),
    ("c-log2", camera(.cinemaGamut, .cLog2)), ("c-log3", camera(.cinemaGamut, .cLog3)),
    ("f-log2", camera(.bt2020, .fLog2)),
  ]

  private static func camera(
    _ primaries: ColorPrimaries, _ transfer: TransferFunction, _ matrix: MatrixCoefficients = .bt709
  ) -> ColorTags {
    ColorTags(primaries: primaries, transfer: transfer, matrix: matrix, range: .limited)
  }
}
