import CompositorAPI
import CompositorCaptions
import CompositorOverlay

/// Finds captions that are drawn over a title, on its text or the plate of its text: both are hard to read then. Captions evade each other, not titles.
struct CaptionOverlapChecks {
  /// A title with text, and when it is shown.
  private struct Title {
    let index: Int
    let timeRange: TimeRange
    let texts: ReadableTexts
  }

  /// A caption on a text of a title.
  private struct Overlap {
    let cue: CaptionCue
    let title: Int
    let text: ReadableText
    let time: MediaTime
  }

  private let titles: [Title]
  private let canvas: PixelSize
  private let fonts: FontLibrary

  /// The most captions that are compared with a title.
  private static let mostCaptions = 300
  /// The time in seconds for which a caption and a title must be shown together to disturb a reader.
  private static let leastTime = 0.25
  /// Parts of the common time at which a title is evaluated, and the number of them that count as an overlap.
  private static let (samples, leastSamples) = (5, 2)
  /// How far boxes must lie on each other, as a share of the canvas's shorter side.
  private static let leastShare = 0.01
  /// The distance of captions from a title that they are moved away from, and the largest margin, as shares of the canvas's height.
  private static let (gap, largestMargin) = (0.01, 0.45)

  /// - Parameter captions: The captions that are burned in, in order of the tracks.
  static func run(
    _ edit: Edit, titles: ResolvedTitles?, captions: [ResolvedCaptions], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let tracks = edit.captions.indices.filter { edit.captions[$0].presentation.isBurnedIn }
    guard let titles, tracks.count == captions.count, edit.composition.duration.isNumeric else { return }
    let checks = CaptionOverlapChecks(edit, titles)
    guard !checks.titles.isEmpty else { return }
    var beneath: [CaptionLayout] = []
    for (track, drawn) in zip(tracks, captions) {
      guard case .cues(let layout) = drawn else { continue }
      if let found = checks.diagnostic(of: edit.captions[track], track, layout, beneath) { try diagnostics.add(found) }
      beneath.append(layout)
    }
  }

  private init(_ edit: Edit, _ titles: ResolvedTitles) {
    (canvas, fonts) = (titles.canvas, titles.fonts)
    let movie = TimeRange(start: .zero, end: edit.composition.duration)
    self.titles = titles.root.sublayers.enumerated().compactMap { index, layer in
      guard let texts = ReadableTexts(layer, canvas: titles.canvas, fonts: titles.fonts) else { return nil }
      let (begin, length) = (layer.timing.beginTime, layer.timing.duration)
      let end = length > 0 ? min(begin + length, movie.end.seconds) : movie.end.seconds
      guard max(begin, 0) < end else { return nil }
      return Title(index: index, timeRange: TimeRange(start: .seconds(max(begin, 0)), end: .seconds(end)), texts: texts)
    }
  }

  private func diagnostic(
    of track: CaptionTrack, _ index: Int, _ layout: CaptionLayout, _ beneath: [CaptionLayout]
  ) -> ValidationDiagnostic? {
    // What cannot be evaluated has a diagnostic of its own.
    guard let overlaps = try? overlaps(of: layout), let first = overlaps.min(by: { $0.time < $1.time }) else { return nil }
    let count = Set(overlaps.map(\.cue)).count
    let isOne = Set(overlaps.map(\.title)).count == 1
    let advice = advice(for: track, overlaps, beneath)
    // A style of its own is completed; without one, a style is written.
    let place = "captions[\(index)]" + (track.style == CaptionStyle() ? "" : ".style")
    return ValidationDiagnostic(
      .captionOverTitle, severity: .warning,
      "\(count) \(count == 1 ? "caption lies" : "captions lie") on \(isOne ? "a title" : "titles"), the first at "
        + "\(first.time.readable): “\(first.cue.beginning)” on “\(first.text.name)” of \(Named.title(first.title)).",
      foundTime: first.time, cause: "Captions evade each other, not titles.", path: place, timeRange: first.cue.timeRange
    ).advising(advice)
  }

  private func overlaps(of layout: CaptionLayout) throws(CompositorError) -> [Overlap] {
    var found: [Overlap] = []
    for title in titles {
      let still = title.texts.isStill ? try title.texts.texts(at: title.timeRange.start.seconds) : nil
      if let still, still.isEmpty { continue }
      for place in try layout.places(during: title.timeRange, most: Self.mostCaptions) {
        if let overlap = try overlap(of: place, with: title, still: still) { found.append(overlap) }
      }
    }
    return found
  }

