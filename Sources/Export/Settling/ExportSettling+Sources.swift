import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

extension ExportSettings {
  /// The same settings with what the sources determine: the audio's properties, if that is enabled, and how often an animation plays.
  ///
  /// - Returns: The settings, and notes on what is changed because other clips or the codec differ.
  func followingSources(of composition: ValidatedComposition, in output: OutputName) -> (
    settings: ExportSettings, notes: [ExportNote]
  ) {
    var (settings, notes) = followingSourceAudio(of: composition, in: output)
    guard output.movieContainer?.isAnimation == true, video.animation.playCount == nil, let info = composition.onlyMedia,
      let playCount = info.playCount, playCount > 0
    else { return (settings, notes) }
    settings.video.animation.playCount = min(playCount, VideoEncodingSettings.AnimationSettings.playCounts.upperBound)
    let endless = RecoveryOption(.playCount, value: "0")
    notes.append(
      ExportNote(
        .playCount,
        "it plays \(playCount == 1 ? "once" : "\(playCount) times"), as \(info.source)"
          + .advice(": \(endless) repeats it without end"), source: info.source))
    return (settings, notes)
  }
}
