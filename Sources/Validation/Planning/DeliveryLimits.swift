package import CompositorAPI

/// What the file that receives a render's frames can store, as far as it determines the layout in which they are composed. The
/// default is that of frames that aren't encoded: no limits.
package struct DeliveryLimits: Sendable, Hashable {
  /// A bit depth and its reason.
  package struct Depth: Sendable, Hashable {
    /// Bits per sample.
    package let bits: Int
    /// The reason, for people, beginning with the number of bits.
    package let reason: Wording

    /// Creates a bit depth.
    package init(_ bits: Int, reason: Wording) { (self.bits, self.reason) = (bits, reason) }
  }

  /// The bit depth of SDR frames if the edit requests none; `nil` for that of the sources.
  package var depth: Depth?
  /// Whether an edit may request the chroma and the bit depth of its sources.
  package var keepsSourceLayout = true
  /// Whether alpha can be stored.
  package var storesAlpha = true
  /// Whether frames have chroma in full resolution, because they become RGB.
  package var keepsChroma = false

  /// No limits.
  package init() {}
}
