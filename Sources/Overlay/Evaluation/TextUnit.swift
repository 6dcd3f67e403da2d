package import CompositorAPI

/// A unit of an animated text (character, word, line …) at one time.
package struct TextUnit: Hashable, Sendable {
  /// Its clusters in the text's layout.
  package var clusters: Range<Int>
  /// Its box, and the bounds of its ink, in layout pixels.
  package var box, ink: Rect
  /// The box of the place that it has without animations, to which a scrambled unit is moved.
  var place: Rect
  package var opacity = 1.0
  /// In layout pixels; `nil` for none.
  package var transform: Matrix4?
  /// The perspective in which it is seen, in pixels of the layer; `nil` for none.
  package var perspective: Matrix4?
  /// The standard deviation of its blur, in layout pixels.
  package var blurRadius = 0.0
  /// Overrides of the text's own colors.
  package var color, outlineColor: Color?
  /// The highlighted fraction of its length in the writing direction, 0 … 1, and the color of that part.
  package var highlight = 0.0
  package var highlightColor: Color?
  /// Whether it reads from right to left.
  package var isRightToLeft = false
  /// Whether it reads from top to bottom.
  package var isVertical = false
  /// Whether another text is drawn in its place. Its background is drawn as if it were there.
  var isReplaced = false
  /// Whether it is hidden when its back is toward the viewer.
  var hidesBack = false

  /// Whether it looks as it does without animators.
  var isAtRest: Bool {
    !isReplaced && opacity >= 1 && transform == nil && blurRadius <= 0 && color == nil && outlineColor == nil
      && (highlight <= 0 || highlightColor == nil)
  }
}

extension TextContent {
  /// The units of the text at a given time of the layer; empty if it looks as it does without animators.
  ///
  /// - Throws: `.invalidValue` with the key path from the text if times do not match the units, or values cannot be drawn.
  /// - Parameters:
  ///   - bounds: Those of the layer.
  ///   - perspective: That of the layer, in its own pixels; `nil` for none.
  ///   - scrambled: Random characters in it.
  func units(
    in own: TextLayout, at time: Double, bounds: Rect, perspective: Matrix4?, _ scrambled: ScrambledUnits? = nil
  ) throws(CompositorError) -> [TextUnit] {
    let (layout, shifts) = scrambled?.layout(of: self) ?? (own, [])
    let replacements = scrambled?.replacements(in: layout) ?? []
    let order: [TextAnimator.Unit] = [.character, .word, .line]
    let layoutOrigin = origin(in: bounds, own.extents)
    let path = TextPath(of: self, layout, origin: layoutOrigin)
    let coarse = order.first { unit in animators.contains { $0.unit == unit } }
    guard let finest = path == nil && replacements.isEmpty ? coarse : .character else { return [] }
    // A ligature of random characters leaves some unit without any.
    var units = layout.units(by: finest).filter { !$0.isEmpty }.map { range in
      TextUnit(
        clusters: range, box: own.box(of: range, \.box), ink: own.box(of: range, \.ink), place: layout.box(of: range, \.box),
        isRightToLeft: layout.clusters[range.lowerBound].isRightToLeft, isVertical: writingMode != .horizontal)
    }
    for index in units.indices where !shifts.isEmpty { units[index].move(by: shifts[units[index].clusters.lowerBound]) }
    for (index, isReplaced) in zip(units.indices, replacements) { units[index].isReplaced = isReplaced }
    if perspective != nil { for index in units.indices { units[index].perspective = perspective } }
    guard units.count <= TextContent.maximumUnits else {
      throw CompositorError(
        .invalidValue, "An animated text has \(units.count) units, and at most \(TextContent.maximumUnits) can be drawn.",
        recoverySuggestion: "Divide it among several layers, or animate it by word or line.",
        at: ErrorLocation(path: "animators"))
    }
    for (index, animator) in animators.enumerated() {
      do throws(CompositorError) {
        try animator.apply(to: &units, of: self, in: layout, at: time)
      } catch {
        throw error.within("animators[\(index)]")
      }
    }
    path?.place(&units)
    for index in units.indices { units[index].hideBack(about: layoutOrigin) }
    return units.allSatisfy(\.isAtRest) ? [] : units
  }

  /// The maximum number of units in an animated text.
  package static let maximumUnits = 5000
}

extension TextLayout {
  /// The smallest rectangle around some clusters.
  func box(of range: Range<Int>, _ rect: (TextCluster) -> Rect) -> Rect {
    var result: Rect?
    for cluster in clusters[range] {
      let part = rect(cluster)
      guard part.size.width > 0, part.size.height > 0 else { continue }
      guard let known = result else {
        result = part
        continue
      }
      let (x, y) = (min(known.minX, part.minX), min(known.minY, part.minY))
      result = Rect(x: x, y: y, width: max(known.maxX, part.maxX) - x, height: max(known.maxY, part.maxY) - y)
    }
    return result ?? .zero
  }
}

