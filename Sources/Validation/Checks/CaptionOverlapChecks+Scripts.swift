import CompositorAPI
import CompositorCaptions
import CompositorOverlay

/// Lines of ASS scripts on titles: libass places them, so they are rendered where titles are shown, and their pixels are compared.
extension CaptionOverlapChecks {
  /// Which lines of a script lie on titles.
  ///
  /// - Throws: Errors of evaluating the titles; `.resourceExhausted`.
  func overlaps(of script: CaptionScript) throws(CompositorError) -> [Overlap] {
    var found: [Overlap] = []
    var rendering = ScriptRendering(script: script, canvas: canvas)
    for title in titles {
      let still = try title.stillTexts()
      if let still, still.isEmpty { continue }
      for line in script.lines(during: title.timeRange).prefix(Self.mostCaptions) {
        if let overlap = try overlap(of: line, with: title, still: still, &rendering) { found.append(overlap) }
      }
    }
    return found
  }

  private func overlap(
    of line: CaptionCue, with title: ShownTitle, still: [ReadableText]?, _ rendering: inout ScriptRendering
  ) throws(CompositorError) -> Overlap? {
    let common = line.timeRange.intersection(title.timeRange)
    guard common.duration.seconds >= Self.leastTime else { return nil }
    var hits: [(time: MediaTime, line: String, text: ReadableText)] = []
    for sample in 0..<Self.samples {
      let part = (Double(sample) + 0.5) / Double(Self.samples)
      let time = MediaTime.seconds(common.start.seconds + common.duration.seconds * part)
      guard let marks = try rendering.marks(at: time) else { continue }
      let texts = if let still { still } else { try title.texts(at: time.seconds) }
      let covered = texts.first { text in
        text.boxes.contains { box in marks.bounds(in: box).map { liesOn($0, box) } ?? false }
      }
      if let covered { hits.append((.seconds((time.seconds * 100).rounded() / 100), rendering.script.text(at: time), covered)) }
    }
    guard hits.count >= Self.leastSamples else { return nil }
    // Of lines that are shown together it isn't known which one it is.
    let cue = CaptionCue(line.timeRange, hits[0].line)
    return Overlap(cue: cue, title: title.name, text: hits[0].text, time: hits[0].time)
  }
}

/// A script as it is rendered at some times. An appearance that lasts is rendered once.
private struct ScriptRendering {
  let script: CaptionScript
  let canvas: PixelSize
  private var recent: [(appearance: CaptionScript.Appearance, marks: ScriptMarks)] = []
  private var count = 0

  /// The most appearances that are rendered, and of those that are kept.
  private static let (most, mostKept) = (150, 8)
  /// The least opacity of pixels that cover a text, 0 … 1.
  private static let leastOpacity = 0.5

  init(script: CaptionScript, canvas: PixelSize) { (self.script, self.canvas) = (script, canvas) }

  /// What the script draws at a time of the movie; `nil` for nothing, and if there were too many appearances.
  mutating func marks(at time: MediaTime) throws(CompositorError) -> ScriptMarks? {
    guard let appearance = script.appearance(at: time) else { return nil }
    if let known = recent.last(where: { $0.appearance == appearance }) { return known.marks }
    guard count < Self.most else { return nil }
    let marks = try script.marks(appearance, on: canvas, opacity: Self.leastOpacity)
    count += 1
    recent = recent.suffix(Self.mostKept - 1) + [(appearance, marks)]
    return marks
  }
}
