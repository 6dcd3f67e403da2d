import CompositorAPI
import CompositorOverlay
import Testing

/// The composed picture as a layer of the tree.
struct VideoLayerTests {
  static let size = PixelSize(width: 64, height: 48)

  @Test func videoLayer_inAPictureInPicture_carriesTheFrameAndTheTitleLiesOverIt() throws {
    let frame = try Canvas.frame(Self.size, color: Color(red: 0, green: 1, blue: 0))
    var video = Layer(frame: Rect(x: 32, y: 24, width: 32, height: 24), content: .video)
    video.name = "video"
    let title = Canvas.box(Rect(x: 40, y: 30, width: 12, height: 8))
    let result = try Canvas.draw([video, title], over: frame)
    let y = Canvas.samples(result, plane: 0)
    #expect(y[4][4] == 16)
    #expect(abs(y[26][36] - Canvas.samples(frame, plane: 0)[0][0]) <= 1)
    #expect(y[34][46] == 235)
  }

  @Test func videoLayer_asTheWholeFrame_isTheFrameItself() throws {
    let base = try Canvas.draw(
      [LayerContentTests.gradient(.conic, from: Point(x: 0.5, y: 0.5), to: Point(x: 1, y: 0.5))],
      over: Canvas.frame(Self.size))
    let title = Canvas.box(Rect(x: 11, y: 9, width: 20, height: 20), Color(red: 1, green: 0, blue: 0, alpha: 0.5))
    let hidden = Canvas.box(Rect(x: 0, y: 0, width: 10, height: 10))
    let video = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48), content: .video)
    let plain = try Canvas.draw([title], over: base)
    #expect(Canvas.allSamples(try Canvas.draw([hidden, video, title], over: base)) == Canvas.allSamples(plain))
    // With a corner the frame has to be drawn, within what 8 bits can tell.
    var rounded = video
    rounded.cornerRadius = 4
    let drawn = try Canvas.draw([rounded, title], over: base)
    #expect(Canvas.samples(drawn, plane: 0)[0][0] == 16)
    for (left, right) in zip(Canvas.samples(drawn, plane: 0)[30], Canvas.samples(plain, plane: 0)[30]) {
      #expect(abs(left - right) <= 1)
    }
  }

  @Test func videoLayer_underAndAroundTitles_isWhereTheTreeSays() throws {
    let frame = try Canvas.frame(Self.size, color: Color(red: 0, green: 1, blue: 0))
    let green = Canvas.samples(frame, plane: 0)[0][0]
    // A white card behind, the video on it, turned by a quarter, a black bar over both.
    var video = Layer(frame: Rect(x: 20, y: 12, width: 24, height: 24), content: .video)
    video.transform.rotationZ = .pi / 2
    let result = try Canvas.draw(
      [
        Canvas.box(Rect(x: 8, y: 6, width: 48, height: 36)), video, Canvas.box(Rect(x: 0, y: 22, width: 64, height: 4), .black),
      ], over: frame)
    let y = Canvas.samples(result, plane: 0)
    #expect(y[2][2] == 16 && y[8][10] == 235 && abs(y[16][30] - green) <= 1 && y[24][30] == 16 && y[24][10] == 16)
  }

  @Test func titleWithAVideoLayer_beforeAndAfterItsTime_leavesTheFrameAlone() throws {
    let frame = try Canvas.frame(Self.size, color: Color(red: 0, green: 1, blue: 0))
    let green = Canvas.samples(frame, plane: 0)[0][0]
    var group = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48))
    group.sublayers = [Layer(frame: Rect(x: 32, y: 24, width: 32, height: 24), content: .video)]
    group = group.shown(from: .seconds(1), for: .seconds(1))
    let title = Canvas.box(Rect(x: 4, y: 4, width: 8, height: 8))
    for (time, wanted) in [(0.5, green), (1.5, 16), (2.5, green)] {
      let y = Canvas.samples(try Canvas.draw([group, title], over: frame, at: time), plane: 0)
      #expect(y[20][4] == wanted && y[8][8] == 235 && abs(y[36][48] - green) <= 1, "\(time)")
    }
  }

  @Test func videoLayer_fadedOutWhole_doesNotComeBackAtItsEnd() throws {
    let frame = try Canvas.frame(Self.size, color: .white)
    var video = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48), content: .video)
    video = video.fadingOut(at: .zero, over: .seconds(1))
    let presenter = try LayerPresenter(Canvas.root(Self.size, [video]), canvas: Self.size, fonts: FontLibrary())
    for (time, wanted) in [(0.5, 126), (1, 16), (2, 16)] {
      #expect(abs(Canvas.samples(try Canvas.draw([video], over: frame, at: time), plane: 0)[20][20] - wanted) <= 1, "\(time)")
      #expect(try presenter.presentation(at: .seconds(time)) != nil, "it has to be drawn")
    }
  }

  @Test func videoLayer_inItsPlace_showsEachFrameAnew() throws {
    var video = Layer(frame: Rect(x: 16, y: 12, width: 32, height: 24), content: .video)
    (video.masksToBounds, video.cornerRadius, video.shadowOpacity) = (true, 4, 0.5)
    for layer in [Layer(frame: Rect(x: 16, y: 12, width: 32, height: 24), content: .video), video] {
      let renderer = try OverlayRenderer(root: Layer(canvas: Self.size) { layer }, renderSize: Self.size)
      for color in [Color(red: 0, green: 1, blue: 0), .white, Color(red: 1, green: 0, blue: 0)] {
        let frame = try Canvas.frame(Self.size, color: color)
        let expected = Canvas.samples(frame, plane: 0)[0][0]
        let drawn = try renderer.draw(over: frame, at: .zero, pool: FramePool())
        #expect(abs(Canvas.samples(drawn, plane: 0)[24][32] - expected) <= 1)
      }
    }
  }
}
