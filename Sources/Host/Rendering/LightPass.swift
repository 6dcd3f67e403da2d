package import CompositorAPI
package import CompositorConversion
package import CompositorValidation
import Synchronization

/// Renders frames only to measure their light, which an encoder must know in advance.
package struct LightPass {
  private let plan: RenderPlan
  private let frames: Range<Int>
  private let delivery: DeliveryFormat
  private let settings: RenderSettings

  package init(_ plan: RenderPlan, frames: Range<Int>, delivery: DeliveryFormat, settings: RenderSettings) {
    self.plan = plan
    self.frames = frames
    self.settings = settings
    // Formats that cannot be measured directly are measured at their full bit depth; nothing else differs.
    let isMeasurable = LightMeasurement.accepts(delivery.pixelFormat)
    self.delivery = isMeasurable ? delivery : delivery.as(.planar(.s444, bitDepth: 16))
  }

  /// - Parameter progress: Receives the number of completed frames, in order.
  /// - Throws: Any error of rendering.
  package func run(_ progress: @escaping @Sendable (Int) -> Void) async throws(CompositorError) -> LightMeasurement {
    let pipeline = try FrameScheduler(plan, settings: settings, delivery: delivery)
    let meter = LightMeter()
    try await pipeline.render(frames) { [first = frames.lowerBound] rendered in
      try meter.add(rendered.frame)
      progress(rendered.index - first + 1)
    }
    return meter.measurement
  }
}

/// A measurement that accumulates the delivered frames.
private final class LightMeter: Sendable {
  private let state = Mutex(LightMeasurement())

  var measurement: LightMeasurement { state.withLock { $0 } }

  func add(_ frame: Frame) throws(CompositorError) {
    try state.withLock { measurement throws(CompositorError) in try measurement.add(frame) }
  }
}

extension LightMeasurement {
  /// The metadata for measured frames: their light levels, and as mastering display the volume that they use, which is the
  /// output's primaries and D65, up to the brightest pixel. It doesn't describe a real display.
  ///
  /// - Parameter peak: The luminance in cd/m² that nothing exceeds; `nil` if unknown. Codes of subsampled chroma may represent
  ///   more at edges.
  package func metadata(for color: ColorTags, peak: Double?) -> HDRMetadata {
    var levels = contentLightLevel
    if let peak = peak.map({ Int($0.rounded(.up)) }) {
      levels.maximumContentLightLevel = min(levels.maximumContentLightLevel, peak)
      levels.maximumFrameAverageLightLevel = min(levels.maximumFrameAverageLightLevel, peak)
    }
    var metadata = HDRMetadata(contentLightLevel: levels)
    if let points = color.primaries.chromaticities {
      metadata.masteringDisplay = MasteringDisplay(
        red: points.red, green: points.green, blue: points.blue, white: points.white,
        maximumLuminance: Double(max(levels.maximumContentLightLevel, 5)), minimumLuminance: 0.0001)
    }
    return metadata
  }
}
