/// Determines which of two layers fade in a dissolve, so that the result is (1 − t) · old + t · new everywhere that either layer is
/// visible.
///
/// A timeline writes the fades as ramps, and the compositor `builtin.dissolve` evaluates them at one time. Both use this type.
package struct DissolveFades: Hashable, Sendable {
  /// Whether the new layer fades in. Otherwise it is opaque.
  package let newFadesIn: Bool
  /// Whether the old layer fades out. Otherwise it is opaque.
  package let oldFadesOut: Bool
  /// Whether the old layer is on top.
  package let oldIsOnTop: Bool

  /// Chooses the fades of two layers that cover parts of a canvas.
  ///
  /// Fading in the new layer on top is right only if it covers the old one. Otherwise the uncovered part of the old layer would
  /// stay until the end and vanish at once, so the old layer fades out on top instead. If neither covers the other, both fade.
  ///
  /// - Parameters:
  ///   - old: The part of the canvas that the old layer covers; see ``LayerInstruction/coverage(of:canvas:over:)``.
  ///   - new: The part of the canvas that the new layer covers.
  ///   - canvas: The canvas, in units of the composition.
  package init(old: Rect?, new: Rect?, canvas: Size) {
    let newHidesOld = new.map { area in old.map(area.nearlyContains) ?? area.covers(canvas) } ?? false
    let oldHidesNew = old.map { area in new.map(area.nearlyContains) ?? area.covers(canvas) } ?? false
    newFadesIn = newHidesOld || !oldHidesNew
    oldFadesOut = !newHidesOld
    oldIsOnTop = oldHidesNew && !newHidesOld
  }
}

/// The direction in which frames move in a push and similar transitions.
package enum MoveDirection: String, CaseIterable, Sendable {
  case left, right, up, down

  /// The offset of a move across the whole canvas.
  package func offset(across canvas: Size) -> Point {
    switch self {
    case .left: Point(x: -canvas.width, y: 0)
    case .right: Point(x: canvas.width, y: 0)
    case .up: Point(x: 0, y: -canvas.height)
    case .down: Point(x: 0, y: canvas.height)
    }
  }
}

extension AffineMatrix {
  /// The part of a canvas that is fully covered by `shown`, a part of a frame's display space that is placed by this matrix.
  /// `nil` if the matrix isn't axis-parallel.
  package func coverage(of shown: Rect, canvas: Size) -> Rect? {
    let isAxisParallel = (b == 0 && c == 0) || (a == 0 && d == 0)
    return isAxisParallel ? boundingBox(of: shown).intersection(Rect(origin: .zero, size: canvas)) : nil
  }
}

extension LayerInstruction {
  /// The part of a canvas that the layer covers throughout a range: it neither moves nor fades, has no effects and no
  /// decoration, and its frame is opaque. `nil` if that isn't known.
  package func coverage(of picture: Frame, canvas: Size, over range: TimeRange) -> Rect? {
    guard effects.isEmpty, decoration == nil, picture.attributes.alphaMode == .opaque, opacity.value(at: range.start) == 1,
      !changesPlacement(in: range)
    else { return nil }
    let size = SourcePlacement(size: picture.size, pixelAspectRatio: picture.attributes.pixelAspectRatio).displaySize
    let shown = crop.value(at: range.start).intersection(Rect(origin: .zero, size: size))
    return transform.value(at: range.start).coverage(of: shown, canvas: canvas)
  }
}

extension Rect {
  /// Whether `other` is inside, within a hundredth of a pixel.
  package func nearlyContains(_ other: Rect) -> Bool {
    other.minX >= minX - 0.01 && other.minY >= minY - 0.01 && other.maxX <= maxX + 0.01 && other.maxY <= maxY + 0.01
  }

  /// Whether a canvas is inside, within a hundredth of a pixel.
  package func covers(_ canvas: Size) -> Bool { nearlyContains(Rect(origin: .zero, size: canvas)) }
}
