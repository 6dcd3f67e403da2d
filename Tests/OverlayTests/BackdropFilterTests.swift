import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Filters of what is below a layer, in every kind of output.
struct BackdropFilterTests {
  private static let size = PixelSize(width: 160, height: 120)
  private static let bounds = Rect(x: 40, y: 30, width: 80, height: 60)

  private static func glass(_ change: (inout Layer) -> Void = { _ in }) -> Layer {
    var layer = Layer(frame: bounds)
    var filters = LayerFilters()
    filters.blurRadius = 5
    layer.backdropFilters = filters
    change(&layer)
    return layer
  }

  /// White from x = 80 on.
  private static var half: Layer { Canvas.box(Rect(x: 80, y: 0, width: 80, height: 120)) }

  private static func draw(
    _ layers: [Layer], _ format: PixelFormat = .rgba16, _ attributes: FrameAttributes = FrameAttributes(color: .sRGB),
    _ blending: BlendingSpace = .encoded
  ) throws -> Frame {
    var options = OverlayRenderer.Options()
    options.blending = blending
    return try Canvas.draw(layers, over: Canvas.frame(size, format, attributes), options: options)
  }

  /// A step from black to white at a column, blurred.
  private static func step(_ x: Int, at edge: Int = 80, sigma: Double = 5) -> Double {
    let reach = Int(6 * sigma)
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    return weights.enumerated().reduce(0) { x + $1.offset - reach >= edge ? $0 + $1.element / sum : $0 }
  }

