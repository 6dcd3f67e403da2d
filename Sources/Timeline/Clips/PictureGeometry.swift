package import CompositorAPI

/// The transform from a source's display space to the canvas: orientation, fitting and placement.
package struct PictureGeometry: Sendable {
  /// The transform from stored display space to upright, with the upright frame's corner at the origin.
  package let upright: AffineMatrix
  /// The size of the upright frame.
  package let uprightSize: Size
  /// The transform from the upright frame to its fitted position.
  package let fitting: AffineMatrix
  private let picture: ClipMedia.Picture

  package init(_ picture: ClipMedia.Picture, fit: FitMode, canvas: PixelSize) {
    self.picture = picture
    upright = picture.shape.uprightTransform
    uprightSize = picture.shape.uprightSize
    fitting = PictureGeometry.fitting(uprightSize, fit: fit, canvas: canvas.size)
  }

  /// Width in pixels of the narrowest bar, less the precision of numbers.
  private static let leastBar = 1 - 1e-9

  private static func fitting(_ size: Size, fit: FitMode, canvas: Size) -> AffineMatrix {
    guard size.width > 0, size.height > 0 else { return .identity }
    let (x, y) = (canvas.width / size.width, canvas.height / size.height)
    var scale: Size
    switch fit {
    case .fit: scale = Size(width: min(x, y), height: min(x, y))
    case .fill: scale = Size(width: max(x, y), height: max(x, y))
    case .none: scale = Size(width: 1, height: 1)
    }
    // Bars of less than one pixel, which are on two sides, are a rounding error rather than intended: a canvas with even sides is up to
    // 1.5 pixels larger than a frame whose pixels aren't square.
    let bar = Size(
      width: abs(scale.width * size.width - canvas.width) / 2, height: abs(scale.height * size.height - canvas.height) / 2)
    if fit != .none, max(bar.width, bar.height) < leastBar { scale = Size(width: x, height: y) }
    return AffineMatrix(
      a: scale.width, b: 0, c: 0, d: scale.height, tx: (canvas.width - scale.width * size.width) / 2,
      ty: (canvas.height - scale.height * size.height) / 2)
  }

  /// The transform from stored display space to the canvas.
  package func matrix(_ placement: ClipPlacement) -> AffineMatrix {
    upright.concatenating(placement.matrix ?? fitting.concatenating(placed(placement)))
  }

  /// The position of the anchor after fitting.
  private func anchor(of placement: ClipPlacement) -> Point {
    fitting.apply(to: Point(x: placement.anchor.x * uprightSize.width, y: placement.anchor.y * uprightSize.height))
  }

  /// The placement with both coordinates set.
  private func positioned(_ placement: ClipPlacement) -> ClipPlacement {
    var result = placement
    result.x = placement.x ?? anchor(of: placement).x
    result.y = placement.y ?? anchor(of: placement).y
    return result
  }

  private func placed(_ placement: ClipPlacement) -> AffineMatrix {
    let anchor = anchor(of: placement)
    return AffineMatrix.translation(x: -anchor.x, y: -anchor.y)
      .concatenating(.scale(x: placement.scale.width, y: placement.scale.height))
      .concatenating(.rotation(radians: placement.rotationDegrees * .pi / 180))
      .concatenating(.translation(x: placement.x ?? anchor.x, y: placement.y ?? anchor.y))
  }

  /// A crop of the upright frame, in stored display space.
  package func storedCrop(_ crop: Rect) -> Rect {
    // A negative size is left for validation to find; its bounding box would be valid.
    guard !crop.isInfinite, crop.size.width >= 0, crop.size.height >= 0, let inverse = upright.inverted else { return crop }
    return inverse.boundingBox(of: crop)
  }

  /// A decoration in stored display space, given in pixels of the fitted frame, or of the upright frame if it isn't fitted.
  package func stored(_ decoration: LayerDecoration, isFitted: Bool) -> LayerDecoration {
    let toCanvas = isFitted ? upright.concatenating(fitting) : upright
    guard let inverse = toCanvas.inverted else { return decoration }
    return decoration.scaled(by: abs(inverse.determinant).squareRoot(), offset: inverse)
  }

  /// The part of the canvas that a still, axis-parallel frame covers completely; `nil` if that isn't known.
  package func coverage(_ matrix: AffineMatrix, crop: Rect, canvas: PixelSize) -> Rect? {
    guard picture.isOpaque else { return nil }
    let shown = crop.intersection(Rect(origin: .zero, size: picture.shape.displaySize))
    return matrix.coverage(of: shown, canvas: canvas.size)
  }
}

