import CompositorAPI
import CompositorAudio
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins

/// Measures the audio that animations of titles follow, and gives them its level over time. Everything is measured once, and only if
/// an animation follows it.
struct TitleAudio {
  /// The longest movie whose audio is measured, in seconds: a day, of which a level takes 70 MB.
  private static let longest = 86_400.0

  private let edit: Edit
  private let catalog: MediaCatalog
  private let registry: CompositorRegistry
  private let damaged: DamagePolicy
  /// The bands to measure of each source.
  private var bands: [AudioLevel.Source: [ClosedRange<Double>?]] = [:]
  private var meanSquares: [AudioLevel.Source: [[Double]]] = [:]
  private var values: [AudioLevel: [Float]] = [:]
  /// Warnings about levels that stay at their floor.
  private(set) var warnings: [ValidationDiagnostic] = []

  init(_ edit: Edit, catalog: MediaCatalog, registry: CompositorRegistry, damaged: DamagePolicy) {
    (self.edit, self.catalog, self.registry, self.damaged) = (edit, catalog, registry, damaged)
    for layer in edit.titles.layers {
      var layer = layer
      try? layer.updateAudioLevels { (level, _, _) throws(CompositorError) in
        if bands[level.source]?.contains(level.band) != true { bands[level.source, default: []].append(level.band) }
      }
    }
  }

  /// A layer of the edit's titles with the levels that its animations follow.
  ///
  /// - Throws: `.invalidValue` if a track or a band doesn't exist, if a layer shows a time more than once, or if the movie is too
  ///   long; the errors of mixing. All are located at the animation.
  mutating func prepared(_ layer: Layer, index: Int) throws(CompositorError) -> Layer {
    guard layer.followsAudio else { return layer }
    var layer = layer
    do throws(CompositorError) {
      try layer.requireUsable()
      let root = layer
      try layer.updateAudioLevels { (level, clock, path) throws(CompositorError) in
        guard let clock else {
          throw CompositorError(
            .invalidValue,
            "An animation follows audio in a layer that shows a time of its own more than once, or stands still.",
            recoverySuggestion: "Put the animation on a layer around those that repeat, and around emitters.")
        }
        try check(level.source)
        let levels = try levels(of: level)
        if !root.isHeard(levels, until: edit.composition.duration) { noteSilence(of: level, at: index, path) }
        level.curve = LevelCurve(levels, clock: clock)
      }
      return layer
    } catch {
      throw error.within(Titles.path(ofLayer: index))
    }
  }

  private func check(_ source: AudioLevel.Source) throws(CompositorError) {
    switch source {
    case .mix: return
    case .tracks(let tracks):
      for track in tracks.sorted() where edit.composition.track(track)?.mediaType != .audio {
        throw CompositorError(
          .invalidValue, "An animation follows \(Named.track(track)), which isn't an audio track of the composition.",
          recoverySuggestion: "Let it follow an audio track, or the mix.")
      }
    case .trackNamed, .trackIndex:
      throw CompositorError(
        .invalidValue, "An animation follows a track of a timeline, but an edit has none.",
        recoverySuggestion: "Let it follow tracks of the composition, or the mix.")
    }
  }

  /// The level over the whole movie.
  private mutating func levels(of level: AudioLevel) throws(CompositorError) -> [Float] {
    if let known = values[level] { return known }
    let duration = edit.composition.duration
    guard duration.isNumeric, duration > .zero else { return [] }
    guard duration.seconds <= Self.longest else {
      throw CompositorError(
        .invalidValue, "An animation follows audio of \(duration.readable).",
        recoverySuggestion: "Let titles follow audio in movies of at most 24 hours.")
    }
    let all = bands[level.source] ?? [level.band]
    if meanSquares[level.source] == nil {
      meanSquares[level.source] = try LevelMeasurement.meanSquares(
        of: level.source, bands: all, in: edit, duration: duration, sources: catalog, processors: registry, damaged: damaged)
    }
    guard let band = all.firstIndex(of: level.band), let squares = meanSquares[level.source]?[band] else { return [] }
    let found = level.values(ofMeanSquares: squares)
    values[level] = found
    return found
  }

  private mutating func noteSilence(of level: AudioLevel, at index: Int, _ path: String) {
    let followed: String
    switch level.source {
    case .tracks(let tracks) where !tracks.isEmpty:
      followed = "the audio of \(tracks.sorted().map { Named.track($0) }.joined(separator: " and "))"
    case .tracks, .trackNamed, .trackIndex: followed = "a track without audio"
    case .mix: followed = "the movie's audio"
    }
    warnings.append(
      ValidationDiagnostic(
        .effectUnchanging, severity: .warning,
        "The animation changes nothing: it follows \(followed), which never rises above \(level.namedFloor) while the title is shown.",
        cause: "The movie or the track is silent at that time, or the band has none of its frequencies.",
        recoverySuggestion: "Follow audio that is heard then, or choose a lower floor.",
        path: "\(Titles.path(ofLayer: index)).\(path)"))
  }
}

extension AudioLevel {
  fileprivate var namedFloor: String { floor.map { "its floor of \($0.short) dB" } ?? "silence" }
}

extension Layer {
  /// Whether a level isn't at its floor all the time that the layer, one of an edit's titles, is shown.
  fileprivate func isHeard(_ levels: [Float], until end: MediaTime) -> Bool {
    guard !levels.isEmpty else { return true }
    let rate = Double(LevelCurve.rate)
    let last = timing.duration > 0 ? timing.beginTime + timing.duration : end.seconds
    let (first, count) = (max(timing.beginTime, 0) * rate, Double(levels.count))
    guard first < count else { return true }
    return levels[Int(first)..<Int(min(max(last * rate, first), count - 1)) + 1].contains { $0 > 0 }
  }
}
