extension LightConversion {
  static func unknownCurve(_ transfer: TransferFunction) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "The curve of transfer function \(transfer.rawValue) (H.273) is not known.",
      recoverySuggestion: "Tag the source with the transfer function that it really has.")
  }

  static func cameraOutput(_ transfer: TransferFunction) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "\(transfer.name) is a camera's curve: sources can have it, outputs cannot.",
      recoverySuggestion: "Choose BT.709, HLG or PQ for the output.")
  }

  static func unknownPrimaries(_ source: ColorPrimaries, _ output: ColorPrimaries) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "Color primaries \(source.rawValue) cannot become \(output.rawValue) (H.273).",
      recoverySuggestion: "Choose primaries for the output that have a definition, for example BT.709.")
  }
}
