import CompositorAPI
import CompositorTimeline

/// Effects and audio effects, in the terms of a project.
extension ProjectPlaces {
  /// The path of an audio effect, and of its parameter, for a path in the mix; `nil` for other paths.
  func audioEffectPath(_ path: DocumentPath) -> String? {
    guard path.key(at: 0) == "audioMix" else { return nil }
    if let index = path.index(of: "processors", at: 1) { return existing("output.audio.effects[\(index)]", path.dropFirst(3)) }
    guard let index = path.index(of: "inputParameters", at: 1), let position = path.index(of: "processors", at: 3),
      edit.audioMix.inputParameters.indices.contains(index)
    else { return nil }
    let rest = path.dropFirst(5)
    let input = edit.audioMix.inputParameters[index]
    guard input.processors.indices.contains(position), let track = timelineTrack(of: input.trackID),
      file.draft.tracks.indices.contains(track)
    else { return nil }
    // The effects of the clips come first, each over its clip's time.
    let first = input.processors.count - file.draft.tracks[track].audio.effects.count
    guard position < first else { return existing("tracks[\(track)].audioEffects[\(position - first)]", rest) }
    let range = input.processors[position].timeRange
    let own = input.processors[..<position].count { $0.timeRange == range }
    guard let start = range?.start, let clip = clip(onTrack: input.trackID, at: start) else { return nil }
    return existing("\(clip.path).audioEffects[\(own)]", rest)
  }

  /// A parameter is written beside the effect's name, or in `parameters`.
  private func existing(_ effect: String, _ rest: DocumentPath) -> String {
    let effect = DocumentPath(effect)
    let isParameter = rest.key(at: 0) == "parameters" && rest.steps.count > 1
    let beside = (isParameter ? effect + rest.dropFirst(1) : effect).description
    return file.document.existing(path: beside) == beside ? beside : (effect + rest).description
  }

  /// The path of an effect of a clip, a layer or the project, or of a parameter of an instruction, for its path in an instruction.
  func effectPath(_ path: String, _ diagnostic: ValidationDiagnostic) -> String {
    let steps = DocumentPath(path)
    let written = steps.dropFirst(1).description
    guard let place = steps.index(of: "effects", at: steps.steps.count - 2), let time = diagnostic.timeRange?.start else {
      return isExplicit && steps.key(at: 0) == "videoComposition" ? written : path
    }
    if isExplicit, file.document.existing(path: written) == written { return written }
    if let track = diagnostic.track {
      guard let clip = clip(onTrack: track, at: time) else { return "tracks" }
      return "\(clip.path).effects[\(place)]"
    }
    let index = effects.firstIndex { $0.timeRange.start <= time && time < $0.timeRange.end }
    return index.map { "effects[\($0)]" } ?? "effects"
  }
}
