import CompositorAPI

/// Measures a layer and those that it arranges. Each question is answered once, since the layouts of a tree ask the same of each
/// layer many times.
final class LayerSizing {
  /// The layer at the time, without animations of anything but its size.
  let layer: Layer
  /// Those of its sublayers that its flexible layout places, by their index.
  private(set) lazy var items: [(index: Int, sizing: LayerSizing)] = arrangedItems()
  /// The box of its text on a path, which its bounds are then, if it has no bounds of its own.
  let pathBox: Rect?
  /// Whether a text that was measured wraps, although it says nothing of that: it is longer than its maximum width.
  private(set) var wrapsText = false

  /// The layer's own time.
  let time: Double
  let measurer: TextMeasurer
  private var known: [Question: Size] = [:]
  /// The baselines that were found; see ``firstBaseline(in:isHeightDefinite:)``.
  var knownBaselines: [BaselineQuestion: Double?] = [:]

  private struct Question: Hashable {
    let width, height: Double?
    let room: Size
  }

  /// More room than any layer takes.
  static let unlimited = Size(width: 100_000, height: 100_000)

  /// - Parameter time: The layer's own time, at which its text is measured.
  init(_ layer: Layer, at time: Double, _ measurer: TextMeasurer) {
    var layer = layer.resized(at: time)
    // What cannot be measured is reported when the layer is placed.
    pathBox = try? layer.pathBox(at: time, measurer)
    if let pathBox { layer.bounds = pathBox }
    (self.layer, self.time, self.measurer) = (layer, time, measurer)
  }

  /// The sides that its layout and its bounds give in a box; `nil` for those that follow from its contents.
  ///
  /// - Parameter height: The height of the box; `nil` if it isn't known, so that there are no parts of it.
  func givenSize(inWidth width: Double, height: Double?) -> (width: Double?, height: Double?) {
    var layout = layer.layout ?? LayerLayout()
    if height == nil {
      for key in [\LayerLayout.height, \.minimumHeight, \.maximumHeight] where layout[keyPath: key]?.fraction ?? 0 != 0 {
        layout[keyPath: key] = nil
      }
    }
    return layout.givenSize(in: Size(width: width, height: height ?? 0), own: layer.bounds.size)
  }

  /// The size of its contents.
  ///
  /// - Parameters:
  ///   - width: The width if it is given.
  ///   - height: The height if it is given.
  ///   - room: The maximum sides: a text wraps at them, and a row or column shrinks.
  func size(width: Double?, height: Double?, room: Size) throws(CompositorError) -> Size {
    if let width, let height { return Size(width: width, height: height) }
    let question = Question(width: width, height: height, room: room)
    if let answer = known[question] { return answer }
    let natural = try contentSize(width: width, height: height, room: room)
    var (wide, high) = (Optional(width ?? natural.width), height)
    if let layout = layer.layout, layout.aspectRatio != nil { layout.followAspectRatio(&wide, &high) }
    let answer = Size(width: wide ?? 0, height: high ?? natural.height)
    known[question] = answer
    return answer
  }

  private func contentSize(width: Double?, height: Double?, room: Size) throws(CompositorError) -> Size {
    if layer.hasFlex { return try FlexArrangement.size(of: self, width: width, height: height, room: room) }
    guard var text = try layer.text(at: time) else { return layer.bounds.size }
    let room = Size(width: width ?? room.width, height: height ?? room.height)
    let size = try text.boxSize(width: width, height: height, room: room, measure: measurer.size)
    if text.wraps { wrapsText = true }
    return size
  }

  /// The width or height below which its contents don't fit, at most what is given along that side.
  ///
  /// - Parameter across: The other side if it is known.
  func minimum(isWidth: Bool, across: Double?) throws(CompositorError) -> Double {
    let own = isWidth ? layer.bounds.size.width : layer.bounds.size.height
    if own > 0 { return own }
    if case .text(let text) = layer.content, !text.wraps, text.truncation != .none || text.fit == .shrink { return 0 }
    var room = LayerSizing.unlimited
    if isWidth { room.width = 1 }
    let size = try size(width: isWidth ? nil : across, height: isWidth ? across : nil, room: room)
    return isWidth ? size.width : size.height
  }

