import CompositorAPI

/// Layers that show many times over: copies and particles.
extension LayerEvaluator {
  mutating func addCopies(
    _ replicator: ReplicatorContent, of sublayers: [Layer], to node: inout PresentationNode, at time: Double, depth: Int
  ) throws(CompositorError) {
    let bounds = node.layer.bounds
    let center = Point(x: bounds.minX + bounds.size.width / 2, y: bounds.minY + bounds.size.height / 2)
    let step = replicator.instanceTransform.matrix.about(center)
    let stage = node.layer.stage
    var place = Matrix4.identity
    for copy in 0..<min(max(replicator.instanceCount, 0), 10_000) {
      let opacity = min(max(1 + Double(copy) * replicator.instanceOpacityOffset, 0), 1)
      let placement = stage.map(place.concatenating) ?? place
      for sublayer in sublayers where opacity > 0 {
        let copyTime = time - Double(copy) * replicator.instanceDelay
        guard var child = try self.node(sublayer, at: copyTime, depth: depth + 1, placement: placement) else { continue }
        child.layer.opacity *= opacity
        node.children.append(child)
        if sublayer.isAnimated || child.hasAnimatedDescendants { node.hasAnimatedDescendants = true }
      }
      place = place.concatenating(step)
    }
    node.sortChildren()
  }

  mutating func addParticles(
    _ emitter: EmitterContent, of sublayers: [Layer], to node: inout PresentationNode, at time: Double, depth: Int
  ) throws(CompositorError) {
    guard let cell = sublayers.first else { return }
    node.hasAnimatedDescendants = true
    let (bounds, stage) = (node.layer.bounds, node.layer.stage)
    let source = Point(
      x: bounds.minX + bounds.size.width * emitter.emitterPosition.x,
      y: bounds.minY + bounds.size.height * emitter.emitterPosition.y)
    for particle in try emitter.particles(at: time) {
      let place = Matrix4.translation(-cell.position.x, -cell.position.y)
        .concatenating(.scale(particle.scale, particle.scale)).concatenating(.rotationZ(particle.angle))
        .concatenating(.translation(source.x + particle.offset.x, source.y + particle.offset.y))
      let placement = stage.map(place.concatenating) ?? place
      guard var child = try self.node(cell, at: particle.age, depth: depth + 1, placement: placement) else { continue }
      child.layer.opacity *= particle.opacity
      child.motion = .transforms
      node.children.append(child)
    }
  }
}
