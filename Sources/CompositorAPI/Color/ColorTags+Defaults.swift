extension ColorTags {
  /// The same tags with a stated value for everything unspecified: the one place where defaults are chosen.
  ///
  /// A picture of at most 720 × 576 pixels is taken for standard definition: BT.601 with 625 lines where its height is 288
  /// or 576, else with 525 lines. Everything larger is BT.709. With a matrix of `identity` (R, G, B) the rest is sRGB. Missing
  /// parts follow those that are given: BT.2020 primaries bring the BT.2020 matrix, and PQ and HLG are BT.2020 (ITU-R BT.2100)
  /// where nothing else is said. Primaries without known chromaticities count as unspecified; a given matrix or transfer
  /// function stays, known or not.
  public func resolved(for size: PixelSize) -> ColorTags {
    var tags = self
    let fallback = matrix == .identity ? .sRGB : ColorTags.fallback(for: size)
    if tags.primaries.chromaticities == nil {
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
    guard size.width <= 720, size.height <= 576 else { return .bt709 }
    return size.height == 576 || size.height == 288 ? .bt601_625 : .bt601_525
  }

  /// Whether both stand for the same colours from the same code values in a format: chroma siting is compared only where
  /// chroma is subsampled, curves by their form.
  public func isEquivalent(to other: ColorTags, in format: PixelFormat) -> Bool {
    primaries == other.primaries && transfer.hasSameCurve(as: other.transfer)
      && (format.isRGB || matrix.rgbToYCbCr == other.matrix.rgbToYCbCr && matrix.rgbToYCbCr != nil || matrix == other.matrix)
      && (range == other.range || format.sample != .unsigned)
      && (format.subsampling == .s444 || chromaLocation == other.chromaLocation)
  }
}
