import CompositorAPI

/// Checks for settings of video at clips that show none or are passed through, and for settings of captions that are delivered in
/// another way. The edit doesn't contain them, so the timeline is checked instead.
package enum UnseenSettings {
  /// Warnings about settings that change nothing.
  static func diagnostics(of timeline: Timeline, tracks: TimelineTracks) -> [ValidationDiagnostic] {
    withoutVideo(tracks) + passedThrough(timeline, tracks) + captions(timeline.captions)
  }

  /// The settings of a clip that need video.
  package static func keys(of clip: TimelineClip) -> [String] {
    let fitting = [clip.fit == .fit ? nil : "fit", clip.sampling == nil ? nil : "sampling"]
    return fitting.compactMap(\.self) + look(of: clip)
  }

  /// The settings of captions that change nothing, because the captions aren't drawn or aren't a track.
  package static func keys(of captions: TimelineCaptions) -> [String] {
    [
      captions.style == nil || captions.presentation.isBurnedIn ? nil : "style",
      captions.isDefault && !captions.presentation.isTrack ? "default" : nil,
      captions.isForced && !captions.presentation.isTrack ? "forced" : nil,
    ].compactMap(\.self)
  }

  /// The settings that only a layer has: a frame that is passed through is shown as it is.
  private static func look(of clip: TimelineClip) -> [String] {
    let decoration = clip.decoration ?? ClipDecoration()
    return [
      clip.opacity == .constant(1) ? nil : "opacity", clip.placement == .constant(ClipPlacement()) ? nil : "transform",
      clip.crop == nil ? nil : "crop", clip.motionBlur == nil ? nil : "motionBlur", clip.effects.isEmpty ? nil : "effects",
      decoration.cornerRadius.isVisible ? "cornerRadius" : nil, decoration.borderWidth.isVisible ? "borderWidth" : nil,
      decoration.shadowOpacity.isVisible ? "shadowOpacity" : nil,
    ].compactMap(\.self)
  }

  private static func withoutVideo(_ tracks: TimelineTracks) -> [ValidationDiagnostic] {
    tracks.clips.joined().flatMap { placed -> [ValidationDiagnostic] in
      guard placed.media.picture == nil, placed.media.missingTrack == nil, placed.media.undecodable.isEmpty else { return [] }
      let isChosen = !placed.clip.showsVideo
      let reason = isChosen ? "the clip shows no video (video: false)" : "the media of the clip has no video"
      return keys(of: placed.clip).map { key in
        warning(
          "\(key) changes nothing: \(reason).",
          isChosen ? "Remove it, or remove video: false." : "Remove it, or use media with video.",
          path: "\(placed.path).\(key)", placed.range)
      }
    }
  }

  private static func passedThrough(_ timeline: Timeline, _ tracks: TimelineTracks) -> [ValidationDiagnostic] {
    let written = timeline.instructions ?? []
    guard written.contains(where: { $0.passthroughTrack != nil }),
      let ranges = try? ExplicitInstructions(timeline: timeline, tracks: tracks).ranges(of: written)
    else { return [] }
    var said: Set<String> = []
    return written.indices.flatMap { index -> [ValidationDiagnostic] in
      guard let track = written[index].passthroughTrack else { return [] }
      return tracks.clips(ofTrack: track, in: ranges[index]).flatMap { placed in
        look(of: placed.clip).filter { said.insert("\(placed.path).\($0)").inserted }.map { key in
          warning(
            "\(key) changes nothing in instructions[\(index)], which passes the track through as it is.",
            "Remove it, or show the track in layers instead of passthrough.", path: "\(placed.path).\(key)", placed.range)
        }
      }
    }
  }

  private static func captions(_ captions: [TimelineCaptions]) -> [ValidationDiagnostic] {
    captions.enumerated().flatMap { index, captions in
      keys(of: captions).map { key in
        let isStyle = key == "style"
        return warning(
          "\(key) changes nothing: the captions are \(isStyle ? "a track, which players draw" : "drawn over the frames, not a track").",
          isStyle ? "Remove it, or draw the captions, too: as: \"both\"." : "Remove it, or write a track: as: \"track\".",
          path: "captions[\(index)].\(key)", nil)
      }
    }
  }

  private static func warning(
    _ message: String, _ suggestion: String, path: String, _ range: ExactRange?
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .effectUnchanging, severity: .warning, message, recoverySuggestion: suggestion, path: path,
      timeRange: range.flatMap { try? $0.timeRange() })
  }
}

extension Animated<Double> {
  /// Whether a length or an opacity is ever above 0.
  fileprivate var isVisible: Bool { values.contains { $0 > 0 } }
}
