import CompositorAPI
import CompositorCaptions
import CompositorMedia
import CompositorMediaIO
import CompositorOverlay
import CompositorPlugins

/// Checks that the titles of an edit can be drawn, and collects their resources.
struct TitleChecks {
  let edit: Edit
  let catalog: MediaCatalog
  /// Loaded fonts; `nil` to load them if there are titles.
  let fonts: FontLibrary?
  /// The reason why a title cannot be drawn, by the index of the diagnostic.
  private(set) var failures: [Int: CompositorError] = [:]
  /// The descriptions of images and movies in titles.
  private(set) var infos: [MediaSource: MediaInfo] = [:]
  private let damaged: DamagePolicy
  /// The processors of the audio that animations follow.
  private let registry: CompositorRegistry

  init(_ edit: Edit, catalog: MediaCatalog, registry: CompositorRegistry, fonts: FontLibrary?, damaged: DamagePolicy) {
    (self.damaged, self.registry) = (damaged, registry)
    self.edit = edit
    self.catalog = catalog
    self.fonts = fonts
  }

  /// - Returns: The titles, ready to be drawn; `nil` if there are none, or one of them is invalid.
  mutating func run(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) -> ResolvedTitles? {
    let titles = edit.titles
    guard !titles.isEmpty else { return nil }
    guard let library = try library(into: &diagnostics) else { return nil }
    let catalog = catalog
    let colors = edit.sourceColors
    let movies = TitleMovies(titles.images, catalog: catalog, damaged: damaged, colors: colors)
    var resources = TitleResources(fonts: library, canvas: edit.videoComposition.renderSize, movies: movies) {
      name throws(CompositorError) in
      try titles.image(named: name, catalog: catalog, colors: colors)
    }
    let layers = try anchored(titles.layers, &resources, into: &diagnostics)
    infos = resources.movies.infos
    for warning in resources.movies.warnings { try diagnostics.add(warning.diagnostic) }
    let canvas = edit.videoComposition.renderSize
    // The canvas has its own diagnostics.
    guard let layers, canvas.width > 0, canvas.height > 0 else { return nil }
    var found: [ValidationDiagnostic] = []
    for (index, layer) in layers.enumerated() {
      do throws(CompositorError) {
        found += try warnings(of: layer, index: index, canvas: canvas, fonts: library)
      } catch {
        try add(error, path: Titles.path(ofLayer: index), into: &diagnostics)
        return nil
      }
    }
    do throws(CompositorError) {
      found += try CoveredTextChecks(edit: edit, fonts: library, images: resources.images).diagnostics(of: layers)
    } catch {
      try add(error, path: "titles", into: &diagnostics)
      return nil
    }
    for warning in found { try diagnostics.add(warning) }
    do throws(CompositorError) {
      return try ResolvedTitles(
        layers, canvas: canvas, fonts: library, images: resources.images, movies: resources.movies.movies)
    } catch {
      try add(error, path: "titles", into: &diagnostics)
      return nil
    }
  }

  /// The fonts of the titles; `nil` if one of them cannot be loaded.
  private mutating func library(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) -> FontLibrary? {
    do throws(CompositorError) {
      return if let fonts { fonts } else { try edit.titles.loadFonts() }
    } catch {
      try add(error, path: "titles.fonts", into: &diagnostics)
      return nil
    }
  }

  /// Collects what the layers need, and returns them with all times from the beginning; `nil` if one of them is invalid.
  private mutating func anchored(
    _ layers: [Layer], _ resources: inout TitleResources, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) -> [Layer]? {
    // The movie is the parent of titles.
    let end = edit.composition.duration.isNumeric ? edit.composition.duration.seconds : .infinity
    var anchored: [Layer] = []
    // Audio of an edit with errors may not be there.
    let isMeasurable = !diagnostics.hasErrors
    var audio = TitleAudio(edit, catalog: catalog, registry: registry, damaged: damaged)
    for (index, layer) in layers.enumerated() {
      do throws(CompositorError) {
        var layer = try layer.anchored(until: end)
        if isMeasurable { layer = try audio.prepared(layer, index: index) }
        try resources.require(layer, path: Titles.path(ofLayer: index))
        anchored.append(layer)
      } catch {
        try add(error, path: Titles.path(ofLayer: index), into: &diagnostics)
      }
    }
    for warning in audio.warnings { try diagnostics.add(warning) }
    return anchored.count == layers.count ? anchored : nil
  }

