package import CompositorAPI
package import CompositorMedia

/// Checks for what a timeline says and its edit doesn't contain, so that the edit's validation cannot find it: keyframes after the end
/// of what they change, ducking by or of nothing, audio that no output plays, clips that play another audio track than the output's
/// chooses, clips that end before the movie that they are to fill, motion blur of
/// what stands still, crops that leave most of the canvas empty,
/// transitions that don't go from one clip to the other, and settings that are neither seen nor heard.
package enum TimelineChecks {
  /// Warnings with key paths of the timeline (`tracks[0].clips[2].opacity[1].at`), those of one check after those of another. O(n) in
  /// clips and keyframes.
  ///
  /// - Parameters:
  ///   - timeline: The timeline, with its canvas and frame rate resolved.
  ///   - tracks: Its placed clips.
  ///   - instructions: The instructions of its edit; as many as the timeline's if it has explicit ones.
  package static func diagnostics(
    of timeline: Timeline, tracks: TimelineTracks, instructions: [Instruction]
  ) -> [ValidationDiagnostic] {
    KeyframeChecks.diagnostics(of: timeline, tracks: tracks, instructions: instructions)
      + DuckingChecks.diagnostics(of: timeline, tracks: tracks) + UnheardTracks.diagnostics(of: timeline, tracks: tracks)
      + MissingOutputTracks.diagnostics(of: timeline, tracks: tracks)
      + UnheardSettings.diagnostics(of: tracks) + UnseenSettings.diagnostics(of: timeline, tracks: tracks)
      + ShortTimeChecks.diagnostics(of: timeline, instructions: instructions)
      + UnfilledClips.diagnostics(of: timeline, tracks: tracks)
      + StillMotionBlurs.diagnostics(of: tracks, instructions: timeline.instructions)
      + CropsInPlace.diagnostics(of: timeline, tracks: tracks) + StandingTransitions.diagnostics(of: timeline, tracks: tracks)
  }
}

extension Timeline {
  /// Warnings about what the timeline says and its edit doesn't contain. The clips are placed again, because an edit doesn't keep them.
  ///
  /// - Parameters:
  ///   - edit: The edit to which the timeline was converted.
  ///   - catalog: The catalog with which it was converted.
  /// - Throws: The errors of ``edit(catalog:)``.
  package func diagnostics(of edit: Edit, catalog: MediaCatalog) throws(CompositorError) -> [ValidationDiagnostic] {
    let timeline = try settled(catalog: catalog)
    return TimelineChecks.diagnostics(
      of: timeline, tracks: try timeline.placedTracks(catalog: catalog), instructions: edit.videoComposition.instructions)
  }
}
