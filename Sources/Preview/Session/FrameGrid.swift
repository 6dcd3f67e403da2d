package import CompositorAPI

/// The frames of a movie, for conversion of the page's times, which are rounded seconds.
package struct FrameGrid: Sendable {
  let frameDuration: MediaTime
  /// The end of the movie.
  let end: MediaTime

  package init(frameDuration: MediaTime, end: MediaTime) {
    self.frameDuration = frameDuration
    self.end = end
  }

  /// A page's time, limited to the movie; `nil` if it isn't a number.
  func time(_ seconds: Double) -> MediaTime? {
    guard seconds.isFinite else { return nil }
    return min(max(.zero, MediaTime(value: Int64(min(max(0, seconds), 1e6) * 90_000), timescale: 90_000)), end)
  }

  /// Number of frames up to the end; 0 if they cannot be counted. Limited to the maximum of a movie, also for invalid projects.
  package var count: Int {
    guard frameDuration.isNumeric, frameDuration > .zero, end.isNumeric, end > .zero else { return 0 }
    let frames = (end.seconds / frameDuration.seconds - 1e-6).rounded(.up)
    return Int(min(frames, Double(Int32.max)))
  }

  /// The start of the frame shown at a given time. Up to a hundredth of a frame before its start, a frame counts as shown.
  package func start(of time: MediaTime) -> MediaTime {
    guard frameDuration.isNumeric, frameDuration > .zero else { return time }
    let index = min(Int64((time.seconds / frameDuration.seconds + 0.01).rounded(.down)), Int64(max(1, count)) - 1)
    return MediaTime(value: frameDuration.value * index, timescale: frameDuration.timescale)
  }
}
