import CompositorAPI

extension LayerEvaluator {
  /// A layer while a shutter is open: its mean, or the layer itself if it does not change meanwhile.
  @inline(never) mutating func exposed(
    _ model: Layer, _ blur: MotionBlur, at parentTime: Double, depth: Int, placement: Matrix4?, box: LayoutBox
  ) throws(CompositorError) -> PresentationNode? {
    try blur.requireUsable()
    var sharp = model
    sharp.motionBlur = nil
    let shutter = Shutter(exposure: blur.exposure, time: parentTime, timing: model.timing)
    // Before it begins and after it ends there is nothing to expose, so that it doesn't fade at its ends.
    guard shutter.isOpen(at: 0.5) else { return nil }
    var order = MovieTimes()
    func moment(_ share: Double, _ evaluator: inout LayerEvaluator) throws(CompositorError) -> PresentationNode? {
      order.restart()
      var node = try evaluator.node(
        sharp, nil, at: shutter.time(at: share), depth: depth, placement: placement, box: box)
      // A frame of a movie is blurred as it is: each moment shows the same.
      node?.takeMovieTimes(&order)
      node?.standApart()
      return node
    }
    let center = try moment(0.5, &self)
    guard sharp.changesWithTime else { return center }
    var count = blur.samples ?? 0
    if count == 0 { count = MotionBlur.count(from: try moment(0, &self), to: try moment(1, &self)) }
    var moments: [PresentationNode?] = []
    for share in shutter.shares(count) { moments.append(try moment(share, &self)) }
    guard let shown = center ?? moments.lazy.compactMap({ $0 }).first, moments.contains(where: { $0?.calm != center?.calm })
    else {
      return center
    }
    let mean = PresentationNode(meanOf: moments.compactMap { $0 }, count: moments.count, like: shown)
    return center.flatMap { $0.glass(below: mean) } ?? mean
  }
}

/// The time in which a layer is exposed, in seconds of its parent.
private struct Shutter {
  let exposure, time: Double
  /// That of the layer.
  let timing: LayerTiming

  /// A time after a share of the exposure.
  func time(at share: Double) -> Double { time + (share - 0.5) * exposure }

  /// Whether there is a layer at that time.
  func isOpen(at share: Double) -> Bool { timing.sample(at: time(at: share), standardDuration: .infinity) != nil }

  /// The middles of equal parts of the exposure, as far as there is a layer.
  func shares(_ count: Int) -> [Double] {
    (0..<count).map { (Double($0) + 0.5) / Double(count) }.filter(isOpen)
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
    return sampleCount(forDistance: way)
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
      (plain.layer.blendMode, plain.layer.backdropFilters) = (.normal, nil)
      return plain
    }
    (hasAnimatedDescendants, isChanging) = (true, true)
  }

  /// The tree without what doesn't show: whether an animation runs.
  fileprivate var calm: PresentationNode {
    var result = self
    result.isChanging = false
    result.children = children.map(\.calm)
    result.mask = mask?.calm
    return result
  }

  /// Hides the picture below from its sublayers, as if it moved: what they look at doesn't change with its speed.
  fileprivate mutating func standApart() { if children.contains(where: \.blendsWithBackdrop) { blendsApart = true } }

  /// The layer's filters of what is below it, under its mean; `nil` if it has none.
  fileprivate func glass(below mean: PresentationNode) -> PresentationNode? {
    guard layer.filtersBackdrop else { return nil }
    var pane = self
    pane.children = []
    pane.units = []
    pane.layer.content = .none
    (pane.layer.backgroundColor, pane.layer.borderWidth, pane.layer.blendMode) = (nil, 0, .normal)
    (pane.layer.shadowOpacity, pane.layer.shadows, pane.layer.filters) = (0, [], LayerFilters())
    pane.movie = .nothing
    var both = PresentationNode(Layer(), matrix: .identity)
    (both.depth, both.path) = (mean.depth, mean.path)
    (both.hasAnimatedDescendants, both.isChanging) = (true, true)
    both.children = [pane, mean]
    return both
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
