import CompositorAPI
import CompositorMediaIO

extension ValidatedComposition {
  /// The luminance in cd/m² that nothing in an HDR output exceeds, because all sources and colors are SDR; `nil` if some aren't,
  /// or if there are no sources.
  package var sdrPeak: Double? {
    let tracks = RenderFormat.sourceTracks(of: self).map(\.info) + RenderFormat.titleTracks(of: self)
    guard !tracks.isEmpty, tracks.allSatisfy(\.attributes.color.transfer.isSDR), !hasBrightColor(in: edit.titles.layers),
      !hasBrightColor(in: edit.videoComposition.instructions)
    else { return nil }
    return edit.videoComposition.colorConversion.diffuseWhite
  }

  /// Whether a color in a value, at any depth, is brighter than SDR white.
  private func hasBrightColor(in value: Any) -> Bool {
    if let color = value as? Color { return !color.transfer.isSDR || max(color.red, color.green, color.blue) > 1 }
    return Mirror(reflecting: value).children.contains { hasBrightColor(in: $0.value) }
  }
}
