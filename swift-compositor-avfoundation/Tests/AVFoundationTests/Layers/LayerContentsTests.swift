import AVFoundation
import Testing

private let (green, blue, black) = ([0, 255, 0], [0, 0, 255], [0, 0, 0])

/// A layer that makes a picture when it is displayed.
private final class Badge: CALayer {
  var displayCount = 0
  override func display() {
    displayCount += 1
    contents = twoHalves()
  }
}

/// A layer that draws into a context.
private final class Drawing: CALayer {
  override func draw(in ctx: CGContext) {
    ctx.setFillColor(CGColor(red: 0, green: 0, blue: 1, alpha: 1))
    ctx.fill(CGRect(x: 0, y: 0, width: 20, height: 10))
  }
}

/// Green above blue.
private func twoHalves() -> CGImage? {
  let context = CGContext(
    data: nil, width: 8, height: 8, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
    bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
  context?.setFillColor(red: 0, green: 0, blue: 1, alpha: 1)
  context?.fill(CGRect(x: 0, y: 0, width: 8, height: 4))
  context?.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
  context?.fill(CGRect(x: 0, y: 4, width: 8, height: 4))
  return context?.makeImage()
}

@Suite struct LayerContentsTests {
  /// Pictures are upright in both geometries.
  @Test(arguments: [false, true]) func pictures_areUpright(isFlipped: Bool) async throws {
    let scene = try await LayerScene()
    scene.root.isGeometryFlipped = isFlipped
    let layer = CALayer()
    layer.frame = CGRect(x: 20, y: 10, width: 40, height: 40)
    layer.contents = twoHalves()
    scene.root.addSublayer(layer)
    let top = isFlipped ? 10 : 90 - 10 - 40
    let image = try await scene.image()
    #expect(image.shows(green, at: 40, top + 5) && image.shows(blue, at: 40, top + 35))
    #expect(image.shows(black, at: 40, top - 4) && image.shows(black, at: 40, top + 44))
  }

  @Test func display_isCalledWhenAnExportBegins() async throws {
    let scene = try await LayerScene()
    let badge = Badge()
    badge.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
    scene.root.addSublayer(badge)
    _ = try await scene.image()
    #expect(badge.displayCount == 0, "it was not asked for")
    badge.setNeedsDisplay()
    let image = try await scene.image()
    #expect(badge.displayCount == 1 && image.shows(green, at: 20, 55) && image.shows(blue, at: 20, 85))
  }

  /// The context's origin is that of the layer's space.
  @Test(arguments: [false, true]) func drawing_isInTheLayersSpace(isFlipped: Bool) async throws {
    let scene = try await LayerScene()
    scene.root.isGeometryFlipped = isFlipped
    let layer = Drawing()
    layer.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
    layer.contentsScale = 2
    layer.setNeedsDisplay()
    scene.root.addSublayer(layer)
    let image = try await scene.image()
    #expect(image.shows(blue, at: 10, isFlipped ? 5 : 85))
    #expect(image.shows(black, at: 30, isFlipped ? 5 : 85) && image.shows(black, at: 10, isFlipped ? 15 : 75))
  }

  /// Pictures follow each other by a keyframe animation of the contents.
  @Test func contents_areAnimated() async throws {
    let scene = try await LayerScene()
    let layer = CALayer()
    layer.frame = scene.root.bounds
    func plain(_ red: CGFloat, _ blue: CGFloat) -> CGImage? {
      let context = CGContext(
        data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue)
      context?.setFillColor(red: red, green: 0, blue: blue, alpha: 1)
      context?.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
      return context?.makeImage()
    }
    let frames = CAKeyframeAnimation(keyPath: "contents")
    frames.values = [try #require(plain(1, 0)), try #require(plain(0, 1))]
    frames.calculationMode = .discrete
    frames.duration = 1
    frames.beginTime = AVCoreAnimationBeginTimeAtZero
    frames.isRemovedOnCompletion = false
    layer.add(frames, forKey: nil)
    scene.root.addSublayer(layer)
    #expect(try await scene.image(at: 0.2).shows([255, 0, 0], at: 80, 45))
    #expect(try await scene.image(at: 0.8).shows(blue, at: 80, 45))
    #expect(try await scene.image(at: 1.2).shows(black, at: 80, 45))
  }

  /// A rotation by a positive angle is counterclockwise where y points up, and a gradient begins below.
  @Test func transformsAndGradients_followTheAxes() async throws {
    let scene = try await LayerScene()
    let hand = scene.box(CGRect(x: 60, y: 40, width: 40, height: 10), 0, 1, 0)
    hand.anchorPoint = CGPoint(x: 0, y: 0.5)
    hand.position = CGPoint(x: 80, y: 45)
    hand.transform = CATransform3DMakeRotation(.pi / 2, 0, 0, 1)
    scene.root.addSublayer(hand)
    let gradient = CAGradientLayer()
    gradient.frame = CGRect(x: 0, y: 0, width: 40, height: 90)
    gradient.colors = [CGColor(red: 0, green: 0, blue: 1, alpha: 1), CGColor(red: 0, green: 1, blue: 0, alpha: 1)]
    scene.root.addSublayer(gradient)
    let image = try await scene.image()
    #expect(image.shows(green, at: 80, 20) && image.shows(black, at: 80, 60))
    #expect(image.pixel(20, 88)[2] > 240 && image.pixel(20, 2)[1] > 240)
  }

  /// A mask and a move, both measured from below.
  @Test func masksAndMoves_areMeasuredFromBelow() async throws {
    let scene = try await LayerScene()
    let layer = scene.box(CGRect(x: 0, y: 0, width: 40, height: 40), 0, 1, 0)
    layer.mask = scene.box(CGRect(x: 0, y: 0, width: 40, height: 20), 1, 1, 1)
    let move = CABasicAnimation(keyPath: "position")
    move.fromValue = CGPoint(x: 20, y: 20)
    move.toValue = NSValue(point: NSPoint(x: 120, y: 70))
    (move.duration, move.beginTime) = (1, AVCoreAnimationBeginTimeAtZero)
    (move.fillMode, move.isRemovedOnCompletion) = (.both, false)
    layer.add(move, forKey: "move")
    scene.root.addSublayer(layer)
    let start = try await scene.image()
    #expect(start.shows(green, at: 20, 80) && start.shows(black, at: 20, 60))
    let end = try await scene.image(at: 1.2)
    #expect(end.shows(green, at: 120, 30) && end.shows(black, at: 120, 10) && end.shows(black, at: 20, 80))
  }

  /// A whole transform is animated by its parts: half of a quarter turn is an eighth.
  @Test func transforms_areAnimated() async throws {
    let scene = try await LayerScene()
    let hand = scene.box(CGRect(x: 0, y: 0, width: 40, height: 10), 0, 1, 0)
    hand.anchorPoint = CGPoint(x: 0, y: 0.5)
    hand.position = CGPoint(x: 80, y: 45)
    let turn = CABasicAnimation(keyPath: "transform")
    turn.fromValue = CATransform3DIdentity
    turn.toValue = NSValue(caTransform3D: CATransform3DMakeRotation(.pi / 2, 0, 0, 1))
    (turn.duration, turn.fillMode, turn.isRemovedOnCompletion) = (0.8, .forwards, false)
    hand.add(turn, forKey: nil)
    scene.root.addSublayer(hand)
    let half = try await scene.image(at: 0.4)
    #expect(half.shows(green, at: 80 + 22, 45 - 22) && half.shows(black, at: 115, 45) && half.shows(black, at: 80, 20))
    let end = try await scene.image(at: 1)
    #expect(end.shows(green, at: 80, 15) && end.shows(black, at: 102, 23))
  }

  /// An eye at a distance of 200: the left side comes to 1 / (1 − 40·sin 60° / 200) of its size, the right one to 1 / (1 + …).
  @Test func perspective_isThatOfTheSublayerTransform() async throws {
    let scene = try await LayerScene()
    let card = scene.box(CGRect(x: 40, y: 25, width: 80, height: 40), 0, 1, 0)
    card.transform = CATransform3DMakeRotation(.pi / 3, 0, 1, 0)
    let stage = CALayer()
    stage.frame = scene.root.bounds
    stage.sublayerTransform.m34 = -1 / 200
    stage.addSublayer(card)
    scene.root.addSublayer(stage)
    let image = try await scene.image()
    #expect(image.shows(green, at: 80 - 20, 45 - 20) && image.shows(green, at: 80 - 20, 45 + 20))
    #expect(image.shows(green, at: 80 + 12, 45 - 13) && image.shows(black, at: 80 + 12, 45 - 22))
    #expect(image.shows(black, at: 80 - 28, 45) && image.shows(black, at: 80 + 21, 45))
  }
}
