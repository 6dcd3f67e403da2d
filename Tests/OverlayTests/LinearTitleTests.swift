import CompositorAPI
import CompositorOverlay
import Testing

/// Titles in linear light: a share of white over black is that share of white's light, in every output.
struct LinearTitleTests {
  static let size = PixelSize(width: 96, height: 48)
  static let outputs: [(ColorTags, Double)] = [(.bt709, 203), (.bt2100HLG, 1000), (.bt2100PQ, 10_000)]
  static let formats: [(PixelFormat, AlphaMode)] = [
    (.planar(.s444, bitDepth: 16), .opaque), (.planar(.s420, bitDepth: 16), .opaque), (.rgba16, .straight),
    (.rgba16, .premultiplied),
  ]

  private func attributes(_ color: ColorTags, _ format: PixelFormat, _ alpha: AlphaMode) -> FrameAttributes {
    var color = color
    if format.isRGB { (color.matrix, color.range) = (.identity, .full) }
    return FrameAttributes(color: color, alphaMode: alpha)
  }

  private func options(_ blending: BlendingSpace) -> OverlayRenderer.Options {
    var options = OverlayRenderer.Options()
    options.blending = blending
    return options
  }

  /// Light of a gray signal, cd/m².
  private func light(_ signal: Double, _ color: ColorTags, _ unit: Double) throws -> Double {
    var rgb = color
    rgb.matrix = .identity
    return try LightConversion(from: rgb, to: rgb).light(of: SIMD3(repeating: signal)).x * unit
  }

  /// Layers whose middle is half white, half black, each by another way.
  private func halves() -> [(String, [Layer])] {
    let area = Rect(x: 8, y: 8, width: 80, height: 32)
    let whole = Rect(x: 0, y: 0, width: 96, height: 48)
    var faded = Canvas.box(area)
    faded.opacity = 0.5
    var group = Layer(frame: whole)
    group.opacity = 0.5
    group.sublayers = [Canvas.box(area), Canvas.box(Rect(x: 20, y: 10, width: 40, height: 20))]
    var gradient = Layer(frame: area)
    gradient.content = .gradient(
      GradientContent([Color(red: 1, green: 1, blue: 1, alpha: 0.5), Color(red: 1, green: 1, blue: 1, alpha: 0.5)]))
    var masked = Canvas.box(area)
    masked.mask = Canvas.box(Rect(x: 0, y: 0, width: 80, height: 32), Color(red: 0, green: 0, blue: 0, alpha: 0.5))
    var shadowed = Canvas.box(Rect(x: 200, y: 8, width: 80, height: 32))
    (shadowed.shadowOpacity, shadowed.shadowRadius, shadowed.shadowColor) = (0.5, 0, .white)
    shadowed.shadowOffset = Point(x: -192, y: 0)
    var image = Layer(frame: area)
    image.content = .image(ImageContent("half", gravity: .resize))
    return [
      ("alpha", [Canvas.box(area, Color(red: 1, green: 1, blue: 1, alpha: 0.5))]), ("opacity", [faded]), ("group", [group]),
      ("gradient", [gradient]), ("mask", [masked]), ("shadow", [shadowed]), ("image", [image]),
      ("edge", [Canvas.box(Rect(x: 48.5, y: 8, width: 30, height: 32))]),
      ("black over white", [Canvas.box(whole), Canvas.box(area, Color(red: 0, green: 0, blue: 0, alpha: 0.5))]),
    ]
  }

  @Test(arguments: LinearTitleTests.outputs.indices, LinearTitleTests.formats.indices)
  func half_ofWhite_isHalfTheLight(output: Int, format: Int) throws {
    let (color, unit) = Self.outputs[output]
    let (pixelFormat, alpha) = Self.formats[format]
    let attributes = attributes(color, pixelFormat, alpha)
    var options = options(.linear)
    options.images["half"] = try Canvas.frame(
      PixelSize(width: 8, height: 8), .rgba16, FrameAttributes(color: .sRGB, alphaMode: .premultiplied),
      color: Color(red: 1, green: 1, blue: 1, alpha: 0.5))
    for (name, layers) in halves() {
      let frame = try Canvas.draw(layers, over: Canvas.frame(Self.size, pixelFormat, attributes), options: options)
      let shown = try Canvas.color(frame, x: 48, y: 24)
      #expect(abs(try light(shown.y, color, unit) - 101.5) < 1, "\(name) in \(pixelFormat) \(alpha): \(shown)")
      #expect(shown.w > 0.999)
    }
  }

  /// Every pixel of a text: the share that the encoded signal has of white, in light; nothing beside it changes.
  @Test(arguments: LinearTitleTests.outputs.indices) func text_inLight_showsTheShareOfLight(output: Int) throws {
    let (color, unit) = Self.outputs[output]
    let attributes = attributes(color, .planar(.s444, bitDepth: 16), .opaque)
    var layer = Layer(frame: Rect(x: 4.3, y: 4.6, width: 88, height: 40))
    layer.content = .text(TextContent("Ago"))
    func frame(_ blending: BlendingSpace) throws -> Frame {
      let black = try Canvas.frame(Self.size, .planar(.s444, bitDepth: 16), attributes)
      return try Canvas.draw([layer], over: black, options: options(blending))
    }
    let (encoded, linear) = (try frame(.encoded), try frame(.linear))
    let white = try Color.white.encoded(in: attributes.color).x
    var edges = 0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let share = try Canvas.color(encoded, x: x, y: y).y / white
        if share > 0.1, share < 0.9 { edges += 1 }
        let found = try light(try Canvas.color(linear, x: x, y: y).y, color, unit)
        #expect(abs(found - share * 203) < 0.6, "\(x) \(y)")
      }
    }
    #expect(edges > 20)
  }

  @Test func pixelsBesideTitles_inLight_keepTheirCodes() throws {
    var numbers = Numbers()
    let attributes = FrameAttributes(color: .bt709)
    var frame = try Canvas.pool.makeFrame(format: .yuv420p, size: Self.size, attributes: attributes)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        for y in 0..<planes[index].height {
          for x in 0..<planes[index].width {
            (planes[index].base + y * planes[index].stride).storeBytes(
              of: UInt8.random(in: 0...255, using: &numbers), toByteOffset: x, as: UInt8.self)
          }
        }
      }
    }
    let before = frame.freeze()
    let known = Canvas.allSamples(before)
    let after = try Canvas.draw(
      [Canvas.box(Rect(x: 40, y: 16, width: 16, height: 16))], over: before, options: options(.linear))
    let found = Canvas.allSamples(after)
    for plane in 0..<3 {
      let scale = plane == 0 ? 1 : 2
      for y in found[plane].indices {
        for x in found[plane][y].indices where !(38..<58).contains(x * scale) || !(14..<34).contains(y * scale) {
          #expect(found[plane][y][x] == known[plane][y][x])
        }
      }
    }
    #expect(found[0][24][48] == 235)
  }
}
