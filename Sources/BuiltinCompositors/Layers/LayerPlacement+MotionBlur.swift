import CompositorAPI

/// A layer at one moment while the shutter of its motion blur is open.
package struct LayerMoment: Hashable, Sendable {
  /// Opacity, 0 … 1.
  var opacity: Double
  /// From stored pixels to output pixels.
  var sourceToOutput: AffineMatrix
  /// The visible part, in stored pixels, within the frame.
  var crop: Rect
  /// Rounded corners, border and shadow; `nil` for none.
  var decoration: ResolvedDecoration?

  /// Whether it is visible: it has area and is not fully transparent.
  var isVisible: Bool { ResolvedLayer.outputToSource(opacity: opacity, sourceToOutput: sourceToOutput, crop: crop) != nil }

  /// Whether it differs from another one in its opacity only.
  fileprivate func hasPlace(of other: LayerMoment) -> Bool {
    sourceToOutput == other.sourceToOutput && crop == other.crop && decoration == other.decoration
  }
}

extension LayerPlacement {
  /// The shares of the exposure between which movements are measured.
  private static let marks = [0, 0.25, 0.5, 0.75, 1]

  /// Adds the moments of the layer's motion blur, if it changes while the shutter is open. A change of nothing but the opacity is the
  /// mean opacity.
  ///
  /// - Parameters:
  ///   - time: The composition time; `nil` for the whole instruction.
  ///   - range: The time range of the instruction.
  /// - Throws: `.invalidValue` if the motion blur or a value of the layer isn't possible.
  mutating func expose(
    _ layer: LayerInstruction, at time: MediaTime?, during range: TimeRange, context: RenderContext, place: ErrorLocation
  ) throws(CompositorError) {
    guard let blur = layer.motionBlur else { return }
    do throws(CompositorError) {
      try blur.requireUsable()
    } catch {
      throw error.locating(place)
    }
    guard let time else {
      if layer.changes(in: range) { moments = [moment] }
      return
    }
    let instant = TimeRange(start: time, duration: .zero)
    guard layer.changes(in: instant) else { return }
    func state(_ share: Double) throws(CompositorError) -> LayerMoment {
      let held = layer.held(at: time + .seconds((share - 0.5) * blur.exposure), exposing: time)
      return try LayerPlacement(held, source, at: time, changingDuring: nil, context: context, place: place).moment
    }
    var marked: [LayerMoment] = []
    for share in Self.marks { marked.append(try state(share)) }
    let count = blur.samples ?? MotionBlur.sampleCount(forDistance: Self.distance(along: marked))
    var shown: [LayerMoment] = []
    for index in 0..<count { shown.append(try state((Double(index) + 0.5) / Double(count))) }
    show(shown)
  }

  /// The layer as it is at its time.
  var moment: LayerMoment {
    LayerMoment(opacity: opacity, sourceToOutput: sourceToOutput, crop: crop, decoration: decoration)
  }

  private mutating func show(_ moments: [LayerMoment]) {
    guard let first = moments.first else { return }
    guard moments.allSatisfy({ $0.hasPlace(of: first) }) else {
      self.moments = moments
      opacity = moments.map(\.opacity).max() ?? opacity
      return
    }
    (sourceToOutput, crop, decoration) = (first.sourceToOutput, first.crop, first.decoration)
    let isSame = moments.allSatisfy { $0.opacity == first.opacity }
    opacity = isSame ? first.opacity : moments.reduce(0) { $0 + $1.opacity } / Double(moments.count)
  }

  /// The longest way of a corner through the moments, in output pixels.
  private static func distance(along moments: [LayerMoment]) -> Double {
    let corners = moments.map { moment -> [Point] in
      let crop = moment.crop
      return [(crop.minX, crop.minY), (crop.maxX, crop.minY), (crop.minX, crop.maxY), (crop.maxX, crop.maxY)].map {
        moment.sourceToOutput.apply(to: Point(x: $0, y: $1))
      }
    }
    var ways = [0.0, 0, 0, 0]
    for (from, to) in zip(corners, corners.dropFirst()) {
      for index in ways.indices {
        let (x, y) = (to[index].x - from[index].x, to[index].y - from[index].y)
        ways[index] += (x * x + y * y).squareRoot()
      }
    }
    return ways.reduce(0) { $0 >= $1 ? $0 : $1 }
  }
}

extension ResolvedLayer {
  /// The layer at each of its moments in which it is visible, sampled by area means and bilinear interpolation.
  var atMoments: [ResolvedLayer] {
    moments.compactMap { moment in
      var layer = ResolvedLayer(
        frame: frame, opacity: moment.opacity, sourceToOutput: moment.sourceToOutput, crop: moment.crop,
        decoration: moment.decoration, isStill: isStill)
      layer?.reduction = reduction
      return layer
    }
  }
}
