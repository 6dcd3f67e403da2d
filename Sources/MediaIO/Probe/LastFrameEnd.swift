import CCompositorFFmpeg
import CompositorAPI

/// What is known of the end of a track's last frame.
///
/// The frames of a regular track each last a step, whatever the container states for the last one: writers often don't know how long
/// it will be shown. A slideshow is another matter. Its steps are so long that a last frame which is stated to last only a fraction of
/// one is meant: FFmpeg's recipe for slideshows has the last image once more, for a moment. If the steps of a slideshow are on no grid,
/// neither need be its end. Frames of GIF and APNG each state how long they are shown, the last one like the others.
enum LastFrameEnd {
  /// The time at which it ends, as the container states.
  case exact(MediaTime)
  /// A step after its start; the container may state a later time.
  case atLeast(MediaTime)

  /// The part of a step below which a last frame is clearly shorter. Unsteady clocks come early or late by less than half a step.
  private static let shortPart = 0.5

  /// Whether the length that is stated for the last frame of a regular slideshow, in steps, isn't just a step that was cut a little.
  static func isMeant(_ steps: Double) -> Bool { steps > 1 || (steps > 0 && steps < shortPart) }

  /// - Parameters:
  ///   - stamp: The timestamp of the last frame; `nil` if there is none.
  ///   - isStated: Whether the times of the frames are meant as stated: those of a slideshow, or of frames of uneven length.
  /// - Returns: `nil` if the frame isn't one of a regular grid and its end isn't stated: it then ends when its packet does.
  init?(_ stamp: Int64?, _ extent: cff_extent, isStated: Bool, _ cadence: FrameCadence?, _ clock: FrameStampClock) {
    guard let stamp else { return nil }
    // Of a file that is cut short, another frame is the last one.
    let isKnown = cadence != nil && !extent.is_truncated && extent.slide_end != Int64.min
    let end = isKnown ? clock.time(of: Timebase.clamped(extent.slide_end)) : nil
    guard let regular = clock.endOfRegularFrame(stamp) else {
      guard isStated, let end else { return nil }
      self = .exact(end)
      return
    }
    self = .atLeast(regular)
    guard let cadence, let end else { return }
    if extent.states_durations {
      if regular.seconds - end.seconds > CadenceEstimator.coarsestRounding * (1 + 1e-9) { self = .exact(end) }
    } else if isStated, Self.isMeant((end.seconds - clock.time(of: stamp).seconds) * cadence.rate.value) {
      self = .exact(end)
    }
  }
}
