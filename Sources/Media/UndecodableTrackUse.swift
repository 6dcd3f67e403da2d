package import CompositorAPI
package import CompositorMediaIO

extension UndecodableTrackUse {
  /// A sentence that describes the problem, with a name of the source.
  package func message(of sourceName: String) -> String {
    let track = "\(mediaType.rawValue) track \(trackIndex) of \(sourceName)"
    return needsDecoder ? "There is no decoder for codec \(codec) in \(track)." : "The \(track) cannot be decoded."
  }

  /// The loss in a render without the track.
  package var loss: MediaDamage { MediaDamage(.noDecoder, reason: reason) }

  /// The problem as an error, located at the file.
  package var error: CompositorError { error(sourceName: source.description) }

  /// The problem as an error, located at the file, with a name of the source.
  package func error(sourceName: String) -> CompositorError {
    locating(diagnostic(.error, track: nil, sourceName: sourceName).error)
  }

  /// A copy of an error that is located at the file.
  package func locating(_ error: CompositorError) -> CompositorError {
    guard case .file(let path) = source else { return error }
    return error.locating(ErrorLocation(file: path))
  }

  /// The problem as a diagnostic.
  ///
  /// - Parameters:
  ///   - track: The composition's track that uses it, if it is known.
  ///   - sourceName: The name of the source in the message.
  package func diagnostic(
    _ severity: ValidationDiagnostic.Severity, track: TrackID?, sourceName: String
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      needsDecoder ? .decoderMissing : .trackUndecodable, severity: severity, message(of: sourceName), track: track,
      cause: needsDecoder ? nil : reason,
      recoverySuggestion: needsDecoder
        ? "Install libav with a decoder for this codec, convert the file, or keep damaged media."
        : "Check that the file was copied whole, or keep damaged media.", source: source)
  }
}

extension MediaInfo {
  /// The track of a media type and index, if it exists and cannot be decoded. Tracks without packets are ignored.
  package func undecodableTrack(_ mediaType: MediaType, _ index: Int) -> UndecodableTrackUse? {
    let found = otherTracks.first { $0.kind == OtherTrackInfo.Kind(mediaType) && $0.trackIndex == index }
    guard let found, let reason = found.reason else { return nil }
    return UndecodableTrackUse(
      source: source, mediaType: mediaType, trackIndex: index, codec: found.codec, reason: reason,
      needsDecoder: found.needsDecoder == true)
  }
}
