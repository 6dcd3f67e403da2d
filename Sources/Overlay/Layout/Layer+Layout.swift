import CompositorAPI

/// The box that contains a layer, to which its layout refers.
struct LayoutBox {
  /// In the coordinate system of the layer's position.
  var rect: Rect
  /// Whether it changes over time.
  var moves = false

  /// The box of a layer's sublayers: its bounds, or its own box if it has no bounds.
  ///
  /// - Parameter shown: The layer at the time, with its bounds resolved.
  func inside(_ model: Layer, shownAs shown: Layer) -> LayoutBox {
    let resizes = model.animations.contains(where: \.resizes)
    if shown.bounds.size == .zero, model.bounds.size == .zero, !model.hasLayout, !model.hasFlex, !resizes { return self }
    return LayoutBox(
      rect: shown.bounds, moves: model.isMoved(by: self) || resizes || model.growsWithText || model.rearranges)
  }
}

extension Animation {
  /// Whether it changes the bounds.
  var resizes: Bool {
    if case .group(let members) = kind { return members.contains(where: \.resizes) }
    return property == .bounds || property == .boundsSize
  }
}

extension Layer {
  /// Whether its layout depends on a box that changes.
  func isMoved(by box: LayoutBox) -> Bool { box.moves && hasLayout }

  /// How its position changes over all times.
  func motion(in box: LayoutBox) -> PresentationNode.Motion { isMoved(by: box) ? max(motion, .moves) : motion }

  /// Whether its size depends on a text that may change.
  fileprivate var growsWithText: Bool {
    guard case .text = content, isAnimated else { return false }
    return bounds.isEmpty
  }

  /// Whether its sublayers may be placed differently at another time.
  fileprivate var rearranges: Bool {
    guard let flex else { return false }
    let alignsBaselines = flex.alignsBaselines(of: sublayers)
    return sublayers.contains {
      $0.growsWithText || $0.animations.contains(where: \.resizes) || $0.rearranges || alignsBaselines && $0.hasMovingBaseline
    }
  }

  /// Whether its first baseline may be elsewhere at another time, even if its size stays.
  private var hasMovingBaseline: Bool {
    if case .text = content { return isAnimated }
    return hasFlex && sublayers.contains(where: \.hasMovingBaseline)
  }

  /// Whether its bounds and position follow from the box that contains it.
  var isLaidOut: Bool { hasLayout || hasFlex && bounds.isEmpty }

  /// The layer with the bounds and position of its layout, before animations.
  ///
  /// - Parameters:
  ///   - box: The parent's box, in the coordinate system of the position.
  ///   - time: The layer's own time; a text without a size of its own is measured at that time.
  func laidOut(
    in box: Rect, at time: Double, _ measurer: TextMeasurer
  ) throws(CompositorError) -> Layer {
    guard isLaidOut else { return self }
    let layout = layout ?? LayerLayout()
    let (across, down) = (layout.horizontal, layout.vertical)
    var result = self
    if let pathBox = try pathBox(at: time, measurer) {
      // Along a side that the layout gives, the path is in pixels from its start.
      let isGiven = (across.size(along: box.size.width) != nil, down.size(along: box.size.height) != nil)
      result.bounds = Rect(
        x: isGiven.0 ? 0 : pathBox.minX, y: isGiven.1 ? 0 : pathBox.minY, width: pathBox.size.width, height: pathBox.size.height
      )
    }
    var (width, height) = layout.givenSize(in: box.size, own: result.bounds.size)
    if width == nil || height == nil {
      let room = Size(
        width: width ?? across.room(along: box.size.width), height: height ?? down.room(along: box.size.height))
      let sizing = LayerSizing(self, at: time, measurer)
      let natural = try sizing.size(width: width, height: height, room: room)
      width = across.limited(natural.width, along: box.size.width)
      height = down.limited(natural.height, along: box.size.height)
      if sizing.wrapsText, case .text(var own) = content {
        own.wraps = true
        result.content = .text(own)
      }
    }
    result.layout = nil
    result.bounds.size = Size(width: width ?? 0, height: height ?? 0)
    if let x = across.start(along: box.size.width, size: result.bounds.size.width) {
      result.position.x = box.minX + x + anchorPoint.x * result.bounds.size.width
    }
    if let y = down.start(along: box.size.height, size: result.bounds.size.height) {
      result.position.y = box.minY + y + anchorPoint.y * result.bounds.size.height
    }
    if let viewBox = layout.viewBox { result.scale(viewBox) }
    return result
  }

