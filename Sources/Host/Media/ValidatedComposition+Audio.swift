public import CompositorAPI
public import CompositorAudio
public import CompositorMediaIO

extension ValidatedComposition {
  /// The mixed audio of chosen tracks, for a movie with several audio tracks: one mixer for each. Mixers share nothing but the
  /// catalog; each is read at its own pace, on any thread.
  ///
  /// ```swift
  /// let english = try composition.audio(tracks: [dialogueEN, music])
  /// let german = try composition.audio(tracks: [dialogueDE, music])
  /// ```
  ///
  /// - Parameters:
  ///   - tracks: Audio tracks of the composition. Disabled ones are mixed too: being disabled only takes them out of the mix of all,
  ///     and out of validation.
  ///   - sampleRate: Samples a second, 8000 … 384,000.
  ///   - channelCount: Channels, 1 … 8.
  ///   - start: Composition time of the first sample.
  ///   - damaged: What happens if audio that plays is missing from a source. Default fail.
  /// - Throws: `.invalidTrackID` for a track that is not an audio track of the composition.
  public func audio(
    tracks: Set<TrackID>, sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero,
    damaged: DamagePolicy = .fail
  ) throws(CompositorError) -> AudioMixer {
    let known = edit.composition.tracks(.audio).map(\.trackID)
    if let unknown = tracks.subtracting(known).min() {
      throw CompositorError(
        .invalidTrackID, "The composition has no audio track \(unknown).",
        recoverySuggestion: known.isEmpty
          ? "It has no audio." : "Use one of \(known.map(\.description).joined(separator: ", ")).",
        at: ErrorLocation(track: unknown))
    }
    return AudioMixer(
      edit.composition, tracks: tracks, mix: edit.audioMix, sources: catalog, sampleRate: sampleRate,
      channelCount: channelCount, start: start, damaged: damaged, processors: registry)
  }
}
