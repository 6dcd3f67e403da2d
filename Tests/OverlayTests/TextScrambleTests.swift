import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Letters that roll through random characters until they settle.
struct TextScrambleTests {
  private static func layer(_ string: String, _ change: (inout TextContent) -> Void = { _ in }) -> Layer {
    var layer = TextAnimatorTests.layer(string)
    guard case .text(var text) = layer.content else { return layer }
    change(&text)
    layer.content = .text(text)
    return layer
  }

  private static func animator(
    _ characters: String = "A-Z0-9", _ spacing: TextScramble.Spacing = .fixed, unit: TextAnimator.Unit = .character,
    delay: Double = 0.1, duration: Double = 0.5
  ) -> TextAnimator {
    var animator = TextAnimator(unit)
    animator.delay = delay
    animator.scramble = TextScramble(characters, duration: duration)
    animator.scramble?.spacing = spacing
    return animator
  }

  private static func samples(_ layer: Layer, at time: Double) throws -> [[[Int]]] {
    Canvas.allSamples(try TextAnimatorTests.draw(layer, at: time))
  }

  @Test(arguments: TextAnimatorTests.scripts) func settledText_isTheTextWithout(_ string: String) throws {
    for (index, unit) in TextAnimator.Unit.allCases.enumerated() {
      let spacing: TextScramble.Spacing = index == 1 ? .natural : .fixed
      let scrambled = Self.layer(string) { $0.animators = [Self.animator("a-z", spacing, unit: unit)] }
      #expect(try Self.samples(scrambled, at: 9) == Self.samples(Self.layer(string), at: 9), "\(unit)")
      #expect(try Self.samples(scrambled, at: 0.2) != Self.samples(Self.layer(string), at: 0.2), "\(unit)")
    }
  }

  /// With natural spacing, a scrambled text is a text with other characters.
  @Test func naturalSpacing_isThatOfTheScrambledText() throws {
    let string = "Office rd. 12"
    let animator = Self.animator("A-Z0-9", .natural)
    let scramble = try #require(animator.scramble)
    let letters = try scramble.letters()
    #expect(letters.count == 36)
    for time in [0.0, 0.31, 0.77, 1.21] {
      var (shown, place) = ("", 0)
      for (index, character) in string.enumerated() {
        let isRandom = character != " " && time < Double(place) * 0.1 + 0.5
        let choice = scramble.choice(of: index, at: time, seed: animator.seed, among: letters.count)
        shown.append(isRandom ? letters[choice] : character)
        if character != " " { place += 1 }
      }
      // Letters of one ligature settle together.
      let plain = Self.layer(string) { text in
        text.animators = [animator]
        text.tracking = 1
      }
      let reference = Self.layer(shown) { $0.tracking = 1 }
      #expect(try Self.samples(plain, at: time) == Self.samples(reference, at: time), "\(shown) at \(time)")
    }
  }