  /// Gives a positioned layer bounds of `viewBox`, scaled to fit its current ones.
  private mutating func scale(_ viewBox: Size) {
    let place = bounds.size
    let scale = min(place.width / viewBox.width, place.height / viewBox.height)
    position.x += (0.5 - anchorPoint.x) * (place.width - scale * viewBox.width)
    position.y += (0.5 - anchorPoint.y) * (place.height - scale * viewBox.height)
    bounds.size = viewBox
    transform.scaleX *= scale
    transform.scaleY *= scale
  }

  /// The box of its text on a path, if it has one and no bounds of its own; otherwise `nil`.
  func pathBox(at time: Double, _ measurer: TextMeasurer) throws(CompositorError) -> Rect? {
    guard bounds.isEmpty, case .text(let text) = content, text.linePath != nil else { return nil }
    var shown = try self.text(at: time)
    try shown?.shrinkToPath(measure: measurer.size)
    return try shown?.boxOnPath(measurer)
  }

  /// Its text at a given time; `nil` if it has none.
  func text(at time: Double) throws(CompositorError) -> TextContent? {
    guard case .text = content else { return nil }
    var shown = self
    for animation in animations { animation.apply(to: &shown, model: self, at: time) }
    // Values that cannot be measured are reported like those that cannot be drawn.
    shown.bounds = .zero
    shown.position = .zero
    try shown.requireDrawable()
    guard case .text(var text) = shown.content else { return nil }
    try text.generate(at: time)
    return text
  }
}

extension LayerLayout {
  /// The sides that the layout and the layer's own bounds give in a box, within their limits; `nil` for those that follow from the
  /// contents.
  func givenSize(in box: Size, own: Size) -> (width: Double?, height: Double?) {
    var width = horizontal.size(along: box.width) ?? own.width.ifAboveZero
    var height = vertical.size(along: box.height) ?? own.height.ifAboveZero
    width = width.map { horizontal.limited($0, along: box.width) }
    height = height.map { vertical.limited($0, along: box.height) }
    followAspectRatio(&width, &height)
    followViewBox(&width, &height)
    return (width, height)
  }

  /// Derives a missing side from the aspect ratio.
  func followAspectRatio(_ width: inout Double?, _ height: inout Double?) {
    guard let aspectRatio else { return }
    if let width, height == nil {
      height = width / aspectRatio
    } else if let height, width == nil {
      width = height * aspectRatio
    }
  }
}

extension LayerLayout {
  /// Derives a missing side from the view box's aspect ratio, and both from its size.
  fileprivate func followViewBox(_ width: inout Double?, _ height: inout Double?) {
    guard let viewBox else { return }
    switch (width, height) {
    case (let known?, nil): height = known * viewBox.height / viewBox.width
    case (nil, let known?): width = known * viewBox.width / viewBox.height
    case (nil, nil): (width, height) = (viewBox.width, viewBox.height)
    case (_?, _?): break
    }
  }
}

extension LayerLayout.Axis {
  /// The size given by edges, center and size along a side, at least 0; `nil` if undetermined.
  fileprivate func size(along side: Double) -> Double? {
    if let size { return max(size.pixels(along: side), 0) }
    let (near, far, center) = (near?.pixels(along: side), far?.pixels(along: side), center?.pixels(along: side))
    let size: Double? =
      switch (near, far, center) {
      case (let near?, let far?, _): side - near - far
      case (let near?, nil, let center?): 2 * (center - near)
      case (nil, let far?, let center?): 2 * (side - far - center)
      default: nil
      }
    return size.map { max($0, 0) }
  }

  /// A size within the limits, of which the minimum wins.
  func limited(_ size: Double, along side: Double) -> Double {
    let size = maximum.map { min(size, $0.pixels(along: side)) } ?? size
    return max(minimum.map { max(size, $0.pixels(along: side)) } ?? size, 0)
  }

  /// The start along a side; `nil` if no position is given.
  fileprivate func start(along side: Double, size: Double) -> Double? {
    // An edge stays in place even if nothing remains between it and the other edge, or the center.
    if let near { return near.pixels(along: side) }
    if let far { return side - far.pixels(along: side) - size }
    return center.map { $0.pixels(along: side) - size / 2 }
  }

  /// The largest size that stays inside the parent, > 0.
  fileprivate func room(along side: Double) -> Double {
    let room: Double
    if let center {
      let middle = center.pixels(along: side)
      room = 2 * min(middle, side - middle)
    } else {
      room = side - (near?.pixels(along: side) ?? 0) - (far?.pixels(along: side) ?? 0)
    }
    return max(limited(room, along: side), 1)
  }
}

extension Double {
  var ifAboveZero: Double? { self > 0 ? self : nil }
}
