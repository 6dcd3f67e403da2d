import CompositorAPI
import CompositorHost
import CompositorTimeline

/// Effects and audio effects, in the terms of a project.
extension ProjectPlaces {
  /// The path of an audio effect, and of its parameter, for a path in the mix; `nil` for other paths.
  func audioEffectPath(_ path: String) -> String? {
    if let match = path.wholeMatch(of: /audioMix\.processors\[(\d+)\](.*)/) {
      return existing("output.audio.effects[\(match.1)]", match.2)
    }
    guard let match = path.wholeMatch(of: /audioMix\.inputParameters\[(\d+)\]\.processors\[(\d+)\](.*)/),
      let index = Int(match.1), let position = Int(match.2), edit.audioMix.inputParameters.indices.contains(index)
    else { return nil }
    let input = edit.audioMix.inputParameters[index]
    guard input.processors.indices.contains(position), let track = timelineTrack(of: input.trackID),
      file.draft.tracks.indices.contains(track)
    else { return nil }
    // The effects of the clips come first, each over its clip's time.
    let first = input.processors.count - file.draft.tracks[track].audio.effects.count
    guard position < first else { return existing("tracks[\(track)].audioEffects[\(position - first)]", match.3) }
    let range = input.processors[position].timeRange
    let own = input.processors[..<position].count { $0.timeRange == range }
    guard let start = range?.start, let clip = clip(onTrack: input.trackID, at: start) else { return nil }
    return existing("\(clip.path).audioEffects[\(own)]", match.3)
  }

  /// A parameter is written beside the effect's name, or in `parameters`.
  private func existing(_ effect: String, _ rest: Substring) -> String {
    let key = rest.hasPrefix(".parameters.") ? rest.dropFirst(".parameters".count) : ""
    let beside = effect + key
    return file.document.existing(path: beside) == beside ? beside : effect + rest
  }

  /// The path of an effect of a clip, a layer or the project, for its path in an instruction.
  func effectPath(_ path: String, _ diagnostic: ValidationDiagnostic) -> String {
    guard let match = path.firstMatch(of: /effects\[(\d+)\]$/), let time = diagnostic.timeRange?.start else { return path }
    let written = String(path.dropFirst("videoComposition.".count))
    if isExplicit, file.document.existing(path: written) == written { return written }
    if let track = diagnostic.track {
      guard let clip = clip(onTrack: track, at: time) else { return "tracks" }
      return "\(clip.path).effects[\(match.1)]"
    }
    let index = effects.firstIndex { $0.timeRange.start <= time && time < $0.timeRange.end }
    return index.map { "effects[\($0)]" } ?? "effects"
  }
}
