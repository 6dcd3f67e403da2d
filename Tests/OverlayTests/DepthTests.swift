import CompositorAPI
import CompositorOverlay
import Testing

/// Layers that are turned in depth cover each other as they stand there.
struct DepthTests {
  static func names(_ root: Layer, at time: Double = 0) throws -> [String] {
    try #require(try EvaluationTests.evaluate(root, at: time)).children.map(\.layer.name)
  }

  static func side(_ name: String, _ change: (inout Layer) -> Void) -> Layer {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    layer.position = Point(x: 50, y: 50)
    layer.backgroundColor = .white
    layer.name = name
    change(&layer)
    return layer
  }

  /// A cube that turns about the upright axis.
  static func cube(_ angle: Double) -> Layer {
    var cube = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    cube.perspective = 500
    cube.sublayerTransform.rotationY = angle
    cube.sublayers = [
      side("front") { $0.transform.translationZ = 50 }, side("back") { $0.transform.translationZ = -50 },
      side("right") { ($0.transform.rotationY, $0.transform.translationX) = (.pi / 2, 50) },
      side("left") { ($0.transform.rotationY, $0.transform.translationX) = (.pi / 2, -50) },
    ]
    return cube
  }

  @Test func sidesOfACube_turnedAnyWay_areDrawnFromBackToFront() throws {
    #expect(try DepthTests.names(DepthTests.cube(0)) == ["back", "right", "left", "front"])
    let eighth = try DepthTests.names(DepthTests.cube(.pi / 4 + 0.1))
    #expect(Set(eighth.prefix(2)) != Set(eighth.suffix(2)) && eighth.first == "back" || eighth.first == "right")
    #expect(try DepthTests.names(DepthTests.cube(.pi)).first == "front")
    #expect(try DepthTests.names(DepthTests.cube(.pi)).last == "back")
    let quarter = try DepthTests.names(DepthTests.cube(.pi / 2))
    #expect(Set([quarter[0], quarter[3]]) == ["left", "right"])
  }

  @Test func cardOfTwoFaces_turnedHalfway_showsItsBack() throws {
    var card = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    card.sublayers = [DepthTests.side("face") { $0.zPosition = 1 }, DepthTests.side("back") { _ in }]
    #expect(try DepthTests.names(card) == ["back", "face"])
    card.sublayerTransform.rotationY = .pi
    #expect(try DepthTests.names(card) == ["face", "back"])
  }

  @Test func layersInOnePlane_turnedTogether_keepTheOrderOfTheList() throws {
    var group = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    (group.sublayerTransform.rotationX, group.perspective) = (0.7, 300)
    group.sublayers = "abc".map { name in DepthTests.side(String(name)) { _ in } }
    #expect(try DepthTests.names(group) == ["a", "b", "c"])
    // About its own middle a layer comes no nearer.
    group.sublayers[0].transform.rotationY = 1
    #expect(try DepthTests.names(group) == ["a", "b", "c"])
  }

  @Test func copiesInARing_turnedInDepth_areDrawnFromBackToFront() throws {
    var turn = LayerTransform()
    turn.rotationY = .pi / 2
    var ring = Layer(
      frame: Rect(x: 0, y: 0, width: 100, height: 100), content: .replicator(ReplicatorContent(count: 4, transform: turn)))
    ring.sublayers = [DepthTests.side("card") { $0.transform.translationZ = 40 }]
    ring.perspective = 400
    let node = try #require(try EvaluationTests.evaluate(ring, at: 0))
    // Sizes on the canvas rise from back to front.
    let widths = node.children.compactMap { $0.matrix.scale(at: Point(x: 50, y: 50))?.down }
    #expect(widths == widths.sorted() && widths.count == 4 && widths[0] < widths[3])
  }

  /// A quarter of the way through a flip, thin stripes must melt into gray, not into bands.
  @Test func stripes_seenFromTheSide_areEvenGrey() throws {
    var path = ShapePath()
    for x in stride(from: 0.0, to: 240, by: 4) { path.append(.rectangle(Rect(x: x, y: 0, width: 2, height: 100))) }
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 240, height: 100), content: .shape(ShapeContent(path, fill: .white)))
    layer.position = Point(x: 80, y: 60)
    layer.transform.rotationY = 1.43
    let size = PixelSize(width: 160, height: 120)
    let frame = try Canvas.draw([layer], over: Canvas.frame(size, .rgba, FrameAttributes(color: .sRGB)))
    let width = Int(240 * 0.14) - 8
    let row = Canvas.samples(frame, plane: 0)[60]
    let values = (0..<width).map { row[4 * (80 - width / 2 + $0)] }
    #expect(values.allSatisfy { abs($0 - 128) < 24 }, "\(values)")
  }
}