extension PictureGeometry {
  /// The step size of rotations in degrees. Straight lines between the steps deviate from the circle by less than a hundredth
  /// of a percent of the radius.
  private static var rotationStep: Double { 1 }

  /// The matrix over time. A ramp with a rotation is divided into many short ones, because matrices that are interpolated
  /// component by component would shrink the frame in between.
  package func matrices(
    _ animated: Animated<ClipPlacement>, from origin: ExactTime, sampling grid: SamplingGrid
  ) throws(CompositorError) -> PiecewiseLinear<AffineMatrix> {
    guard case .keyframes(let keyframes) = animated else {
      return try PiecewiseLinear(animated, from: origin, sampling: grid, matrix, between: between)
    }
    let placed = keyframes.map { Keyframe(time: $0.time, value: positioned($0.value), easing: $0.easing) }
    var fine: [Keyframe<ClipPlacement>] = Array(placed.prefix(1))
    for (from, to) in zip(placed, placed.dropFirst()) {
      if from.easing == .linear { fine += try PictureGeometry.turns(from: from, to: to) }
      fine.append(to)
    }
    return try PiecewiseLinear(.keyframes(fine), from: origin, sampling: grid, matrix, between: between)
  }

  /// The matrix between two placements, both of which have a position.
  private func between(_ from: ClipPlacement, _ to: ClipPlacement, _ fraction: Double) -> AffineMatrix {
    guard from.matrix == nil, to.matrix == nil else { return matrix(from).interpolated(to: matrix(to), fraction: fraction) }
    return matrix(from.mixed(with: to, fraction: fraction))
  }

  private static func turns(
    from: Keyframe<ClipPlacement>, to: Keyframe<ClipPlacement>
  ) throws(CompositorError) -> [Keyframe<ClipPlacement>] {
    let angle = abs(to.value.rotationDegrees - from.value.rotationDegrees)
    guard from.value.matrix == nil, to.value.matrix == nil, angle > 0, from.time < to.time else { return [] }
    let count = Int(min(3600, (angle / rotationStep).rounded(.up)))
    let length = try ExactTime(to.time) - ExactTime(from.time)
    var steps: [Keyframe<ClipPlacement>] = []
    for step in 1..<max(count, 1) {
      // A time on a fixed fine grid is exact, and the value is evaluated at exactly this time.
      guard let ticks = Int64(exactly: (length.seconds * Double(step) / Double(count) * 60000).rounded()) else {
        throw CompositorError(
          .invalidValue, "The rotation from \(from.time.readable) to \(to.time.readable) is too long.",
          recoverySuggestion: "Write times that clips can have.")
      }
      let offset = try ExactTime(frame: ticks, rate: Rational(60000, 1))
      let fraction = offset.seconds / length.seconds
      guard offset > .zero, fraction < 1 else { continue }
      let time = try ExactTime(from.time) + offset
      if let last = steps.last, try ExactTime(last.time) >= time { continue }
      steps.append(Keyframe(time: time.mediaTime, value: from.value.mixed(with: to.value, fraction: fraction)))
    }
    return steps
  }
}

extension ClipPlacement {
  /// Interpolates component by component. Both placements must have a position.
  func mixed(with other: ClipPlacement, fraction: Double) -> ClipPlacement {
    func mix(_ from: Double, _ to: Double) -> Double { from.interpolated(to: to, fraction: fraction) }
    var result = self
    result.anchor = Point(x: mix(anchor.x, other.anchor.x), y: mix(anchor.y, other.anchor.y))
    result.x = mix(x ?? 0, other.x ?? 0)
    result.y = mix(y ?? 0, other.y ?? 0)
    result.scale = Size(width: mix(scale.width, other.scale.width), height: mix(scale.height, other.scale.height))
    result.rotationDegrees = mix(rotationDegrees, other.rotationDegrees)
    return result
  }
}
