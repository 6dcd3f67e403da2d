/// Whether a layer, or a part of text, is shown when its back is toward the viewer, as in CSS.
///
/// The back is toward the viewer if the layer, transformed and seen in perspective, is mirrored without having been mirrored by its own
/// scale: if d · D < 0, where D is the determinant of the 4 × 4 matrix from the layer to its parent, and d that of the same matrix without
/// the row and the column of z. As in CSS without `preserve-3d`, layers are flattened into their parents, and the turn of a parent
/// counts for the parent only; its sublayer transform and its perspective count for its sublayers.
public enum BackfaceVisibility: String, Hashable, Sendable, Codable, CaseIterable {
  /// The back is shown: the front, mirrored.
  case visible
  /// The back is not shown.
  case hidden
}
