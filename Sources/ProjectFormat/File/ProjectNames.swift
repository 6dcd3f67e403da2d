import CompositorAPI
import CompositorTimeline

/// Names of output colors.
enum OutputColorName: String, CaseIterable {
  case sdr
  case bt709
  case bt601_525 = "bt601-525"
  case bt601_625 = "bt601-625"
  case bt2020
  case displayP3 = "display-p3"
  case hlg
  case pq

  var tags: ColorTags {
    switch self {
    case .sdr, .bt709: .bt709
    case .bt601_525: .bt601_525
    case .bt601_625: .bt601_625
    case .bt2020:
      ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited, chromaLocation: .topLeft)
    case .displayP3: ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .limited)
    case .hlg: .bt2100HLG
    case .pq: .bt2100PQ
    }
  }
}

/// Names of generated patterns.
enum PatternName: String, CaseIterable {
  case color, bars, gradient, clock
}

/// Names of the ways in which a file stores alpha.
enum SourceAlphaName: String, CaseIterable {
  case straight, premultiplied, ignore

  /// The mode that the name stands for.
  var mode: AlphaMode {
    switch self {
    case .straight: .straight
    case .premultiplied: .premultiplied
    case .ignore: .opaque
    }
  }
}

/// Names of deinterlacing methods.
enum DeinterlaceName: String, CaseIterable {
  case off, same, double
}
