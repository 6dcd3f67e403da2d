import CompositorAPI
import CompositorOverlay
import Testing

/// Transitions between layers, on what is drawn: red goes, green comes, in 30 × 20 at (10, 10), a quarter of the way.
struct TransitionTests {
  static let size = PixelSize(width: 64, height: 48)
  static let red = Color(red: 1, green: 0, blue: 0)
  static let green = Color(red: 0, green: 1, blue: 0)

  private func draw(_ kind: LayerTransition.Kind, _ side: LayerTransition.Side, under: Color = .black, at time: Double = 1.25)
    throws -> Frame
  {
    var layer = Canvas.box(Rect(x: 10, y: 10, width: 30, height: 20), Self.green)
    layer.transitionSource = Canvas.box(Rect(x: 10, y: 10, width: 30, height: 20), Self.red)
    layer.animations = [
      Animation(.transition(LayerTransition(kind, from: side)), timing: LayerTiming(beginTime: 1, duration: 1))
    ]
    return try Canvas.draw([layer], over: Canvas.frame(Self.size, .yuv444p10, color: under), at: time)
  }

  /// One of r, g, w(hite) or -, or ? for a mixture, for each tenth pixel of a row.
  private func row(_ frame: Frame, y: Int) throws -> String {
    try stride(from: 2, to: 62, by: 4).map { x in
      let color = try Canvas.color(frame, x: x, y: y)
      return switch (color.x > 0.9, color.y > 0.9, max(color.x, color.y, color.z) < 0.1) {
      case (true, true, _): "w"
      case (true, false, _) where color.y < 0.1: "r"
      case (false, true, _) where color.x < 0.1: "g"
      case (false, false, true): "-"
      default: "?"
      }
    }.joined()
  }

  @Test func moveIn_fromTheLeft_coversWhatStays() throws {
    // The new one is 22.5 to the left: from −12.5 to 17.5.
    #expect(try row(draw(.moveIn, .left), y: 20) == "ggggrrrrrr-----")
  }

  @Test func push_fromTheRight_movesBoth() throws {
    // The old one from 2.5 to 32.5, the new one from there.
    #expect(try row(draw(.push, .right), y: 20) == "?rrrrrrrggggggg" || row(draw(.push, .right), y: 20) == "-rrrrrrrggggggg")
  }

  @Test func reveal_towardsTheTop_movesTheOldAwayFromTheNew() throws {
    let frame = try draw(.reveal, .bottom)
    // The old one has moved up by 5: it covers 5 ..< 25, the new one shows below.
    #expect(try row(frame, y: 7) == row(frame, y: 22) && row(frame, y: 22) == "--rrrrrrrr-----")
    #expect(try row(frame, y: 27) == "--gggggggg-----")
  }

  @Test func fade_ofTwoOpaqueLayers_isTheirMixtureAndHidesWhatIsBeneath() throws {
    for under in [Color.black, .white] {
      let color = try Canvas.color(draw(.fade, .left, under: under), x: 20, y: 20)
      #expect(abs(color.x - 0.75) < 0.005 && abs(color.y - 0.25) < 0.005 && abs(color.z) < 0.005, "\(under)")
    }
  }

  @Test func transition_beforeAndAfter_showsOneOfThem() throws {
    for kind in [LayerTransition.Kind.fade, .moveIn, .push, .reveal] {
      #expect(try row(draw(kind, .top, at: 0.9), y: 20) == "--rrrrrrrr-----")
      #expect(try row(draw(kind, .top, at: 2.1), y: 20) == "--gggggggg-----")
    }
  }
}
