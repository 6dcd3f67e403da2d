import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Layers that move while a shutter is open, against the mean of single pictures and against integrals.
struct MotionBlurTests {
  private static let size = PixelSize(width: 200, height: 80)
  private static let white = Color(red: 1, green: 1, blue: 1)

  private static func box(_ animations: [Animation], _ blur: MotionBlur? = nil) -> Layer {
    var layer = Canvas.box(Rect(x: 0, y: 20, width: 30, height: 40))
    layer.animations = animations
    layer.motionBlur = blur
    return layer
  }

  private static func move(_ property: LayerProperty, _ from: Double, _ to: Double, _ easing: Easing = .linear) -> Animation {
    var animation = Animation.basic(
      property, from: .number(from), to: .number(to), timing: LayerTiming(duration: 1, fillMode: .both))
    animation.easing = easing
    return animation
  }

  private static func draw(_ layers: [Layer], at time: Double, _ format: PixelFormat = .rgba16) throws -> [[Int]] {
    let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : FrameAttributes(color: .bt709)
    return Canvas.samples(try Canvas.draw(layers, over: Canvas.frame(size, format, attributes), at: time), plane: 0)
  }

  /// The mean of the pictures at the moments of an exposure.
  private static func mean(_ layers: [Layer], at time: Double, _ blur: MotionBlur, count: Int) throws -> [[Double]] {
    var sum = [[Double]](repeating: [Double](repeating: 0, count: 4 * size.width), count: size.height)
    for index in 0..<count {
      let moment = time + ((Double(index) + 0.5) / Double(count) - 0.5) * blur.exposure
      for (y, row) in try draw(layers, at: moment).enumerated() {
        for (x, value) in row.enumerated() { sum[y][x] += Double(value) / Double(count) }
      }
    }
    return sum
  }

  private static func largest(_ one: [[Int]], _ other: [[Double]]) -> Double {
    zip(one.joined(), other.joined()).reduce(0) { max($0, abs(Double($1.0) - $1.1) / 257) }
  }

  /// A box at constant speed is a trapezoid.
  @Test(arguments: [0.25, 0.5]) func constantSpeed_isATrapezoid(exposure: Double) throws {
    let layer = Self.box([Self.move(.positionX, 40, 160)], MotionBlur(exposure: exposure, samples: 60))
    let row = try Self.draw([layer], at: 0.5)[40]
    let way = 120 * exposure
    for x in 0..<Self.size.width {
      // The share of the exposure in which the pixel's center is covered.
      let (low, high) = (100 - way / 2, 100 + way / 2)
      let (from, to) = (max(low, Double(x) + 0.5 - 15), min(high, Double(x) + 0.5 + 15))
      let share = max(to - from, 0) / way
      #expect(abs(Double(row[4 * x]) / 65_535 - share) < 0.04, "\(x)")
    }
  }

  @Test(arguments: [
    [move(.positionX, 20, 180)], [move(.rotation, 0, 3)], [move(.scale, 0.2, 2), move(.opacity, 1, 0)],
    [move(.positionX, 20, 180), move(.rotationY, 0, 2)], [move(.opacity, 0, 1)],
  ]) func blurredLayer_isTheMeanOfItsMoments(_ animations: [Animation]) throws {
    for (count, exposure, time) in [(2, 0.1, 0.5), (9, 0.3, 0.4), (16, 0.02, 0.77), (33, 0.9, 0.5)] {
      let blur = MotionBlur(exposure: exposure, samples: count)
      let found = try Self.draw([Self.box(animations, blur)], at: time)
      let wanted = try Self.mean([Self.box(animations)], at: time, blur, count: count)
      #expect(Self.largest(found, wanted) < 1.5, "\(count) \(exposure) \(time)")
    }
  }

