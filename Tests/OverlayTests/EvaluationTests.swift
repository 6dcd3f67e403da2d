import CompositorAPI
import CompositorOverlay
import Dispatch
import Foundation
import Synchronization
import Testing

struct EvaluationTests {
  static func evaluate(_ layer: Layer, at time: Double) throws -> PresentationNode? {
    try LayerEvaluator.evaluate(layer, at: time) { (text) throws(CompositorError) in
      Size(width: Double(text.string.count) * 10, height: 20)
    }
  }

  static func box(_ x: Double, animations: [Animation] = []) -> Layer {
    var layer = Layer(frame: Rect(x: x, y: 0, width: 10, height: 10))
    layer.backgroundColor = .white
    layer.animations = animations
    return layer
  }

  @Test func replicator_delaysEachCopysTime() throws {
    var root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    root.content = .replicator(ReplicatorContent(count: 3, transform: .translation(x: 20, y: 0), delay: 0.5))
    root.sublayers = [
      EvaluationTests.box(0, animations: [.basic(.opacity, from: 1, to: 0, timing: LayerTiming(duration: 2, fillMode: .both))])
    ]
    let node = try #require(try EvaluationTests.evaluate(root, at: 1))
    #expect(node.children.map(\.layer.opacity) == [0.5, 0.75, 1])
    #expect(node.children.map { $0.matrix.apply(to: .zero).x } == [0, 20, 40])
  }

  @Test func emitter_atAnyTime_isTheSameInAnyOrder() throws {
    var emitter = EmitterContent()
    emitter.birthRate = 50
    emitter.lifetime = 2
    emitter.lifetimeRange = 0.5
    emitter.velocity = 100
    emitter.velocityRange = 20
    emitter.emissionRange = .pi
    func particles(at time: Double) throws -> [Particle] {
      try Layer(frame: .zero, content: .emitter(emitter)).particles(at: time)
    }
    let forwards = try (0..<20).map { try particles(at: Double($0) / 4) }
    let backwards = try (0..<20).reversed().map { try particles(at: Double($0) / 4) }
    #expect(forwards == backwards.reversed())
    #expect(abs(forwards[16].count - 100) <= 8)
    emitter.seed = 2
    #expect(try particles(at: 1) != forwards[4])
    emitter.birthRate = 1e9
    #expect(throws: CompositorError.self) { try particles(at: 10) }
  }

  @Test func transition_beforeDuringAfter_showsOldBothNew() throws {
    var layer = EvaluationTests.box(0)
    layer.transitionSource = EvaluationTests.box(0)
    layer.transitionSource?.name = "old"
    layer.animations = [
      Animation(.transition(LayerTransition(.push, from: .right)), timing: LayerTiming(beginTime: 1, duration: 1))
    ]
    #expect(try EvaluationTests.evaluate(layer, at: 0.5)?.layer.name == "old")
    let both = try #require(try EvaluationTests.evaluate(layer, at: 1.25))
    #expect(both.children.map { $0.matrix.apply(to: .zero).x } == [-2.5, 7.5])
    #expect(try EvaluationTests.evaluate(layer, at: 2)?.children.isEmpty == true)
  }

  @Test func zPosition_ofSiblings_ordersThemStably() throws {
    var root = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    root.sublayers = [("a", 1.0), ("b", 0), ("c", 1), ("d", -1)].map { name, z in
      var layer = EvaluationTests.box(0)
      (layer.name, layer.zPosition) = (name, z)
      return layer
    }
    #expect(try EvaluationTests.evaluate(root, at: 0)?.children.map(\.layer.name) == ["d", "b", "a", "c"])
  }

