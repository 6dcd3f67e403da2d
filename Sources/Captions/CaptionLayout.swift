package import CompositorAPI
package import CompositorOverlay
import Synchronization

/// Lays out captions as title layers on a canvas: the cues visible at a given time, in their style, stacked if they overlap.
///
/// Only visible cues are processed, and each is measured once. Can be called from any thread.
package final class CaptionLayout: Sendable {
  private struct Placed {
    var layer: Layer
    /// The caption's box on the canvas, without the gap to other captions.
    var box: Rect
  }

  private let index: CueIndex
  private let style: CaptionStyle
  /// The composition's render size.
  package let canvas: PixelSize
  /// The fonts.
  package let fonts: FontLibrary
  /// The captions drawn before these, which keep their places.
  private let beneath: [CaptionLayout]
  /// The layers placed so far, by the index of their cue.
  private let placed = Mutex<[Int: Placed]>([:])

  /// - Parameter beneath: The captions of other tracks that are drawn before these and keep their places, as those of the first of two
  ///   languages.
  /// - Throws: `.fileNotFound` for a missing font, or for characters that no font has.
  package init(
    _ track: CaptionTrack, canvas: PixelSize, fonts: FontLibrary, beneath: [CaptionLayout] = []
  ) throws(CompositorError) {
    self.beneath = beneath
    index = CueIndex(track.timedCues)
    style = track.style
    self.canvas = canvas
    self.fonts = fonts
    try requireFonts()
  }

  /// Indexes of the cues visible at a given time, ordered by start.
  package func active(at time: MediaTime) -> [Int] { time.isNumeric ? index.active(at: time) : [] }

  /// The layers of cues that are visible together.
  package func layers(of cues: [Int]) throws(CompositorError) -> [Layer] {
    var layers: [Layer] = []
    for cue in cues { layers.append(try place(cue).layer) }
    return layers
  }

  /// A caption, and the place at which it is drawn.
  package struct Place: Sendable {
    /// The caption.
    package let cue: CaptionCue
    /// The box that is painted behind it, or that of its lines if there is none, in pixels of the canvas.
    package let box: Rect
  }

  /// The places of captions that are visible at some time of a range, in order of their starts.
  ///
  /// - Parameter most: The maximum number of captions; later ones are left out.
  package func places(during range: TimeRange, most: Int) throws(CompositorError) -> [Place] {
    var places: [Place] = []
    let margin = style.boxColor.alpha > 0 ? 0 : em * Self.padding
    for cue in index.active(during: range).prefix(most) {
      places.append(Place(cue: index.cues[cue], box: try place(cue).box.insetBy(x: margin, y: margin)))
    }
    return places
  }

  /// The place of the caption with the most lines, or of the longest of those with as many, which is the largest one unless words wrap in
  /// unusual ways; `nil` if there are no captions in a range.
  package func longest(during range: TimeRange) throws(CompositorError) -> Place? {
    func length(_ cue: CaptionCue) -> (lines: Int, characters: Int) { (cue.text.count { $0.isNewline }, cue.text.count) }
    guard let cue = index.active(during: range).max(by: { length(index.cues[$0]) < length(index.cues[$1]) }) else { return nil }
    let margin = style.boxColor.alpha > 0 ? 0 : em * Self.padding
    return Place(cue: index.cues[cue], box: try make(index.cues[cue], beside: []).box.insetBy(x: margin, y: margin))
  }

  /// Checks that the fonts have all characters, each once per style in which it is used.
  private func requireFonts() throws(CompositorError) {
    var characters: [TextFont: Set<Character>] = [:]
    for cue in index.cues {
      for run in runs(of: cue, em: 36) { characters[run.font ?? TextFont(), default: []].formUnion(run.text) }
    }
    for (font, set) in characters {
      var text = TextContent(String(set.filter { !$0.isNewline }.sorted()), font: font)
      text.allowsFontSubstitution = style.allowsFontSubstitution
      try fonts.require(text)
    }
  }
}

extension CaptionLayout {
  private var width: Double { Double(canvas.width) }
  private var height: Double { Double(canvas.height) }
  private var em: Double { style.size.map { $0 * height } ?? 0.05 * min(width, height) }
  private var lineWidth: Double {
    (style.maximumWidth ?? (width < height ? 0.9 : 0.8)) * width
  }

  private func runs(of cue: CaptionCue, em: Double) -> [TextRun] {
    cue.spans.map { span in
      let font = TextFont(
        family: style.family, size: em, weight: span.isBold ? max(style.weight, 700) : style.weight, isItalic: span.isItalic)
      return TextRun(span.text, font: font, color: span.color)
    }
  }

