import CompositorAPI
import CompositorCaptions
import CompositorHost
import CompositorOverlay
import Testing

/// Where captions are, and how they wrap.
struct CaptionLayoutTests {
  private static let fonts = Result { try FontLibrary() }
  private static let upright = PixelSize(width: 1080, height: 1920), wide = PixelSize(width: 1920, height: 1080)

  /// The boxes of cues that all show together, measured by the tree that draws them.
  private func boxes(
    _ cues: [CaptionCue], style: CaptionStyle = CaptionStyle(), canvas: PixelSize = wide
  ) throws -> [Rect] {
    let fonts = try Self.fonts.get()
    let layout = try CaptionLayout(CaptionTrack(cues, style: style), canvas: canvas, fonts: fonts)
    return try layout.layers(of: Array(cues.indices)).map { layer in
      let size = try LayerPresenter(Layer(canvas: canvas) { layer }, canvas: canvas, fonts: fonts).firstSize
      return Rect(origin: layer.position, size: size)
    }
  }

  private func cue(_ text: String, _ placement: CaptionPlacement? = nil) -> CaptionCue {
    CaptionCue(CaptionReadingTests.range(0, 1000), text, placement: placement)
  }

  private static let arabic = "مرحبا بكم في هذا الفيلم القصير الذي يحكي قصة رجل عجوز يعيش وحده على شاطئ البحر"
  private static let japanese = "これは日本語の字幕です。空白がないので、長い行は文字と文字の間で折り返されなければなりません。"
  private static let english =
    "This is a caption in English that is far too long for one line of a frame, and wraps between its words."

  @Test(arguments: [english, arabic, japanese], [wide, upright])
  func longCaption_staysInItsWidthAndMargins(text: String, canvas: PixelSize) throws {
    let box = try #require(try boxes([cue(text)], canvas: canvas).first)
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    #expect(box.size.width <= (width < height ? 0.9 : 0.8) * width + 1)
    #expect(abs(box.minX + box.size.width / 2 - width / 2) <= 1)
    #expect(abs(box.maxY - 0.93 * height) <= 1)
    let single = try #require(try boxes([cue("X")], canvas: canvas).first)
    #expect(box.size.height > 1.4 * single.size.height)
    #expect(box.size.height < 3.2 * single.size.height)
  }

  @Test func longerCaption_getsSmallerLetters_untilItsLinesAreFewEnough() throws {
    var style = CaptionStyle()
    style.maximumLineCount = 2
    let text = Self.english + " " + Self.english
    let two = try #require(try boxes([cue(text)], style: style).first)
    style.maximumLineCount = 20
    let many = try #require(try boxes([cue(text)], style: style).first)
    #expect(two.size.height < 0.62 * many.size.height)
    // Lines of its own are not joined.
    style.maximumLineCount = 1
    let lines = try boxes([cue("a\nb\nc"), cue("a")], style: style)
    #expect(lines[0].size.height > 2 * lines[1].size.height)
  }

