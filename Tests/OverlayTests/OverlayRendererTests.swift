import CompositorAPI
import Foundation
import CompositorOverlay
import Testing

struct OverlayRendererTests {
  static let size = PixelSize(width: 64, height: 48)

  @Test func whiteBoxOnBlack_atWholePixels_isExactInLumaAndSitedInChroma() throws {
    let red = Color(red: 1, green: 0, blue: 0)
    let frame = try Canvas.draw(
      [Canvas.box(Rect(x: 10, y: 8, width: 21, height: 13), red)], over: Canvas.frame(OverlayRendererTests.size))
    let (y, cr) = (Canvas.samples(frame, plane: 0), Canvas.samples(frame, plane: 2))
    #expect(y[7][10] == 16 && y[8][9] == 16 && y[8][10] == 63 && y[20][30] == 63 && y[21][30] == 16 && y[20][31] == 16)
    // Left-sited chroma is on even columns, between rows: column 5 is half a pixel inside, column 15 at the last pixel.
    #expect(cr[6][10] == 240 && cr[3][10] == 128)
    #expect(cr[6][5] == 212 && cr[6][4] == 128, "3/4 of the way at the left edge")
    #expect(cr[6][15] == 212 && cr[6][16] == 128)
    #expect(cr[10][10] == 184, "one of two rows at the bottom")
  }

