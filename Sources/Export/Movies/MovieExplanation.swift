public import CompositorAPI
import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorValidation

extension EditExplanation {
  /// Explains a composition without decoding anything. O(n) in segments and instructions.
  ///
  /// - Parameter video: The encoding settings of a movie; `nil` for the default codec for the composition's color.
  /// - Throws: The errors of creating a `RenderPlan`.
  public init(_ composition: ValidatedComposition, video: VideoEncodingSettings? = nil) throws(CompositorError) {
    let video = video ?? VideoEncodingSettings(codec: VideoEncodingSettings.usualCodec(for: composition))
    let plan = try RenderPlan(composition, codec: video.codec)
    try self.init(plan, delivery: Delivery(plan.format, video, of: composition))
  }
}

extension EditExplanation.Delivery {
  fileprivate init(_ format: RenderFormat, _ video: VideoEncodingSettings, of composition: ValidatedComposition) {
    let accepted = video.acceptedFormat(nearest: format.pixelFormat) ?? format.pixelFormat
    let reason: String
    do throws(CompositorError) {
      try video.validate(for: composition)
      reason = format.layoutReason
    } catch {
      reason = "cannot be written: \(error.message)"
    }
    self.init(codec: video.codec.rawValue, format: accepted, reason: reason)
  }
}
