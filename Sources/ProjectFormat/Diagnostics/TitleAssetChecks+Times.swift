import CompositorAPI
import CompositorOverlay
import CompositorTimeline

/// Titles of assets whose times the clips that play the asset leave out, all of them or the last.
extension TitleAssetChecks {
  /// The warning about a title that no clip plays.
  func unseen(_ title: Layer, of asset: String, in uses: TitleAssetUses, path: String) -> ValidationDiagnostic {
    let time = title.timing.activeRange
    let first = uses.first ?? (source: time, target: time)
    let moved = time.start - first.target.start + first.source.start
    let isOfMovie = first.target.start > .zero && moved >= first.source.start && moved < first.source.end
    let length = time.duration.isNumeric ? " to \(time.end.readable)" : ""
    let isOver = time.end <= uses.start
    let played =
      time.start >= uses.end
      ? "it only until \(uses.end.readable)" : isOver ? "it only from \(uses.start.readable)" : "only other parts of it"
    let advice =
      isOver
      ? "Let the title last longer, or let a clip begin earlier in the asset: its in is \(uses.start.readable)."
      : "Let the title begin earlier, or let a clip play more of the asset."
    return ValidationDiagnostic(
      .titleNotSeen, severity: .warning,
      "The title (\(title.firstLabel)) is shown from \(time.start.readable)\(length) of the asset \(quoted(asset)), but clips play "
        + "\(played): the title is never visible.",
      cause: isOfMovie
        ? "The times are those of the movie. In an asset, times count from its start."
        : "The clips became shorter, or the times count from elsewhere.",
      path: path, timeRange: first.target
    ).advising(
      isOfMovie ? .write(.string(moved.readable.replacing(" ", with: "")), key: "start") : Advice(advice))
  }

  /// The warning about a title with a duration whose end, or most of which, no clip plays; `nil` for others, and for clips that fade.
  func cutShort(_ title: Layer, of asset: String, in uses: TitleAssetUses, path: String) -> ValidationDiagnostic? {
    let (time, frame) = (title.timing.activeRange, edit.videoComposition.frameDuration)
    guard let first = uses.first, time.duration.isNumeric, frame.isNumeric, !uses.hasFreezeFrame,
      file.document.existing(path: path + ".duration") == path + ".duration", !endsWithAFade(asset)
    else { return nil }
    let (start, end) = (max(time.start, uses.start), min(time.end, uses.end))
    let (late, early) = (time.end - end, start - time.start)
    // The beginning of an asset is left out on purpose, unless little of a title remains.
    let isCutShort = late > frame
    guard isCutShort || early + early > time.duration else { return nil }
    let played = isCutShort ? "only until \(uses.end.readable)" : "only from \(uses.start.readable)"
    return ValidationDiagnostic(
      .titleNotSeen, severity: .warning,
      "The title (\(title.firstLabel)) is shown from \(time.start.readable) to \(time.end.readable) of the asset \(quoted(asset)), but clips "
        + "play it \(played): its \(isCutShort ? "last \(late.readable)" : "first \(early.readable)") are not seen.",
      cause: "The clips became shorter, or the times count from elsewhere.",
      recoverySuggestion: isCutShort
        ? "Let it begin earlier or last shorter, or let a clip play more of the asset."
        : "Let it begin later or last longer, or let a clip begin earlier in the asset.",
      path: path, timeRange: first.target)
  }

  /// Whether a clip of an asset fades, or a transition follows it, so that its titles needn't come to their end.
  private func endsWithAFade(_ asset: String) -> Bool {
    guard let source = file.assets[asset] else { return false }
    return file.draft.tracks.contains { track in
      track.clips.indices.contains { index in
        guard track.clips[index].source == source else { return false }
        let next = track.clips.indices.contains(index + 1) ? track.clips[index + 1].transition : nil
        return next != nil || track.clips[index].opacity != .constant(1)
      }
    }
  }
}