  /// With fixed spacing, random letters are centered in the places of the settled ones, and settled letters stand still.
  @Test(arguments: [TextAlignment.left, .center, .right]) func fixedSpacing_movesNothing(_ alignment: TextAlignment) throws {
    let string = "Will it settle"
    let still = TextAnimator(
      .character, [.basic(.opacity, from: 0.5, to: 0.5, timing: LayerTiming(duration: 1, fillMode: .both))])
    let plain = try TextAnimatorTests.units(Self.layer(string) { ($0.animators, $0.alignment) = ([still], alignment) }, at: 0)
    #expect(plain.count == 12)
    let scrambled = Self.layer(string) { ($0.animators, $0.alignment) = ([Self.animator("lI")], alignment) }
    let settled = Canvas.samples(
      try TextAnimatorTests.draw(Self.layer(string) { $0.alignment = alignment }, at: 0, .rgba), plane: 0)
    let whole = try TextAnimatorTests.draw(Self.layer(string) { $0.alignment = alignment }, at: 0)
    let ink = LayerContentTests.ink(whole, above: 60)
    for time in [0.02, 0.66, 1.02, 1.42] {
      let picture = Canvas.samples(try TextAnimatorTests.draw(scrambled, at: time, .rgba), plane: 0)
      let count = plain.indices.filter { time >= Double($0) * 0.1 + 0.5 }.count
      // Each of the letters that have settled is where it will be.
      let edge = ink.x0 + (count < plain.count ? Int(plain[count].box.minX - plain[0].ink.minX) : ink.width) - 3
      for (row, same) in zip(picture, settled) where count > 0 {
        for x in 0..<edge { #expect(abs(row[4 * x] - same[4 * x]) <= 12) }
      }
      guard count < plain.count else { continue }
      // The middle of what is drawn of a symmetric letter is that of its place.
      let place = plain[count].box
      let width = Int(place.size.width)
      let middle = Double(ink.x0) + place.minX - plain[0].ink.minX + place.size.width / 2
      var (light, sum) = (0.0, 0.0)
      for row in picture {
        for x in Int(middle) - width / 2 - 1...Int(middle) + width / 2 + 1 {
          (light, sum) = (light + Double(row[4 * x]), sum + Double(row[4 * x]) * (Double(x) + 0.5))
        }
      }
      if light > 0, width > 20 { #expect(abs(sum / light - middle) < 3, "\(time) \(sum / light) \(middle)") }
    }
    // Unchanged letters are those of a text whose other letters are animated, whatever rolls after them.
    var few = Self.animator("W", delay: 0, duration: 5)
    few.range = 6..<12
    let mixed = Canvas.samples(
      try TextAnimatorTests.draw(Self.layer(string) { ($0.animators, $0.alignment) = ([few], alignment) }, at: 0.5, .rgba),
      plane: 0)
    let border = ink.x0 + Int(plain[6].box.minX - plain[0].ink.minX) - 12
    var faint = still
    faint.range = 6..<12
    let pieces = Canvas.samples(
      try TextAnimatorTests.draw(Self.layer(string) { ($0.animators, $0.alignment) = ([faint], alignment) }, at: 0.5, .rgba),
      plane: 0)
    for (row, same) in zip(mixed, pieces) { #expect(row[..<(4 * border)] == same[..<(4 * border)]) }
  }

  @Test func frames_areTheSameInAnyOrder() throws {
    let animated = Self.layer("One by one, two by two") { text in
      var animator = Self.animator("A-Za-z", unit: .word)
      (animator.order, animator.seed) = (.random, 7)
      animator.animations = [.basic(.opacity, from: 0.2, to: 1, timing: LayerTiming(duration: 0.3, fillMode: .both))]
      text.animators = [animator]
    }
    let times = (0..<12).map { Double($0) / 11 }
    let forward = try times.map { try Self.samples(animated, at: $0) }
    let root = Canvas.root(TextAnimatorTests.size, [animated])
    let renderer = try OverlayRenderer(root: root, renderSize: TextAnimatorTests.size, outputFormat: .yuv420p)
    for (time, wanted) in zip(times, forward).reversed() {
      let frame = try renderer.draw(
        over: try Canvas.frame(TextAnimatorTests.size, .yuv420p), at: MediaTime(seconds: time, preferredTimescale: 90000),
        pool: Canvas.pool)
      #expect(Canvas.allSamples(frame) == wanted, "\(time)")
    }
    // Another seed shows other characters; the same characters stay for a step.
    var other = Self.animator("A-Z")
    #expect(
      try Self.samples(Self.layer("abc") { $0.animators = [other] }, at: 0.11)
        == Self.samples(Self.layer("abc") { $0.animators = [other] }, at: 0.14))
    let one = try Self.samples(Self.layer("abcdef") { $0.animators = [other] }, at: 0)
    other.seed = 2
    #expect(try Self.samples(Self.layer("abcdef") { $0.animators = [other] }, at: 0) != one)
  }

  /// Grapheme clusters are replaced as a whole, also by others, in uppercase, on a path and in columns.
  @Test func clusters_areWhole() throws {
    for characters in ["", "👍🏽é", "ab"] {
      for change in 0..<4 {
        let layer = Self.layer("Zoë 👩‍🚀 fin") { text in
          text.animators = [Self.animator(characters)]
          switch change {
          case 1: text.transform = .uppercase
          case 2: text.path = .circle(center: Point(x: 300, y: 60), radius: 50)
          case 3: text.writingMode = .verticalRL
          default: break
          }
        }
        for time in [0.0, 0.4, 0.9, 5] { _ = try Self.samples(layer, at: time) }
      }
    }
  }

  @Test func mistakes_areNamed() throws {
    for (characters, message) in [("Z-A", "\"Z-A\""), ("a b", "U+20"), ("\u{301}", "U+301")] {
      let error = #expect(throws: CompositorError.self) { try Self.animator(characters).requireUsable() }
      #expect(
        error?.location.path == "scramble.characters" && error?.message.contains(message) == true,
        "\(String(describing: error))")
    }
    #expect(throws: CompositorError.self) { try Self.animator(duration: -1).requireUsable() }
    var still = Self.animator()
    still.scramble?.rate = 0
    #expect(throws: CompositorError.self) { try still.requireUsable() }
    let missing = Self.layer("ab") { text in
      (text.animators, text.allowsFontSubstitution) = ([Self.animator("A\u{10FFFD}")], false)
    }
    let error = #expect(throws: CompositorError.self) { try Self.samples(missing, at: 0) }
    #expect(error?.code == .fileNotFound && error?.location.path?.contains("animators[0].scramble") == true)
    #expect(try TextScramble("-a-c-").letters() == ["-", "a", "b", "c", "-"])
    #expect(
      try Self.samples(Self.layer(" ") { $0.animators = [Self.animator()] }, at: 0) == Self.samples(Self.layer(" "), at: 0))
  }

  @Test func scrambles_areReadAndWritten() throws {
    let json = #"{"scramble":{"characters":"A-Z","duration":0.25,"rate":12,"spacing":"natural"}}"#
    let animator = try JSONDecoder().decode(TextAnimator.self, from: Data(json.utf8))
    #expect(animator.scramble?.rate == 12 && animator.scramble?.spacing == .natural)
    #expect(try JSONDecoder().decode(TextAnimator.self, from: JSONEncoder().encode(animator)) == animator)
  }
}
