import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Letters, words and lines that are animated one by one.
struct TextAnimatorTests {
  static let size = PixelSize(width: 640, height: 160)
  static let font = TextFont(family: "DejaVu Sans", size: 40)

  static func layer(_ string: String, size: Double = 40, _ animators: TextAnimator...) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: size))
    text.allowsFontSubstitution = true
    text.animators = animators
    return Layer(frame: Rect(x: 20.25, y: 20.5, width: 600, height: 120), content: .text(text))
  }

  static func draw(_ layer: Layer, at time: Double, _ format: PixelFormat = .yuv420p) throws -> Frame {
    let root = Canvas.root(size, [layer])
    let renderer = try OverlayRenderer(root: root, renderSize: size, outputFormat: format)
    return try renderer.draw(
      over: try Canvas.frame(size, format), at: MediaTime(seconds: time, preferredTimescale: 90000), pool: Canvas.pool)
  }

  static func fade(_ length: Double = 0.2) -> Animation {
    .basic(.opacity, from: 0, to: 1, timing: LayerTiming(duration: length, fillMode: .both))
  }

  static func units(_ layer: Layer, at time: Double) throws -> [TextUnit] {
    let presenter = try LayerPresenter(layer, canvas: Self.size, fonts: try FontLibrary())
    return try presenter.presentation(at: MediaTime(seconds: time, preferredTimescale: 90000))?.units ?? []
  }

  static let scripts = [
    "Office AVATAR fj", "سلام عليكم", "हिन्दी में लेख", "日本語の文字", "Zoë 👩‍🚀 ok 🎉", "ab عربي cd",
  ]

  @Test(arguments: scripts) func pieces_atRest_lookAsTheTextDoes(string: String) throws {
    // Two pieces are brought to rest one after the other; those at rest, joined, are the text itself.
    var animator = TextAnimator(.character, [Self.fade()])
    animator.delay = 0.01
    var still = TextAnimator(.character, [.basic(.opacity, from: 1, to: 0.5, timing: LayerTiming(beginTime: 50, duration: 1))])
    still.range = 0..<1
    let plain = Canvas.allSamples(try Self.draw(Self.layer(string), at: 9))
    #expect(Canvas.allSamples(try Self.draw(Self.layer(string, animator), at: 9)) == plain)
    // Drawn piece by piece, with a movement of the last that is too small to see.
    let units = try Self.units(Self.layer(string, animator), at: 0.001)
    var last = TextAnimator(.character, [.basic(.translationX, to: 1e-5, timing: LayerTiming(duration: 1, fillMode: .both))])
    last.range = units.count - 1..<units.count
    let pieces = Canvas.allSamples(try Self.draw(Self.layer(string, last), at: 9))
    let differences = zip(plain.joined().joined(), pieces.joined().joined()).map { abs($0 - $1) }
    // A still text is a picture whose chroma is filtered as one; joints of more than two pieces may show by a shade.
    #expect(differences.max() ?? 0 <= 40, "\(differences.max() ?? 0) for \(string)")
    #expect(differences.filter { $0 > 8 }.count < 20, "\(differences.filter { $0 > 8 }.count) samples")
  }

  /// A line in a color of its own has no seams where letters meet, and none of it is missing under spaces.
  @Test(arguments: ["Hello wide world", "VAVA fi To", "abc אבג def"])
  func lines_ofAnimatedText_areThoseOfTheText(_ string: String) throws {
    func layer(_ animators: TextAnimator...) throws -> Layer {
      var layer = Self.layer(string)
      guard case .text(var text) = layer.content else { return layer }
      text.animators = animators
      text.runs = [TextRun(String(string.prefix(5))), TextRun(String(string.dropFirst(5)))]
      let line = TextDecoration(color: Color(notation: "red"), thickness: 6)
      for index in text.runs.indices { text.runs[index].underline = line }
      layer.content = .text(text)
      return layer
    }
    let plain = Canvas.allSamples(try Self.draw(try layer(), at: 9, .rgba))
    var last = TextAnimator(.character, [.basic(.translationX, to: 1e-5, timing: LayerTiming(duration: 1, fillMode: .both))])
    let units = try Self.units(try layer(last), at: 0.5)
    last.range = units.count - 1..<units.count
    let pieces = Canvas.allSamples(try Self.draw(try layer(last), at: 9, .rgba))
    let differences = zip(plain.joined().joined(), pieces.joined().joined()).map { abs($0 - $1) }
    #expect(differences.max() ?? 0 <= 40, "\(differences.max() ?? 0)")
    #expect(differences.filter { $0 > 8 }.count < 20, "\(differences.filter { $0 > 8 }.count) samples")
  }

  /// Once all letters are in place, the line is that of the still text, in subsampled chroma too.
  @Test(arguments: ["Hello wide world", "VAVA fi To", "abc אבג def"], [PixelFormat.yuv420p, .yuv444p, .rgba])
  func lines_ofLettersInPlace_areThoseOfTheText(_ string: String, _ format: PixelFormat) throws {
    for color in ["red", "#ff000080"] { try compareLines(of: string, in: format, color: color) }
  }

  private func compareLines(of string: String, in format: PixelFormat, color: String) throws {
    func samples(_ animators: TextAnimator...) throws -> [Int] {
      var layer = Self.layer(string)
      guard case .text(var text) = layer.content else { return [] }
      (text.runs, text.animators) = ([TextRun(string)], animators)
      text.runs[0].underline = TextDecoration(color: Color(notation: color), thickness: 6)
      layer.content = .text(text)
      return Canvas.allSamples(try Self.draw(layer, at: 9, format)).joined().joined().map { Int($0) }
    }
    let moved = try samples(
      TextAnimator(.character, [.basic(.translationX, from: 20, to: 0, timing: LayerTiming(duration: 1, fillMode: .both))]))
    let differences = zip(try samples(), moved).map { abs($0 - $1) }
    #expect(differences.max() ?? 0 <= 16, "\(differences.max() ?? 0) for \(string) in \(format), \(color)")
  }

  /// A line that begins with blanks is a unit of its own.
  @Test func lines_thatBeginWithBlanks_areUnits() throws {
    for string in ["First\n  second", "First\n\n \tsecond", "  First\nsecond  "] {
      #expect(try Self.units(Self.layer(string, TextAnimator(.line, [Self.fade(100)])), at: 0.5).count == 2, "\(string)")
    }
  }

  @Test func units_areWhatReadersCount() throws {
    func count(_ string: String, _ unit: TextAnimator.Unit) throws -> Int {
      var animator = TextAnimator(unit, [Self.fade(100)])
      animator.delay = 1
      return try Self.units(Self.layer(string, animator), at: 0.5).count
    }
    #expect(try count("Hello, new world", .word) == 3 && count("Hello, new world", .character) == 14)
    #expect(try count("e\u{301}a 👩‍🚀", .character) == 3, "composed characters")
    #expect(try count("one\ntwo three\n\nfour", .line) == 3)
    #expect(try count("well-known don't", .word) == 2)
    #expect(try count("日本語", .word) == 3)
    #expect(try count("   ", .character) == 0)
  }

  @Test func order_decidesWhichPieceBeginsFirst() throws {
    func visible(_ order: TextAnimator.Order, at time: Double, seed: UInt64 = 1) throws -> String {
      var animator = TextAnimator(.character, [Self.fade(0.01)])
      (animator.order, animator.delay, animator.seed) = (order, 1, seed)
      let units = try Self.units(Self.layer("abcdefg", animator), at: time)
      return units.map { $0.opacity > 0.5 ? "x" : "." }.joined()
    }
    #expect(try visible(.forward, at: 1.5) == "xx....." && visible(.backward, at: 1.5) == ".....xx")
    #expect(try visible(.fromCenter, at: 1.5) == "..xxx.." && visible(.toCenter, at: 1.5) == "xx...xx")
    let random = try (0..<7).map { try visible(.random, at: Double($0) + 0.5) }
    #expect(random.enumerated().allSatisfy { $0.element.filter { $0 == "x" }.count == $0.offset + 1 || $0.element.isEmpty })
    #expect(try visible(.random, at: 2.5) == random[2], "the same from the same seed")
    #expect(try Set((1...20).map { try visible(.random, at: 2.5, seed: $0) }).count > 5)
  }

  @Test(arguments: [24.0, 25, 30, 30000.0 / 1001, 60]) func karaoke_followsItsTimesToTheFrame(rate: Double) throws {
    let times = [0.1, 0.5, 0.5333333333, 1.21]
    let red = AnimationValue.color(Color(red: 1, green: 0, blue: 0))
    var animator = TextAnimator(.word, [.basic(.textColor, from: red, to: red, timing: LayerTiming(fillMode: .forwards))])
    animator.times = times
    let presenter = try LayerPresenter(
      Self.layer("these words light up", animator), canvas: Self.size, fonts: try FontLibrary())
    for frame in 0..<Int(1.5 * rate) {
      let time = MediaTime(seconds: Double(frame) / rate, preferredTimescale: 240_000)
      let units = try presenter.presentation(at: time)?.units ?? []
      let lit = units.filter { $0.color != nil }.count
      let due = times.filter { $0 <= time.seconds + 1e-6 }.count
      #expect(lit == due, "frame \(frame)")
    }
  }

  /// A break of a line is between words, whether it is written or comes from the width.
  @Test(arguments: ["one\ntwo", "one two", "one\n\ntwo", "one \u{2028}two"]) func words_onTwoLines_areTwo(_ string: String)
    throws
  {
    let layer = Self.layer(string, TextAnimator(.word, [Self.fade()]))
    #expect(try Self.units(layer, at: 0.01).count == 2)
  }

  @Test func times_thatDoNotFitTheWords_areRefusedWithTheirPlace() throws {
    var animator = TextAnimator(.word, [Self.fade()])
    animator.times = [0, 1, 2]
    let presenter = try LayerPresenter(Self.layer("two words", animator), canvas: Self.size, fonts: try FontLibrary())
    let error = #expect(throws: CompositorError.self) { try presenter.presentation(at: .zero) }
    #expect(error?.location.path == "content.text.animators[0].times")
    animator.times = [1, 0]
    #expect(throws: CompositorError.self) { try animator.requireUsable() }
    #expect(throws: CompositorError.self) {
      try TextAnimator(.word, [.basic(.position, to: .point(x: 0, y: 0), timing: LayerTiming())]).requireUsable()
    }
    #expect(throws: CompositorError.self) {
      try TextAnimator(.word, [.basic(.textHighlight, to: 1, timing: LayerTiming())]).requireUsable()
    }
  }

  @Test func transforms_turnAboutTheMiddleOfEachPiece() throws {
    let grown = TextAnimator(.character, [.basic(.scale, from: 2, to: 2, timing: LayerTiming(duration: 1, fillMode: .both))])
    let plain = LayerContentTests.ink(try Self.draw(Self.layer("l"), at: 0), above: 60)
    let large = LayerContentTests.ink(try Self.draw(Self.layer("l", grown), at: 0), above: 60)
    #expect(abs(large.width - 2 * plain.width) <= 3 && abs(large.height - 2 * plain.height) <= 4)
    #expect(abs((large.x0 + large.x1) - (plain.x0 + plain.x1)) <= 3)
    let moved = TextAnimator(
      .word,
      [
        .basic(
          .translation, from: .point(x: 100, y: 7), to: .point(x: 100, y: 7), timing: LayerTiming(duration: 1, fillMode: .both))
      ])
    let far = LayerContentTests.ink(try Self.draw(Self.layer("l", moved), at: 0), above: 60)
    #expect(far.x0 == plain.x0 + 100 && far.y0 == plain.y0 + 7 && far.width == plain.width)
  }

  @Test func highlight_runsThroughTheWordAtItsPace() throws {
    var animator = TextAnimator(
      .word, [.basic(.textHighlight, from: 0, to: 1, timing: LayerTiming(duration: 1, fillMode: .both))])
    animator.highlightColor = Color(red: 1, green: 0, blue: 0)
    for (string, isRightToLeft) in [("mmmmmm", false), ("سسسسسس", true)] {
      let layer = Self.layer(string, animator)
      let ink = LayerContentTests.ink(try Self.draw(Self.layer(string), at: 0), above: 60)
      for part in [0.25, 0.5, 0.75] {
        let frame = try Self.draw(layer, at: part, .rgba16)
        let pixels = Canvas.samples(frame, plane: 0)
        let (edge, width) = (Int((Double(ink.width) * part).rounded()), ink.width)
        var (wrong, seen) = (0, 0)
        for row in pixels[ink.y0..<ink.y1] {
          for x in 0..<width where row[4 * (ink.x0 + x)] > 60000 {
            let isLit = row[4 * (ink.x0 + x) + 1] < 30000
            let place = isRightToLeft ? width - 1 - x : x
            guard abs(place - edge) > 4 else { continue }
            seen += 1
            if isLit != (place < edge) { wrong += 1 }
          }
        }
        #expect(seen > 100 && wrong == 0, "\(string) \(part): \(wrong) of \(seen)")
      }
    }
  }

  /// Down the column, where text is written in columns.
  @Test func highlight_inAColumn_runsDown() throws {
    var animator = TextAnimator(
      .word, [.basic(.textHighlight, from: 0, to: 1, timing: LayerTiming(duration: 1, fillMode: .both))])
    animator.highlightColor = Color(red: 1, green: 0, blue: 0)
    func column(_ animators: TextAnimator...) -> Layer {
      var layer = Self.layer("mmm", size: 36)
      guard case .text(var text) = layer.content else { return layer }
      (text.writingMode, text.animators) = (.verticalRL, animators)
      layer.content = .text(text)
      return layer
    }
    let ink = LayerContentTests.ink(try Self.draw(column(), at: 0), above: 60)
    #expect(ink.height > 2 * ink.width)
    for part in [0.25, 0.5, 0.75] {
      let pixels = Canvas.samples(try Self.draw(column(animator), at: part, .rgba16), plane: 0)
      let edge = ink.y0 + Int((Double(ink.height) * part).rounded())
      var (wrong, seen) = (0, 0)
      for y in ink.y0..<ink.y1 where abs(y - edge) > 4 {
        for x in ink.x0..<ink.x1 where pixels[y][4 * x] > 60000 {
          seen += 1
          if (pixels[y][4 * x + 1] < 30000) != (y < edge) { wrong += 1 }
        }
      }
      #expect(seen > 100 && wrong == 0, "\(part): \(wrong) of \(seen)")
    }
  }

  /// A half-lit word keeps the text's gradient beyond the edge.
  @Test func highlight_overAGradient_leavesTheRestOfIt() throws {
    var animator = TextAnimator(
      .word, [.basic(.textHighlight, from: 0, to: 1, timing: LayerTiming(duration: 1, fillMode: .both))])
    animator.highlightColor = Color(red: 1, green: 0, blue: 0)
    var layer = Self.layer("mmmmmm", animator)
    guard case .text(var text) = layer.content else { return }
    text.gradient = GradientContent([Color(red: 0, green: 0, blue: 1), Color(red: 0, green: 0, blue: 1)])
    layer.content = .text(text)
    let ink = LayerContentTests.ink(try Self.draw(Self.layer("mmmmmm"), at: 0), above: 60)
    let pixels = Canvas.samples(try Self.draw(layer, at: 0.5, .rgba16), plane: 0)
    let (middle, edge) = ((ink.y0 + ink.y1) / 2, (ink.x0 + ink.x1) / 2)
    var (lit, rest) = (0, 0)
    for row in pixels[middle - 4..<middle + 4] {
      for x in ink.x0..<ink.x1 where abs(x - edge) > 4 {
        let (red, green, blue) = (row[4 * x], row[4 * x + 1], row[4 * x + 2])
        // Between the letters the background shows.
        #expect(green < 5000, "\(x)")
        if red > 60000, blue < 5000, x < edge { lit += 1 }
        if blue > 60000, red < 5000, x > edge { rest += 1 }
      }
    }
    #expect(lit > 50 && rest > 50, "\(lit) lit, \(rest) not")
  }

  @Test func frames_areTheSameInAnyOrderAndOnAnyThreads() async throws {
    var letters = TextAnimator(
      .character,
      [
        Self.fade(), .basic(.scale, from: 2.5, to: 1, timing: LayerTiming(duration: 0.3, fillMode: .both), easing: .easeOut),
        .basic(.rotation, from: 1, to: 0, timing: LayerTiming(duration: 0.3, fillMode: .both)),
      ])
    (letters.order, letters.delay) = (.random, 0.03)
    var words = TextAnimator(
      .word,
      [.basic(.textColor, to: .color(Color(red: 1, green: 0.5, blue: 0)), timing: LayerTiming(duration: 0.3, fillMode: .both))])
    words.delay = 0.2
    let root = Canvas.root(Self.size, [Self.layer("Kinetic words हिन्दी", letters, words)])
    let renderer = try OverlayRenderer(root: root, renderSize: Self.size)
    let frame = try Canvas.frame(Self.size)
    @Sendable func draw(_ index: Int) throws -> [[[Int]]] {
      Canvas.allSamples(
        try renderer.draw(over: frame, at: MediaTime(value: Int64(index), timescale: 30), pool: Canvas.pool))
    }
    let forward = try (0..<24).map { try draw($0) }
    #expect(Set(forward).count > 15)
    #expect(try (0..<24).reversed().map { try draw($0) } == forward.reversed())
    let parallel = try await withThrowingTaskGroup(of: (Int, [[[Int]]]).self) { group in
      for index in 0..<24 { group.addTask { (index, try draw(index)) } }
      return try await group.reduce(into: [Int: [[[Int]]]]()) { $0[$1.0] = $1.1 }
    }
    #expect((0..<24).allSatisfy { parallel[$0] == forward[$0] })
    let misses = renderer.cacheStatistics.misses
    _ = try (0..<24).map { try draw($0) }
    #expect(renderer.cacheStatistics.misses == misses, "nothing is shaped or rastered anew")
  }

  @Test func animators_areReadAndWritten() throws {
    let json = """
      { "by": "word", "times": [0.2, 0.5], "range": [1, 2], "highlightColor": "#ff0000",
        "animations": [{ "property": "opacity", "from": 0, "to": 1, "duration": 0.3 },
          { "property": "text.highlight", "from": 0, "to": 1, "fillMode": "removed" }] }
      """
    let animator = try JSONDecoder().decode(TextAnimator.self, from: Data(json.utf8))
    #expect(animator.unit == .word && animator.range == 1..<3 && animator.times == [0.2, 0.5])
    #expect(animator.animations.map(\.timing.fillMode) == [.both, .removed])
    #expect(try JSONDecoder().decode(TextAnimator.self, from: try JSONEncoder().encode(animator)) == animator)
    for wrong in [
      #"{"by":"letter"}"#, #"{"delay":-1}"#, #"{"range":[0]}"#, #"{"range":[-1,2]}"#, #"{"times":[1,0]}"#,
      #"{"times":[1],"delay":2}"#, #"{"animations":[{"property":"shadowRadius","to":3}]}"#,
    ] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode(TextAnimator.self, from: Data(wrong.utf8)) }
    }
  }
}
