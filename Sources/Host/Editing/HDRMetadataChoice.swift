/// What becomes of mastering display (SMPTE ST 2086) and light levels (CTA-861.3) in a movie whose colour is PQ.
///
/// SDR and HLG movies carry neither: their signal is relative to the display that shows it.
public enum HDRMetadataChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// What the PQ sources say: the mastering display with the brightest white, and the highest of each light level. Sources of
  /// another kind have nothing to say.
  case propagate
  /// None.
  case drop
  /// Measured from the composed frames before they are encoded. The timeline is rendered twice for it, since encoders want to
  /// know in advance.
  case generate
}
