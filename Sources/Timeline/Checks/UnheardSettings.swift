import CompositorAPI

/// Checks for settings of audio at clips that play none. The edit doesn't contain them, so the timeline is checked instead.
package enum UnheardSettings {
  /// Warnings about settings that change nothing.
  static func diagnostics(of tracks: TimelineTracks) -> [ValidationDiagnostic] {
    tracks.clips.joined().flatMap { placed -> [ValidationDiagnostic] in
      guard placed.media.missingTrack == nil, placed.media.undecodable.isEmpty, let reason = Reason(placed) else { return [] }
      return settings(of: placed.clip).map { warning($0, of: placed, reason) }
    }
  }

  /// A setting of a clip that needs audio, by its key.
  package enum Setting: String {
    case volume, fadeIn, fadeOut, pan, audioEffects
  }

  /// The settings of a clip that need audio. A volume may be meant for media that is exchanged later, or for the time when the clip is
  /// no longer muted.
  package static func settings(of clip: TimelineClip) -> [Setting] {
    [
      clip.audio == .unused && clip.volume != .constant(1) ? .volume : nil,
      clip.fadeIn == nil ? nil : .fadeIn, clip.fadeOut == nil ? nil : .fadeOut, clip.pan == .constant(0) ? nil : .pan,
      clip.audioEffects.isEmpty ? nil : .audioEffects,
    ].compactMap(\.self)
  }

  /// Why a clip is silent.
  private enum Reason {
    case noAudio, notUsed, muted

    /// `nil` for a clip that is heard.
    init?(_ placed: PlacedClip) {
      if placed.clip.audio == .unused {
        self = .notUsed
      } else if !placed.media.hasAudio {
        self = .noAudio
      } else if placed.clip.audio == .muted {
        self = .muted
      } else {
        return nil
      }
    }

    var text: String {
      switch self {
      case .noAudio: "the media of the clip has no audio"
      case .notUsed: "the clip plays no audio (audio: false)"
      case .muted: "the clip is muted (mute: true)"
      }
    }

    var recoverySuggestion: String {
      switch self {
      case .noAudio: "Remove it, or use media with audio."
      case .notUsed: "Remove it, or remove audio: false."
      case .muted: "Remove it, or remove mute: true."
      }
    }
  }

  private static func warning(_ setting: Setting, of placed: PlacedClip, _ reason: Reason) -> ValidationDiagnostic {
    let (key, isFade) = (setting.rawValue, setting == .fadeIn || setting == .fadeOut)
    let isMeantForVideo = isFade && (reason == .noAudio || placed.media.picture != nil)
    return ValidationDiagnostic(
      .effectUnchanging, severity: .warning, "\(key) changes nothing: \(reason.text).",
      cause: isMeantForVideo ? "The picture was meant to fade." : nil,
      recoverySuggestion: isMeantForVideo
        ? "Remove it. A picture fades by keyframes of opacity, or by a transition." : reason.recoverySuggestion,
      path: "\(placed.path).\(key)", timeRange: try? placed.range.timeRange())
  }
}
