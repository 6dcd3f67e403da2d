import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorOverlay
import CompositorValidation

/// Checks that clips show the titles of the assets that they play, and that nothing in these is lost.
struct TitleAssetChecks {
  private let file: ProjectFile
  private let edit: Edit
  private let catalog: MediaCatalog

  init(_ file: ProjectFile, _ edit: Edit, catalog: MediaCatalog) {
    (self.file, self.edit, self.catalog) = (file, edit, catalog)
  }

  func diagnostics() -> [ValidationDiagnostic] {
    file.assets.sorted { $0.key < $1.key }.flatMap { name, source -> [ValidationDiagnostic] in
      guard case .custom(let path) = source, let media = catalog.titles(named: path), !isShownInTitles(name) else { return [] }
      let uses = uses(of: source)
      guard let first = uses.first, !uses.contains(where: { !$0.source.duration.isNumeric }) else { return [] }
      let end = uses.map(\.source.end).max() ?? .zero
      return media.root.sublayers.enumerated().flatMap { index, title -> [ValidationDiagnostic] in
        let own = "\(path).titles[\(index)]"
        let time = title.timing.activeRange
        guard uses.contains(where: { $0.source.overlaps(time) }) else {
          return [unseen(title, time, of: name, in: first, until: end, path: own)]
        }
        let found = media.warnings(of: title, path: "", until: end.seconds, in: first.target)
        return found.map { located($0, in: own) }
      }
    }
  }

  /// Whether a title shows the asset as a movie, at times that depend on the title.
  private func isShownInTitles(_ name: String) -> Bool {
    let assets = file.assets.values.compactMap { source -> Layer? in
      if case .custom(let path) = source { catalog.titles(named: path)?.root } else { nil }
    }
    return (edit.titles.layers + assets).contains { $0.shows(movie: name) }
  }

  /// The times of an asset that clips play, with those of the movie.
  private func uses(of source: MediaSource) -> [(source: TimeRange, target: TimeRange)] {
    let segments = edit.composition.tracks(.video).flatMap(\.segments).filter { $0.source == source }
    return segments.map { segment in
      var range = segment.timeMapping.source
      // A freeze frame shows a moment.
      if range.duration == .zero { range.duration = edit.videoComposition.frameDuration }
      return (range, segment.timeMapping.target)
    }
  }

  private func unseen(
    _ title: Layer, _ time: TimeRange, of asset: String, in first: (source: TimeRange, target: TimeRange), until end: MediaTime,
    path: String
  ) -> ValidationDiagnostic {
    let moved = time.start - first.target.start + first.source.start
    let isOfMovie = first.target.start > .zero && moved >= first.source.start && moved < first.source.end
    let length = time.duration.isNumeric ? " to \(time.end.readable)" : ""
    return ValidationDiagnostic(
      .titleNotSeen, severity: .warning,
      "The title (\(title.firstLabel)) is shown from \(time.start.readable)\(length) of the asset \(quoted(asset)), but clips play it only "
        + "until \(end.readable): the title is never visible.",
      cause: isOfMovie
        ? "The times are those of the movie. In an asset, times count from its start."
        : "The clips became shorter, or the times count from elsewhere.",
      path: path, timeRange: first.target
    ).advising(
      isOfMovie
        ? .write(.string(moved.readable.replacing(" ", with: "")), key: "start")
        : "Let the title begin earlier, or let a clip play more of the asset.")
  }

  private func located(_ diagnostic: ValidationDiagnostic, in title: String) -> ValidationDiagnostic {
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
