import CCompositorFFmpeg
import CompositorAPI

/// What is known of the end of a track's last frame.
///
/// The frames of a regular track each last a step, whatever the container states for the last one: writers often don't know how long
/// it will be shown. A slideshow is another matter. Its steps are so long that a last frame which is stated to last only a fraction of
/// one is meant: FFmpeg's recipe for slideshows has the last image once more, for a moment. Frames of GIF and APNG each state how long
/// they are shown, the last one like the others.
enum LastFrameEnd {
  /// The time at which it ends, as the container states.
  case exact(MediaTime)
  /// A step after its start; the container may state a later time.
  case atLeast(MediaTime)

  /// Frames per second of a slideshow at most. At higher rates, clocks and habits of writers may make a last frame short.
  static let highestRate = 4.0
  /// The part of a step below which a last frame is clearly shorter. Unsteady clocks come early or late by less than half a step.
  private static let shortPart = 0.5

  /// - Parameter stamp: The timestamp of the last frame; `nil` if there is none.
  /// - Returns: `nil` if the frame isn't one of a regular grid: it then ends when its packet does.
  init?(_ stamp: Int64?, _ extent: cff_extent, _ cadence: FrameCadence?, _ clock: FrameStampClock) {
    guard let stamp, let regular = clock.endOfRegularFrame(stamp) else { return nil }
    self = .atLeast(regular)
    // Of a file that is cut short, another frame is the last one.
    guard let cadence, !extent.is_truncated, extent.slide_end != Int64.min else { return }
    let end = clock.time(of: Timebase.clamped(extent.slide_end))
    if extent.states_durations {
      if regular.seconds - end.seconds > CadenceEstimator.coarsestRounding * (1 + 1e-9) { self = .exact(end) }
      return
    }
    guard cadence.rate.value <= Self.highestRate else { return }
    let part = (end.seconds - clock.time(of: stamp).seconds) * cadence.rate.value
    if part > 1 || (part > 0 && part < Self.shortPart) { self = .exact(end) }
  }
}
