import CompositorAPI

/// The frames of a movie, and the times that a page says as rounded seconds.
struct FrameGrid: Sendable {
  let frameDuration: MediaTime
  /// Where the movie ends.
  let end: MediaTime

  /// A page's time inside the movie; nil for a number that is none.
  func time(_ seconds: Double) -> MediaTime? {
    guard seconds.isFinite else { return nil }
    return min(max(.zero, MediaTime(value: Int64(min(max(0, seconds), 1e6) * 90_000), timescale: 90_000)), end)
  }

  /// The start of the frame at a time, which may be a little before it.
  func start(of time: MediaTime) -> MediaTime {
    guard frameDuration.isNumeric, frameDuration > .zero else { return time }
    let count = max(1, Int64((end.seconds / frameDuration.seconds - 1e-6).rounded(.up)))
    let index = min(Int64((time.seconds / frameDuration.seconds + 0.01).rounded(.down)), count - 1)
    return MediaTime(value: frameDuration.value * index, timescale: frameDuration.timescale)
  }
}
