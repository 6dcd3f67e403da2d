import CompositorAPI
import CompositorHost
import CompositorOverlay
import CompositorTimeline
import CompositorValidation

/// Layers of titles of assets whose content isn't what it is in the titles of a movie.
extension TitleAssetChecks {
  /// The warnings about layers that show the composed frame, which an asset doesn't have, and about images that are movies.
  func contents() -> [ValidationDiagnostic] {
    file.assets.sorted { $0.key < $1.key }.flatMap { name, source -> [ValidationDiagnostic] in
      guard case .custom(let path) = source, let media = catalog.titles(named: path) else { return [] }
      let first = TitleAssetUses(of: source, in: edit).first
      guard first != nil || isShownInTitles(name) else { return [] }
      return media.root.sublayers.enumerated().flatMap { index, title in
        contents(of: title, asset: name, on: media.frameSize).map { found in
          var diagnostic = located(found, in: "\(path).titles[\(index)]")
          diagnostic.timeRange = first?.target
          return diagnostic
        }
      }
    }
  }

  private func contents(of title: Layer, asset: String, on canvas: PixelSize) -> [ValidationDiagnostic] {
    var found: [ValidationDiagnostic] = []
    var movies = TitleMovies(
      file.assets.mapValues { $0.sized(for: canvas) }, catalog: catalog, colors: file.draft.sourceColors)
    // Media that cannot be read was reported when the titles were made.
    try? title.visit { (layer, place) throws(CompositorError) in
      if layer.content == .video, !layer.isHidden { found.append(emptyVideo(asset, path: ".\(place).content")) }
      for image in layer.pictures { try movies.note(image: image, path: ".\(place)") }
    }
    return found + movies.warnings.map(\.diagnostic)
  }

  private func emptyVideo(_ asset: String, path: String) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .titleNotSeen, severity: .warning,
      "A layer of the asset \(quoted(asset)) shows the composed frame, but the titles of an asset lie over none: the layer stays empty.",
      cause: "The layer was written for the titles of the project, which are drawn over its frames.",
      recoverySuggestion:
        "Name an asset: content: { movie: { asset: … } }. Or write the title in the titles of the project.", path: path)
  }
}
