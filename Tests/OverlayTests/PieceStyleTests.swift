import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Blur, tracking, turns and anchor points of the pieces of a text, against layers of their own.
struct PieceStyleTests {
  private static let size = PixelSize(width: 640, height: 160)

  private static func text(_ string: String, size: Double = 60, _ change: (inout TextContent) -> Void = { _ in }) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: size))
    change(&text)
    return Layer(frame: Rect(x: 20, y: 20, width: 600, height: 120), content: .text(text))
  }

  private static func animated(
    _ string: String, _ animation: Animation, _ change: (inout TextAnimator) -> Void = { _ in },
    _ changeText: (inout TextContent) -> Void = { _ in }
  ) -> Layer {
    text(string) { text in
      var animator = TextAnimator(.character, [animation])
      change(&animator)
      text.animators = [animator]
      changeText(&text)
    }
  }

  private static func held(_ property: LayerProperty, _ value: Double) -> Animation {
    .basic(property, from: .number(value), to: .number(value), timing: LayerTiming(duration: 1, fillMode: .both))
  }

  private static func draw(_ layer: Layer, _ format: PixelFormat = .rgba16) throws -> [[Int]] {
    let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : FrameAttributes(color: .bt709)
    return Canvas.samples(
      try Canvas.draw([layer], over: Canvas.frame(size, format, attributes), at: 0.5), plane: 0)
  }

  private static func largest(_ one: [[Int]], _ other: [[Int]]) -> Double {
    zip(one.joined(), other.joined()).reduce(0) { max($0, abs(Double($1.0 - $1.1)) / 257) }
  }

  /// The blur of one letter is that of a layer with that letter.
  @Test(arguments: [1.0, 3.5, 9, 20]) func blur_ofALetter_isThatOfItsLayer(radius: Double) throws {
    var layer = Self.text("R")
    layer.filters.blurRadius = radius
    let blurred = Self.animated("R", Self.held(.blurRadius, radius))
    #expect(Self.largest(try Self.draw(blurred), try Self.draw(layer)) < 2)
  }

  /// A letter that is blurred and one that is sharp, side by side; emoji, outlines and several colors, too.
  @Test func blur_staysWithItsPiece() throws {
    let first = Self.animated("AB", Self.held(.blurRadius, 2)) { $0.range = 0..<1 }
    let (plain, mixed) = try (Self.draw(Self.text("AB")), Self.draw(first))
    let right = { (samples: [[Int]]) in samples.map { Array($0[4 * 80..<4 * 120]) } }
    #expect(Self.largest(right(plain), right(mixed)) < 1.5 && Self.largest(plain, mixed) > 30)
    let outlined = Self.animated("A🎉", Self.held(.blurRadius, 3), { _ in }) { text in
      (text.outlineWidth, text.outlineColor) = (4, Color(red: 1, green: 0, blue: 0))
      text.allowsFontSubstitution = true
    }
    let picture = try Self.draw(outlined)
    #expect(picture.contains { row in stride(from: 0, to: row.count, by: 4).contains { row[$0] > row[$0 + 1] + 8000 } })
  }

  /// Where each piece is, from its start.
  private static func shifts(_ layer: Layer) throws -> [Double] {
    let presenter = try LayerPresenter(layer, canvas: size, fonts: try FontLibrary())
    let units = try presenter.presentation(at: MediaTime(value: 1, timescale: 2))?.units ?? []
    return units.map { $0.transform.map { $0.origin.x } ?? 0 }
  }

  @Test func tracking_movesPiecesApart_fromWhereTheLineIsAligned() throws {
    let rows: [(TextAlignment, String, [Double])] = [
      (.left, "abcd", [0, 10, 20, 30]), (.center, "abcd", [-15, -5, 5, 15]), (.right, "abcd", [-30, -20, -10, 0]),
      (.natural, "abcd", [0, 10, 20, 30]), (.natural, "אבגד", [0, -10, -20, -30]), (.center, "a", []),
      (.left, "ab\ncd", [0, 10, 0, 10]),
    ]
    for (alignment, string, expected) in rows {
      let layer = Self.animated(string, Self.held(.textTracking, 10), { _ in }) { $0.alignment = alignment }
      #expect(try Self.shifts(layer) == expected, "\(alignment) \(string)")
    }
    // Words move with all of their letters.
    let words = Self.animated("ab cd", Self.held(.textTracking, 10)) { $0.unit = .word }
    #expect(try Self.shifts(words) == [0, 10])
    #expect(try Self.draw(Self.animated("abcd", Self.held(.textTracking, 0))) == Self.draw(Self.text("abcd")))
  }

  /// A letter that turns in the layer's perspective is a sublayer that turns in its parent's.
  @Test(arguments: [LayerProperty.rotationX, .rotationY, .rotation, .skewX, .translationZ])
  func turnedLetter_isATurnedSublayer(_ property: LayerProperty) throws {
    let value = property == .translationZ ? 120 : 0.7
    var letter = Self.animated("R", Self.held(property, value), { _ in }) {
      ($0.alignment, $0.verticalAlignment) = (.center, .middle)
    }
    letter.perspective = 400
    var text = Self.text("R") { ($0.alignment, $0.verticalAlignment) = (.center, .middle) }
    text.position = Point(x: 300, y: 60)
    text.animations = [Self.held(property, value)]
    var parent = Layer(frame: Rect(x: 20, y: 20, width: 600, height: 120))
    parent.perspective = 400
    parent.sublayers = [text]
    let (own, reference) = try (Self.draw(letter), Self.draw(parent))
    // Masks of different sizes are sampled; what is compared is where and how large the letter is.
    func sums(_ samples: [[Int]]) -> (x: Double, y: Double, light: Double) {
      var (x, y, light) = (0.0, 0.0, 0.0)
      for (row, line) in samples.enumerated() {
        for column in 0..<Self.size.width {
          let value = Double(line[4 * column])
          (x, y, light) = (x + value * Double(column), y + value * Double(row), light + value)
        }
      }
      return (x / light, y / light, light)
    }
    let (found, wanted) = (sums(own), sums(reference))
    #expect(abs(found.x - wanted.x) < 0.6 && abs(found.y - wanted.y) < 1.2, "\(found) \(wanted)")
    #expect(abs(found.light / wanted.light - 1) < 0.03, "\(found) \(wanted)")
    #expect(try Self.draw(letter, .yuv420p).joined().max() ?? 0 > 150)
  }

  @Test func anchorPoint_staysInItsPlace() throws {
    let presenter = try LayerPresenter(
      Self.animated("R", Self.held(.scale, 3)) { $0.anchorPoint = Point(x: 0, y: 1) }, canvas: Self.size,
      fonts: try FontLibrary())
    let unit = try #require(try presenter.presentation(at: MediaTime(value: 1, timescale: 2))?.units.first)
    let corner = Point(x: unit.box.minX, y: unit.box.maxY)
    let moved = try #require(unit.transform?.projection).apply(to: corner)
    #expect(abs(moved.x - corner.x) < 1e-9 && abs(moved.y - corner.y) < 1e-9)
  }

  @Test func stylesOfPieces_areReadAndWritten() throws {
    let json = #"""
      {"by":"word","anchorPoint":[0.5,1],"animations":[{"property":"filters.blurRadius","from":8,"to":0},
      {"property":"text.tracking","from":20,"to":0},{"property":"transform.rotation.x","from":1.5,"to":0}]}
      """#
    let animator = try JSONDecoder().decode(TextAnimator.self, from: Data(json.utf8))
    #expect(animator.anchorPoint == Point(x: 0.5, y: 1) && animator.animations.count == 3)
    #expect(try JSONDecoder().decode(TextAnimator.self, from: JSONEncoder().encode(animator)) == animator)
    let far = #"{"anchorPoint":[0,1e9]}"#
    #expect(throws: CompositorError.self) { try JSONDecoder().decode(TextAnimator.self, from: Data(far.utf8)) }
  }

  @Test func largestNumbers_areRefused() throws {
    for (property, value) in [(LayerProperty.blurRadius, 1e9), (.textTracking, 1e9), (.rotationX, 1e300)] {
      #expect(throws: CompositorError.self, "\(property)") { try Self.draw(Self.animated("R", Self.held(property, value))) }
    }
  }
}
