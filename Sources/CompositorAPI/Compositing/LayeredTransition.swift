/// Which of two layers fade in a dissolve, so that (1 − t) · old + t · new is seen wherever either is.
///
/// A timeline writes the fades as ramps, and the compositor `builtin.dissolve` sets them at one time: both ask here.
package struct DissolveFades: Hashable, Sendable {
  /// Whether the new layer fades in. It is opaque otherwise.
  package let newFadesIn: Bool
  /// Whether the old layer fades out. It is opaque otherwise.
  package let oldFadesOut: Bool
  /// Whether the old layer lies on top.
  package let oldIsOnTop: Bool

  /// The fades of two layers that hide parts of a canvas.
  ///
  /// Fading in the new picture on top is right only if it hides the old one; otherwise the old one's bars would stay until the end
  /// and vanish at once. Then the old one fades out on top. If neither hides the other, both fade.
  ///
  /// - Parameters:
  ///   - old: What the old layer hides, see ``LayerInstruction/coverage(of:canvas:over:)``.
  ///   - new: What the new layer hides.
  ///   - canvas: The canvas, in units of the composition.
  package init(old: Rect?, new: Rect?, canvas: Size) {
    let newHidesOld = new.map { area in old.map(area.nearlyContains) ?? area.covers(canvas) } ?? false
    let oldHidesNew = old.map { area in new.map(area.nearlyContains) ?? area.covers(canvas) } ?? false
    newFadesIn = newHidesOld || !oldHidesNew
    oldFadesOut = !newHidesOld
    oldIsOnTop = oldHidesNew && !newHidesOld
  }
}

/// Where pictures move to in a push and in its relatives.
package enum MoveDirection: String, CaseIterable, Sendable {
  case left, right, up, down

  /// The way across the whole canvas.
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
  /// The part of a canvas that a picture covers whole: `shown` of its display space, placed by this matrix. `nil` if the matrix isn't
  /// axis-parallel.
  package func coverage(of shown: Rect, canvas: Size) -> Rect? {
    let isAxisParallel = (b == 0 && c == 0) || (a == 0 && d == 0)
    return isAxisParallel ? boundingBox(of: shown).intersection(Rect(origin: .zero, size: canvas)) : nil
  }
}

extension LayerInstruction {
  /// The part of a canvas that the layer hides all through a range: it neither moves nor fades, has no effects and no decoration, and its picture is
  /// opaque. `nil` if that cannot be said.
  package func coverage(of picture: Frame, canvas: Size, over range: TimeRange) -> Rect? {
    guard effects.isEmpty, decoration == nil, picture.attributes.alphaMode == .opaque, opacity.value(at: range.start) == 1,
      !opacity.changes(in: range), !transform.changes(in: range), !crop.changes(in: range)
    else { return nil }
    let size = SourcePlacement(size: picture.size, pixelAspectRatio: picture.attributes.pixelAspectRatio).displaySize
    let shown = crop.value(at: range.start).intersection(Rect(origin: .zero, size: size))
    return transform.value(at: range.start).coverage(of: shown, canvas: canvas)
  }
}

extension Rect {
  /// Whether `other` is inside, up to a hundredth of a pixel.
  package func nearlyContains(_ other: Rect) -> Bool {
    other.minX >= minX - 0.01 && other.minY >= minY - 0.01 && other.maxX <= maxX + 0.01 && other.maxY <= maxY + 0.01
  }

  /// Whether a canvas is inside, up to a hundredth of a pixel.
  package func covers(_ canvas: Size) -> Bool { nearlyContains(Rect(origin: .zero, size: canvas)) }
}
