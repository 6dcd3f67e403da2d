import CompositorAPI
import CompositorTimeline

/// Diagnostics about a clip's crop, placement and volume, in the terms of a project.
extension ProjectPlaces {
  /// A clip, or the layer of an explicit instruction that overrides it.
  private struct Shown {
    let clip: PlacedClip
    var layer: TimelineLayer?
    var layerPath: String?

    /// The path of a key: the layer's if it has the key, otherwise the clip's.
    func path(_ key: String, isOfLayer: Bool) -> String { "\(isOfLayer ? layerPath ?? clip.path : clip.path).\(key)" }
  }

  private func shown(by diagnostic: ValidationDiagnostic) -> Shown? {
    guard let track = diagnostic.track, let time = diagnostic.foundTime ?? diagnostic.timeRange?.start,
      let clip = clip(onTrack: track, at: time)
    else { return nil }
    guard isExplicit, let index = diagnostic.instruction, instructions.indices.contains(index),
      let place = instructions[index].layers.firstIndex(where: { $0.track == clip.track })
    else { return Shown(clip: clip) }
    return Shown(
      clip: clip, layer: instructions[index].layers[place], layerPath: "instructions[\(index)].layers[\(place)]")
  }

  /// The path of the crop that a diagnostic is about.
  func cropPath(of diagnostic: ValidationDiagnostic) -> String? {
    shown(by: diagnostic).map { $0.path("crop", isOfLayer: $0.layer?.crop != nil) }
  }

  /// A diagnostic as it applies to a project; `nil` if what it says is no mistake in one.
  ///
  /// A project's placement starts from the upright picture. A rotation is therefore meant, and a matrix that rotates the picture
  /// back was written for the stored one.
  func adapted(_ diagnostic: ValidationDiagnostic) -> ValidationDiagnostic? {
    // The silence of an output that is muted is meant.
    if diagnostic.code == .silentAudio, diagnostic.path == "audioMix.volume", file.draft.audio.isMuted { return nil }
    // A transition whose audio is not to fade is meant.
    if diagnostic.code == .missingCrossfade,
      clips.joined().contains(where: {
        $0.clip.transition?.audio == AudioCrossFade.none && $0.range.start.mediaTime == diagnostic.foundTime
      })
    {
      return nil
    }
    guard diagnostic.code == .orientationLost, file.origin == .project else { return diagnostic }
    guard let matrix = matrix(of: diagnostic) else { return nil }
    var result = diagnostic
    let size = matrix.geometry.uprightSize
    result.cause =
      "The matrix was written for the stored frame; a project's matrix starts from the upright one of "
      + "\(Int(size.width))x\(Int(size.height)) pixels."
    result.recoverySuggestion =
      "Write matrix: \(matrix.fitted), which fits the upright frame to the canvas, or leave the matrix out."
    return result
  }

  /// The change of the text for a diagnostic about a clip.
  func fixOfClip(_ diagnostic: ValidationDiagnostic) -> ProjectFix? {
    guard file.origin == .project else { return nil }
    switch diagnostic.code {
    case .orientationLost: return fixOfMatrix(diagnostic)
    case .cropBeyondSource: return fixOfCrop(diagnostic)
    case .silentAudio: return mutingClip(diagnostic)
    default: return nil
    }
  }

  private func matrix(of diagnostic: ValidationDiagnostic) -> (path: String, geometry: PictureGeometry, fitted: String)? {
    guard let shown = shown(by: diagnostic), let picture = shown.clip.media.picture else { return nil }
    guard case .constant(let placement) = shown.layer?.placement ?? shown.clip.clip.placement, placement.matrix != nil else {
      return nil
    }
    let geometry = PictureGeometry(
      picture, fit: shown.layer?.fit ?? shown.clip.clip.fit, canvas: edit.videoComposition.renderSize)
    let fitted = geometry.fitting
    let numbers = [fitted.a, fitted.b, fitted.c, fitted.d, fitted.tx, fitted.ty].map { value in
      let short = (value * 1e6).rounded() / 1e6
      return short == short.rounded() ? "\(Int(short))" : "\(short)"
    }
    return (
      shown.path("transform.matrix", isOfLayer: shown.layer?.placement != nil), geometry, "[\(numbers.joined(separator: ", "))]"
    )
  }

  private func fixOfMatrix(_ diagnostic: ValidationDiagnostic) -> ProjectFix? {
    guard let matrix = matrix(of: diagnostic) else { return nil }
    return replacing(matrix.path, by: matrix.fitted, "Write matrix: \(matrix.fitted)", isSafe: false)
  }

  private func fixOfCrop(_ diagnostic: ValidationDiagnostic) -> ProjectFix? {
    guard let shown = shown(by: diagnostic), let picture = shown.clip.media.picture,
      case .constant(let crop)? = shown.layer?.crop ?? shown.clip.clip.crop
    else { return nil }
    let frame = PictureGeometry(picture, fit: .fit, canvas: edit.videoComposition.renderSize).uprightSize
    let rest = crop.rect(in: frame).intersection(Rect(origin: .zero, size: frame))
    guard rest.size.width > 0, rest.size.height > 0 else { return nil }
    func text(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
    let written =
      "{ x: \(text(rest.minX)), y: \(text(rest.minY)), width: \(text(rest.size.width)), height: \(text(rest.size.height)) }"
    return replacing(
      shown.path("crop", isOfLayer: shown.layer?.crop != nil), by: written, "Write crop: \(written)", isSafe: false)
  }

  /// A volume of 0 becomes `mute: true`, which is as silent and says that it is meant. It may change what is heard besides where
  /// the track lowers others while its clips play, loud or not, or has processors that remember a clip they heard.
  private func mutingClip(_ diagnostic: ValidationDiagnostic) -> ProjectFix? {
    guard let track = diagnostic.track, let time = diagnostic.timeRange?.start, let clip = clip(onTrack: track, at: time),
      clip.clip.volume == .constant(0), case .object(let members)? = file.document.node(atPath: clip.path)?.value,
      !members.contains(where: { $0.key == "mute" }), let member = members.first(where: { $0.key == "volume" }),
      member.value.isWritten, let end = file.text.range(ofValueAt: member.value.offset)?.upperBound
    else { return nil }
    let audio = file.draft.tracks[clip.track].audio
    return ProjectFix(
      "Write mute: true instead of the volume", isSafe: audio.effects.isEmpty && audio.ducking?.trigger != .segments,
      [TextEdit(member.keyOffset..<end, "\(file.text.key("mute", likeAt: member.keyOffset)): true")])
  }

  private func replacing(_ path: String, by text: String, _ title: String, isSafe: Bool) -> ProjectFix? {
    guard file.document.existing(path: path) == path, let node = file.document.node(atPath: path), node.isWritten,
      let range = file.text.range(ofValueAt: node.offset)
    else { return nil }
    return ProjectFix(title, isSafe: isSafe, [TextEdit(range, text)])
  }
}
