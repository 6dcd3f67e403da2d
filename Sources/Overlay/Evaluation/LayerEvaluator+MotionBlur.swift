import CompositorAPI

extension LayerEvaluator {
  /// A layer while a shutter is open: its mean, or the layer itself if it does not change meanwhile.
  @inline(never) mutating func exposed(
    _ model: Layer, _ blur: MotionBlur, at parentTime: Double, depth: Int, placement: Matrix4?, box: LayoutBox
  ) throws(CompositorError) -> PresentationNode? {
    try blur.requireUsable()
    var sharp = model
    sharp.motionBlur = nil
    var order = MovieTimes()
    func moment(_ place: Double, _ evaluator: inout LayerEvaluator) throws(CompositorError) -> PresentationNode? {
      order.restart()
      let time = parentTime + (place - 0.5) * blur.exposure
      var node = try evaluator.node(sharp, nil, at: time, depth: depth, placement: placement, box: box)
      // A frame of a movie is blurred as it is: each moment shows the same.
      node?.takeMovieTimes(&order)
      return node
    }
    let center = try moment(0.5, &self)
    guard sharp.changesWithTime else { return center }
    let (first, last) = (try moment(0, &self), try moment(1, &self))
    let count = blur.samples ?? MotionBlur.count(from: first, to: last)
    var moments: [PresentationNode?] = []
    for index in 0..<count { moments.append(try moment((Double(index) + 0.5) / Double(count), &self)) }
    guard let shown = center ?? moments.lazy.compactMap({ $0 }).first else { return nil }
    guard moments.contains(where: { $0 != center }) else { return center }
    return PresentationNode(meanOf: moments.compactMap { $0 }, count: count, like: shown)
  }
}

extension MotionBlur {
  /// The number of moments for a movement: one for each two pixels of the layer's corners.
  fileprivate static func count(from first: PresentationNode?, to last: PresentationNode?) -> Int {
    guard let first, let last else { return 16 }
    func corners(_ node: PresentationNode) -> [Point] {
      let bounds = node.layer.bounds
      return [
        (bounds.minX, bounds.minY), (bounds.maxX, bounds.minY), (bounds.minX, bounds.maxY), (bounds.maxX, bounds.maxY),
      ].map { node.matrix.apply(to: Point(x: $0, y: $1)) }
    }
    let way = zip(corners(first), corners(last)).reduce(0) { longest, pair in
      let (x, y) = (pair.0.x - pair.1.x, pair.0.y - pair.1.y)
      return max(longest, (x * x + y * y).squareRoot())
    }
    return way.isFinite ? Int(min(max((way / 2).rounded(.up), 16), 64)) : 64
  }
}

/// The times of the movies in the first of several trees of a layer, in order.
private struct MovieTimes {
  private var times: [Double] = []
  private var next = 0
  private var isComplete = false

  mutating func restart() {
    isComplete = next > 0 || isComplete
    next = 0
  }

  /// The time of the next movie: that of the first tree, or its own if that has none in its place.
  mutating func take(_ own: Double) -> Double {
    defer { next += 1 }
    if next < times.count { return times[next] }
    if !isComplete { times.append(own) }
    return own
  }
}

extension PresentationNode {
  fileprivate mutating func takeMovieTimes(_ order: inout MovieTimes) {
    if case .at(let time) = movie { movie = .at(order.take(time)) }
    mask?.takeMovieTimes(&order)
    for index in children.indices { children[index].takeMovieTimes(&order) }
  }

  /// The mean of several moments of a layer.
  ///
  /// - Parameters:
  ///   - moments: Those at which it shows something.
  ///   - count: The number of all.
  fileprivate init(meanOf moments: [PresentationNode], count: Int, like shown: PresentationNode) {
    var group = Layer()
    (group.name, group.blendMode) = (shown.layer.name, shown.layer.blendMode)
    self.init(group, matrix: .identity)
    (depth, path, momentCount) = (shown.depth, shown.path, count)
    children = moments.map { moment in
      var plain = moment
      plain.layer.blendMode = .normal
      return plain
    }
    (hasAnimatedDescendants, isChanging) = (true, true)
  }
}

extension Layer {
  /// Whether anything in the layer or in those within it depends on the time.
  fileprivate var changesWithTime: Bool {
    if isAnimated || content.isEmitter || timing != LayerTiming() { return true }
    if case .replicator(let replicator) = content, replicator.instanceDelay != 0 { return true }
    return sublayers.contains(where: \.changesWithTime) || mask?.changesWithTime == true || transitionSource != nil
  }
}
