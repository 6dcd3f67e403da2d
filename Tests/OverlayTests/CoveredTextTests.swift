import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Texts under opaque layers, compared with what is drawn: a text that is said to be covered changes no pixel.
struct CoveredTextTests {
  private static let size = PixelSize(width: 160, height: 90)
  private static let photo = "photo"
  private static let fonts = Result { try FontLibrary(.system) }

  /// What fills the layer above.
  enum Paint: String, CaseIterable, Sendable { case color, axial, radial, conic, image, filling, stretched, part, video }

  /// The layer above: 100×50 in the middle of a canvas of 160×90.
  private static func cover(_ paint: Paint, alpha: Double = 1) -> Layer {
    var layer = Layer(frame: Rect(x: 30, y: 20, width: 100, height: 50))
    let colors = [Color(red: 0.2, green: 0.3, blue: 0.4), Color(red: 0.6, green: 0.3, blue: 0.1, alpha: alpha)]
    func picture(_ gravity: ContentGravity) -> ImageContent { ImageContent(photo, gravity: gravity) }
    switch paint {
    case .color: layer.backgroundColor = colors[1]
    case .axial: layer.content = .gradient(GradientContent(colors))
    case .radial: layer.content = .gradient(GradientContent(colors, kind: .radial))
    case .conic: layer.content = .gradient(GradientContent(colors, kind: .conic))
    case .image: layer.content = .image(picture(.resize))
    case .filling: layer.content = .image(picture(.resizeAspectFill))
    case .stretched:
      var image = picture(.resize)
      image.contentsCenter = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
      layer.content = .image(image)
    case .part:
      var image = picture(.resize)
      image.contentsRect = Rect(x: 0.5, y: 0, width: 0.5, height: 1)
      layer.content = .image(image)
    case .video: layer.content = .video
    }
    return layer
  }

  private static func text(x: Double, y: Double, size: Double = 12) -> Layer {
    var text = TextContent("Hello")
    text.font.size = size
    text.color = .white
    var layer = Layer()
    layer.position = Point(x: x, y: y)
    layer.content = .text(text)
    return layer
  }

  private static func image(_ mode: AlphaMode) throws -> Frame {
    var attributes = FrameAttributes(color: .sRGB)
    attributes.alphaMode = mode
    let size = PixelSize(width: 40, height: 30)
    let frame = try Canvas.frame(size, .rgba16, attributes, color: Color(red: 0.2, green: 0.6, blue: 0.3))
    return frame
  }

  private func found(_ layers: [Layer], opaque: Bool = true) throws -> [CoveredText] {
    var title = Layer(frame: Rect(x: 0, y: 0, width: 160, height: 90))
    title.sublayers = layers
    let contents = OpaqueContents(images: opaque ? [Self.photo] : [], isFrameOpaque: opaque)
    return try CoveredTexts([title], canvas: Self.size, fonts: try Self.fonts.get(), opaque: contents)
      .find(inTitle: 0, from: 0, to: 1, frame: 0.04)
  }

  /// Whether the first layer changes a pixel by more than a rounding error.
  private func isSeen(_ layers: [Layer]) throws -> Bool {
    // Chroma of full size, which spreads over no edge.
    let frame = try Canvas.frame(Self.size, .planar(.s444, bitDepth: 8), color: Color(red: 0, green: 0.4, blue: 0.6))
    var options = OverlayRenderer.Options()
    options.fontLibrary = try Self.fonts.get()
    options.images = [Self.photo: try Self.image(.opaque)]
    let (all, rest) = (
      try Canvas.draw(layers, over: frame, options: options),
      try Canvas.draw(Array(layers[1...]), over: frame, options: options)
    )
    let (first, second) = (Canvas.allSamples(all).joined().joined(), Canvas.allSamples(rest).joined().joined())
    return zip(first, second).contains { abs($0 - $1) > 1 }
  }

