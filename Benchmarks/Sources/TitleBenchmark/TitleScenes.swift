import Compositor

/// The titles to draw.
enum TitleScenes {
  private static let canvas = PixelSize(width: 1920, height: 1080)

  /// The two lines of W4: DejaVu Sans Bold 96 px, 4 px black outline, 4,4 px shadow at 50 %.
  private static var lines: Layer {
    Layer(text: "The Quick Brown Fox\nJumps Over the Lazy Dog", size: 96, family: "DejaVu Sans", weight: 700)
      .outlined(width: 4).shadowed(opacity: 0.5, radius: 0, x: 4, y: 4).changed {
        $0.anchorPoint = .zero
        $0.position = Point(x: 100, y: 700)
      }
  }

  static var still: Layer { Layer(canvas: canvas) { lines } }

  static var w4: Layer {
    let way = Animation.basic(
      .position, from: .point(x: 100, y: 700), to: .point(x: 700, y: 640), timing: LayerTiming(duration: 10))
    return Layer(canvas: canvas) {
      lines.animated(way).fadingIn(over: .seconds(2)).fadingOut(at: .seconds(8), over: .seconds(2))
    }
  }

  /// The two lines of W4 in the mean of a shutter's time.
  static var blurredLines: Layer {
    var scene = w4
    scene.sublayers[0].motionBlur = MotionBlur(exposure: 1.0 / 60)
    return scene
  }

  /// A card of glass in the middle, under which the frame is blurred.
  static func glass(saturation: Double = 1, fades: Bool = false) -> Layer {
    var (card, filters) = (Layer(frame: Rect(x: 560, y: 340, width: 800, height: 400)), LayerFilters())
    (filters.blurRadius, filters.saturation) = (20, saturation)
    (card.backdropFilters, card.cornerRadius) = (filters, 30)
    return fades ? Layer(canvas: canvas) { card }.fadingIn(over: .seconds(10)) : Layer(canvas: canvas) { card }
  }

  static var shapes: Layer {
    Layer(canvas: canvas) {
      for index in 0..<500 {
        Layer(.star(center: Point(x: 30, y: 30), radius: 30), fill: Color(red: Double(index % 7) / 7, green: 0.5, blue: 0.8))
          .spinning(every: .seconds(2 + Double(index % 5)))
          .animated(
            .basic(
              .position, from: .point(x: Double(index % 25) * 76 + 40, y: Double(index / 25) * 52 + 30),
              to: .point(x: Double(index / 25) * 95 + 40, y: Double(index % 25) * 42 + 30), timing: LayerTiming(duration: 10))
          )
          .animated(.basic(.opacity, from: 1, to: 0.3, timing: LayerTiming(duration: 10)))
      }
    }
  }

  static var magic: Layer {
    let ring = Layer(canvas: canvas) {
      Layer(.star(center: Point(x: 960, y: 190), radius: 45), fill: Color(red: 1, green: 0.85, blue: 0))
    }.changed { $0.content = .replicator(ReplicatorContent(count: 12, transform: .rotation(radians: .pi / 6))) }
    return Layer(canvas: canvas) {
      ring.spinning(every: .seconds(6))
      Layer(text: "Magic", size: 200, weight: 700).shadowed().placed(x: 0.5, y: 0.5, in: canvas)
    }.fadingOut(at: .seconds(2), over: .seconds(8))
  }

  /// 200 letters in four lines that appear one after another, each rising and fading in.
  static var letters: Layer {
    let timing = LayerTiming(duration: 0.4, fillMode: .both)
    var animator = TextAnimator(
      .character,
      [
        .basic(.opacity, from: 0, to: 1, timing: timing),
        .basic(.translationY, from: 40, to: 0, timing: timing, easing: .easeOut),
      ])
    animator.delay = 0.04
    return text(animators: [animator])
  }

  /// The same letters at rest.
  static var restingLetters: Layer { text(animators: []) }

  private static func text(animators: [TextAnimator]) -> Layer {
    let sentence = "The quick brown fox jumps over the lazy dog and then walks home "
    var text = TextContent(String(repeating: sentence, count: 4), font: TextFont(family: "DejaVu Sans", size: 48))
    text.runs = [TextRun(String(text.string.prefix(246)))]
    text.wraps = true
    text.animators = animators
    return Layer(canvas: canvas) { Layer(frame: Rect(x: 160, y: 200, width: 1600, height: 700), content: .text(text)) }
  }

  static var emoji: Layer {
    Layer(canvas: canvas) { Layer(text: "🎉", size: 96).outlined(width: 4).placed(x: 0.5, y: 0.5, in: canvas) }
  }

  static var plain: Layer { Layer(canvas: canvas) { Layer(text: "a", size: 20).placed(x: 0.5, y: 0.5, in: canvas) } }
}