  @Test func captionsTogether_areStacked_awayFromTheirSide() throws {
    for side in CaptionPlacement.Vertical.allCases {
      let boxes = try boxes([
        cue("first", CaptionPlacement(side)), cue("second", CaptionPlacement(side)), cue("third", CaptionPlacement(side)),
      ])
      for (before, after) in zip(boxes, boxes.dropFirst()) {
        if side == .bottom { #expect(after.maxY <= before.minY) } else { #expect(after.minY >= before.maxY) }
      }
    }
  }

  /// Shares of the canvas at which rounding errors once put a caption on another one.
  @Test(arguments: [
    PixelSize(width: 1280, height: 720), PixelSize(width: 640, height: 360), PixelSize(width: 320, height: 180), wide, upright,
  ])
  func captionsTogether_neverCoverEachOther(canvas: PixelSize) throws {
    for size in [nil, 0.03, 0.0375, 0.045, 0.06] as [Double?] {
      var style = CaptionStyle()
      style.size = size
      for margin in [0.07, 0.1] {
        style.verticalMargin = margin
        let boxes = try boxes((1...5).map { cue("Line \($0)") }, style: style, canvas: canvas)
        for (before, after) in zip(boxes, boxes.dropFirst()) {
          #expect(after.maxY <= before.minY, "\(canvas), \(size ?? 0), \(margin): \(boxes)")
        }
      }
    }
  }

  /// Two languages, of which each has its own times.
  @Test func captionsOfASecondTrack_areStackedOnThoseOfTheFirst() throws {
    let fonts = try Self.fonts.get()
    func track(_ times: [(Int64, Int64)]) -> CaptionTrack {
      CaptionTrack(times.enumerated().map { CaptionCue(CaptionReadingTests.range($1.0, $1.1), "Text \($0)") })
    }
    let (first, second) = (track([(0, 1000), (1500, 3000)]), track([(200, 1600), (1700, 2800), (4000, 5000)]))
    let lower = try CaptionLayout(first, canvas: Self.wide, fonts: fonts)
    let upper = try CaptionLayout(second, canvas: Self.wide, fonts: fonts, beneath: [lower])
    let (below, above) = (try lower.layers(of: [0, 1]), try upper.layers(of: [0, 1, 2]))
    let alone = try CaptionLayout(first, canvas: Self.wide, fonts: fonts)
    #expect(below.map(\.position) == (try alone.layers(of: [0, 1])).map(\.position), "the first track keeps its places")
    #expect(above[0].position.y < below[0].position.y - 50 && above[1].position.y < below[1].position.y - 50)
    #expect(above[2].position.y == below[0].position.y, "alone, it is where the first one would be")
  }

  @Test func captionThatOutlastsAnother_staysWhereItWas() throws {
    let cues = [
      CaptionCue(CaptionReadingTests.range(0, 1000), "first"), CaptionCue(CaptionReadingTests.range(500, 2000), "second"),
      CaptionCue(CaptionReadingTests.range(1500, 2500), "third"),
    ]
    let fonts = try Self.fonts.get()
    func position(_ cue: Int, together: [Int]) throws -> Point {
      let layout = try CaptionLayout(CaptionTrack(cues), canvas: Self.wide, fonts: fonts)
      let layers = try layout.layers(of: together)
      return layers[together.firstIndex(of: cue) ?? 0].position
    }
    // Asked for late or early, the second one is above the first, and the third takes the place that the first left.
    #expect(try position(1, together: [1]) == position(1, together: [0, 1]))
    #expect(try position(1, together: [1]).y < position(0, together: [0]).y)
    #expect(try position(2, together: [1, 2]).y == position(0, together: [0]).y)
  }

  @Test(arguments: [
    (CaptionPlacement(.top, .left), 0.05, 0.07), (CaptionPlacement(.bottom, .right), 0.95, 0.93),
    (CaptionPlacement(.middle, .center, x: 0.25, y: 0.75), 0.25, 0.75),
  ])
  func placement_putsItsSideThere(placement: CaptionPlacement, x: Double, y: Double) throws {
    let box = try #require(try boxes([cue("Hxg", placement)]).first)
    let across = placement.horizontal == .left ? 0 : placement.horizontal == .center ? 0.5 : 1
    let down = placement.vertical == .top ? 0 : placement.vertical == .middle ? 0.5 : 1
    #expect(abs(box.minX + across * box.size.width - x * 1920) <= 1)
    #expect(abs(box.minY + down * box.size.height - y * 1080) <= 1)
  }

  @Test func characters_thatNoFontHas_areAnErrorBeforeTheFirstFrame() throws {
    let fonts = try Self.fonts.get()
    let track = CaptionTrack([cue("fine"), cue("unassigned \u{10ffee}")])
    let error = #expect(throws: CompositorError.self) { try CaptionLayout(track, canvas: Self.wide, fonts: fonts) }
    #expect(error?.code == .fileNotFound)
    var forgiving = track
    forgiving.style.allowsFontSubstitution = true
    _ = try CaptionLayout(forgiving, canvas: Self.wide, fonts: fonts)
  }
}
