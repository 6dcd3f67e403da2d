package import CompositorAPI
package import CompositorMediaIO

extension UndecodableTrackUse {
  /// A sentence that describes the problem.
  var message: String {
    let track = "\(mediaType.rawValue) track \(trackIndex) of \(Named.source(source))"
    return needsDecoder ? "There is no decoder for codec \(codec) in \(track)." : "The \(track) cannot be decoded."
  }

  /// The loss in a render without the track.
  var loss: MediaDamage { MediaDamage(.noDecoder, reason: reason) }

  /// The problem as an error, located at the file.
  package var error: CompositorError { locating(diagnostic(.error, track: nil).error) }

  /// A copy of an error that is located at the file.
  func locating(_ error: CompositorError) -> CompositorError {
    guard case .file(let path) = source else { return error }
    return error.locating(ErrorLocation(file: path))
  }

  func diagnostic(_ severity: ValidationDiagnostic.Severity, track: TrackID?) -> ValidationDiagnostic {
    ValidationDiagnostic(
      needsDecoder ? .decoderMissing : .trackUndecodable, severity: severity, message, track: track,
      cause: needsDecoder ? nil : reason,
      recoverySuggestion: needsDecoder
        ? "Install libav with a decoder for this codec, convert the file, or keep damaged media."
        : "Check that the file was copied whole, or keep damaged media.", source: source)
  }
}

extension MediaInfo {
  /// The track of a media type and index, if it exists and cannot be decoded. Tracks without packets are ignored.
  package func undecodableTrack(_ mediaType: MediaType, _ index: Int) -> UndecodableTrackUse? {
    let found = otherTracks.first { $0.kind == mediaType.rawValue && $0.trackIndex == index }
    guard let found, let reason = found.reason else { return nil }
    return UndecodableTrackUse(
      source: source, mediaType: mediaType, trackIndex: index, codec: found.codec, reason: reason,
      needsDecoder: found.needsDecoder == true)
  }
}

extension ValidatedComposition {
  /// The losses in a render because of tracks that cannot be decoded.
  package func undecodable(withAudio: Bool) -> MediaLosses {
    edit.undecodableTracks.reduce(into: MediaLosses()) { losses, use in
      guard withAudio || use.mediaType == .video else { return }
      losses.add([use.loss], in: MediaLosses.Track(use.source, use.mediaType, use.trackIndex))
    }
  }
}
