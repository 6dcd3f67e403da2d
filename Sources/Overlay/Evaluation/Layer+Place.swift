import CompositorAPI

extension Layer {
  /// The anchor point in the layer's own coordinates.
  private var anchor: Point {
    Point(x: bounds.minX + anchorPoint.x * bounds.size.width, y: bounds.minY + anchorPoint.y * bounds.size.height)
  }

  /// From the layer's bounds space to its parent's.
  ///
  /// - Parameter placement: A transform applied afterward; `nil` for none.
  func matrix(placement: Matrix4?) -> Projection {
    let anchor = anchor
    if transform == .identity, placement == nil {
      return Projection(.translation(x: position.x - anchor.x, y: position.y - anchor.y))
    }
    return spatialMatrix(placement: placement).projection
  }

  private func spatialMatrix(placement: Matrix4?) -> Matrix4 {
    let matrix = Matrix4.translation(-anchor.x, -anchor.y).concatenating(transform.matrix)
      .concatenating(.translation(position.x, position.y))
    return placement.map(matrix.concatenating) ?? matrix
  }

  /// Whether its back is toward the viewer and isn't shown.
  ///
  /// - Parameter placement: As for ``matrix(placement:)``.
  func hidesBack(placement: Matrix4?) -> Bool {
    guard backfaceVisibility == .hidden, transform != .identity || placement != nil else { return false }
    return spatialMatrix(placement: placement).showsBack
  }

  /// The depth of the layer's center in its parent, in pixels toward the viewer.
  ///
  /// - Parameter placement: As for ``matrix(placement:)``.
  func depth(placement: Matrix4?) -> Double {
    // Rotations in the plane and scaling do not change the depth.
    if placement == nil, transform.rotationX == 0, transform.rotationY == 0 { return zPosition + transform.translationZ }
    let (width, height) = (bounds.size.width * (0.5 - anchorPoint.x), bounds.size.height * (0.5 - anchorPoint.y))
    let middle = transform.matrix.apply(to: SIMD4(width, height, 0, 1)) + SIMD4(position.x, position.y, zPosition, 0)
    return (placement?.apply(to: middle) ?? middle).z
  }

  /// The perspective in which parts of the layer are seen, in its own coordinates; `nil` for none.
  var ownPerspective: Matrix4? { perspective > 0 ? Matrix4.perspective(distance: perspective).about(anchor) : nil }

  /// The transform of all sublayers; `nil` for none.
  var stage: Matrix4? {
    guard sublayerTransform != .identity || perspective > 0 else { return nil }
    let turned = sublayerTransform.matrix
    return (perspective > 0 ? turned.concatenating(.perspective(distance: perspective)) : turned).about(anchor)
  }
}
