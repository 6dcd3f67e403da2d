import CompositorAPI
import CompositorMedia
import CompositorOverlay

/// A title with text as the movie shows it: one of the edit's titles, or one of an asset that a clip plays.
struct ShownTitle {
  /// Its name in messages.
  let name: String
  /// When it is shown, in the time of the movie.
  let timeRange: TimeRange
  private let content: ReadableTexts
  /// The title's time at the start of ``timeRange``, and how much faster than the movie's it runs.
  private let start, rate: Double
  /// From the title's canvas to that of the movie, and the opacity with which a clip shows it.
  private let placement: AffineMatrix, opacity: PropertyTimeline<Double>

  /// The least opacity of a clip whose texts are meant to be read.
  private static let leastOpacity = 0.5

  /// The texts that can be read at a time of the movie, in seconds, with their boxes on the movie's canvas.
  ///
  /// - Throws: Errors of evaluating the layer.
  func texts(at time: Double) throws(CompositorError) -> [ReadableText] {
    guard opacity.value(at: .seconds(time)) >= Self.leastOpacity else { return [] }
    let found = try content.texts(at: start + (time - timeRange.start.seconds) * rate)
    guard placement != .identity else { return found }
    return found.map { text in
      var text = text
      text.boxes = text.boxes.map(placement.boundingBox)
      return text
    }
  }

  /// The texts if they are the same whenever the title is shown; `nil` if they may change.
  ///
  /// - Throws: Errors of evaluating the layer.
  func stillTexts() throws(CompositorError) -> [ReadableText]? {
    content.isStill && !opacity.changes(in: timeRange) ? try texts(at: timeRange.start.seconds) : nil
  }
}

extension ShownTitle {
  /// The most titles in clips that are looked at.
  private static let mostInClips = 200

  /// The titles of an edit that have text: its own, and those in clips whose place doesn't change, and which nothing covers.
  static func all(of edit: Edit, drawn: ResolvedTitles?, catalog: MediaCatalog) -> [ShownTitle] {
    let movie = TimeRange(start: .zero, end: edit.composition.duration)
    let own = drawn.map { drawn in
      drawn.root.sublayers.enumerated().compactMap { index, layer -> ShownTitle? in
        let whole = TimeMapping(source: movie, target: movie)
        return ShownTitle(layer, Named.title(index), of: drawn.canvas, fonts: drawn.fonts, whole, ClipPlacement())
      }
    }
    return (own ?? []) + inClips(of: edit, catalog, until: movie.end)
  }

  /// - Parameters:
  ///   - layer: A title with all times from the beginning.
  ///   - mapping: From the times of the title's parent to those of the movie.
  ///   - clip: How a clip shows it.
  /// - Returns: `nil` if it has no text, or isn't shown.
  private init?(
    _ layer: Layer, _ name: String, of canvas: PixelSize, fonts: FontLibrary, _ mapping: TimeMapping, _ clip: ClipPlacement
  ) {
    let rate = mapping.rate
    guard rate.isFinite, rate > 0, let content = ReadableTexts(layer, canvas: canvas, fonts: fonts) else { return nil }
    let (source, target) = (mapping.source, mapping.target)
    let (begin, length) = (layer.timing.beginTime, layer.timing.duration)
    let first = max(begin, source.start.seconds)
    let last = length > 0 ? min(begin + length, source.end.seconds) : source.end.seconds
    guard first < last else { return nil }
    func time(_ seconds: Double) -> MediaTime {
      rate == 1 && source.start == target.start
        ? .seconds(seconds) : .seconds(target.start.seconds + (seconds - source.start.seconds) / rate)
    }
    self.init(
      name: name, timeRange: TimeRange(start: time(first), end: time(last)), content: content, start: first, rate: rate,
      placement: clip.matrix, opacity: clip.opacity)
  }

  private static func inClips(of edit: Edit, _ catalog: MediaCatalog, until end: MediaTime) -> [ShownTitle] {
    let tracks = Dictionary(
      edit.composition.tracks(.video).map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first })
    func isTree(_ segment: CompositionTrackSegment) -> Bool {
      segment.isEmpty || segment.source.map { catalog.layerTree(of: $0) != nil } ?? false
    }
    var found: [ShownTitle] = []
    for instruction in edit.videoComposition.instructions
    where instruction.timeRange.isUsable && instruction.compositor == .layer && instruction.passthroughTrackID == nil {
      let range = instruction.timeRange.intersection(TimeRange(start: .zero, end: end))
      guard range.duration > .zero else { continue }
      for layer in instruction.layers {
        guard found.count < mostInClips, let track = tracks[layer.trackID] else { return found }
        let segments = track.segments(in: range)
        if let clip = ClipPlacement(layer, in: range) {
          for index in segments.indices {
            found += titles(of: segments[index], in: range, clip, catalog, Named.segment(index, of: track.trackID))
          }
        }
        // What lies below other media may be hidden.
        guard segments.allSatisfy(isTree) else { break }
      }
    }
    return found
  }

  private static func titles(
    of segment: CompositionTrackSegment, in range: TimeRange, _ clip: ClipPlacement, _ catalog: MediaCatalog, _ name: String
  ) -> [ShownTitle] {
    guard !segment.isEmpty, let source = segment.source, let media = catalog.layerTree(of: source),
      let fonts = media.textFonts, segment.timeMapping.source.duration.isNumeric, segment.timeMapping.rate > 0
    else { return [] }
    let target = segment.timeMapping.target.intersection(range)
    let times = (segment.timeMapping.sourceTime(forTarget: target.start), segment.timeMapping.sourceTime(forTarget: target.end))
    guard target.duration > .zero, times.0.isNumeric, times.1.isNumeric, times.0 < times.1 else { return [] }
    let mapping = TimeMapping(source: TimeRange(start: times.0, end: times.1), target: target)
    return media.root.sublayers.compactMap { ShownTitle($0, name, of: media.frameSize, fonts: fonts, mapping, clip) }
  }
}

/// How a clip shows titles: all of it, upright, at one place.
private struct ClipPlacement {
  /// From its frame to the canvas.
  var matrix = AffineMatrix.identity
  var opacity = PropertyTimeline(default: 1.0)

  /// A title that isn't in a clip.
  init() {}

  /// - Returns: `nil` for layers that are shown in another way.
  init?(_ layer: LayerInstruction, in range: TimeRange) {
    let matrix = layer.transform.value(at: range.start)
    guard layer.effects.isEmpty, layer.crop.isConstant, layer.crop.value(at: range.start) == .infinite,
      layer.decoration?.isConstant != false, !layer.transform.changes(in: range), Orientation(of: matrix) != nil
    else { return nil }
    (self.matrix, opacity) = (matrix, layer.opacity)
  }
}
