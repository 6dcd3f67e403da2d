public import ArgumentParser
import CompositorAPI
import Host

/// The colour of what comes out, over what a project says.
struct ColorOptions: ParsableArguments {
  /// An output colour by name.
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

  @Option(
    name: [.customLong("colour"), .customLong("color")],
    help: "What comes out: sdr (BT.709), hlg or pq (BT.2020), whatever the project says.")
  var colour: Kind?

  @Option(
    help: """
      Mastering display and light levels of a PQ movie: propagate those of the sources, drop them, or generate them by \
      measuring all frames first.
      """)
  var hdrMetadata: HDRMetadataChoice?

  /// What was given.
  var overrides: ColorOverrides { ColorOverrides(colour: colour, hdrMetadata: hdrMetadata) }
}

/// What the command line says over a project.
struct ColorOverrides {
  var export: ExportPreset?
  var colour: ColorOptions.Kind?
  var hdrMetadata: HDRMetadataChoice?

  func apply(to edit: inout Edit) {
    export?.apply(to: &edit)
    if let colour { edit.render(in: colour.tags) }
    if let hdrMetadata { edit.output.hdrMetadata = hdrMetadata }
  }
}

extension HDRMetadataChoice: ExpressibleByArgument {}
extension ExportPreset: ExpressibleByArgument {}
