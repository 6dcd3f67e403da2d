import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Blur and color filters of layers, against the formulas in double precision.
struct LayerFilterTests {
  private static let size = PixelSize(width: 192, height: 128)
  private static let box = Rect(x: 61, y: 37, width: 67, height: 43)

  private static func boxed(_ change: (inout Layer) -> Void) -> Layer {
    var layer = Canvas.box(box)
    change(&layer)
    return layer
  }

  private static func draw(_ layers: [Layer], at seconds: Double = 0, _ format: PixelFormat = .rgba16) throws -> [[Int]] {
    Canvas.samples(
      try Canvas.draw(layers, over: Canvas.frame(size, format, FrameAttributes(color: .sRGB)), at: seconds), plane: 0)
  }

  /// A Gaussian over a box from `low` to `high`, in double precision: the mean over a pixel's sample, as weights at whole pixels.
  private static func profile(_ count: Int, _ low: Int, _ high: Int, sigma: Double) -> [Double] {
    let reach = Int(6 * sigma) + 2
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    return (0..<count).map { x in
      weights.enumerated().reduce(0) { (low..<high).contains(x + $1.offset - reach) ? $0 + $1.element / sum : $0 }
    }
  }

  /// Within 2 codes of 255, for every width of the blur, although wide ones are made of smaller pictures.
  @Test(arguments: [0.6, 1, 2, 3.3, 5, 5.8, 8, 12.5, 20, 31]) func blur_isAGaussian(sigma: Double) throws {
    let samples = try Self.draw([Self.boxed { $0.filters.blurRadius = sigma }])
    let across = Self.profile(Self.size.width, 61, 128, sigma: sigma)
    let down = Self.profile(Self.size.height, 37, 80, sigma: sigma)
    var worst = 0.0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        worst = max(worst, abs(Double(samples[y][4 * x]) / 257 - 255 * across[x] * down[y]))
      }
    }
    #expect(worst < 2, "\(worst) codes")
  }

  /// The blur of a group is that of all it shows together, and a layer that moves by whole pixels takes its blur along.
  @Test func blur_ofAGroup_isThatOfItsPicture() throws {
    var group = Canvas.root(Self.size, [Canvas.box(Rect(x: 61, y: 37, width: 33, height: 43)), Self.boxed { _ in }])
    group.filters.blurRadius = 4
    let (single, grouped) = try (Self.draw([Self.boxed { $0.filters.blurRadius = 4 }]), Self.draw([group]))
    for (row, other) in zip(single, grouped) {
      #expect(zip(row, other).allSatisfy { abs($0 - $1) <= 2 })
    }
    var moved = Self.boxed { $0.filters.blurRadius = 4 }
    moved.position.x += 8
    let shifted = try Self.draw([moved])
    for y in 0..<Self.size.height { #expect(Array(shifted[y][64...]) == Array(single[y][32..<single[y].count - 32])) }
  }

  /// CSS's formulas, on colors and on half-transparent ones.
  @Test func colorFilters_areThoseOfCSS() throws {
    func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
    let color = Color(red: 0.8, green: 0.35, blue: 0.1)
    let rgb = [0.8, 0.35, 0.1]
    let gray = 0.213 * 0.8 + 0.715 * 0.35 + 0.072 * 0.1
    let cases: [(WritableKeyPath<LayerFilters, Double>, Double, [Double])] = [
      (\.brightness, 1.5, rgb.map { clamped($0 * 1.5) }), (\.brightness, 0, [0, 0, 0]),
      (\.contrast, 2, rgb.map { clamped(2 * $0 - 0.5) }), (\.contrast, 0, [0.5, 0.5, 0.5]),
      (\.saturation, 0, [gray, gray, gray]), (\.saturation, 2, rgb.map { clamped(2 * $0 - gray) }),
      // Half a turn: twice the gray less the color.
      (\.hueRotation, .pi, rgb.map { clamped(2 * gray - $0) }),
    ]
    for (path, value, expected) in cases {
      for opacity in [1.0, 0.5] {
        let layer = Self.boxed { layer in
          layer.backgroundColor = color
          layer.opacity = opacity
          layer.filters[keyPath: path] = value
        }
        let samples = try Self.draw([layer])[50][4 * 90..<4 * 90 + 3].map { Double($0) / 65_535 }
        for (found, wanted) in zip(samples, expected) {
          #expect(abs(found - wanted * opacity) < 0.004, "\(path) \(value), \(opacity): \(samples), not \(expected)")
        }
      }
    }
  }

  /// An animated blur at a time is the still one of that radius, in any order of the frames.
  @Test func animatedBlur_atATime_isTheStillOne() throws {
    let animated = Self.boxed { layer in
      layer.animations = [.basic(.blurRadius, from: 0, to: 12, timing: LayerTiming(duration: 1, fillMode: .both))]
    }
    for (time, radius) in [(0.5, 6.0), (0.25, 3), (0.75, 9), (0, 0)] {
      let (moving, still) = try (
        Self.draw([animated], at: time), Self.draw([Self.boxed { $0.filters.blurRadius = radius }])
      )
      for (row, other) in zip(moving, still) { #expect(zip(row, other).allSatisfy { abs($0 - $1) <= 2 }, "\(time) s") }
    }
  }

  /// A shadow, a mask and an opacity apply to the blurred layer, in 4:2:0 too.
  @Test func blurredLayer_hasItsMaskAndOpacity() throws {
    let masked = Self.boxed { layer in
      (layer.filters.blurRadius, layer.opacity) = (5, 0.5)
      layer.mask = Canvas.box(Rect(x: 0, y: -40, width: 30, height: 200))
    }
    let samples = try Self.draw([masked], .yuv420p)
    #expect(samples[58][61 + 40] == 0, "the mask is not blurred")
    #expect(abs(samples[58][61 + 15] - 128) <= 4, "half as light")
    #expect(samples[58][61 + 2] > 70 && samples[58][61 - 6] == 0, "the mask begins at the layer's edge")
  }

  /// Each mode at places where the mask is white, red, half-transparent, and is not.
  @Test(arguments: MaskMode.allCases) func maskMode_showsTheLayerByWhatItSays(_ mode: MaskMode) throws {
    var mask = Layer(frame: Rect(x: 0, y: 0, width: 67, height: 43))
    var half = Canvas.box(Rect(x: 20, y: 0, width: 10, height: 43))
    half.opacity = 0.5
    mask.sublayers = [
      Canvas.box(Rect(x: 0, y: 0, width: 10, height: 43)),
      Canvas.box(Rect(x: 10, y: 0, width: 10, height: 43), Color(red: 1, green: 0, blue: 0)), half,
    ]
    let layer = Self.boxed { ($0.mask, $0.maskMode) = (mask, mode) }
    let row = try Self.draw([layer])[58]
    let expected: [Double] =
      switch mode {
      case .alpha: [1, 1, 0.5, 0]
      case .invertedAlpha: [0, 0, 0.5, 1]
      case .luminance: [1, 0.2126, 0.5, 0]
      case .invertedLuminance: [0, 0.7874, 0.5, 1]
      }
    for (index, wanted) in expected.enumerated() {
      #expect(abs(Double(row[4 * (61 + 10 * index + 5)]) / 65_535 - wanted) < 0.003, "\(mode), part \(index)")
    }
    // A mask that shows nothing.
    let hidden = Self.boxed { ($0.mask, $0.maskMode) = (Layer(), mode) }
    #expect(try Self.draw([hidden])[58][4 * 90] == (mode.isInverted ? 65_535 : 0))
  }

  /// The frame itself, blurred: its edges stay opaque, and its middle is a step's Gaussian.
  @Test func blurredVideo_isOpaqueToItsEdges() throws {
    var video = Layer(frame: Rect(x: 0, y: 0, width: 192, height: 128), content: .video)
    video.filters.blurRadius = 7
    var half = Canvas.box(Rect(x: 96, y: 0, width: 96, height: 128))
    half.backgroundColor = .white
    let frame = try Canvas.draw([half], over: Canvas.frame(Self.size, .rgba16, FrameAttributes(color: .sRGB)))
    let samples = Canvas.samples(try Canvas.draw([video], over: frame), plane: 0)
    let expected = Self.profile(Self.size.width, 96, 600, sigma: 7)
    for y in [0, 1, 64, 127] {
      for x in 0..<Self.size.width {
        #expect(abs(Double(samples[y][4 * x]) / 257 - 255 * expected[x]) < 3, "\(x) \(y): \(samples[y][4 * x])")
      }
    }
  }

  /// The same colors in SDR, HLG and PQ, blended as signal and as light: a filter changes what is seen, not code values.
  @Test(arguments: [ColorTags.bt709, .bt2100HLG, .bt2100PQ], [BlendingSpace.encoded, .linear])
  func colorFilters_inEveryOutput_giveTheColorsOfSDR(_ tags: ColorTags, _ blending: BlendingSpace) throws {
    func color(_ gray: Double, _ change: (inout Layer) -> Void) throws -> SIMD4<Double> {
      var layer = Self.boxed(change)
      layer.backgroundColor = Color(red: gray, green: gray, blue: gray)
      var options = OverlayRenderer.Options()
      options.blending = blending
      let canvas = try Canvas.frame(Self.size, .yuv444p10, FrameAttributes(color: tags))
      return try Canvas.color(Canvas.draw([layer], over: canvas, options: options), x: 80, y: 50)
    }
    let rows: [(from: Double, to: Double, change: (inout Layer) -> Void)] = [
      (1, 0.5, { $0.filters.brightness = 0.5 }), (0.4, 0.6, { $0.filters.brightness = 1.5 }),
      (0.8, 0.65, { $0.filters.contrast = 0.5 }), (0.7, 0.7, { $0.filters.saturation = 0 }),
      (1, 1, { ($0.maskMode, $0.mask) = (.luminance, Canvas.box(Rect(x: 0, y: 0, width: 67, height: 43))) }),
    ]
    for (index, row) in rows.enumerated() {
      let (found, wanted) = (try color(row.from, row.change), try color(row.to) { _ in })
      #expect(abs(found.x - wanted.x) < 0.006 && abs(found.y - wanted.y) < 0.006, "\(index): \(found), not \(wanted)")
    }
  }

  @Test func values_thatNoFilterHas_areRefused() throws {
    for path: WritableKeyPath<LayerFilters, Double> in [\.blurRadius, \.brightness, \.contrast, \.saturation] {
      for value in [-1, Double.nan, .infinity] {
        let layer = Self.boxed { $0.filters[keyPath: path] = value }
        #expect(throws: CompositorError.self) { try Self.draw([layer]) }
      }
    }
  }
}
