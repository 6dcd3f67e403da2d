import CompositorAPI
import CompositorOverlay

/// Finds texts of titles that lie under an opaque layer whenever they are shown.
struct CoveredTextChecks {
  let edit: Edit
  let fonts: FontLibrary
  /// The images of the titles, by name.
  let images: [String: Frame]

  /// The warnings about texts under layers of their own title or of later ones.
  ///
  /// - Parameter layers: The titles, with all times from the beginning.
  /// - Throws: Errors of evaluating the layers.
  func diagnostics(of layers: [Layer]) throws(CompositorError) -> [ValidationDiagnostic] {
    let (video, movie) = (edit.videoComposition, edit.composition.duration)
    guard movie.isNumeric, movie > .zero else { return [] }
    let frame = video.sourceTrackIDForFrameTiming == nil ? video.usableFrameDuration?.seconds : nil
    let texts = CoveredTexts(layers, canvas: video.renderSize, fonts: fonts, opaque: opaque)
    var found: [ValidationDiagnostic] = []
    for (index, layer) in layers.enumerated() {
      let (begin, length) = (layer.timing.beginTime, layer.timing.duration)
      let start = max(begin, 0)
      let end = length > 0 ? min(begin + length, movie.seconds) : movie.seconds
      guard start.isBefore(end) else { continue }
      let range = TimeRange(start: .seconds(start), end: .seconds(end))
      found += try texts.find(inTitle: index, from: start, to: end, frame: frame).prefix(3).map {
        diagnostic(of: $0, inTitle: index, range)
      }
    }
    return found
  }

  /// What is known to have no transparent pixel: images without alpha, and the frame of an output without alpha.
  private var opaque: OpaqueContents {
    OpaqueContents(
      images: Set(images.filter { $0.value.attributes.alphaMode == .opaque }.keys),
      isFrameOpaque: edit.output.alphaMode == .opaque)
  }

  private func diagnostic(of text: CoveredText, inTitle index: Int, _ range: TimeRange) -> ValidationDiagnostic {
    let isOwn = text.coveringTitle == index
    let cover = isOwn ? "an opaque layer of the same title" : "an opaque layer of \(Named.title(text.coveringTitle))"
    return ValidationDiagnostic(
      .titleNotSeen, severity: .warning,
      "\(text.name.capitalizedName) of the title is never visible: \(cover) lies above it all the time.",
      cause: "Titles and sublayers are in the order from bottom to top.",
      recoverySuggestion: isOwn
        ? "Move that layer before the text in sublayers, or make it smaller or transparent."
        : "Move \(Named.title(text.coveringTitle)) before this title, or make that layer smaller or transparent.",
      path: Titles.path(ofLayer: index) + (text.path.isEmpty ? "" : ".\(text.path)"), timeRange: range)
  }
}