  private func overlap(
    of place: CaptionLayout.Place, with title: Title, still: [ReadableText]?
  ) throws(CompositorError) -> Overlap? {
    let common = place.cue.timeRange.intersection(title.timeRange)
    let (start, length) = (common.start.seconds, common.duration.seconds)
    guard length >= Self.leastTime else { return nil }
    func covered(_ texts: [ReadableText]) -> ReadableText? {
      texts.first { $0.boxes.contains { liesOn($0, place.box) } }
    }
    if let still {
      return covered(still).map { Overlap(cue: place.cue, title: title.index, text: $0, time: common.start) }
    }
    var hits: [(time: MediaTime, text: ReadableText)] = []
    for sample in 0..<Self.samples {
      let time = start + length * (Double(sample) + 0.5) / Double(Self.samples)
      if let text = covered(try title.texts.texts(at: time)) { hits.append((.seconds((time * 100).rounded() / 100), text)) }
    }
    guard hits.count >= Self.leastSamples else { return nil }
    return Overlap(cue: place.cue, title: title.index, text: hits[0].text, time: hits[0].time)
  }

  private func liesOn(_ first: Rect, _ second: Rect) -> Bool {
    let common = first.intersection(second)
    return min(common.size.width, common.size.height) > Self.leastShare * Double(min(canvas.width, canvas.height))
  }
}

extension CaptionOverlapChecks {
  /// A style with which no caption of the track lies on a title, as the change to write; in words if there is none.
  private func advice(for track: CaptionTrack, _ overlaps: [Overlap], _ beneath: [CaptionLayout]) -> Advice {
    guard let (key, value) = margin(for: track, overlaps, beneath) ?? position(for: track, beneath) else {
      return "Move the title, or show it at another time."
    }
    let end = ": no caption lies on a title then. Or move the title."
    return track.style == CaptionStyle()
      ? .write(.object(key: key, value), key: "style", end) : .write(.string(value), key: key, end)
  }

  /// The least margin with which the captions are beyond the titles; `nil` if it would be too large.
  private func margin(
    for track: CaptionTrack, _ overlaps: [Overlap], _ beneath: [CaptionLayout]
  ) -> (key: String, value: String)? {
    guard track.style.vertical != .middle else { return nil }
    var (track, overlaps) = (track, overlaps)
    let height = Double(canvas.height)
    // Behind one text may be another one, such as a name above a role.
    for _ in 0..<4 {
      let boxes = overlaps.flatMap(\.text.boxes)
      let edge =
        track.style.vertical == .bottom ? height - (boxes.map(\.minY).min() ?? height) : boxes.map(\.maxY).max() ?? height
      let percent = ((edge / height + Self.gap) * 100).rounded(.up)
      guard percent / 100 > track.style.verticalMargin, percent / 100 <= Self.largestMargin else { return nil }
      track.style.verticalMargin = percent / 100
      guard let rest = try? overlapsOnCanvas(of: track, beneath) else { return nil }
      if rest.isEmpty { return ("marginY", "\(Int(percent))%") }
      overlaps = rest
    }
    return nil
  }

  /// Another edge of the canvas at which no title is.
  private func position(for track: CaptionTrack, _ beneath: [CaptionLayout]) -> (key: String, value: String)? {
    for side in [CaptionPlacement.Vertical.top, .bottom] where side != track.style.vertical {
      var moved = track
      moved.style.vertical = side
      if let rest = try? overlapsOnCanvas(of: moved, beneath), rest.isEmpty { return ("position", side.rawValue) }
    }
    return nil
  }

  /// The overlaps of a track with the style that it has; `nil` if a caption would not be all on the canvas.
  private func overlapsOnCanvas(of track: CaptionTrack, _ beneath: [CaptionLayout]) throws(CompositorError) -> [Overlap]? {
    let layout = try CaptionLayout(track, canvas: canvas, fonts: fonts, beneath: beneath)
    let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    let times = titles.dropFirst().reduce(titles[0].timeRange) { $0.union($1.timeRange) }
    guard try layout.places(during: times, most: Self.mostCaptions).allSatisfy({ whole.contains($0.box) }) else { return nil }
    return try overlaps(of: layout)
  }
}
