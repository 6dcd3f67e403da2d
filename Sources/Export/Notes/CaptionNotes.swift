import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting

extension Edit {
  /// Notes on what a container loses of the captions that are written as its tracks.
  func captionNotes(in container: MovieContainer?) -> [ExportNote] {
    guard let container else { return [] }
    return captions.enumerated().compactMap { index, track in
      guard track.presentation.isTrack, let language = track.language, language.contains("-"), let tag = LanguageTag(language)
      else {
        return nil
      }
      return ExportNote(
        .captions,
        "a .\(container.rawValue) file has no place for a region or script: the language \(language) of captions \(index) is "
          + "written as \(tag.code)")
    }
  }

  /// Notes on captions that are only drawn over frames, for an output without any.
  var captionNotesOfAudio: [ExportNote] {
    captions.indices.filter { !captions[$0].presentation.isTrack }.map { index in
      let kept = RecoveryOption(.captionPresentation, value: "track")
      return ExportNote(
        .captions,
        "captions \(index) are drawn over the frames, and audio alone has none: they are left out"
          + .advice(" (\(kept) keeps them, in .mp4, .mov or .mkv)"))
    }
  }
}
