import CompositorAPI
import CompositorTimeline

/// Titles that begin after the end of the movie. Their start is the mistake.
extension ProjectPlaces {
  /// The index of the title that begins too late according to a diagnostic; `nil` for other diagnostics.
  func lateTitle(_ diagnostic: ValidationDiagnostic) -> Int? {
    guard diagnostic.code == .titleNotSeen, let index = diagnostic.path.flatMap(Titles.layerIndex(inPath:))?.index,
      file.draft.titles.indices.contains(index), edit.titles.layers.indices.contains(index), end.isNumeric,
      !edit.titles.layers[index].timing.beginTime.isBefore(end.seconds)
    else { return nil }
    return index
  }

  private var end: MediaTime { edit.composition.duration }

  /// The change that makes a title end with the movie.
  ///
  /// - Returns: `nil` for a title without a duration, which could begin anywhere, for one that is longer than the movie, and if
  ///   a variable determines its start.
  func startingEarlier(title index: Int) -> ProjectFix? {
    let key = "titles[\(index)].start"
    guard let length = file.draft.titles[index].duration, length.isNumeric, length > .zero, length <= end,
      file.document.existing(path: key) == key, let node = file.document.node(atPath: key), node.isWritten,
      let range = file.text.range(ofValueAt: node.offset)
    else { return nil }
    var isFrames = false
    if case .string(let old) = node.value { isFrames = ProjectTime.isInFrames(old) }
    let frame = edit.videoComposition.frameDuration
    let rate = frame.isNumeric && frame.value > 0 ? frame.frameRate : nil
    let start = ProjectTime.written(end - length, inFramesOf: isFrames ? rate : nil)
    return ProjectFix(
      "Start the title at \(start), so that it ends with the movie", isSafe: false,
      [TextEdit(range, file.text.string(start, likeAt: node.offset))])
  }
}
