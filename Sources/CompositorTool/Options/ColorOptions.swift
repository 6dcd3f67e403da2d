public import ArgumentParser
public import Compositor

/// The color of the output; overrides the project's.
struct ColorOptions: ParsableArguments {
  /// An output color by name.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case sdr, hlg, pq

    var tags: ColorTags {
      switch self {
      case .sdr: .bt709
      case .hlg: .bt2100HLG
      case .pq: .bt2100PQ
      }
    }
  }

  @Option(help: "The color of the output: sdr (BT.709), hlg or pq (BT.2020). Overrides the project's.")
  var color: Kind?

  @Option(
    help: """
      Mastering display and light levels of a PQ movie: propagate those of the sources, drop them, or generate them by \
      measuring all frames first.
      """)
  var hdrMetadata: HDRMetadataChoice?

  @Option(
    help: """
      Bits per component, 8 or 10. By default 8 for h264, which every player can show; 10 for hlg and pq; otherwise those of the \
      sources.
      """)
  var depth: Int?

  @OptionGroup var sources: SourceColorOptions

  func validate() throws {
    guard let depth else { return }
    guard [8, 10].contains(depth) else { throw ValidationError("--depth takes 8 or 10.") }
    if depth == 8, let color, color.tags.transfer.isHDR {
      throw ValidationError("--depth: \(color.rawValue) needs 10 bits.")
    }
  }

  /// The values of these options.
  var overrides: ColorOverrides {
    ColorOverrides(
      color: color?.tags, hdrMetadata: hdrMetadata, depth: depth, sources: sources.known,
      deinterlacing: sources.deinterlace?.mode)
  }
}

/// Options that override the color tags of all media files.
struct SourceColorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The color of all media files, overriding their tags: \(ColorTags.names.joined(separator: ", ")).", valueName: "name")
  )
  var sourceColor: String?

  @Option(
    help: ArgumentHelp(
      "The peak luminance of all PQ files in cd/m², 10 to 10000, overriding their metadata; or measure, to find it in a first pass.",
      valueName: "luminance"))
  var sourcePeak: String?

  @Option(
    help: ArgumentHelp(
      """
      How interlaced media files are deinterlaced: off, same (one frame from two fields) or double (one from each field). By \
      default as the project says, else off.
      """, valueName: "mode"))
  var deinterlace: DeinterlaceKind?

  func validate() throws {
    if let sourceColor, SourceColor.named(sourceColor) == nil {
      throw ValidationError(
        "--source-color: there is no color \(sourceColor). Choose one of: \(ColorTags.names.joined(separator: ", ")).")
    }
    if sourcePeak != nil, peak == nil { throw ValidationError("--source-peak takes 10 to 10000, or measure.") }
  }

  private var peak: SourceColor.Peak? {
    guard sourcePeak != PeakChoice.measured.rawValue else { return .measured }
    return sourcePeak.flatMap(Double.init).flatMap { (10...10_000).contains($0) ? .luminance($0) : nil }
  }

  /// A way of deinterlacing by name.
  enum DeinterlaceKind: String, CaseIterable, ExpressibleByArgument {
    case off, same, double

    var mode: Deinterlacing {
      switch self {
      case .off: .off
      case .same: .sameRate
      case .double: .doubleRate
      }
    }
  }

  /// The values of these options; `nil` if none was given.
  var known: SourceColor? {
    guard sourceColor != nil || sourcePeak != nil else { return nil }
    var color = sourceColor.flatMap(SourceColor.named) ?? SourceColor()
    color.peak = peak
    return color
  }
}

extension HDRMetadataChoice: ExpressibleByArgument {}
extension ExportPreset: ExpressibleByArgument {}
