import CompositorAPI
import CompositorConversion

/// Finished layers of stills that keep their place, such as a logo over a movie: rows to composite over planes, and planes
/// resampled by a filter.
package final class StillLayers: Sendable {
  /// Layers that are composited together, and everything else that their rows depend on.
  struct OverlayKey: Hashable, Sendable {
    private let layers: [StillLayerKey]
    private let sources: [PixelFormat]
    private let kind: MixingSignal.Kind
    private let color: ColorTags
    private let policy: ColorConversionPolicy
    private let output: PixelFormat
    private let size: PixelSize

    /// Returns `nil` unless all layers are stills.
    init?(_ layers: [ResolvedLayer], sources: [PixelFormat], signal: MixingSignal, context: RenderContext) {
      let keys = layers.compactMap(StillLayerKey.init)
      guard keys.count == layers.count else { return nil }
      self.layers = keys
      self.sources = sources
      (kind, color, policy) = (signal.kind, signal.color, context.colorConversion)
      (output, size) = (context.outputFormat, context.size)
    }
  }

  /// One plane of a filtered layer.
  struct PlaneKey: Hashable, Sendable {
    private let layer: StillLayerKey
    private let plane: Int
    private let output: PixelFormat
    private let location: ChromaLocation
    private let size: PixelSize

    /// Returns `nil` for layers that aren't stills.
    init?(_ layer: ResolvedLayer, plane: Int, context: RenderContext) {
      // Opacity is applied to the filtered samples.
      guard let key = StillLayerKey(layer.opaque) else { return nil }
      self.layer = key
      self.plane = plane
      (output, location, size) = (
        context.outputFormat, context.outputAttributes.color.chromaLocation, context.size
      )
    }
  }

  let overlays = StillResults<OverlayKey, OverlayRecording>()
  /// Samples of the rows and columns that a layer touches, as frames of one plane.
  let planes = StillResults<PlaneKey, Frame>()

  /// The number of kept results.
  package var keptCount: Int { overlays.kept.count + planes.kept.count }

  package init() {}
}