  @Test(arguments: Paint.allCases)
  func text_underSomethingOpaque_isFound(_ paint: Paint) throws {
    let layers = [Self.text(x: 80, y: 45), Self.cover(paint)]
    #expect(try found(layers).map(\.path) == ["sublayers[0]"])
    #expect(try !isSeen(layers))
    // Above, beside, and partly beside.
    #expect(try found(layers.reversed()).isEmpty && found([Self.text(x: 80, y: 10), layers[1]]).isEmpty)
    #expect(try found([Self.text(x: 124, y: 45), layers[1]]).isEmpty)
  }

  @Test(arguments: [Paint.color, .axial, .radial, .conic, .image, .filling, .video])
  func text_underSomethingThatMayBeTransparent_isNot(_ paint: Paint) throws {
    let isColored = [.color, .axial, .radial, .conic].contains(paint)
    #expect(try found([Self.text(x: 80, y: 45), Self.cover(paint, alpha: 0.9)], opaque: isColored ? true : false).isEmpty)
  }

  @Test(arguments: [ContentGravity.resizeAspect, .center, .topLeft, .right])
  func image_thatMayNotFillItsLayer_coversNothing(_ gravity: ContentGravity) throws {
    var cover = Self.cover(.image)
    cover.content = .image(ImageContent(Self.photo, gravity: gravity))
    #expect(try found([Self.text(x: 80, y: 45), cover]).isEmpty)
  }

  @Test func areaWithRoundCorners_containsWhatLiesInsideThem() throws {
    let radii = [
      CornerRadii(all: 20), CornerRadii(topLeft: 25), CornerRadii(topLeft: 40, bottomRight: 40), CornerRadii(all: 99),
    ]
    for radii in radii {
      var cover = Self.cover(.color)
      cover.cornerRadii = radii
      #expect(try !found([Self.text(x: 80, y: 45), cover]).isEmpty, "\(radii)")
      var small = Self.text(x: 38, y: 26, size: 5)
      #expect(try found([small, cover]).isEmpty, "\(radii)")
      // The same corner, cut off by a layer around the card.
      var group = Layer(frame: Rect(x: 30, y: 20, width: 100, height: 50))
      (group.masksToBounds, group.cornerRadii) = (true, radii)
      cover.cornerRadii = CornerRadii()
      cover.position = Point(x: 50, y: 25)
      group.sublayers = [cover]
      #expect(try found([small, group]).isEmpty, "\(radii)")
      small.position = Point(x: 80, y: 45)
      #expect(try !found([small, group]).isEmpty, "\(radii)")
    }
  }

  /// What is said to be covered is covered: every paint at random places, sizes, angles, radii and opacities, cut off or not.
  @Test(arguments: Paint.allCases) func found_changesNoPixel(_ paint: Paint) throws {
    var numbers = Numbers(state: UInt64(paint.rawValue.utf8.reduce(7) { $0 * 31 + Int($1) }))
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &numbers) }
    var count = 0
    for round in 0..<60 {
      let text = Self.text(x: random(45...115), y: random(28...62), size: random(5...18))
      var cover = Self.cover(paint)
      cover.position = Point(x: random(70...90), y: random(40...50))
      cover.bounds.size = Size(width: random(60...150), height: random(30...85))
      if round % 3 > 0 {
        cover.cornerRadii = CornerRadii(
          topLeft: random(0...40), topRight: random(0...40), bottomRight: random(0...40), bottomLeft: random(0...40))
      }
      if round % 4 == 3 { cover.transform.rotationZ = random(-0.5...0.5) }
      if round % 8 == 5 { cover.opacity = 0.9 }
      if round % 5 == 4 {
        (cover.borderWidth, cover.borderColor) = (random(1...6), Color(red: 1, green: 1, blue: 1, alpha: 0.5))
      }
      var layers = [text, cover]
      if round % 7 == 6 {
        var group = Layer(frame: Rect(x: random(0...40), y: random(0...20), width: random(70...120), height: random(40...70)))
        (group.masksToBounds, group.cornerRadius) = (true, random(0...30))
        group.sublayers = [cover]
        layers = [text, group]
      }
      guard try !found(layers).isEmpty else { continue }
      count += 1
      #expect(try !isSeen(layers), "\(round)")
    }
    #expect(count >= 8, "\(count)")
  }
}
