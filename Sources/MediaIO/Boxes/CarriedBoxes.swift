/// Boxes of a video track that a copy of its packets carries along: those that libavformat doesn't write itself, such as the
/// projection of 360° video, the views of spatial video and Dolby Vision's configuration.
package struct CarriedBoxes: Sendable {
  /// Boxes in the description of the samples.
  package let entry: [FileBox]
  /// Boxes of the track.
  package let track: [FileBox]

  /// The boxes of a file's video track; `nil` if there are none.
  ///
  /// - Parameter index: Index among the video tracks.
  package init?(of path: String, videoTrack index: Int) {
    guard let tracks = BoxFile(path: path)?.tracks("vide"), tracks.indices.contains(index) else { return nil }
    // libavformat writes the colors and the shape of pixels as it read them.
    let rewritten: Set<String> = ["pasp", "colr", "mdcv", "clli", "SmDm", "CoLL"]
    entry = tracks[index].videoBoxes.filter { !KnownBoxes.ordinary.contains($0.name) && !rewritten.contains($0.name) }
    track = tracks[index].sphericalBoxes
    if entry.isEmpty, track.isEmpty { return nil }
  }

  /// Size of all boxes in bytes.
  package var byteCount: Int { (entry + track).reduce(0) { $0 + $1.bytes.count } }
}