  /// The warnings about a title: it or a part of it is never visible, or its text is outside the safe area or too small.
  private func warnings(
    of layer: Layer, index: Int, canvas: PixelSize, fonts: FontLibrary
  ) throws(CompositorError) -> [ValidationDiagnostic] {
    let (begin, movieEnd) = (layer.timing.beginTime, edit.composition.duration)
    guard movieEnd.isNumeric, movieEnd > .zero else { return [] }
    func unseen(_ message: String, _ suggestion: String) -> ValidationDiagnostic {
      ValidationDiagnostic(
        .titleNotSeen, severity: .warning, message, recoverySuggestion: suggestion, path: Titles.path(ofLayer: index))
    }
    guard begin.isBefore(movieEnd.seconds) else {
      let late =
        "The title begins at \(MediaTime.seconds(begin).readable), when the movie is over: it ends at \(movieEnd.readable)."
      return [unseen(late, "Let it begin earlier.")]
    }
    let length = layer.timing.duration > 0 ? layer.timing.duration : .infinity
    let start = max(begin, 0)
    let end = max(min(begin + length, movieEnd.seconds), start)
    let video = edit.videoComposition
    let frame = video.sourceTrackIDForFrameTiming == nil ? video.usableFrameDuration?.seconds : nil
    let visibility = try TitleVisibility.of(layer, from: start, to: end, frame: frame, canvas: canvas, fonts: fonts)
    switch visibility {
    case .outside:
      return [unseen("The title lies outside of the canvas of \(canvas) all the time.", "Move it onto the canvas.")]
    case .betweenFrames(let count): return [unseenBetweenFrames(count, unseen)]
    case .visible, .empty: break
    }
    if visibility == .visible, let cutShort = Self.cutShort(until: begin + length, movieEnd, video.frameDuration) {
      let earlier = begin > 0 ? "Let it begin earlier or last shorter" : "Let it last shorter"
      return [unseen(cutShort, "\(earlier), or extend the movie.")]
    }
    let parts = try TitleParts(layer, from: start, to: end, frame: frame, canvas: canvas, fonts: fonts)
    let range = TimeRange(start: .seconds(start), end: .seconds(end))
    let checks = TitlePartChecks(title: layer, path: Titles.path(ofLayer: index), range: range, canvas: canvas)
    let found = checks.diagnostics(of: parts, visibility)
    guard visibility == .empty, !parts.showsSomething else {
      return found + (try warnings(ofTextIn: layer, checks: checks, index: index, fonts: fonts))
    }
    return found
  }

  /// The most texts of a title that are said to overflow.
  private static let mostTexts = 3

  /// The warning about text that is too small, or those about texts that overflow or cross the edge of the safe area.
  private func warnings(
    ofTextIn layer: Layer, checks: TitlePartChecks, index: Int, fonts: FontLibrary
  ) throws(CompositorError) -> [ValidationDiagnostic] {
    let (range, canvas) = (checks.range, checks.canvas)
    let (start, end) = (range.start.seconds, range.end.seconds)
    if let tiny = try TitleLegibility.invisible(in: layer, from: start, to: end, canvas: canvas, fonts: fonts) {
      return [checks.diagnostic(ofInvisible: tiny, on: canvas)]
    }
    if let small = try TitleLegibility.tooSmall(in: layer, from: start, to: end, canvas: canvas, fonts: fonts) {
      return [checks.diagnostic(of: small, on: canvas)]
    }
    let outside = try TitleSafety.textsOutside(of: layer, from: start, to: end, canvas: canvas, fonts: fonts)
    let overflowing = try OverflowingTexts(layer, canvas: canvas, fonts: fonts).find(from: start, to: end)
    return overflowing.prefix(Self.mostTexts).map(checks.diagnostic)
      + outside.map { unsafe($0, index: index, canvas: canvas, range) }
  }

