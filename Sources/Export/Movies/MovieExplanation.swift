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
    try self.init(composition, delivery: MovieDelivery(of: composition, video: video ?? VideoEncodingSettings()))
  }

  /// Explains a composition that becomes a movie.
  ///
  /// - Parameter spelling: How the reason of its format names settings.
  /// - Throws: The errors of creating a `RenderPlan`.
  package init(
    _ composition: ValidatedComposition, delivery: MovieDelivery, spelling: SettingSpelling = .swift
  ) throws(CompositorError) {
    try self.init(RenderPlan(composition, format: delivery.format), delivery: Delivery(delivery, spelling))
  }
}

extension EditExplanation.Delivery {
  fileprivate init(_ delivery: MovieDelivery, _ spelling: SettingSpelling) {
    let reason: String
    do throws(CompositorError) {
      try delivery.validate()
      reason = delivery.format.layoutReason.text(spelling)
    } catch {
      reason = "cannot be written: \(error.message)"
    }
    self.init(
      codec: delivery.video.codec.rawValue, format: delivery.encoded?.pixelFormat ?? delivery.format.pixelFormat,
      reason: reason)
  }
}
