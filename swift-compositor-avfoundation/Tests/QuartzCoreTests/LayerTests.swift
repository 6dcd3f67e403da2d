import QuartzCore
import Testing

/// Counts what layers ask for, and draws a red square.
private final class Painter: CALayerDelegate {
  var layouts = 0
  func draw(_ layer: CALayer, in ctx: CGContext) {
    ctx.setFillColor(CGColor(red: 1, green: 0, blue: 0, alpha: 1))
    ctx.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
  }
  func layoutSublayers(of layer: CALayer) { layouts += 1 }
}

@Suite struct LayerTests {
  @Test func frame_isTheTransformedRectangle() {
    let layer = CALayer()
    layer.frame = CGRect(x: 10, y: 20, width: 30, height: 40)
    #expect(layer.bounds == CGRect(x: 0, y: 0, width: 30, height: 40) && layer.position == CGPoint(x: 25, y: 40))
    layer.anchorPoint = .zero
    #expect(layer.frame == CGRect(x: 25, y: 40, width: 30, height: 40))
    layer.setAffineTransform(CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
    #expect(layer.frame == CGRect(x: -15, y: 40, width: 40, height: 30))
    layer.frame = CGRect(x: 1, y: 2, width: 10, height: 20)
    #expect(layer.frame == CGRect(x: 1, y: 2, width: 10, height: 20))
    #expect(layer.bounds.size == CGSize(width: 20, height: 10))
  }

  @Test func tree_keepsItsOrder() {
    let (root, a, b, c) = (CALayer(), CALayer(), CALayer(), CALayer())
    root.addSublayer(a)
    root.insertSublayer(b, at: 0)
    root.insertSublayer(c, above: b)
    #expect(root.sublayers == [b, c, a] && a.superlayer === root)
    root.insertSublayer(a, below: b)
    #expect(root.sublayers == [a, b, c])
    let d = CALayer()
    root.replaceSublayer(b, with: d)
    #expect(root.sublayers == [a, d, c] && b.superlayer == nil)
    d.addSublayer(a)
    #expect(root.sublayers == [d, c] && a.superlayer === d)
    root.sublayers = nil
    #expect(root.sublayers == nil && d.superlayer == nil)
    a.removeFromSuperlayer()
    #expect(d.sublayers == nil)
  }

  @Test func flips_cancelEachOther() {
    let (root, child) = (CALayer(), CALayer())
    root.addSublayer(child)
    root.isGeometryFlipped = true
    #expect(child.contentsAreFlipped())
    child.isGeometryFlipped = true
    #expect(!child.contentsAreFlipped() && root.contentsAreFlipped())
  }

  @Test func delegate_drawsAndArranges() throws {
    let painter = Painter()
    let layer = CALayer()
    layer.bounds = CGRect(x: 0, y: 0, width: 4, height: 4)
    layer.delegate = painter
    layer.displayIfNeeded()
    #expect(layer.contents == nil)
    layer.setNeedsDisplay()
    layer.displayIfNeeded()
    #expect(!layer.needsDisplay())
    let image = try #require(layer.contents as? CGImage)
    let data = try #require(image.dataProvider?.data as Data?)
    #expect(image.width == 4 && data[3 * image.bytesPerRow] == 255 && data[3] == 0)
    layer.layoutIfNeeded()
    layer.layoutIfNeeded()
    #expect(painter.layouts == 1)
  }

  @Test func animations_areCopied() throws {
    let layer = CALayer()
    let fade = CABasicAnimation(keyPath: "opacity")
    fade.toValue = 0.5
    layer.add(fade, forKey: "fade")
    fade.toValue = 1
    let own = try #require(layer.animation(forKey: "fade") as? CABasicAnimation)
    #expect(own !== fade && own.toValue as? Double == 0.5 && own.duration == 0.25 && own.keyPath == "opacity")
    let spring = CASpringAnimation(keyPath: "position.x")
    (spring.damping, spring.duration) = (20, spring.settlingDuration)
    layer.add(spring, forKey: "fade")
    #expect(layer.animationKeys() == ["fade"])
    #expect((layer.animation(forKey: "fade") as? CASpringAnimation)?.damping == 20)
    layer.removeAnimation(forKey: "fade")
    #expect(layer.animationKeys() == nil)
  }

  @Test func transactions_nest() {
    var calls: [String] = []
    CATransaction.begin()
    CATransaction.setAnimationDuration(2)
    CATransaction.setCompletionBlock { calls.append("outer") }
    CATransaction.begin()
    CATransaction.setDisableActions(true)
    CATransaction.setCompletionBlock { calls.append("inner") }
    #expect(CATransaction.disableActions() && CATransaction.animationDuration() == 2)
    CATransaction.commit()
    #expect(calls == ["inner"] && !CATransaction.disableActions())
    let layer = CALayer()
    layer.add(CABasicAnimation(keyPath: "opacity"), forKey: "a")
    #expect(layer.animation(forKey: "a")?.duration == 2)
    CATransaction.commit()
    #expect(calls == ["inner", "outer"] && CATransaction.animationDuration() == 0.25)
  }

  @Test func curves_haveTheirPoints() {
    var point: [Float] = [0, 0]
    CAMediaTimingFunction(name: .easeInEaseOut).getControlPoint(at: 2, values: &point)
    #expect(point == [0.58, 1])
    CAMediaTimingFunction(name: .linear).getControlPoint(at: 3, values: &point)
    #expect(point == [1, 1])
    #expect(CAMediaTimingFunction(name: .easeIn) == CAMediaTimingFunction(controlPoints: 0.42, 0, 1, 1))
    let now = CACurrentMediaTime()
    #expect(now > 0 && CACurrentMediaTime() >= now)
  }
}
