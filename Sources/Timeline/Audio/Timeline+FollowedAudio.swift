import CompositorAPI

extension Timeline {
  /// A title whose animations follow the audio of composition tracks instead of tracks of the timeline.
  ///
  /// - Throws: `.invalidValue`, located at the key in the title, if a track doesn't exist.
  func following(_ title: TimelineTitle, _ placed: TimelineTracks) throws(CompositorError) -> TimelineTitle {
    guard case .layer(var tree) = title.content, tree.followsAudio else { return title }
    do throws(CompositorError) {
      try tree.updateAudioLevels { (level, _, _) throws(CompositorError) in
        guard let index = try track(of: level.source) else { return }
        level.source = .tracks(placed.heardTrackIDs(ofTrack: index))
      }
    } catch {
      throw error.within("layer")
    }
    var title = title
    title.content = .layer(tree)
    return title
  }

  /// The index of the track that is followed; `nil` for sources that aren't tracks of the timeline.
  private func track(of source: AudioLevel.Source) throws(CompositorError) -> Int? {
    switch source {
    case .mix, .tracks: return nil
    case .trackNamed(let name):
      if let index = tracks.firstIndex(where: { $0.name == name }) { return index }
      throw CompositorError(
        .invalidValue, "There is no track \(quoted(name)).",
        recoverySuggestion: recoverySuggestion(for: name, among: tracks.compactMap(\.name)), at: ErrorLocation(path: "track"))
    case .trackIndex(let index):
      if tracks.indices.contains(index) { return index }
      throw CompositorError(
        .invalidValue, "There is no track \(index).",
        recoverySuggestion: "There are \(tracks.count) tracks, which count from 0.", at: ErrorLocation(path: "track"))
    }
  }
}

extension TimelineTracks {
  /// The composition tracks with a timeline track's audio that the output plays by default, or all of them if it plays none.
  fileprivate func heardTrackIDs(ofTrack track: Int) -> Set<TrackID> {
    let all = audioTrackIDs[track]
    let enabled = all.filter { composition.track($0)?.isEnabled == true }
    return Set(enabled.isEmpty ? all : enabled)
  }
}
