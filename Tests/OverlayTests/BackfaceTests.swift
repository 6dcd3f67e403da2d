import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Layers and letters that are hidden when their back is toward the viewer, against corners that are projected one by one.
struct BackfaceTests {
  private static let size = PixelSize(width: 200, height: 120)

  private static func root(_ layer: Layer, perspective: Double, sublayerTransform: LayerTransform = .identity) -> Layer {
    var root = Layer(frame: Rect(x: 0, y: 0, width: 200, height: 120))
    (root.perspective, root.sublayerTransform, root.sublayers) = (perspective, sublayerTransform, [layer])
    return root
  }

  private static func isShown(_ root: Layer, at time: Double = 0) throws -> Bool {
    let presenter = try LayerPresenter(root, canvas: size, fonts: try FontLibrary())
    return try presenter.presentation(at: MediaTime(seconds: time, preferredTimescale: 90000)) != nil
  }

  private static func card(_ change: (inout Layer) -> Void) -> Layer {
    var card = Layer(frame: Rect(x: 120, y: 30, width: 60, height: 40))
    (card.backgroundColor, card.backfaceVisibility) = (.white, .hidden)
    change(&card)
    return card
  }

  /// Whether three corners of a card, clockwise on its front, are clockwise on the screen: each is scaled, turned about the axes z, y and
  /// x, moved to its place, and seen by an eye in front of the middle of the canvas.
  private static func facesViewer(_ layer: Layer, perspective: Double) -> Bool {
    func seen(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let turn = layer.transform
      // Turned by the size of the scale only: a mirrored card shows its mirrored front.
      var (x, y, z) = (x * abs(turn.scaleX), y * abs(turn.scaleY), 0.0)
      (x, y) = (x * cos(turn.rotationZ) - y * sin(turn.rotationZ), x * sin(turn.rotationZ) + y * cos(turn.rotationZ))
      (x, z) = (x * cos(turn.rotationY) + z * sin(turn.rotationY), z * cos(turn.rotationY) - x * sin(turn.rotationY))
      (y, z) = (y * cos(turn.rotationX) - z * sin(turn.rotationX), z * cos(turn.rotationX) + y * sin(turn.rotationX))
      let share = perspective > 0 ? perspective / (perspective - z) : 1
      return ((x + layer.position.x - 100) * share, (y + layer.position.y - 60) * share)
    }
    let (a, b, c) = (seen(-30, -20), seen(30, -20), seen(30, 20))
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0
  }

  @Test(arguments: [0.0, 150, 600]) func cards_areHiddenFromBehind(_ perspective: Double) throws {
    var hidden = 0
    for step in 0..<72 {
      let angle = Double(step) * 0.17 + 0.03
      for (x, y, z) in [(0, angle, 0), (angle, 0, 0), (angle / 2, angle, 0.4), (0.3, angle, angle), (0, 0, angle)] {
        for scale in [1.0, -1.4] {
          let card = Self.card { card in
            (card.transform.rotationX, card.transform.rotationY, card.transform.rotationZ) = (x, y, z)
            card.transform.scaleX = scale
          }
          let isFront = Self.facesViewer(card, perspective: perspective)
          #expect(try Self.isShown(Self.root(card, perspective: perspective)) == isFront, "\(x) \(y) \(z) \(scale)")
          if !isFront { hidden += 1 }
        }
      }
    }
    #expect(hidden > 150)
  }

  @Test func back_isShownByDefault_andFlatteningIsThatOfCSS() throws {
    let turned = Self.card { $0.transform.rotationY = .pi }
    #expect(try !Self.isShown(Self.root(turned, perspective: 0)))
    var plain = turned
    plain.backfaceVisibility = .visible
    #expect(try Self.isShown(Self.root(plain, perspective: 0)))
    // The parent's own turn is that of the flattened parent; its sublayer transform turns the card.
    var parent = Layer(frame: Rect(x: 0, y: 0, width: 200, height: 120))
    (parent.sublayers, parent.transform.rotationY) = ([Self.card { _ in }], .pi)
    #expect(try Self.isShown(Self.root(parent, perspective: 0)))
    var half = LayerTransform()
    half.rotationY = .pi
    #expect(try !Self.isShown(Self.root(Self.card { _ in }, perspective: 0, sublayerTransform: half)))
    #expect(try Self.isShown(Self.root(turned, perspective: 0, sublayerTransform: half)))
  }

  /// Two sides of a card that turns: one of them is seen at any time.
  @Test func twoSides_takeTurns() throws {
    let turn = LayerTiming(duration: 2, fillMode: .both)
    let front = Self.card { $0.animations = [.basic(.rotationY, from: 0, to: .number(2 * .pi), timing: turn)] }
    let back = Self.card {
      $0.animations = [.basic(.rotationY, from: .number(.pi), to: .number(3 * .pi), timing: turn)]
    }
    for time in stride(from: 0.02, to: 2, by: 0.07) {
      let isFront = try Self.isShown(Self.root(front, perspective: 0), at: time)
      #expect(isFront == (cos(time * .pi) > 0))
      #expect(try Self.isShown(Self.root(back, perspective: 0), at: time) != isFront)
    }
  }

  @Test(arguments: [0.0, 200]) func letters_areHiddenFromBehind(_ perspective: Double) throws {
    var text = TextContent("ab", font: TextFont(family: "DejaVu Sans", size: 40))
    var animator = TextAnimator(
      .character, [.basic(.rotationY, from: 0, to: .number(2 * .pi), timing: LayerTiming(duration: 1, fillMode: .both))])
    (animator.delay, animator.backfaceVisibility) = (0.25, .hidden)
    text.animators = [animator]
    var layer = Layer(frame: Rect(x: 20, y: 20, width: 160, height: 80), content: .text(text))
    layer.perspective = perspective
    let presenter = try LayerPresenter(layer, canvas: Self.size, fonts: try FontLibrary())
    for time in stride(from: 0.02, to: 1.2, by: 0.05) {
      let tree = try presenter.presentation(at: MediaTime(seconds: time, preferredTimescale: 90000))
      for (index, unit) in (tree?.units ?? []).enumerated() {
        let angle = 2 * .pi * min(max(time - 0.25 * Double(index), 0), 1)
        // The eye is in front of the middle of the layer, beside the letter, whose front looks to the right as it turns.
        let place = unit.box.minX + unit.box.size.width / 2 - 80
        let isFront = perspective > 0 ? perspective * cos(angle) > place * sin(angle) : cos(angle) > 0
        guard abs(cos(angle)) > 0.01 else { continue }
        #expect(unit.opacity == (isFront ? 1 : 0), "\(index) at \(time)")
      }
    }
  }

  @Test func backfaces_areReadAndWritten() throws {
    let layer = try JSONDecoder().decode(Layer.self, from: Data(#"{"backfaceVisibility":"hidden"}"#.utf8))
    #expect(layer.backfaceVisibility == .hidden)
    #expect(try JSONDecoder().decode(Layer.self, from: JSONEncoder().encode(layer)) == layer)
    let animator = try JSONDecoder().decode(TextAnimator.self, from: Data(#"{"backfaceVisibility":"hidden"}"#.utf8))
    #expect(try JSONDecoder().decode(TextAnimator.self, from: JSONEncoder().encode(animator)) == animator)
  }
}
