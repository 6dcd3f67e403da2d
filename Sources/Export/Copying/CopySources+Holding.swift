import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

extension CopySources {
  /// Refuses tracks whose packets need several decoder's headers, which the copy could not state.
  static func checkCodings(of pieces: [CopyPiece], _ composition: ValidatedComposition) throws(CompositorError) {
    for piece in pieces {
      let extras = composition.media[.file(path: piece.path)]?.extras ?? []
      guard let several = extras.first(where: { $0.name == ContainerExtra.severalCodings && $0.videoTrack == piece.trackIndex })
      else { continue }
      throw CopyObstacles.refusal(
        "\(piece.path) has \(several.meaning).", "Render the movie.", at: ErrorLocation(file: piece.path, time: piece.start))
    }
  }

  /// Checks that a container holds a video track as it is coded and shown.
  static func checkHolding(_ video: CodedVideo, in container: MovieContainer, path: String) throws(CompositorError) {
    let location = ErrorLocation(file: path)
    let isUpright = video.transform.isRotated(like: .identity)
    guard CopyingMovieWriter.holds(video.track, of: video.reader, in: container) else {
      let holders = CopyingMovieWriter.holders(of: video.track, of: video.reader).filter {
        (isUpright || $0.copiesOrientation) && (!video.hasAlphaLayer || $0.copiesAlphaLayers)
      }
      // A container may hold uncompressed video of other formats.
      let format = video.parameters.codec == "rawvideo" ? video.parameters.pixelFormat : nil
      throw CopyObstacles.refusal(
        "A .\(container.rawValue) file cannot hold \(video.parameters.codec)\(format.map { " in \($0)" } ?? "").",
        advice(holders, or: "render the movie"), at: location)
    }
    guard isUpright || container.copiesOrientation else {
      throw CopyObstacles.refusal(
        "The frames are shown rotated or mirrored, and a .\(container.rawValue) file of this version of libavformat cannot say so.",
        "Write .mp4 or .mov, or render the movie.", at: location)
    }
    guard !video.hasAlphaLayer || container.copiesAlphaLayers else {
      throw CopyObstacles.refusal(
        "A .\(container.rawValue) file cannot hold the alpha of \(video.parameters.codec).",
        "Write .webm or .mkv, or render the movie.", at: location)
    }
  }

  /// Checks that a container holds an audio track as it is coded.
  static func checkHolding(_ audio: CodedAudio, in container: MovieContainer, path: String) throws(CompositorError) {
    guard !CopyingMovieWriter.holds(audio.track, of: audio.reader, in: container) else { return }
    let holders = CopyingMovieWriter.holders(of: audio.track, of: audio.reader)
    throw CopyObstacles.refusal(
      "A .\(container.rawValue) file cannot hold the audio of \(path), \(audio.info.codec).",
      advice(
        holders, or: "choose another codec of audio (\(setting: .audioCodec)), or leave the audio out (\(setting: .audio))"),
      at: ErrorLocation(file: path))
  }

  /// Advice to write one of some containers, if there are any, or to do something else.
  private static func advice(_ holders: [MovieContainer], or other: Wording) -> Advice {
    guard !holders.isEmpty else { return "\(other.capitalized)." }
    return "Write \(holders.map { ".\($0.rawValue)" }.joined(separator: " or ")), or \(other)."
  }
}

extension CodedVideo {
  /// What differs between two tracks in how their frames are shown; `nil` if nothing does.
  func lookDifference(from other: CodedVideo) -> (name: String, own: String, other: String)? {
    func word(_ video: CodedVideo) -> String { video.hasAlphaLayer ? "a layer beside the frames" : "missing" }
    if hasAlphaLayer != other.hasAlphaLayer { return ("alpha", word(self), word(other)) }
    let (own, others) = (transform, other.transform)
    return own.isRotated(like: others) ? nil : ("orientation", own.orientation, others.orientation)
  }
}

extension AffineMatrix {
  /// Whether it turns, mirrors and scales frames like another one.
  func isRotated(like other: AffineMatrix) -> Bool {
    zip([a, b, c, d], [other.a, other.b, other.c, other.d]).allSatisfy { abs($0 - $1) < 1e-3 }
  }

  /// How it turns frames, in words.
  fileprivate var orientation: String {
    let turns = [[1, 0]: "upright", [0, 1]: "90° clockwise", [-1, 0]: "180°", [0, -1]: "90° counterclockwise"]
    return (turns[[Int(a.rounded()), Int(b.rounded())]] ?? "another angle") + (a * d - b * c < 0 ? ", mirrored" : "")
  }
}