  /// Text, animated pieces, particles, timed sublayers, shadows and filters are blurred as a whole.
  @Test func everyKindOfContent_isTheMeanOfItsMoments() throws {
    var text = TextContent("Moving", font: TextFont(family: "DejaVu Sans", size: 24))
    var animator = TextAnimator(.character, [Self.move(.translationY, 30, 0)])
    animator.delay = 0.05
    text.animators = [animator]
    var line = Layer(frame: Rect(x: 10, y: 10, width: 180, height: 60), content: .text(text))
    line.shadows = [LayerShadow(Color(red: 1, green: 0, blue: 0), offset: Point(x: 3, y: 3), radius: 2)]
    var late = Self.box([Self.move(.positionX, 20, 180)])
    late.timing.beginTime = 0.3
    (late.filters.blurRadius, late.opacity) = (2, 0.7)
    let blur = MotionBlur(exposure: 0.4, samples: 12)
    var group = Canvas.root(Self.size, [line, late])
    let wanted = try Self.mean([group], at: 0.35, blur, count: 12)
    group.motionBlur = blur
    #expect(Self.largest(try Self.draw([group], at: 0.35), wanted) < 1)
  }

  @Test(arguments: [PixelFormat.rgba16, .yuv420p, .yuv420p10]) func layerThatRests_isDrawnAsWithout(_ format: PixelFormat)
    throws
  {
    let animations = [Self.move(.positionX, 20.3, 180), Self.move(.rotation, 0.3, 1)]
    let blur = MotionBlur(exposure: 0.1)
    for time in [-0.5, 1.5, 9] {
      #expect(
        try Self.draw([Self.box(animations, blur)], at: time, format) == Self.draw([Self.box(animations)], at: time, format))
    }
    #expect(try Self.draw([Self.box([], blur)], at: 0.5, format) == Self.draw([Self.box([])], at: 0.5, format))
  }

  /// A layer doesn't fade at its ends, where half of the exposure lies outside of it.
  @Test func ends_areSharp() throws {
    var layer = Self.box([Self.move(.positionX, 40, 40), Self.move(.positionY, 40, 40)], MotionBlur(exposure: 0.2))
    layer.timing = LayerTiming(beginTime: 1, duration: 2)
    var plain = layer
    plain.motionBlur = nil
    for time in [0.9, 0.99, 1, 1.05, 2, 2.95, 2.99, 3, 3.05] {
      #expect(try Self.draw([layer], at: time) == Self.draw([plain], at: time), "\(time)")
    }
    // What moves at the beginning is the mean of what there is.
    var moving = Self.box([Self.move(.positionX, 40, 160)], MotionBlur(exposure: 0.2, samples: 20))
    moving.timing.beginTime = 1
    let row = try Self.draw([moving], at: 1)[40]
    #expect(row[4 * 46] > 65_000 && row[4 * 20] == 0, "\(row[4 * 46]) \(row[4 * 20])")
  }

  /// Glass stays glass while it moves, and what blends with the picture below it does so alike at rest and in motion.
  @Test func glassAndBlendModes_areTheSameInMotion() throws {
    let ground = Canvas.box(Rect(x: 100, y: 0, width: 100, height: 80))
    func pane(_ blur: MotionBlur?) -> Layer {
      var layer = Layer(frame: Rect(x: 0, y: 20, width: 80, height: 40))
      layer.backdropFilters = LayerFilters()
      layer.backdropFilters?.blurRadius = 4
      layer.animations = [Self.move(.positionX, 60, 140)]
      layer.motionBlur = blur
      return layer
    }
    let blur = MotionBlur(exposure: 0.1, samples: 8)
    let (sharp, moved) = try (Self.draw([ground, pane(nil)], at: 0.5), Self.draw([ground, pane(blur)], at: 0.5))
    for (one, other) in zip(sharp.joined(), moved.joined()) { #expect(abs(one - other) <= 300) }
    // A group in which something is multiplied: apart from the ground in both.
    func group(_ animations: [Animation]) -> Layer {
      var child = Canvas.box(Rect(x: 40, y: 20, width: 120, height: 40), Color(red: 0.5, green: 0.5, blue: 0.5))
      child.blendMode = .multiply
      var group = Canvas.root(Self.size, [child])
      group.animations = animations
      group.motionBlur = blur
      return group
    }
    let (still, running) = try (
      Self.draw([ground, group([])], at: 0.5), Self.draw([ground, group([Self.move(.positionY, 40, 40.4)])], at: 0.5)
    )
    #expect(abs(still[40][4 * 130] - 32_768) < 300 && abs(still[40][4 * 130] - running[40][4 * 130]) < 300)
  }

  @Test func everyOutput_hasTheBlur() throws {
    let layer = Self.box([Self.move(.positionX, 40, 160)], MotionBlur(exposure: 0.5, samples: 30))
    for format in [PixelFormat.yuv420p, .yuv420p10, .yuv444p, .rgba] {
      let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : FrameAttributes(color: .bt709)
      for blending in [BlendingSpace.encoded, .linear] {
        var options = OverlayRenderer.Options()
        options.blending = blending
        let frame = try Canvas.draw([layer], over: Canvas.frame(Self.size, format, attributes), at: 0.5, options: options)
        let (middle, edge) = (try Canvas.color(frame, x: 100, y: 40).x, try Canvas.color(frame, x: 70, y: 40).x)
        // Half the time: half of the signal, or of the light. At 70 the box is for a quarter of the exposure.
        #expect(abs(middle - (blending == .encoded ? 0.5 : 0.735)) < 0.03, "\(format) \(blending): \(middle)")
        #expect(edge < middle)
      }
    }
  }

  /// A mean fades and multiplies as any other layer, and lies in groups as any other.
  @Test func mean_hasOpacityModeAndDepth() throws {
    let blur = MotionBlur(exposure: 0.5, samples: 8)
    let moving = Self.box([Self.move(.positionX, 40, 160)], blur)
    var group = Canvas.root(Self.size, [moving])
    group.opacity = 0.5
    let (full, half) = try (Self.draw([moving], at: 0.5), Self.draw([group], at: 0.5))
    for (one, other) in zip(full.joined(), half.joined()) { #expect(abs(one - 2 * other) <= 260) }
    var over = Self.box([Self.move(.positionX, 40, 160)], blur)
    (over.blendMode, over.backgroundColor) = (.multiply, .black)
    let ground = Canvas.box(Rect(x: 0, y: 0, width: 200, height: 80))
    let dark = try Self.draw([ground, over], at: 0.5)
    for (one, other) in zip(full.joined(), dark.joined()) where one != other { #expect(abs(65_535 - one - other) <= 300) }
  }

  @Test func anyOrder_givesTheSameFrames() throws {
    let root = Canvas.root(Self.size, [Self.box([Self.move(.positionX, 20, 180)], MotionBlur(exposure: 0.04))])
    let renderer = try OverlayRenderer(root: root, renderSize: Self.size, outputFormat: .yuv420p)
    func frame(_ index: Int, _ renderer: OverlayRenderer) throws -> [[[Int]]] {
      Canvas.allSamples(
        try renderer.draw(
          over: try Canvas.frame(Self.size, .yuv420p), at: MediaTime(value: Int64(index), timescale: 25), pool: Canvas.pool))
    }
    let inOrder = try (0..<25).map { try frame($0, renderer) }
    for index in [20, 3, 11, 0, 24, 7] {
      let fresh = try OverlayRenderer(root: root, renderSize: Self.size, outputFormat: .yuv420p)
      #expect(try frame(index, fresh) == inOrder[index] && frame(index, renderer) == inOrder[index])
    }
  }

  @Test func motionBlur_isReadWrittenAndRefused() throws {
    var layer = Layer()
    layer.motionBlur = MotionBlur(exposure: 0.02, samples: 12)
    #expect(try JSONDecoder().decode(Layer.self, from: JSONEncoder().encode(layer)).motionBlur == layer.motionBlur)
    for json in [#"{"exposure":0}"#, #"{"exposure":61}"#, #"{"exposure":1,"samples":1}"#, #"{"exposure":1,"samples":65}"#] {
      #expect(throws: CompositorError.self) { try JSONDecoder().decode(MotionBlur.self, from: Data(json.utf8)) }
    }
    let bad = Self.box([Self.move(.positionX, 0, 9)], MotionBlur(exposure: .nan))
    #expect(throws: CompositorError.self) { try Self.draw([bad], at: 0.5) }
  }
}