  @Test(arguments: PixelFormat.all) func opaqueBox_inEveryFormat_hasItsColor(format: PixelFormat) throws {
    let isRGB = format.isRGB
    let mode: AlphaMode = format.hasAlpha ? .premultiplied : .opaque
    let attributes = FrameAttributes(color: isRGB ? .sRGB : .bt709, alphaMode: mode)
    let color = Color(red: 0.8, green: 0.3, blue: 0.1)
    let base = try Canvas.frame(OverlayRendererTests.size, format, attributes, color: Color(red: 0.1, green: 0.2, blue: 0.4))
    let frame = try Canvas.draw([Canvas.box(Rect(x: 8, y: 8, width: 40, height: 32), color)], over: base)
    let expected = try color.encoded(in: attributes.color)
    let inside = try Canvas.color(frame, x: 16, y: 16, width: 16, height: 16)
    let tolerance = format.bitDepth == 8 ? 0.012 : 0.004
    for part in 0..<3 { #expect(abs(inside[part] - expected[part]) < tolerance, "\(format) \(inside) \(expected)") }
    let outside = try Canvas.color(frame, x: 56, y: 40, width: 4, height: 4)
    #expect(outside == (try Canvas.color(base, x: 56, y: 40, width: 4, height: 4)))
  }

  @Test func halfOpaqueBox_overStraightAlpha_followsPorterDuff() throws {
    let attributes = FrameAttributes(color: .sRGB, alphaMode: .straight)
    let base = try Canvas.frame(OverlayRendererTests.size, .rgba16, attributes, color: .clear)
    let frame = try Canvas.draw(
      [Canvas.box(Rect(x: 8, y: 8, width: 32, height: 32), Color(red: 1, green: 0.5, blue: 0, alpha: 0.5))], over: base)
    let row = Canvas.samples(frame, plane: 0)[20]
    #expect(abs(row[4 * 20] - 65535) <= 2 && abs(row[4 * 20 + 1] - 32768) <= 3 && abs(row[4 * 20 + 3] - 32768) <= 3)
    #expect(row[3] == 0)
  }

  @Test func white_onPQ_is203Candela() throws {
    let attributes = FrameAttributes(color: .bt2100PQ)
    let base = try Canvas.frame(OverlayRendererTests.size, .yuv420p10, attributes)
    let frame = try Canvas.draw([Canvas.box(Rect(x: 8, y: 8, width: 32, height: 32))], over: base)
    // PQ of 203 cd/m² is 0.58069; limited range at 10 bits: 64 + 876 · 0.58069 = 572.7.
    #expect(abs(Canvas.samples(frame, plane: 0)[20][20] - 573) <= 1)
    #expect(Canvas.samples(frame, plane: 1)[10][10] == 512)
  }

  @Test func groupOpacity_ofOverlappingLayers_doesNotShowTheOverlap() throws {
    var group = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48))
    group.opacity = 0.5
    group.sublayers = [
      Canvas.box(Rect(x: 8, y: 8, width: 24, height: 24)), Canvas.box(Rect(x: 20, y: 8, width: 24, height: 24)),
    ]
    let frame = try Canvas.draw([group], over: Canvas.frame(OverlayRendererTests.size))
    let row = Canvas.samples(frame, plane: 0)[16]
    #expect(Set(row[8..<44]).count == 1)
    #expect(abs(row[24] - 126) <= 1)
  }

  @Test func frames_backwardsShuffledAndOnTwoThreads_areTheSameAsInOrder() async throws {
    let size = PixelSize(width: 128, height: 96)
    var word = Layer()
    word.content = .text(TextContent("Ab", font: TextFont(size: 30)))
    word.position = Point(x: 64, y: 48)
    word.shadowOpacity = 0.5
    word.animations = [.basic(.positionX, from: 30, to: 90, timing: LayerTiming(duration: 2))]
    var ring = Layer(frame: Rect(x: 24, y: 8, width: 80, height: 80))
    ring.content = .replicator(ReplicatorContent(count: 6, transform: .rotation(radians: .pi / 3), delay: 0.1))
    var star = Layer(
      frame: Rect(x: 30, y: 0, width: 20, height: 20),
      content: .shape(ShapeContent(.star(center: Point(x: 10, y: 10), radius: 10), fill: .white)))
    star.animations = [.basic(.rotation, from: 0, to: 6, timing: LayerTiming(duration: 2))]
    ring.sublayers = [star]
    ring.animations = [.basic(.opacity, from: 0.2, to: 1, timing: LayerTiming(duration: 2))]
    let tree = Canvas.root(size, [ring, word])
    func frame(_ renderer: OverlayRenderer, _ index: Int) throws -> [[[Int]]] {
      Canvas.allSamples(
        try renderer.draw(over: Canvas.frame(size), at: MediaTime(value: Int64(index), timescale: 10), pool: Canvas.pool))
    }
    let inOrder = try OverlayRenderer(root: tree, renderSize: size)
    let expected = try (0..<20).map { try frame(inOrder, $0) }
    #expect(Set(expected.map(\.hashValue)).count > 15, "the picture moves")
    let backwards = try OverlayRenderer(root: tree, renderSize: size)
    for index in (0..<20).reversed() { #expect(try frame(backwards, index) == expected[index]) }
    var options = OverlayRenderer.Options()
    options.cacheByteLimit = 20_000
    let crowded = try OverlayRenderer(root: tree, renderSize: size, options: options)
    for index in [7, 3, 19, 0, 12, 7] { #expect(try frame(crowded, index) == expected[index]) }
    let shared = try OverlayRenderer(root: tree, renderSize: size)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<20 { group.addTask { try frame(shared, index) == expected[index] } }
      for try await isSame in group { #expect(isSame) }
    }
  }

  @Test func nothingVisible_returnsTheFrameItself_andStaticTitlesMakeNothingAnew() throws {
    var box = Canvas.box(Rect(x: 0, y: 0, width: 10, height: 10))
    box.timing = LayerTiming(beginTime: 5, duration: 1)
    let frame = try Canvas.frame(OverlayRendererTests.size)
    #expect(try Canvas.draw([box], over: frame, at: 1).isSameMemory(as: frame))
    #expect(try !Canvas.draw([box], over: frame, at: 5.5).isSameMemory(as: frame))
    var word = Layer()
    word.content = .text(TextContent("Still", font: TextFont(size: 20)))
    word.position = Point(x: 32, y: 24)
    let renderer = try OverlayRenderer(
      root: Canvas.root(OverlayRendererTests.size, [word]), renderSize: OverlayRendererTests.size)
    _ = try renderer.draw(over: frame, at: .zero, pool: Canvas.pool)
    let misses = renderer.cacheStatistics.misses
    for index in 1..<20 {
      _ = try renderer.draw(over: frame, at: MediaTime(value: Int64(index), timescale: 30), pool: Canvas.pool)
    }
    #expect(renderer.cacheStatistics.misses == misses)
  }

  @Test func masksShadowsAndClipping_coverWhatTheyShould() throws {
    var masked = Canvas.box(Rect(x: 8, y: 8, width: 32, height: 32))
    masked.mask = Canvas.box(Rect(x: 0, y: 0, width: 16, height: 32))
    var frame = try Canvas.draw([masked], over: Canvas.frame(OverlayRendererTests.size))
    let row = Array(Canvas.samples(frame, plane: 0)[20][8..<40])
    #expect(row == Array(repeatElement(235, count: 16)) + Array(repeatElement(16, count: 16)))
    var clipped = Layer(frame: Rect(x: 8, y: 8, width: 16, height: 16))
    clipped.masksToBounds = true
    clipped.sublayers = [Canvas.box(Rect(x: -8, y: -8, width: 64, height: 64))]
    frame = try Canvas.draw([clipped], over: Canvas.frame(OverlayRendererTests.size))
    let lit = Canvas.samples(frame, plane: 0).joined().count { $0 > 16 }
    #expect(lit == 256)
    var shaded = Canvas.box(Rect(x: 16, y: 12, width: 20, height: 16), .black)
    (shaded.shadowOpacity, shaded.shadowRadius, shaded.shadowOffset) = (1, 0, Point(x: 6, y: 4))
    frame = try Canvas.draw([shaded], over: Canvas.frame(OverlayRendererTests.size, color: .white))
    let dark = Canvas.samples(frame, plane: 0).joined().count { $0 == 16 }
    #expect(dark == 472, "two boxes of 320, 168 of both")
  }

  @Test func fadingGroup_ofSeparateParts_isDrawnAsOneOfOverlappingPartsIs() throws {
    var group = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48))
    group.sublayers = [
      Canvas.box(Rect(x: 6, y: 5, width: 15, height: 17)), Canvas.box(Rect(x: 40, y: 21, width: 13, height: 16), .black),
    ]
    group.sublayers[0].cornerRadius = 5
    group.sublayers[1].transform.rotationZ = 0.4
    group.opacity = 0.6
    // A part that moves keeps the group from being painted once for all.
    group.sublayers[0].animations = [.basic(.rotation, from: 0.3, to: 1, timing: LayerTiming(duration: 1))]
    let grey = Color(red: 0.5, green: 0.4, blue: 0.3)
    let separate = Canvas.allSamples(
      try Canvas.draw([group], over: Canvas.frame(OverlayRendererTests.size, color: grey), at: 0.2))
    // A third part over the first, which shows nothing, makes them overlap.
    group.sublayers.append(Canvas.box(Rect(x: 6, y: 5, width: 15, height: 17), Color(red: 1, green: 0, blue: 0, alpha: 1e-9)))
    let together = Canvas.allSamples(
      try Canvas.draw([group], over: Canvas.frame(OverlayRendererTests.size, color: grey), at: 0.2))
    for (left, right) in zip(separate.joined().joined(), together.joined().joined()) { #expect(abs(left - right) <= 1) }
  }

  @Test func patch_movedOverTheEdgesOfTheFrame_isCutThere() throws {
    var word = Layer()
    word.content = .text(TextContent("Edge", font: TextFont(size: 30, weight: 700)))
    word.animations = [
      .basic(.position, from: .point(x: -30, y: -20), to: .point(x: 94, y: 68), timing: LayerTiming(duration: 10))
    ]
    for format in [PixelFormat.yuv420p, .nv12, .p010, .yuv422p10, .rgba] {
      let attributes = FrameAttributes(color: format.isRGB ? .sRGB : .bt709)
      let base = try Canvas.frame(OverlayRendererTests.size, format, attributes)
      var changed = 0
      for step in 0..<20 {
        let frame = try Canvas.draw([word], over: base, at: Double(step) * 0.4973)
        if Canvas.allSamples(frame) != Canvas.allSamples(base) { changed += 1 }
      }
      #expect(changed > 12, "\(format)")
    }
  }
}