  private func unseenBetweenFrames(
    _ count: Int, _ unseen: (_ message: String, _ suggestion: String) -> ValidationDiagnostic
  ) -> ValidationDiagnostic {
    guard count > 0 else { return unseen("No frame of the movie falls into the title's time.", "Let it last longer.") }
    return unseen(
      "The title lasts \(count == 1 ? "one frame" : "\(count) frames"), and is transparent or outside of the canvas in \(count == 1 ? "it" : "each").",
      "Let it last longer, or fade and move less: fade: \"0s\" shows it at once.")
  }

  /// The message for a title that lasts more than a frame longer than the movie; `nil` for others, and without a duration.
  private static func cutShort(until end: Double, _ movieEnd: MediaTime, _ frame: MediaTime) -> String? {
    let rest = end - movieEnd.seconds
    guard end.isFinite, frame.seconds.isBefore(rest) else { return nil }
    return "The title lasts until \(MediaTime.seconds(end).readable), but the movie ends at \(movieEnd.readable): its last "
      + "\(MediaTime.seconds(rest).readable) are not seen."
  }

  private func unsafe(_ found: TitleSafety, index: Int, canvas: PixelSize, _ range: TimeRange) -> ValidationDiagnostic {
    let area = TitleSafety.area(of: canvas)
    let (edge, pixels) = found.excess(beyond: area)
    let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    let lost = found.edges(cutBy: whole).map { ", and is cut off at the \($0) of the canvas" } ?? ""
    return ValidationDiagnostic(
      .titleOutsideSafeArea, severity: .warning,
      "The text “\(found.name)” extends \(pixels) pixels beyond the \(edge) edge of the title-safe area, the middle "
        + "90 % of the canvas of \(canvas)\(lost).",
      foundTime: .seconds(found.time), cause: "It was placed by eye, or for another canvas.",
      recoverySuggestion: "Keep text \(Int(area.minX.rounded(.up))) pixels from the left and right edges and "
        + "\(Int(area.minY.rounded(.up))) from the top and bottom, or make it smaller.",
      path: Titles.path(ofLayer: index), timeRange: range)
  }

  private mutating func add(
    _ error: CompositorError, path: String, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let located = error.locating(ErrorLocation(path: path))
    failures[diagnostics.diagnostics.count] = located
    try diagnostics.add(
      ValidationDiagnostic(
        error.code == .fileNotFound ? .titleResourceMissing : .invalidTitle,
        (error.location.place.map { "\($0): " } ?? "") + error.message, cause: error.cause,
        path: located.location.path, subject: error.location.subject
      ).advising(error.advice))
  }
}

extension TitleChecks {
  /// The captions that are burned in; empty if one of them is invalid.
  mutating func captions(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) -> [ResolvedCaptions] {
    let canvas = edit.videoComposition.renderSize
    var (found, library, layouts) = ([ResolvedCaptions](), fonts, [CaptionLayout]())
    guard canvas.width > 0, canvas.height > 0 else { return [] }
    for (index, track) in edit.captions.enumerated() {
      do throws(CompositorError) {
        try track.validate()
        guard track.presentation.isBurnedIn else { continue }
        if let script = track.script {
          found.append(.script(try CaptionScript(script, of: track, in: edit)))
          continue
        }
        let loaded: FontLibrary
        if let library { loaded = library } else { loaded = try edit.titles.loadFonts() }
        library = loaded
        let layout = try CaptionLayout(track, canvas: canvas, fonts: loaded, beneath: layouts)
        layouts.append(layout)
        found.append(.cues(layout))
      } catch {
        try add(error.within("captions[\(index)]"), path: "captions[\(index)]", into: &diagnostics)
      }
    }
    return found
  }
}

extension CaptionScript {
  /// The script of a caption track, drawn with the fonts of an edit's titles.
  fileprivate convenience init(_ script: String, of track: CaptionTrack, in edit: Edit) throws(CompositorError) {
    let fonts = try edit.titles.fontProvider()
    try self.init(
      script, offset: track.offset, canvas: edit.videoComposition.renderSize,
      frameDuration: edit.videoComposition.frameDuration, fonts: fonts.files.map { ($0.name, $0.bytes) },
      defaultFamily: fonts.defaultFamily)
  }
}