  private func arrangedItems() -> [(index: Int, sizing: LayerSizing)] {
    layer.sublayers.enumerated().compactMap { index, sublayer in
      guard sublayer.isArranged else { return nil }
      let own = sublayer.timing.sample(at: time, standardDuration: .infinity)?.time ?? 0
      guard (try? sublayer.text(at: own)?.isEmpty) != true else { return nil }
      return (index, LayerSizing(sublayer, at: own, measurer))
    }
  }
}

extension Layer {
  /// Whether a flexible layout of its parent places it.
  var isArranged: Bool {
    guard !isHidden, position == .zero else { return false }
    return layout.map { !$0.horizontal.givesPlace && !$0.vertical.givesPlace } ?? true
  }

  /// The layer with the bounds that its animations give it.
  fileprivate func resized(at time: Double) -> Layer {
    guard animations.contains(where: \.resizes) else { return self }
    var shown = self
    for animation in animations where animation.resizes { animation.apply(to: &shown, model: self, at: time) }
    var result = self
    result.bounds = shown.bounds
    return result
  }

  /// The sublayers of a layer with a flexible layout, at their places in its bounds.
  ///
  /// - Parameters:
  ///   - time: The layer's own time.
  ///   - isHeightDefinite: Whether the height of the bounds doesn't follow from that of the sublayers.
  func arrangedSublayers(
    at time: Double, isHeightDefinite: Bool, _ measurer: TextMeasurer
  ) throws(CompositorError) -> [Layer] {
    let sizing = LayerSizing(self, at: time, measurer)
    let arrangement = try FlexArrangement(
      of: sizing, width: bounds.size.width, height: bounds.size.height, isDefinite: isHeightDefinite)
    var result = sublayers
    for index in result.indices where result[index].isArranged { result[index].isHidden = true }
    for (position, item) in sizing.items.enumerated() {
      result[item.index].isHidden = false
      result[item.index].take(
        arrangement.frames[position], isHeightDefinite: arrangement.hasDefiniteHeight[position],
        wraps: item.sizing.wrapsText, pathBox: item.sizing.pathBox)
    }
    return result
  }

  /// Whether its height doesn't follow from its contents.
  func hasDefiniteHeight(in box: Size) -> Bool {
    animations.contains(where: \.resizes) || (layout ?? LayerLayout()).givenSize(in: box, own: bounds.size).height != nil
  }

  /// Gives the layer a place in its parent instead of its own layout.
  private mutating func take(_ frame: Rect, isHeightDefinite: Bool, wraps: Bool, pathBox: Rect?) {
    if let pathBox { return take(frame, around: pathBox) }
    var frame = frame
    // A text without a width or height would be as large as its letters.
    if case .text = content { frame.size = Size(width: max(frame.size.width, 1e-3), height: max(frame.size.height, 1e-3)) }
    var place = LayerLayout(
      left: .pixels(frame.minX), top: .pixels(frame.minY), width: .pixels(frame.size.width), viewBox: layout?.viewBox)
    let height = LayoutLength.pixels(frame.size.height)
    if isHeightDefinite || !hasFlex {
      place.height = height
    } else {
      (place.minimumHeight, place.maximumHeight) = (height, height)
    }
    layout = place
    bounds.size = .zero
    guard wraps, case .text(var text) = content else { return }
    text.wraps = true
    content = .text(text)
  }

  /// Gives a text on a path a place in its parent: the path stays in the middle of a box of another size.
  private mutating func take(_ frame: Rect, around pathBox: Rect) {
    layout = LayerLayout(left: .pixels(frame.minX), top: .pixels(frame.minY), viewBox: layout?.viewBox)
    let spare = Size(width: frame.size.width - pathBox.size.width, height: frame.size.height - pathBox.size.height)
    bounds.origin = Point(x: pathBox.minX - spare.width / 2, y: pathBox.minY - spare.height / 2)
    bounds.size = Size(width: max(frame.size.width, 1e-3), height: max(frame.size.height, 1e-3))
  }
}

extension TextContent {
  fileprivate var isEmpty: Bool { runs.allSatisfy(\.text.isEmpty) }
}
