/// What happens if frames or audio that a timeline shows are missing from a source.
///
/// A source promises frames and samples: by its index, by its packets, by the length in its header. What was promised and does
/// not come out of the decoder is a loss. A damaged packet that still gives a frame is not; it is counted in a warning.
public enum DamagePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// A loss is an error that names the file, the track, the time and the reason.
  case fail
  /// Rendering goes on: the last good frame is held, audio falls silent, and each loss is named and counted.
  case keep
}
