package import CompositorAPI
package import CompositorConversion
import Synchronization

/// Renders frames for their light alone: what an encoder has to know before the first of them comes.
package struct LightPass {
  private let plan: RenderPlan
  private let frames: Range<Int>
  private let delivery: DeliveryFormat
  private let settings: RenderSettings

  package init(_ plan: RenderPlan, frames: Range<Int>, delivery: DeliveryFormat, settings: RenderSettings) {
    self.plan = plan
    self.frames = frames
    self.settings = settings
    // Formats that cannot be measured as they are get measured at their full depth; nothing else differs.
    let isMeasurable = LightMeasurement.accepts(delivery.pixelFormat)
    self.delivery = isMeasurable ? delivery : delivery.as(.planar(.s444, bitDepth: 16))
  }

  /// - Parameter progress: Told the number of frames done, in order.
  /// - Throws: What rendering throws.
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

/// A measurement that the taker of frames adds to.
private final class LightMeter: Sendable {
  private let state = Mutex(LightMeasurement())

  var measurement: LightMeasurement { state.withLock { $0 } }

  func add(_ frame: Frame) throws(CompositorError) {
    try state.withLock { measurement throws(CompositorError) in try measurement.add(frame) }
  }
}

extension LightMeasurement {
  /// What a header says of the measured frames: their levels, and as mastering display the volume that they fill. That is the
  /// output's primaries and D65, up to their brightest pixel; no real display is meant.
  package func metadata(for color: ColorTags) -> HDRMetadata {
    let levels = contentLightLevel
    var metadata = HDRMetadata(contentLightLevel: levels)
    if let points = color.primaries.chromaticities {
      metadata.masteringDisplay = MasteringDisplay(
        red: points.red, green: points.green, blue: points.blue, white: points.white,
        maximumLuminance: Double(max(levels.maximumContentLightLevel, 5)), minimumLuminance: 0.0001)
    }
    return metadata
  }
}