  @Test func backdrop_isBlurredWithinTheBounds_only() throws {
    let samples = Canvas.samples(try Self.draw([Self.half, Self.glass()]), plane: 0)
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let isInside = (40..<120).contains(x) && (30..<90).contains(y)
        let expected = isInside ? Self.step(x) : x >= 80 ? 1 : 0
        #expect(abs(Double(samples[y][4 * x]) / 65_535 - expected) < 0.006, "\(x) \(y): \(samples[y][4 * x])")
      }
    }
  }

  /// Frames of video, of each depth and layout, blended as signal and as light.
  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .yuv444p, .rgba, .rgba16], [BlendingSpace.encoded, .linear])
  func backdrop_ofEveryOutput_isBlurred(_ format: PixelFormat, _ blending: BlendingSpace) throws {
    let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : FrameAttributes(color: .bt709)
    let (sharp, soft) = try (
      Self.draw([Self.half], format, attributes, blending), Self.draw([Self.half, Self.glass()], format, attributes, blending)
    )
    #expect(try Canvas.color(soft, x: 60, y: 50).x < 0.01)
    let middle = try Canvas.color(soft, x: 80, y: 50).x
    // Half the light is about 0.73 of the signal.
    #expect(abs(middle - (blending == .linear ? 0.76 : 0.54)) < 0.06, "\(middle)")
    let outside = (try Canvas.color(sharp, x: 78, y: 10), try Canvas.color(soft, x: 78, y: 10))
    #expect(outside.0 == outside.1)
  }

  @Test func cornersMaskAndOpacity_limitTheGlass() throws {
    func value(x: Int, y: Int, _ change: (inout Layer) -> Void) throws -> Double {
      Double(Canvas.samples(try Self.draw([Self.half, Self.glass(change)]), plane: 0)[y][4 * x]) / 65_535
    }
    let blurred = Self.step(82)
    #expect(abs(try value(x: 82, y: 50) { $0.opacity = 0.5 } - (0.5 * blurred + 0.5)) < 0.006)
    #expect(try value(x: 82, y: 31) { $0.cornerRadius = 0 } < 0.9)
    #expect(try value(x: 82, y: 50) { $0.mask = Canvas.box(Rect(x: 0, y: 0, width: 20, height: 60)) } == 1)
    #expect(abs(try value(x: 82, y: 50) { $0.mask = Canvas.box(Rect(x: 0, y: 0, width: 60, height: 60)) } - blurred) < 0.006)
    #expect(try value(x: 82, y: 50) { $0.isHidden = true } == 1)
    #expect(try value(x: 82, y: 50) { $0.opacity = 0 } == 1)
    // The corner of a half circle at (40, 30) is outside.
    let corner = try value(x: 41, y: 31) { layer in
      layer.cornerRadius = 30
      layer.backdropFilters?.brightness = 0
      layer.backdropFilters?.contrast = 0
    }
    #expect(corner == 0)
  }

  /// At the edges of the canvas nothing darkens: the pixels there are repeated.
  @Test func glassOverTheWholeFrame_keepsALevelPicture() throws {
    for format in [PixelFormat.rgba16, .yuv420p] {
      let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : FrameAttributes(color: .bt709)
      let ground = Canvas.box(Rect(x: 0, y: 0, width: 160, height: 120), Color(red: 0.6, green: 0.6, blue: 0.6))
      let whole = Self.glass { layer in
        (layer.bounds.size, layer.position) = (Size(width: 160, height: 120), Point(x: 80, y: 60))
      }
      let frame = try Self.draw([ground, whole], format, attributes)
      for (x, y) in [(0, 0), (159, 0), (0, 119), (80, 60), (159, 119)] {
        #expect(abs(try Canvas.color(frame, x: x, y: y).x - 0.6) < 0.01)
      }
    }
  }

  /// A layer's own content is above its glass, and in a group only the group is below.
  @Test func contentIsAbove_andAnIsolatedGroupSeesItself() throws {
    let tinted = Self.glass { $0.backgroundColor = Color(red: 1, green: 1, blue: 1, alpha: 0.5) }
    let samples = Canvas.samples(try Self.draw([Self.half, tinted]), plane: 0)
    #expect(abs(Double(samples[50][4 * 60]) / 65_535 - 0.5) < 0.006)
    #expect(abs(Double(samples[50][4 * 82]) / 65_535 - (0.5 * Self.step(82) + 0.5)) < 0.006)
    var group = Canvas.root(Self.size, [Self.glass()])
    group.masksToBounds = true
    #expect(Canvas.samples(try Self.draw([Self.half, group]), plane: 0)[50][4 * 82] == 65_535)
    var whole = Canvas.root(Self.size, [Self.half, Self.glass()])
    whole.opacity = 0.5
    let faded = Double(Canvas.samples(try Self.draw([whole]), plane: 0)[50][4 * 82]) / 65_535
    #expect(abs(faded - 0.5 * Self.step(82)) < 0.006)
  }

  /// A group that fades takes its glass along: at every opacity the picture lies between that without and that with the group.
  @Test(arguments: [PixelFormat.rgba16, .yuv444p10], [BlendingSpace.encoded, .linear])
  func fadingGroup_fadesItsGlass(_ format: PixelFormat, _ blending: BlendingSpace) throws {
    let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : FrameAttributes(color: .bt709)
    func light(_ opacity: Double, nested: Bool) throws -> Double {
      var text = Canvas.box(Rect(x: 10, y: 5, width: 8, height: 8))
      text.name = "above the glass"
      var group = Canvas.root(Self.size, [Self.glass { $0.sublayers = [text] }])
      if nested { group = Canvas.root(Self.size, [group]) }
      group.opacity = opacity
      return try Canvas.color(Self.draw([Self.half, group], format, attributes, blending), x: 78, y: 60).x
    }
    let (none, all) = try (light(0, nested: false), light(1, nested: false))
    #expect(none < 0.01 && all > 0.3)
    #expect(abs(try light(0.9999, nested: true) - all) < 0.005)
    var before = none
    for opacity in [0.25, 0.5, 0.75] {
      let (flat, deep) = try (light(opacity, nested: false), light(opacity, nested: true))
      #expect(abs(flat - deep) < 0.003 && flat > before + 0.05 && flat < all)
      if blending == .encoded { #expect(abs(flat - opacity * all) < 0.004) }
      before = flat
    }
  }

  /// The same colors in SDR, HLG and PQ, blended as signal and as light.
  @Test(arguments: [ColorTags.bt709, .bt2100HLG, .bt2100PQ], [BlendingSpace.encoded, .linear])
  func backdropColors_areThoseOfSDR(_ tags: ColorTags, _ blending: BlendingSpace) throws {
    func color(_ gray: Double, _ layers: [Layer]) throws -> SIMD4<Double> {
      let ground = Canvas.box(Rect(x: 0, y: 0, width: 160, height: 120), Color(red: gray, green: gray, blue: gray))
      return try Canvas.color(
        Self.draw([ground] + layers, .yuv444p10, FrameAttributes(color: tags), blending), x: 80, y: 60)
    }
    let (dark, plain) = try (color(0.8, [Self.glass { $0.backdropFilters?.brightness = 0.5 }]), color(0.4, []))
    #expect(abs(dark.x - plain.x) < 0.006 && abs(dark.z - plain.z) < 0.006, "\(dark) \(plain)")
    let (blurred, same) = try (color(0.8, [Self.glass()]), color(0.8, []))
    #expect(abs(blurred.x - same.x) < 0.004)
  }

  /// Glass that moves shows at each place what is there; random access equals order.
  @Test func movingGlass_followsItsPlace() throws {
    let moving = Self.glass {
      $0.animations = [.basic(.positionX, from: 0, to: 80, timing: LayerTiming(duration: 1, fillMode: .both))]
    }
    let canvas = try Canvas.frame(Self.size, .yuv420p, FrameAttributes(color: .bt709))
    for time in [1.0, 0.25, 0.5, 0] {
      let still = Self.glass { $0.position.x = 80 * time }
      let (found, wanted) = (
        Canvas.samples(try Canvas.draw([Self.half, moving], over: canvas, at: time), plane: 0),
        Canvas.samples(try Canvas.draw([Self.half, still], over: canvas), plane: 0)
      )
      for (row, other) in zip(found, wanted) { #expect(zip(row, other).allSatisfy { abs($0 - $1) <= 1 }, "\(time) s") }
    }
  }

  @Test func animatedBlur_ofTheBackdrop_isThatOfItsRadius() throws {
    let animated = Self.glass { layer in
      layer.backdropFilters = nil
      layer.animations = [.basic(.backdropBlurRadius, from: 0, to: 10, timing: LayerTiming(duration: 1, fillMode: .both))]
    }
    let canvas = try Canvas.frame(Self.size, .rgba16, FrameAttributes(color: .sRGB))
    let samples = Canvas.samples(try Canvas.draw([Self.half, animated], over: canvas, at: 0.5), plane: 0)
    #expect(abs(Double(samples[50][4 * 82]) / 65_535 - Self.step(82)) < 0.006)
    #expect(Canvas.samples(try Canvas.draw([Self.half, animated], over: canvas, at: 0), plane: 0)[50][4 * 82] == 65_535)
  }
}