  /// The layer of a cue, at a position that is not covered by the cues visible at its start. The position doesn't change later.
  private func place(_ cue: Int) throws(CompositorError) -> Placed {
    var waiting = [cue]
    // Earlier cues that overlap, and those before them, are placed first. This is a loop rather than a recursion, because all
    // cues of a file may overlap.
    while let next = waiting.last {
      if placed.withLock({ $0[next] }) != nil {
        waiting.removeLast()
        continue
      }
      let before = index.active(at: index.cues[next].timeRange.start).filter { $0 < next }
      let missing = placed.withLock { placed in before.filter { placed[$0] == nil } }
      guard missing.isEmpty else {
        // Reversed, so that the first one, which doesn't depend on the others, is placed next.
        waiting += missing.reversed()
        continue
      }
      var boxes = placed.withLock { placed in before.compactMap { placed[$0]?.box } }
      for layout in beneath { boxes += try layout.boxes(during: index.cues[next].timeRange) }
      let made = try make(index.cues[next], beside: boxes)
      placed.withLock { $0[next] = made }
      waiting.removeLast()
    }
    guard let made = placed.withLock({ $0[cue] }) else {
      throw CompositorError(.internalFault, "A caption was not placed.")
    }
    return made
  }

  /// The places of the cues that are visible at some time of a range.
  private func boxes(during range: TimeRange) throws(CompositorError) -> [Rect] {
    var boxes: [Rect] = []
    for cue in index.active(during: range) { boxes.append(try place(cue).box) }
    return boxes
  }

  private func make(_ cue: CaptionCue, beside boxes: [Rect]) throws(CompositorError) -> Placed {
    var layer = try fitted(cue)
    let size = try measured(layer)
    let place = cue.placement ?? CaptionPlacement(style.vertical, style.horizontal)
    let frame = stacked(Rect(origin: origin(of: size, place), size: size), place.vertical, beside: boxes)
    layer.anchorPoint = .zero
    layer.position = Point(x: frame.minX.rounded(), y: frame.minY.rounded())
    return Placed(layer: layer, box: frame)
  }

  /// The layer with a font size that fits the number of lines that the style allows.
  private func fitted(_ cue: CaptionCue) throws(CompositorError) -> Layer {
    let ownLineCount = cue.text.count { $0.isNewline } + 1
    var scale = 1.0
    while true {
      let layer = self.layer(cue, em: em * scale)
      guard scale > 0.4, try lineCount(layer) > max(style.maximumLineCount, ownLineCount) else { return layer }
      scale *= 0.92
    }
  }

  private func lineCount(_ layer: Layer) throws(CompositorError) -> Int {
    guard case .text(var text) = layer.content else { return 0 }
    text.wraps = true
    return try fonts.lineCount(of: text)
  }

  /// Padding around the text, as a fraction of the font size.
  private static let padding = 0.3

  private func layer(_ cue: CaptionCue, em: Double) -> Layer {
    var text = TextContent("", font: TextFont(family: style.family, size: em, weight: style.weight), color: style.color)
    text.runs = runs(of: cue, em: em)
    text.alignment = textAlignment(cue.placement?.horizontal ?? style.horizontal)
    text.verticalAlignment = .middle
    text.padding = em * CaptionLayout.padding
    text.maximumWidth = max(lineWidth - 2 * text.padding, 1)
    (text.outlineWidth, text.outlineColor) = (style.outlineWidth * em, style.outlineColor)
    (text.direction, text.allowsFontSubstitution) = (style.direction, style.allowsFontSubstitution)
    var layer = Layer()
    layer.content = .text(text)
    if style.boxColor.alpha > 0 {
      layer.backgroundColor = style.boxColor
      layer.cornerRadius = em * 0.2
    }
    return layer
  }

  private func textAlignment(_ side: CaptionPlacement.Horizontal) -> TextAlignment {
    switch side {
    case .left: .left
    case .center: .center
    case .right: .right
    }
  }

  private func measured(_ layer: Layer) throws(CompositorError) -> Size {
    let root = Layer(canvas: canvas) { layer }
    return try LayerPresenter(root, canvas: canvas, fonts: fonts).firstSize
  }

  private func origin(of size: Size, _ place: CaptionPlacement) -> Point {
    let (sides, ends) = (style.horizontalMargin * width, style.verticalMargin * height)
    func start(_ anchor: Double?, _ length: Double, _ side: Double, _ margin: Double, _ share: Double) -> Double {
      let wanted = anchor.map { $0 * side - share * length } ?? margin + share * (side - 2 * margin - length)
      // Captions with explicit positions still stay on the canvas.
      return min(max(wanted, 0), max(side - length, 0))
    }
    let across: Double = place.horizontal == .left ? 0 : place.horizontal == .center ? 0.5 : 1
    let down: Double = place.vertical == .top ? 0 : place.vertical == .middle ? 0.5 : 1
    return Point(
      x: start(place.x, size.width, width, sides, across), y: start(place.y, size.height, height, ends, down))
  }

  /// The nearest free position: above other captions if `side` is the bottom, otherwise below them.
  private func stacked(_ frame: Rect, _ side: CaptionPlacement.Vertical, beside boxes: [Rect]) -> Rect {
    var frame = frame
    let gap = em * 0.2
    // A box that was just evaded is at exactly this distance, or nearer by a rounding error.
    let least = gap - 0.01
    for _ in 0...boxes.count {
      let hit = boxes.first { box in
        box.minX < frame.maxX && frame.minX < box.maxX && box.minY < frame.maxY + least && frame.minY < box.maxY + least
      }
      guard let hit else { break }
      frame.origin.y = side == .bottom ? hit.minY - gap - frame.size.height : hit.maxY + gap
    }
    return frame
  }
}
