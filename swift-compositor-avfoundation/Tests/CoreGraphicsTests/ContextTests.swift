import CoreGraphics
import Testing

/// Layouts of 8-bit color, and where red, green, blue and alpha are in memory; no alpha is written as 255 at its place.
private let layouts: [(info: UInt32, order: [Int], hasAlpha: Bool)] = [
  (CGImageAlphaInfo.premultipliedLast.rawValue, [0, 1, 2, 3], true),
  (CGImageAlphaInfo.premultipliedFirst.rawValue, [1, 2, 3, 0], true),
  (CGImageAlphaInfo.noneSkipLast.rawValue, [0, 1, 2, 3], false),
  (CGImageAlphaInfo.noneSkipFirst.rawValue, [1, 2, 3, 0], false),
  (CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue, [2, 1, 0, 3], true),
  (CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue, [2, 1, 0, 3], false),
  (CGImageAlphaInfo.premultipliedLast.rawValue | CGBitmapInfo.byteOrder32Little.rawValue, [3, 2, 1, 0], true),
  (CGImageAlphaInfo.premultipliedLast.rawValue | CGBitmapInfo.byteOrder32Big.rawValue, [0, 1, 2, 3], true),
]

@Suite struct ContextTests {
  private func context(
    _ width: Int, _ height: Int, _ info: UInt32 = CGImageAlphaInfo.premultipliedLast.rawValue, gray: Bool = false
  ) throws -> CGContext {
    try #require(
      CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
        space: gray ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(), bitmapInfo: info))
  }

  /// The bytes of a pixel, counted from the upper left.
  private func pixel(_ context: CGContext, _ x: Int, _ y: Int) -> [Int] {
    let size = context.bitsPerPixel / 8
    guard let data = context.data else { return [] }
    return (0..<size).map {
      Int(data.load(fromByteOffset: y * context.bytesPerRow + x * size + $0, as: UInt8.self))
    }
  }

  /// The first row in memory is the upper one; colors are multiplied by alpha.
  @Test(arguments: 0..<8) func layouts_haveTheirOrder(index: Int) throws {
    let (info, order, hasAlpha) = layouts[index]
    let context = try context(4, 4, info)
    context.setFillColor(red: 1, green: 0.4, blue: 0.2, alpha: 1)
    context.fill(CGRect(x: 0, y: 0, width: 4, height: 1))
    let shown = pixel(context, 2, 3)
    #expect(order.map { shown[$0] } == [255, 102, 51, 255])
    #expect(order.map { pixel(context, 2, 0)[$0] } == [0, 0, 0, hasAlpha ? 0 : 255])
    context.setFillColor(red: 1, green: 0, blue: 0, alpha: 0.4)
    context.fill(CGRect(x: 0, y: 3, width: 1, height: 1))
    #expect(order.map { pixel(context, 0, 0)[$0] } == [102, 0, 0, hasAlpha ? 102 : 255])
    context.clear(CGRect(x: 0, y: 0, width: 4, height: 4))
    #expect(order.map { pixel(context, 2, 3)[$0] } == [0, 0, 0, hasAlpha ? 0 : 255])
  }

  @Test func grayAndMasks_haveOneByte() throws {
    let gray = try context(5, 2, CGImageAlphaInfo.none.rawValue, gray: true)
    gray.setFillColor(gray: 0.6, alpha: 1)
    gray.fill(CGRect(x: 0, y: 0, width: 5, height: 1))
    gray.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
    gray.fill(CGRect(x: 0, y: 1, width: 1, height: 1))
    // The luminance of green: 183 of 256.
    #expect(pixel(gray, 4, 1) == [153] && pixel(gray, 0, 0) == [182] && pixel(gray, 1, 0) == [0])
    let mask = try context(3, 3, CGImageAlphaInfo.alphaOnly.rawValue)
    mask.setFillColor(gray: 1, alpha: 0.2)
    mask.fill(CGRect(x: 1, y: 1, width: 1, height: 1))
    #expect(pixel(mask, 1, 1) == [51] && pixel(mask, 0, 1) == [0] && mask.makeImage()?.alphaInfo == .alphaOnly)
  }

  @Test func wrongLayouts_areRefused() {
    func isMade(
      _ info: UInt32, bits: Int = 8, stride: Int = 0, gray: Bool = false, data: UnsafeMutableRawPointer? = nil
    ) -> Bool {
      CGContext(
        data: data, width: 4, height: 4, bitsPerComponent: bits, bytesPerRow: stride,
        space: gray ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(), bitmapInfo: info) != nil
    }
    #expect(!isMade(CGImageAlphaInfo.last.rawValue) && !isMade(CGImageAlphaInfo.none.rawValue))
    #expect(!isMade(CGImageAlphaInfo.premultipliedLast.rawValue, bits: 16))
    #expect(!isMade(CGImageAlphaInfo.premultipliedLast.rawValue, stride: 12))
    #expect(!isMade(CGImageAlphaInfo.premultipliedLast.rawValue, gray: true))
    var bytes = [UInt8](repeating: 0, count: 64)
    let isMadeWithoutRows = bytes.withUnsafeMutableBytes {
      isMade(CGImageAlphaInfo.premultipliedLast.rawValue, data: $0.baseAddress)
    }
    #expect(!isMadeWithoutRows)
  }

  /// Memory of the program, whose rows have gaps, is drawn into at once and read again before each call.
  @Test(arguments: [CGImageAlphaInfo.premultipliedFirst, .premultipliedLast]) func memory_isTheProgramsOwn(
    alpha: CGImageAlphaInfo
  ) throws {
    var bytes = [UInt8](repeating: 9, count: 3 * 21)
    try bytes.withUnsafeMutableBytes { memory in
      let context = try #require(
        CGContext(
          data: memory.baseAddress, width: 4, height: 3, bitsPerComponent: 8, bytesPerRow: 21,
          space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: alpha.rawValue))
      context.setFillColor(gray: 1, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
      #expect((0..<4).allSatisfy { memory[42 + $0] == 255 } && memory[46] == 9 && memory[20] == 9)
      for place in 42..<46 { memory[place] = 0 }
      context.fill(CGRect(x: 1, y: 0, width: 1, height: 1))
      #expect(memory[42] == 0 && memory[46] == 255)
    }
  }

  @Test func transformsAndClips_areRemembered() throws {
    let context = try context(8, 8)
    context.setFillColor(gray: 1, alpha: 1)
    context.saveGState()
    context.translateBy(x: 4, y: 0)
    context.scaleBy(x: 2, y: 2)
    #expect(context.ctm == CGAffineTransform(a: 2, b: 0, c: 0, d: 2, tx: 4, ty: 0))
    context.clip(to: CGRect(x: 0, y: 0, width: 1, height: 1))
    context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
    context.fill(CGRect(x: -9, y: -9, width: 99, height: 99))
    #expect(pixel(context, 4, 6) == [255, 0, 0, 255] && pixel(context, 5, 7) == [255, 0, 0, 255])
    for (x, y) in [(3, 7), (6, 7), (4, 5)] { #expect(pixel(context, x, y) == [0, 0, 0, 0]) }
    context.restoreGState()
    #expect(context.ctm.isIdentity)
    context.rotate(by: .pi / 2)
    context.fill(CGRect(x: 0, y: -1, width: 8, height: 1))
    #expect(pixel(context, 0, 0) == [255, 255, 255, 255] && pixel(context, 1, 0) == [0, 0, 0, 0])
  }

  @Test func paths_areFilledStrokedAndForgotten() throws {
    let context = try context(10, 10)
    context.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
    context.setStrokeColor(red: 1, green: 0, blue: 0, alpha: 1)
    context.setLineWidth(2)
    context.addRect(CGRect(x: 2, y: 2, width: 6, height: 6))
    context.drawPath(using: .fillStroke)
    #expect(pixel(context, 1, 1) == [255, 0, 0, 255] && pixel(context, 2, 5) == [255, 0, 0, 255])
    #expect(pixel(context, 5, 5) == [0, 255, 0, 255] && pixel(context, 0, 5) == [0, 0, 0, 0] && context.isPathEmpty)
    context.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
    context.addRect(CGRect(x: 4, y: 4, width: 2, height: 2))
    context.setFillColor(red: 0, green: 0, blue: 1, alpha: 1)
    context.fillPath(using: .evenOdd)
    #expect(pixel(context, 5, 5) == [0, 255, 0, 255] && pixel(context, 3, 3) == [0, 0, 255, 255])
    // Half of a pixel is covered by a rectangle of half its width.
    context.clear(CGRect(x: 0, y: 0, width: 10, height: 10))
    context.setAlpha(0.5)
    context.fill(CGRect(x: 0, y: 0, width: 0.5, height: 10))
    #expect(abs(pixel(context, 0, 5)[3] - 64) <= 1)
  }

  /// Dashes of 2 and gaps of 1, from the left.
  @Test func dashes_andBlending() throws {
    let context = try context(8, 2)
    context.setStrokeColor(gray: 1, alpha: 1)
    context.setLineWidth(2)
    context.setLineDash(phase: 0, lengths: [2, 1])
    context.strokeLineSegments(between: [CGPoint(x: 0, y: 1), CGPoint(x: 8, y: 1)])
    #expect((0..<8).map { pixel(context, $0, 0)[3] } == [255, 255, 0, 255, 255, 0, 255, 255])
    context.setBlendMode(.multiply)
    context.setFillColor(red: 0.2, green: 1, blue: 0.6, alpha: 1)
    context.fill(CGRect(x: 0, y: 0, width: 1, height: 2))
    #expect(pixel(context, 0, 0) == [51, 255, 153, 255])
    context.setBlendMode(.copy)
    context.setFillColor(red: 1, green: 0, blue: 0, alpha: 0.2)
    context.fill(CGRect(x: 1, y: 0, width: 1, height: 2))
    #expect(pixel(context, 1, 1) == [51, 0, 0, 51])
  }

  /// A picture is upright, in any layout; without interpolation each pixel becomes a square.
  @Test(arguments: 0..<8) func pictures_areDrawnUpright(index: Int) throws {
    let source = try context(2, 2, layouts[index].info)
    for (x, y, color) in [(0, 1, [1.0, 0, 0]), (1, 1, [0, 1.0, 0]), (0, 0, [0, 0, 1.0]), (1, 0, [1.0, 1, 1])] {
      source.setFillColor(red: color[0], green: color[1], blue: color[2], alpha: 1)
      source.fill(CGRect(x: x, y: y, width: 1, height: 1))
    }
    let image = try #require(source.makeImage())
    let target = try context(6, 6, layouts[(index + 3) % 8].info)
    target.interpolationQuality = .none
    target.draw(image, in: CGRect(x: 0, y: 2, width: 4, height: 4))
    let order = layouts[(index + 3) % 8].order
    func color(_ x: Int, _ y: Int) -> [Int] { order.dropLast().map { pixel(target, x, y)[$0] } }
    #expect(color(0, 0) == [255, 0, 0] && color(3, 1) == [0, 255, 0] && color(1, 2) == [0, 0, 255])
    #expect(color(3, 3) == [255, 255, 255] && color(4, 0) == [0, 0, 0] && color(0, 4) == [0, 0, 0])
  }
}