extension TextAnimator {
  fileprivate func apply(
    to pieces: inout [TextUnit], of text: TextContent, in layout: TextLayout, at time: Double
  ) throws(CompositorError) {
    let all = layout.units(by: unit)
    let chosen = range?.clamped(to: 0..<all.count) ?? 0..<all.count
    guard times.isEmpty || times.count == chosen.count else {
      throw CompositorError(
        .invalidValue, "There are \(times.count) times for \(chosen.count) \(unit.rawValue)s.",
        recoverySuggestion: "Give one time per \(unit.rawValue).", at: ErrorLocation(path: "times"))
    }
    let begins = begins(count: chosen.count)
    let weights = weights(of: all[chosen], in: layout, at: time)
    let paints = TextPaints(text)
    var states = UnitStates(self, text)
    var spacing = UnitSpacing(text, layout)
    var piece = 0
    for (place, begin) in begins.enumerated() {
      let range = all[chosen.lowerBound + place]
      guard !range.isEmpty else { continue }
      while piece < pieces.count, pieces[piece].clusters.lowerBound < range.lowerBound { piece += 1 }
      let paint = layout.clusters[range.lowerBound].paint
      let color = paints[paint] ?? text.color
      // Times of single units may have been printed with six decimal places.
      let local = !times.isEmpty && abs(time - begin) < 1e-6 ? 0 : time - begin
      let state = try states.state(at: local, color: color, weight: weights?[place] ?? 1)
      let box = layout.box(of: range, \.box)
      let first = piece
      while piece < pieces.count, pieces[piece].clusters.lowerBound < range.upperBound {
        pieces[piece].add(state, about: anchorPoint, of: box, color, text.outlineColor, highlightColor)
        if backfaceVisibility == .hidden { pieces[piece].hidesBack = true }
        piece += 1
      }
      spacing.add(state.addedTracking, after: box, of: first..<piece, line: layout.clusters[range.lowerBound])
    }
    spacing.move(&pieces)
  }
}

extension TextUnit {
  /// Adds an animator's effect on the larger unit that this one belongs to, with the given anchor, box and colors.
  fileprivate mutating func add(
    _ state: Layer, about anchor: Point, of box: Rect, _ ownColor: Color, _ ownOutline: Color, _ highlightColor: Color?
  ) {
    opacity *= min(max(state.opacity, 0), 1)
    blurRadius += max(state.filters.blurRadius, 0)
    if state.transform != .identity {
      let point = Point(x: box.minX + anchor.x * box.size.width, y: box.minY + anchor.y * box.size.height)
      add(state.transform.matrix.about(point))
    }
    guard case .text(let text) = state.content else { return }
    if text.color != ownColor { color = text.color }
    if text.outlineColor != ownOutline { outlineColor = text.outlineColor }
    guard let highlightColor else { return }
    self.highlightColor = highlightColor
    // The highlight's end in the larger unit, relative to the start of this one.
    let (whole, own) = (way(through: box), way(through: place))
    let ahead = isRightToLeft ? whole.upperBound - own.upperBound : own.lowerBound - whole.lowerBound
    let distance = (text.highlight ?? 0) * (whole.upperBound - whole.lowerBound) - ahead
    highlight = min(max(distance / max(own.upperBound - own.lowerBound, 1e-9), 0), 1)
  }

  /// Moves it in layout pixels.
  fileprivate mutating func move(by distance: Point) {
    guard max(abs(distance.x), abs(distance.y)) > 1e-6 else { return }
    add(.translation(distance.x, distance.y))
  }

  /// Makes it transparent if its back is toward the viewer and isn't shown.
  fileprivate mutating func hideBack(about origin: Point) {
    if hidesBack, spatialTransform(about: origin)?.showsBack == true { opacity = 0 }
    // What is shown is the same whatever would have been hidden.
    hidesBack = false
  }

  /// Adds a transform in layout pixels.
  fileprivate mutating func add(_ matrix: Matrix4) { transform = transform.map { matrix.concatenating($0) } ?? matrix }

  /// The extent of a box along the writing direction.
  private func way(through box: Rect) -> ClosedRange<Double> { isVertical ? box.minY...box.maxY : box.minX...box.maxX }

  /// The end of the highlight along the writing direction, in layout pixels.
  var highlightEdge: Double {
    let way = way(through: box)
    let part = isRightToLeft ? 1 - highlight : highlight
    return way.lowerBound + part * (way.upperBound - way.lowerBound)
  }
}
