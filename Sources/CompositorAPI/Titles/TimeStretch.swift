/// How the content of a layer fills another duration than its own: its beginning and its end keep their speed, and the middle is
/// stretched or shrunk.
///
/// A duration below that of the two protected parts leaves out the middle, and shortens both in proportion. A pure function of
/// time: it has no state.
public struct TimeStretch: Hashable, Sendable, Codable {
  /// The protected beginning, in seconds, ≥ 0.
  public var start: Double
  /// The protected end, in seconds, ≥ 0.
  public var end: Double
  /// The duration of the content at its own speed in seconds, > 0, at least ``start`` and ``end`` together.
  public var duration: Double

  /// Creates a stretch.
  public init(start: Double = 0, end: Double = 0, duration: Double) {
    (self.start, self.end, self.duration) = (start, end, duration)
  }

  /// What is left of the protected parts in a duration: 1, or less if that is below both.
  private func scale(in length: Double) -> Double { length < start + end ? length / (start + end) : 1 }

  /// The time of the content that is shown at a time.
  ///
  /// - Parameter length: The duration in which the content plays, in seconds, > 0.
  package func contentTime(at time: Double, in length: Double) -> Double {
    guard length != duration else { return time }
    let scale = scale(in: length)
    let (first, last) = (start * scale, length - end * scale)
    if time.isBefore(first) { return time / scale }
    if !time.isBefore(last) { return duration - (length - time) / scale }
    return start + (time - first) / (last - first) * (duration - start - end)
  }

  /// The time at which a time of the content is shown, or would be if it is left out.
  ///
  /// - Parameter length: The duration in which the content plays, in seconds, > 0.
  package func time(ofContent time: Double, in length: Double) -> Double {
    let scale = scale(in: length)
    let (first, last) = (start * scale, length - end * scale)
    if time < start { return time * scale }
    let middle = duration - start - end
    if time >= duration - end || middle <= 0 { return length - (duration - time) * scale }
    return first + (time - start) / middle * (last - first)
  }

  /// Throws if a number is not finite, or outside of its range.
  package func requireUsable() throws(CompositorError) {
    let isUsable = start.isFinite && end.isFinite && duration.isFinite && start >= 0 && end >= 0 && duration > 0
    guard isUsable, !duration.isBefore(start + end) else {
      throw CompositorError(
        .invalidValue, "The protected beginning and end of a layer's time are not within its duration.",
        recoverySuggestion: "Make both together at most as long as the duration.")
    }
  }
}
