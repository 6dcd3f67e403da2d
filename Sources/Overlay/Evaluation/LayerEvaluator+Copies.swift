import CompositorAPI

/// Layers that appear several times: copies and particles.
extension LayerEvaluator {
  mutating func addCopies(
    _ replicator: ReplicatorContent, of sublayers: [Layer], to node: inout PresentationNode, at time: Double, depth: Int,
    box: LayoutBox
  ) throws(CompositorError) {
    let bounds = node.layer.bounds
    let center = Point(x: bounds.minX + bounds.size.width / 2, y: bounds.minY + bounds.size.height / 2)
    let step = replicator.instanceTransform.matrix.about(center)
    let stage = node.layer.stage
    var place = Matrix4.identity
    for copy in 0..<min(max(replicator.instanceCount, 0), 10_000) {
      let opacity = min(max(1 + Double(copy) * replicator.instanceOpacityOffset, 0), 1)
      let placement = stage.map(place.concatenating) ?? place
      for (index, sublayer) in sublayers.enumerated() where opacity > 0 {
        let copyTime = time - Double(copy) * replicator.instanceDelay
        guard
          var child = try self.node(
            sublayer, .sublayer(index), at: copyTime, depth: depth + 1, placement: placement, box: box)
        else { continue }
        child.layer.opacity *= opacity
        node.children.append(child)
        if sublayer.isAnimated || child.hasAnimatedDescendants { node.hasAnimatedDescendants = true }
      }
      place = place.concatenating(step)
    }
    node.sortChildren()
  }

  mutating func addParticles(
    of model: Layer, to node: inout PresentationNode, at time: Double, depth: Int, box: LayoutBox
  ) throws(CompositorError) {
    guard let cell = model.sublayers.first else { return }
    node.hasAnimatedDescendants = true
    let (bounds, stage) = (node.layer.bounds, node.layer.stage)
    for particle in try model.particles(at: time) {
      let source = Point(
        x: bounds.minX + bounds.size.width * particle.source.x, y: bounds.minY + bounds.size.height * particle.source.y)
      let place = Matrix4.translation(-cell.position.x, -cell.position.y)
        .concatenating(.scale(particle.scale, particle.scale)).concatenating(.rotationZ(particle.angle))
        .concatenating(.translation(source.x + particle.offset.x, source.y + particle.offset.y))
      let placement = stage.map(place.concatenating) ?? place
      guard
        var child = try self.node(
          cell, .sublayer(0), at: particle.age, depth: depth + 1, placement: placement, box: box)
      else { continue }
      child.layer.opacity *= particle.opacity
      child.motion = .transforms
      child.depth = 0
      node.children.append(child)
    }
  }
}
