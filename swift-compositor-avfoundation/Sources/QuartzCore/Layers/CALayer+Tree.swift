public import Foundation

/// Layers above and below.
extension CALayer {
  /// The layer above; `nil` for the uppermost one.
  public var superlayer: CALayer? { parent }

  /// The layers below, back to front; `nil` for none.
  public var sublayers: [CALayer]? {
    get { children.isEmpty ? nil : children }
    set {
      for child in children { child.parent = nil }
      children = []
      for layer in newValue ?? [] { addSublayer(layer) }
    }
  }

  /// Adds a layer in front of the others. It leaves the layer that it was in.
  public func addSublayer(_ layer: CALayer) { insert(layer, at: children.count) }

  /// Adds a layer at a place among the others, counted from the back.
  public func insertSublayer(_ layer: CALayer, at idx: UInt32) { insert(layer, at: Int(idx)) }

  /// Adds a layer behind one of the others; behind all of them if that one is not there.
  public func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
    layer.removeFromSuperlayer()
    insert(layer, at: children.firstIndex { $0 === sibling } ?? 0)
  }

  /// Adds a layer in front of one of the others; in front of all of them if that one is not there.
  public func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
    layer.removeFromSuperlayer()
    insert(layer, at: children.firstIndex { $0 === sibling }.map { $0 + 1 } ?? children.count)
  }

  /// Puts another layer in the place of one.
  public func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
    guard oldLayer !== newLayer, oldLayer.parent === self else { return }
    insertSublayer(newLayer, above: oldLayer)
    oldLayer.removeFromSuperlayer()
  }

  /// Leaves the layer above.
  public func removeFromSuperlayer() {
    parent?.children.removeAll { $0 === self }
    parent?.setNeedsLayout()
    parent = nil
  }

  private func insert(_ layer: CALayer, at index: Int) {
    var above: CALayer? = self
    while let next = above {
      precondition(next !== layer, "A layer cannot be below itself.")
      above = next.parent
    }
    layer.removeFromSuperlayer()
    children.insert(layer, at: min(index, children.count))
    layer.parent = self
    setNeedsLayout()
  }

  /// The smallest rectangle of the layer above that holds the bounds, transformed.
  ///
  /// A frame that is set changes the size of the bounds, so that this is their rectangle, and the position.
  public var frame: CGRect {
    get { box.offsetBy(dx: position.x, dy: position.y) }
    set {
      let turned = affineTransform()
      let size = turned.isIdentity ? newValue.size : newValue.size.applying(turned.inverted())
      bounds.size = CGSize(width: abs(size.width), height: abs(size.height))
      let box = box
      position = CGPoint(x: newValue.minX - box.minX, y: newValue.minY - box.minY)
    }
  }

  /// The frame around a position of zero.
  private var box: CGRect {
    CGRect(
      x: -anchorPoint.x * bounds.width, y: -anchorPoint.y * bounds.height, width: bounds.width, height: bounds.height
    ).applying(affineTransform())
  }

  /// What ``transform`` does in the plane.
  public func affineTransform() -> CGAffineTransform { CATransform3DGetAffineTransform(transform) }
  /// Sets ``transform`` to one of the plane.
  public func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3DMakeAffineTransform(m) }

  /// Whether y points down in this layer, because an odd number of layers from it upward is flipped.
  public func contentsAreFlipped() -> Bool { (parent?.contentsAreFlipped() ?? false) != isGeometryFlipped }

  /// Keys of animations, in their order; `nil` if there are none.
  public func animationKeys() -> [String]? { ownAnimations.isEmpty ? nil : ownAnimations.map(\.key) }
  /// The animation of a key.
  public func animation(forKey key: String) -> CAAnimation? { ownAnimations.first { $0.key == key }?.animation }
  /// Removes all animations.
  public func removeAllAnimations() { ownAnimations = [] }

  /// All animations in their order.
  package var allAnimations: [CAAnimation] { ownAnimations.map(\.animation) }

  /// Places and draws everything in the tree that needs it.
  package func prepareTree() {
    layoutIfNeeded()
    displayTree()
  }

  private func displayTree() {
    displayIfNeeded()
    mask?.prepareTree()
    for child in children { child.displayTree() }
  }

  /// Whether a layer is this one or below it.
  package func contains(_ layer: CALayer) -> Bool {
    self === layer || children.contains { $0.contains(layer) } || mask?.contains(layer) == true
  }
}

extension CALayer {
  /// Sets the contents to what ``draw(in:)`` draws, on nothing.
  func drawContents() {
    let width = Int((bounds.width * contentsScale).rounded(.up))
    let height = Int((bounds.height * contentsScale).rounded(.up))
    guard
      let context = CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    else {
      contents = nil
      return
    }
    if contentsAreFlipped() {
      context.translateBy(x: 0, y: CGFloat(height))
      context.scaleBy(x: 1, y: -1)
    }
    context.scaleBy(x: contentsScale, y: contentsScale)
    context.translateBy(x: -bounds.minX, y: -bounds.minY)
    delegate?.layerWillDraw(self)
    draw(in: context)
    contents = context.makeImage()
  }
}
