public import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline

/// The color of what comes out, over what a project says.
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

  @Option(name: .customLong("color"), help: "What comes out: sdr (BT.709), hlg or pq (BT.2020), whatever the project says.")
  var givenColor: Kind?

  @Option(name: .customLong("colour"), help: .hidden)
  var olderColor: Kind?

  /// By either spelling.
  var color: Kind? { givenColor ?? olderColor }

  @Option(
    help: """
      Mastering display and light levels of a PQ movie: propagate those of the sources, drop them, or generate them by \
      measuring all frames first.
      """)
  var hdrMetadata: HDRMetadataChoice?

  @Option(
    help: """
      Bits of each component, 8 or 10. By default 8 for h264, so that every player can show it; 10 for hlg and pq; else those of \
      the sources.
      """)
  var depth: Int?

  func validate() throws {
    guard let depth else { return }
    guard [8, 10].contains(depth) else { throw ValidationError("--depth takes 8 or 10.") }
    if depth == 8, let color, color.tags.transfer.isHDR {
      throw ValidationError("--depth: \(color.rawValue) needs 10 bits.")
    }
  }

  /// What was given.
  var overrides: ColorOverrides { ColorOverrides(color: color, hdrMetadata: hdrMetadata, depth: depth) }
}

/// What the command line says over a project.
struct ColorOverrides {
  var export: ExportPreset?
  var color: ColorOptions.Kind?
  var hdrMetadata: HDRMetadataChoice?
  var depth: Int?

  func apply(to edit: inout Edit) {
    export?.apply(to: &edit)
    if let color { edit.render(in: color.tags) }
    if let hdrMetadata { edit.output.hdrMetadata = hdrMetadata }
    if let depth { edit.output.bitDepth = depth }
  }
}

extension HDRMetadataChoice: ExpressibleByArgument {}
extension ExportPreset: ExpressibleByArgument {}
