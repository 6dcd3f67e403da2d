package import CompositorAPI

/// The frames of a movie, and the times that a page says as rounded seconds.
package struct FrameGrid: Sendable {
  let frameDuration: MediaTime
  /// Where the movie ends.
  let end: MediaTime

  package init(frameDuration: MediaTime, end: MediaTime) {
    self.frameDuration = frameDuration
    self.end = end
  }

  /// A page's time inside the movie; nil for a number that is none.
  func time(_ seconds: Double) -> MediaTime? {
    guard seconds.isFinite else { return nil }
    return min(max(.zero, MediaTime(value: Int64(min(max(0, seconds), 1e6) * 90_000), timescale: 90_000)), end)
  }

  /// Frames up to the end; 0 if they cannot be counted, and no more than a movie may have, also of projects that are not valid.
  package var count: Int {
    guard frameDuration.isNumeric, frameDuration > .zero, end.isNumeric, end > .zero else { return 0 }
    let frames = (end.seconds / frameDuration.seconds - 1e-6).rounded(.up)
    return Int(min(frames, Double(Int32.max)))
  }

  /// The start of the frame at a time, which may be a little before it.
  package func start(of time: MediaTime) -> MediaTime {
    guard frameDuration.isNumeric, frameDuration > .zero else { return time }
    let index = min(Int64((time.seconds / frameDuration.seconds + 0.01).rounded(.down)), Int64(max(1, count)) - 1)
    return MediaTime(value: frameDuration.value * index, timescale: frameDuration.timescale)
  }
}
