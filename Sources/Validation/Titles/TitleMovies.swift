package import CompositorAPI
package import CompositorMedia
package import CompositorMediaIO
import CompositorOverlay

/// Resolves the movies that titles show before anything is rendered. Errors are reported at the layer.
package struct TitleMovies {
  /// A possibly unexpected property of a movie.
  package struct Warning: Sendable {
    let message: String
    let recoverySuggestion: String
    let path: String

    /// The warning as a diagnostic.
    package var diagnostic: ValidationDiagnostic {
      ValidationDiagnostic(
        .invalidTitle, severity: .warning, message, recoverySuggestion: recoverySuggestion, path: path)
    }
  }

  /// Sources by the names that layers use.
  private let sources: [String: MediaSource]
  private let catalog: MediaCatalog
  /// How tracks that cannot be decoded are handled.
  private let damaged: DamagePolicy
  /// How interlaced frames are handled, for movies that aren't read with an edit's tracks.
  private let deinterlacing: [MediaSource: Deinterlacing]
  /// Corrections of sources' colors, for the same movies.
  private let colors: [MediaSource: SourceColor]
  /// The movies found so far.
  package private(set) var movies: [TitleMovie.Key: TitleMovie] = [:]
  /// The descriptions of the sources of movies and images.
  private(set) var infos: [MediaSource: MediaInfo] = [:]
  /// The warnings so far.
  package private(set) var warnings: [Warning] = []

  package init(
    _ sources: [String: MediaSource], catalog: MediaCatalog, damaged: DamagePolicy = .fail,
    deinterlacing: [MediaSource: Deinterlacing] = [:], colors: [MediaSource: SourceColor] = [:]
  ) {
    (self.sources, self.catalog, self.damaged) = (sources, catalog, damaged)
    (self.deinterlacing, self.colors) = (deinterlacing, colors)
  }

  /// The sources of movies, and those that they read themselves.
  package var sourcesOfMovies: [MediaSource] {
    infos.keys.sorted { $0.description < $1.description }
  }

  /// Checks the movies of a tree.
  ///
  /// - Throws: The errors of ``require(_:path:)``, located at the layer.
  package mutating func require(_ root: Layer) throws(CompositorError) {
    try root.visit { (layer, place) throws(CompositorError) in
      for movie in layer.movies { try require(movie, path: place) }
    }
    notePlayingBackwards(in: root)
  }

  /// Checks the movie of a layer.
  ///
  /// - Throws: `.fileNotFound` if a name has no source; any error of reading the media; `.trackNotFound` if it has no such
  ///   video track; `.invalidValue` if it doesn't contain the stretch to play.
  mutating func require(_ content: MovieContent, path: String) throws(CompositorError) {
    guard let source = sources[content.asset] else {
      throw CompositorError(
        .fileNotFound, "A title shows the movie \(quoted(content.asset)), which is not among the assets.",
        recoverySuggestion: recoverySuggestion(for: content.asset, among: sources.keys.sorted()))
    }
    let info = try catalog.info(for: source, color: colors[source])
    try remember(source, info)
    guard let track = info.videoTracks.first(where: { $0.index == content.videoTrack }) else {
      return try reportMissing(content.videoTrack, in: info, source, path)
    }
    try checkStretch(content, track, source, path)
    let key = TitleMovie.Key(content)
    guard movies[key] == nil else { return }
    movies[key] = TitleMovie(
      source: source, info: track, deinterlacing: deinterlacing[source] ?? .off,
      open: try catalog.opener(of: source, trackIndex: track.index, color: colors[source]))
  }

  /// Records an image layer.
  package mutating func note(image name: String, path: String) throws(CompositorError) {
    guard let source = sources[name] else { return }
    let info = try catalog.info(for: source, color: colors[source])
    try remember(source, info)
    // All frames of a color, a gradient or bars are the same.
    guard let track = info.videoTracks.first, !track.isStill, !source.isStaticPattern else { return }
    warnings.append(
      Warning(
        message: "An image layer shows \(source), which is a movie: only its first frame is shown.",
        recoverySuggestion: "Write content: { movie: { asset: \(quoted(name)) } }, or name a still.", path: path))
  }

  /// Records which movies are played backward.
  mutating func notePlayingBackwards(in root: Layer) {
    let names = root.moviesPlayedBackwards
    for key in movies.keys where names.contains(key.asset) { movies[key]?.playsBackwards = true }
  }

  private mutating func remember(_ source: MediaSource, _ info: MediaInfo) throws(CompositorError) {
    infos[source] = info
    for inner in catalog.innerSources(of: source) where infos[inner] == nil {
      infos[inner] = try catalog.info(for: inner, color: colors[inner])
    }
  }

  private mutating func reportMissing(
    _ index: Int, in info: MediaInfo, _ source: MediaSource, _ path: String
  ) throws(CompositorError) {
    let place = ErrorLocation(file: source.description)
    guard let use = info.undecodableTrack(.video, index) else {
      throw CompositorError(
        .trackNotFound,
        info.videoTracks.isEmpty
          ? "It has no video." : "It has no video track \(index): its tracks count from 0 to \(info.videoTracks.count - 1).",
        recoverySuggestion: info.videoTracks.isEmpty
          ? "Name media with video." : "Use a track below \(info.videoTracks.count).",
        at: place)
    }
    let name = Named.source(use.source)
    guard damaged == .keep else { throw use.error(sourceName: name).locating(place) }
    warnings.append(
      Warning(message: use.message(of: name), recoverySuggestion: "Check that the file was copied whole.", path: path))
  }

  private mutating func checkStretch(
    _ content: MovieContent, _ track: VideoTrackInfo, _ source: MediaSource, _ path: String
  ) throws(CompositorError) {
    let range = track.timeRange
    guard range.start.isNumeric, range.end.isNumeric, !track.isStill else { return }
    let start = content.from ?? range.start.seconds
    let end = start + (content.duration ?? 0)
    let rate = track.nominalFrameRate.value
    let frame = rate.isFinite && rate > 0 ? 1 / rate : 0.1
    guard start >= range.start.seconds - 1e-6, start < range.end.seconds else {
      throw CompositorError(
        .invalidValue,
        "A movie layer starts at \(MediaTime(titleSeconds: start).readable) of \(source), whose video runs from "
          + "\(range.start.readable) to \(range.end.readable).", recoverySuggestion: "Take a time that it has.")
    }
    guard content.loops || end < range.end.seconds + frame + 1e-6 else {
      throw CompositorError(
        .invalidValue,
        "A movie layer plays \(source) until \(MediaTime(titleSeconds: end).readable), but its video ends at \(range.end.readable).",
        recoverySuggestion: "Give it a shorter duration, or none; or let it loop.")
    }
    if let readable = track.readableEnd, content.duration.map({ start + $0 > readable.seconds }) ?? true {
      warnings.append(
        Warning(
          message: "\(source) is cut short and has frames until \(readable.readable) only.",
          recoverySuggestion: "\(DamageAdvice.fetchAgain), or end the movie earlier.", path: path))
    }
  }
}

extension Layer {
  /// The names of the layer's movie and of those that animations replace it with.
  package var movieNames: [String] {
    guard let movie else { return [] }
    return [movie.asset] + animations.flatMap(\.strings)
  }

  /// The layer's movie and those that animations replace it with.
  package var movies: [MovieContent] {
    guard let movie else { return [] }
    return movieNames.map { name in
      var other = movie
      other.asset = name
      return other
    }
  }
}