  @Test func anchorRotationAndPerspective_placeCornersWhereGeometrySays() throws {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 50))
    layer.transform = .rotation(radians: .pi / 2)
    let turned = try #require(try EvaluationTests.evaluate(layer, at: 0)).matrix.apply(to: .zero)
    #expect(abs(turned.x - 75) < 1e-9 && abs(turned.y - -25) < 1e-9)
    var root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 50))
    root.perspective = 200
    layer.transform = LayerTransform()
    layer.transform.translationZ = 100
    root.sublayers = [layer]
    let near = try #require(try EvaluationTests.evaluate(root, at: 0)?.children.first).matrix.apply(to: .zero)
    // Half way to the eye everything is twice as large about the center.
    #expect(abs(near.x - -50) < 1e-9 && abs(near.y - -25) < 1e-9)
  }

  @Test func sublayerTransform_ofAParent_turnsAllSublayersTogetherUnderItsEye() throws {
    var root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 50))
    root.sublayers = [
      Layer(frame: Rect(x: 0, y: 0, width: 100, height: 50)), Layer(frame: Rect(x: 80, y: 25, width: 20, height: 10)),
    ]
    root.sublayerTransform = .rotation(radians: .pi / 2)
    func corners() throws -> [Point] {
      try #require(try EvaluationTests.evaluate(root, at: 0)).children.map { $0.matrix.apply(to: .zero) }
    }
    // A quarter turn about (50, 25): (x, y) goes to (50 − (y − 25), 25 + (x − 50)).
    var found = try corners()
    #expect(abs(found[0].x - 75) < 1e-9 && abs(found[0].y - -25) < 1e-9)
    #expect(abs(found[1].x - 50) < 1e-9 && abs(found[1].y - 55) < 1e-9)
    // Half way to the eye everything is twice as large; depths of parent and child add.
    root.sublayerTransform = LayerTransform()
    (root.sublayerTransform.translationZ, root.perspective) = (60, 200)
    root.sublayers[0].transform.translationZ = 40
    // The nearer one comes last.
    found = try corners()
    #expect(abs(found[1].x - -50) < 1e-9 && abs(found[1].y - -25) < 1e-9)
    #expect(abs(found[0].x - (50 + 30 / 0.7)) < 1e-9)
    root.animations = [.basic(.sublayerRotationY, from: 0, to: 1, timing: LayerTiming(duration: 1, fillMode: .both))]
    let moving = try #require(try EvaluationTests.evaluate(root, at: 0.5))
    #expect(moving.hasAnimatedDescendants && moving.children.allSatisfy { $0.motion == .transforms })
    #expect(moving.children[0].matrix.affine == nil)
  }

  @Test func replicator_turningAboutTheUprightAxis_makesARingInDepth() throws {
    var root = Layer(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    root.perspective = 400
    var step = LayerTransform()
    step.rotationY = .pi / 2
    root.content = .replicator(ReplicatorContent(count: 4, transform: step))
    root.sublayers = [EvaluationTests.box(0)]
    root.sublayers[0].transform.translationZ = 100
    let node = try #require(try EvaluationTests.evaluate(root, at: 0))
    let middles = node.children.map { $0.matrix.apply(to: Point(x: 5, y: 5)) }
    // Eye at (100, 50), 400 away. The first is 95 to the left, 100 near; each next is rotated by a quarter, depth to the right.
    // They come from back to front.
    let places = [(95.0, -100.0), (-100, -95), (100, 95), (-95, 100)]
    for (middle, (x, depth)) in zip(middles, places) { #expect(abs(middle.x - (100 + x * 400 / (400 - depth))) < 1e-9) }
  }

  @Test func generatedText_ofNumbersAndTimecodes_isExact() {
    func code(_ frame: Int, drop: Bool) -> String {
      let generator = TextGenerator.timecode(framesPerSecond: Rational(30000, 1001), startFrame: 0, dropFrame: drop)
      return generator.text(value: 0, at: Double(frame) * 1001 / 30000)
    }
    #expect(code(1799, drop: true) == "00:00:59;29")
    #expect(code(1800, drop: true) == "00:01:00;02")
    #expect(code(17981, drop: true) == "00:09:59;29")
    #expect(code(17982, drop: true) == "00:10:00;00")
    #expect(code(107_892, drop: true) == "01:00:00;00")
    #expect(code(1800, drop: false) == "00:01:00:00")
    let number = TextGenerator.number(fractionDigits: 2, minimumIntegerDigits: 1, grouping: ",")
    #expect(number.text(value: -1234567.891, at: 0) == "-1,234,567.89")
    #expect(TextGenerator.number(fractionDigits: 0, minimumIntegerDigits: 3, grouping: "").text(value: 7, at: 0) == "007")
    let whole = TextGenerator.number(fractionDigits: 0, minimumIntegerDigits: 1, grouping: ",")
    #expect(whole.text(value: 8_123_456_789, at: 0) == "8,123,456,789")
    #expect(whole.text(value: -0.4, at: 0) == "0")
    #expect(number.text(value: 9_999_999_999.999, at: 0) == "10,000,000,000.00")
  }

  /// The deepest tree that is drawn needs at most half of the usual 8 MiB of a thread's stack.
  @Test func deepestTree_isDrawnWithinHalfAStack() throws {
    let size = PixelSize(width: 32, height: 32)
    var tree = Canvas.box(Rect(x: 8, y: 8, width: 16, height: 16))
    for level in 0..<Layer.maximumDepth - 3 {
      var outer = Layer(frame: Rect(x: 0, y: 0, width: 32, height: 32))
      outer.sublayers = [tree]
      if level % 8 == 0 { (outer.masksToBounds, outer.opacity) = (true, 0.99) }
      tree = outer
    }
    let deep = tree
    try withStack(ofByteCount: 4 << 20) {
      let frame = try Canvas.draw([deep], over: Canvas.frame(size, .rgba, FrameAttributes(color: .sRGB)))
      #expect(Canvas.samples(frame, plane: 0)[16][4 * 16] > 200)
      #expect(try EvaluationTests.evaluate(deep, at: 0) != nil)
    }
  }

  @Test func hostileTrees_endInAClearError() throws {
    var deep = Layer()
    for _ in 0..<10_000 {
      var outer = Layer()
      outer.sublayers = [deep]
      deep = outer
    }
    let tree = deep
    #expect(throws: CompositorError.self) { try EvaluationTests.evaluate(tree, at: 0) }
    var broken = EvaluationTests.box(.nan)
    #expect(throws: CompositorError.self) { try EvaluationTests.evaluate(broken, at: 0) }
    broken = EvaluationTests.box(0)
    broken.bounds.size.width = -1
    #expect(throws: CompositorError.self) { try EvaluationTests.evaluate(broken, at: 0) }
    broken.content = .text(TextContent(String(repeating: "x", count: 1_000_000)))
    broken.bounds = .zero
    #expect(throws: CompositorError.self) { try EvaluationTests.evaluate(broken, at: 0) }
  }
}

/// Runs work on a thread of its own.
private func withStack(ofByteCount count: Int, _ work: @escaping @Sendable () throws -> Void) throws {
  let failure = Mutex<(any Error)?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { try work() } catch { failure.withLock { $0 = error } }
    isDone.signal()
  }
  thread.stackSize = count
  thread.start()
  isDone.wait()
  if let error = failure.withLock({ $0 }) { throw error }
}
