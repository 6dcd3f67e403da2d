/// The eye that a frame is for. A frame is always one view: a stereo composition makes one frame for each eye.
///
/// Compositors make each view from a request of its own, in a context of its own (``RenderContext/view``), so one that was
/// written for mono works as it is. Instances aren't shared between views.
public enum StereoView: String, Hashable, Sendable, Codable, CaseIterable {
  /// Both eyes.
  case mono
  /// The left eye.
  case left
  /// The right eye.
  case right
}

/// The views that a source has or a composition asks for.
public enum StereoViews: String, Hashable, Sendable, Codable, CaseIterable {
  /// One frame for both eyes.
  case mono
  /// A frame for each eye.
  case stereo

  /// The views in the order in which frames are made: the first one is shown where only one can be.
  public var all: [StereoView] { self == .mono ? [.mono] : [.left, .right] }
}
