package import CompositorAPI

/// A unit of an animated text (character, word, line …) at one time.
package struct TextUnit: Hashable, Sendable {
  /// Its clusters in the text's layout.
  package var clusters: Range<Int>
  /// Its box, and the bounds of its ink, in layout pixels.
  package var box, ink: Rect
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
  /// Whether it is hidden when its back is toward the viewer.
  var hidesBack = false

  /// Whether it looks as it does without animators.
  var isAtRest: Bool {
    opacity >= 1 && transform == nil && blurRadius <= 0 && color == nil && outlineColor == nil
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
  func units(
    in layout: TextLayout, at time: Double, bounds: Rect, perspective: Matrix4?
  ) throws(CompositorError) -> [TextUnit] {
    let order: [TextAnimator.Unit] = [.character, .word, .line]
    let layoutOrigin = origin(in: bounds, layout.extents)
    let path = TextPath(of: self, layout, origin: layoutOrigin)
    let coarse = order.first { unit in animators.contains { $0.unit == unit } }
    guard let finest = path == nil ? coarse : .character else { return [] }
    var units = layout.units(by: finest).map { range in
      TextUnit(
        clusters: range, box: layout.box(of: range, \.box), ink: layout.box(of: range, \.ink),
        isRightToLeft: layout.clusters[range.lowerBound].isRightToLeft, isVertical: writingMode != .horizontal)
    }
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
  fileprivate func box(of range: Range<Int>, _ rect: (TextCluster) -> Rect) -> Rect {
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

  /// When the animations of each of `count` units begin, in seconds of the layer.
  func begins(count: Int) -> [Double] { times.isEmpty ? ranks(count: count).map { Double($0) * delay } : times }

  /// The number of units that begin before each unit: equal for units that begin together.
  func ranks(count: Int) -> [Int] {
    switch order {
    case .forward: return Array(0..<count)
    case .backward: return (0..<count).reversed()
    case .fromCenter: return (0..<count).map { abs(2 * $0 - (count - 1)) / 2 }
    case .toCenter: return (0..<count).map { min($0, count - 1 - $0) }
    case .random:
      var (ranks, state) = (Array(0..<count), seed)
      for index in (0..<count).reversed().dropLast() {
        ranks.swapAt(index, Int(TextAnimator.next(&state) % UInt64(index + 1)))
      }
      return ranks
    }
  }

  /// SplitMix64.
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// An animator's effect on a unit, at times of the unit. Units that have not begun look alike, and so do those that have
/// finished.
private struct UnitStates {
  private let animator: TextAnimator
  private let changesColor: Bool
  private var model = Layer()
  private var last: (time: Double, color: Color, layer: Layer)?
  /// Nothing changes before the first and after the second time.
  private let changes: ClosedRange<Double>

  init(_ animator: TextAnimator, _ text: TextContent) {
    self.animator = animator
    var plain = TextContent()
    // What is animated is added to the text's own tracking.
    (plain.outlineColor, plain.highlight, plain.tracking) = (text.outlineColor, 0, 0)
    model.content = .text(plain)
    let leaves = animator.animations.flatMap(\.leaves)
    changesColor = leaves.contains { $0.property == .textColor }
    let spans = animator.animations.map(\.span)
    let begin = spans.map(\.lowerBound).min() ?? 0
    changes = begin...max(spans.map(\.upperBound).max() ?? 0, begin)
  }

  /// - Parameters:
  ///   - color: The unit's own color.
  ///   - weight: That of the animator's selector.
  mutating func state(at time: Double, color: Color, weight: Double) throws(CompositorError) -> Layer {
    let whole = try state(at: time, color: color)
    return weight == 1 ? whole : whole.weighted(weight, over: model)
  }

  private mutating func state(at time: Double, color: Color) throws(CompositorError) -> Layer {
    let margin = 1.0
    let time = min(max(time, changes.lowerBound - margin), changes.upperBound + margin)
    if let last, last.time == time, last.color == color || !changesColor { return last.layer }
    if case .text(var plain) = model.content {
      plain.color = color
      model.content = .text(plain)
    }
    var layer = model
    for animation in animator.animations { animation.apply(to: &layer, model: model, at: time) }
    let transform = layer.transform
    let numbers = [
      transform.scaleX, transform.scaleY, transform.skewX, transform.skewY, transform.rotationX, transform.rotationY,
      transform.rotationZ, transform.translationX, transform.translationY, transform.translationZ, layer.opacity,
      layer.filters.blurRadius, layer.addedTracking,
    ]
    guard numbers.allSatisfy({ abs($0) <= 1e6 }) else {
      throw CompositorError(
        .invalidValue, "A unit of a text reaches a value that cannot be drawn.",
        recoverySuggestion: "Keep scales, angles and distances below a million.", at: ErrorLocation(path: "animations"))
    }
    last = (time, color, layer)
    return layer
  }
}

extension Animation {
  /// The times within which it changes anything; unbounded if it repeats forever.
  var span: ClosedRange<Double> {
    var length = timing.duration > 0 ? timing.duration : Animation.standardDuration
    if case .spring(_, _, _, let spring) = kind, timing.duration <= 0 { length = spring.settlingDuration }
    if case .wiggle = kind, timing.duration <= 0 { length = .infinity }
    let cycle = timing.autoreverses ? 2 * length : length
    let active = timing.repeatDuration > 0 ? timing.repeatDuration : timing.repeatCount > 0 ? timing.repeatCount * cycle : cycle
    guard timing.speed != 0 else { return -.greatestFiniteMagnitude ... .greatestFiniteMagnitude }
    let end = timing.beginTime + active / abs(timing.speed)
    return timing.beginTime...max(min(end, .greatestFiniteMagnitude), timing.beginTime)
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
    let (whole, own) = (way(through: box), way(through: self.box))
    let ahead = isRightToLeft ? whole.upperBound - own.upperBound : own.lowerBound - whole.lowerBound
    let distance = (text.highlight ?? 0) * (whole.upperBound - whole.lowerBound) - ahead
    highlight = min(max(distance / max(own.upperBound - own.lowerBound, 1e-9), 0), 1)
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
