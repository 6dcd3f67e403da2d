import CompositorAPI

/// Checks for settings of audio at clips whose media has none. The edit doesn't contain them, so the timeline is checked instead.
package enum UnheardSettings {
  /// Warnings about fades and positions that change nothing. A volume may be meant for media that is exchanged later.
  static func diagnostics(of tracks: TimelineTracks) -> [ValidationDiagnostic] {
    tracks.clips.joined().flatMap { placed -> [ValidationDiagnostic] in
      guard !placed.media.hasAudio, placed.clip.audio != .unused, placed.media.missingTrack == nil,
        placed.media.undecodable.isEmpty
      else { return [] }
      return settings(of: placed.clip).map { warning($0, of: placed) }
    }
  }

  /// A setting of a clip that needs audio, by its key.
  package enum Setting: String {
    case fadeIn, fadeOut, pan, audioEffects
  }

  /// The settings of a clip that need audio.
  package static func settings(of clip: TimelineClip) -> [Setting] {
    [
      clip.fadeIn == nil ? nil : .fadeIn, clip.fadeOut == nil ? nil : .fadeOut, clip.pan == .constant(0) ? nil : .pan,
      clip.audioEffects.isEmpty ? nil : .audioEffects,
    ].compactMap(\.self)
  }

  private static func warning(_ setting: Setting, of placed: PlacedClip) -> ValidationDiagnostic {
    let (key, isFade) = (setting.rawValue, setting == .fadeIn || setting == .fadeOut)
    return ValidationDiagnostic(
      .effectUnchanging, severity: .warning, "\(key) changes nothing: the media of the clip has no audio.",
      cause: isFade ? "The picture was meant to fade." : nil,
      recoverySuggestion: isFade
        ? "Remove it. A picture fades by keyframes of opacity, or by a transition." : "Remove it, or use media with audio.",
      path: "\(placed.path).\(key)", timeRange: try? placed.range.timeRange())
  }
}
