import CompositorAPI
import CompositorCaptions
import CompositorMedia
import CompositorOverlay

/// Finds captions that are drawn over a title, on its text or the plate of its text: both are hard to read then. Captions evade each other, not titles.
struct CaptionOverlapChecks {
  /// A caption on a text of a title.
  struct Overlap {
    let cue: CaptionCue
    /// The name of the title.
    let title: String
    let text: ReadableText
    let time: MediaTime
  }

  let titles: [ShownTitle]
  let canvas: PixelSize

  /// The most captions that are compared with a title.
  static let mostCaptions = 300
  /// The time in seconds for which a caption and a title must be shown together to disturb a reader.
  static let leastTime = 0.25
  /// Parts of the common time at which a title is evaluated, and the number of them that count as an overlap.
  static let (samples, leastSamples) = (5, 2)
  /// How far boxes must lie on each other, as a share of the canvas's shorter side.
  private static let leastShare = 0.01

  /// - Parameters:
  ///   - titles: The edit's own titles; `nil` if there are none.
  ///   - captions: The captions that are burned in, in order of the tracks.
  ///   - catalog: The catalog with the media of clips, which may be titles, too.
  static func run(
    _ edit: Edit, titles: ResolvedTitles?, captions: [ResolvedCaptions], catalog: MediaCatalog,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let tracks = edit.captions.indices.filter { edit.captions[$0].presentation.isBurnedIn }
    guard !tracks.isEmpty, tracks.count == captions.count, edit.composition.duration.isNumeric else { return }
    let checks = CaptionOverlapChecks(
      titles: ShownTitle.all(of: edit, drawn: titles, catalog: catalog), canvas: edit.videoComposition.renderSize)
    guard !checks.titles.isEmpty else { return }
    var beneath: [CaptionLayout] = []
    for (track, drawn) in zip(tracks, captions) {
      // What cannot be evaluated has a diagnostic of its own.
      switch drawn {
      case .cues(let layout):
        let overlaps = (try? checks.overlaps(of: layout)) ?? []
        if !overlaps.isEmpty {
          let advice = checks.advice(for: edit.captions[track], overlaps, layout.fonts, beneath)
          try diagnostics.add(checks.diagnostic(of: edit.captions[track], track, overlaps, advice))
        }
        beneath.append(layout)
      case .script(let script):
        let overlaps = (try? checks.overlaps(of: script)) ?? []
        if !overlaps.isEmpty {
          try diagnostics.add(checks.diagnostic(of: edit.captions[track], track, overlaps, scriptAdvice))
        }
      }
    }
  }

  private static let scriptAdvice: Advice =
    "Move the title, or show it at another time, or give the lines of the script another MarginV, Alignment or \\pos."

  /// - Parameter overlaps: At least one.
  private func diagnostic(
    of track: CaptionTrack, _ index: Int, _ overlaps: [Overlap], _ advice: Advice
  ) -> ValidationDiagnostic {
    let first = overlaps.dropFirst().reduce(overlaps[0]) { $1.time < $0.time ? $1 : $0 }
    let count = Set(overlaps.map(\.cue)).count
    let subject = track.script != nil ? "Lines of the script lie" : count == 1 ? "1 caption lies" : "\(count) captions lie"
    let isOne = Set(overlaps.map(\.title)).count == 1
    // A style of its own is completed; without one, a style is written. Scripts have their own.
    let place = "captions[\(index)]" + (track.style == CaptionStyle() || track.script != nil ? "" : ".style")
    return ValidationDiagnostic(
      .captionOverTitle, severity: .warning,
      "\(subject) on \(isOne ? "a title" : "titles"), the first at "
        + "\(first.time.readable): “\(first.cue.beginning)” on “\(first.text.name)” of \(first.title).",
      foundTime: first.time, cause: "Captions evade each other, not titles.", path: place, timeRange: first.cue.timeRange
    ).advising(advice)
  }

  func overlaps(of layout: CaptionLayout) throws(CompositorError) -> [Overlap] {
    var found: [Overlap] = []
    for title in titles {
      let still = try title.stillTexts()
      if let still, still.isEmpty { continue }
      for place in try layout.places(during: title.timeRange, most: Self.mostCaptions) {
        if let overlap = try overlap(of: place, with: title, still: still) { found.append(overlap) }
      }
    }
    return found
  }

  private func overlap(
    of place: CaptionLayout.Place, with title: ShownTitle, still: [ReadableText]?
  ) throws(CompositorError) -> Overlap? {
    let common = place.cue.timeRange.intersection(title.timeRange)
    let (start, length) = (common.start.seconds, common.duration.seconds)
    guard length >= Self.leastTime else { return nil }
    func covered(_ texts: [ReadableText]) -> ReadableText? {
      texts.first { $0.boxes.contains { liesOn($0, place.box) } }
    }
    if let still {
      return covered(still).map { Overlap(cue: place.cue, title: title.name, text: $0, time: common.start) }
    }
    var hits: [(time: MediaTime, text: ReadableText)] = []
    for sample in 0..<Self.samples {
      let time = start + length * (Double(sample) + 0.5) / Double(Self.samples)
      if let text = covered(try title.texts(at: time)) { hits.append((.seconds((time * 100).rounded() / 100), text)) }
    }
    guard hits.count >= Self.leastSamples else { return nil }
    return Overlap(cue: place.cue, title: title.name, text: hits[0].text, time: hits[0].time)
  }

  func liesOn(_ first: Rect, _ second: Rect) -> Bool {
    let common = first.intersection(second)
    return min(common.size.width, common.size.height) > Self.leastShare * Double(min(canvas.width, canvas.height))
  }
}
