import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorOverlay
import CompositorValidation

/// Checks that clips show the titles of the assets that they play, and that nothing in these is lost.
struct TitleAssetChecks {
  let file: ProjectFile
  let edit: Edit
  let catalog: MediaCatalog

  init(_ file: ProjectFile, _ edit: Edit, catalog: MediaCatalog) {
    (self.file, self.edit, self.catalog) = (file, edit, catalog)
  }

  func diagnostics() -> [ValidationDiagnostic] { playedTitles() + contents() }

  private func playedTitles() -> [ValidationDiagnostic] {
    file.assets.sorted { $0.key < $1.key }.flatMap { name, source -> [ValidationDiagnostic] in
      guard case .custom(let path) = source, let media = catalog.titles(named: path), !isShownInTitles(name) else { return [] }
      let uses = TitleAssetUses(of: source, in: edit)
      guard let first = uses.first, uses.areFinite else { return [] }
      return media.root.sublayers.enumerated().flatMap { index, title -> [ValidationDiagnostic] in
        let own = "\(path).titles[\(index)]"
        guard uses.overlap(title.timing.activeRange) else { return [unseen(title, of: name, in: uses, path: own)] }
        let found = media.warnings(of: title, path: "", until: uses.end.seconds, in: first.target).map { located($0, in: own) }
        guard found.allSatisfy({ $0.code == .effectUnchanging }) else { return found }
        let lost = cutShort(title, of: name, in: uses, path: own) ?? tooSmall(title, in: uses, media, path: own)
        return found + (lost.map { [$0] } ?? cutOff(title, of: name, in: uses, media, path: own))
      }
    }
  }

  /// Whether a title shows the asset as a movie, at times that depend on the title.
  func isShownInTitles(_ name: String) -> Bool {
    let assets = file.assets.values.compactMap { source -> Layer? in
      if case .custom(let path) = source { catalog.titles(named: path)?.root } else { nil }
    }
    return (edit.titles.layers + assets).contains { $0.shows(movie: name) }
  }

  /// The warning about text that was shrunk until it cannot be read on the movie's canvas.
  private func tooSmall(
    _ title: Layer, in uses: TitleAssetUses, _ media: TitleMedia, path: String
  ) -> ValidationDiagnostic? {
    let canvas = edit.videoComposition.renderSize
    guard let first = uses.first, let text = media.smallestShrunkText(of: title, until: uses.end.seconds),
      let scale = uses.largestScale(in: edit), text.height * scale < TitleLegibility.leastHeight(on: canvas)
    else { return nil }
    return TitlePartChecks(title: title, path: path, range: first.target, canvas: media.track.size)
      .diagnostic(of: text, shownAt: scale, on: canvas)
  }

  /// The warnings about texts that the edge of the movie's canvas cuts off, because of the place where a clip shows them.
  private func cutOff(
    _ title: Layer, of asset: String, in uses: TitleAssetUses, _ media: TitleMedia, path: String
  ) -> [ValidationDiagnostic] {
    guard let first = uses.first, let area = uses.visibleArea(in: edit) else { return [] }
    return media.texts(of: title, until: uses.end.seconds, cutBy: area).compactMap { text in
      guard let edges = text.edges(cutBy: area) else { return nil }
      return ValidationDiagnostic(
        .titleOutsideSafeArea, severity: .warning,
        "The text “\(text.name)” of the asset \(quoted(asset)) is cut off at the \(edges) of the canvas of "
          + "\(edit.videoComposition.renderSize) as clips show it.",
        cause: "The transform of the clips was written for another canvas, or for the middle of the titles.",
        recoverySuggestion: "Move the clips inward, or make them smaller.", path: path, timeRange: first.target)
    }
  }

  func located(_ diagnostic: ValidationDiagnostic, in title: String) -> ValidationDiagnostic {
    var diagnostic = diagnostic
    let (inner, tree) = (diagnostic.path ?? "", ".sublayers[0]")
    diagnostic.path = inner.hasPrefix(tree) ? "\(title).layer\(inner.dropFirst(tree.count))" : title
    return diagnostic
  }
}

extension Layer {
  /// Whether a layer of the tree shows a movie asset.
  fileprivate func shows(movie name: String) -> Bool {
    var isShown = false
    try? visit { (layer, _) throws(CompositorError) in isShown = isShown || layer.movieNames.contains(name) }
    return isShown
  }
}
