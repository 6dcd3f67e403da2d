import CompositorAPI
import Foundation
import CompositorOverlay
import CompositorTestSupport
import Testing

/// Blend modes over frames of video.
struct BlendModeTests {
  static let size = PixelSize(width: 64, height: 48)

  static let formats: [(PixelFormat, Double)] = [
    (.rgba, 8), (.rgba16, 16), (.yuv420p, 8), (.nv12, 8), (.yuv422p10, 10), (.yuv444p10, 10),
    (.planar(.s444, bitDepth: 12), 12), (.planar(.s444, bitDepth: 16), 16),
    (.planar(.s444, bitDepth: 16, alpha: true), 16),
  ]

  /// Every mode over frames of every kind, against W3C Compositing and Blending Level 1 in double precision, at half opacity.
  @Test(arguments: BlendMode.allCases, formats) func everyMode_overFrames_followsTheFormula(
    mode: BlendMode, format: (PixelFormat, Double)
  ) throws {
    let attributes = FrameAttributes(
      color: format.0.isRGB ? .sRGB : .bt709, alphaMode: format.0.hasAlpha ? .straight : .opaque)
    for (under, over) in [
      (Color(red: 0.8, green: 0.6, blue: 0.4), Color(red: 0.5, green: 0.3, blue: 0.7)),
      (Color(red: 0.2, green: 0.45, blue: 0.7), Color(red: 0.9, green: 0.1, blue: 0.6)),
      (Color(red: 0.95, green: 0.9, blue: 0.1), Color(red: 0.05, green: 0.1, blue: 0.2)),
    ] {
      let base = try Canvas.frame(Self.size, format.0, attributes, color: under)
      var layer = Canvas.box(Rect(x: 8, y: 8, width: 32, height: 32), over)
      (layer.blendMode, layer.opacity) = (mode, 0.5)
      let mixed = try Canvas.color(Canvas.draw([layer], over: base), x: 20, y: 20)
      // Modes that divide are steep: the backdrop is what its codes say.
      let (b, s) = (try Canvas.color(base, x: 20, y: 20), try over.encoded(in: attributes.color))
      let exact = try #require(
        BlendFormula.blend(
          .init([s[0], s[1], s[2]], alpha: 0.5), on: .init([b[0], b[1], b[2]]), mode: mode.rawValue))
      // Rounding to codes is up to 1.9 times as large in R′G′B′ as in Y′CbCr.
      let tolerance = 4 / pow(2, format.1)
      for part in 0..<3 { #expect(abs(mixed[part] - exact.color[part]) < tolerance, "\(mode.rawValue) \(part)") }
    }
  }

  @Test func multiplyOverVideo_darkensByTheFormulaAndLeavesTheRest() throws {
    var layer = Canvas.box(Rect(x: 8, y: 8, width: 32, height: 32), Color(red: 0.5, green: 0.5, blue: 0.5))
    layer.blendMode = .multiply
    let under = Color(red: 0.8, green: 0.6, blue: 0.4)
    let base = try Canvas.frame(Self.size, .yuv444p10, color: under)
    let frame = try Canvas.draw([layer], over: base)
    let (b, s) = (try under.encoded(in: .bt709), try Color(red: 0.5, green: 0.5, blue: 0.5).encoded(in: .bt709))
    let mixed = try Canvas.color(frame, x: 20, y: 20)
    for part in 0..<3 { #expect(abs(mixed[part] - b[part] * s[part]) < 0.004) }
    #expect(Canvas.samples(frame, plane: 0)[2] == Canvas.samples(base, plane: 0)[2])
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .nv12, .yuv422p10, .rgba])
  func blendMode_atOddPlaces_followsTheFormulaAndChangesNothingElse(format: PixelFormat) throws {
    let attributes = FrameAttributes(color: format.isRGB ? .sRGB : .bt709)
    let under = Color(red: 0.8, green: 0.6, blue: 0.4)
    let base = try Canvas.frame(PixelSize(width: 61, height: 47), format, attributes, color: under)
    var layer = Canvas.box(Rect(x: 7, y: 5, width: 33, height: 27), Color(red: 0.5, green: 0.5, blue: 0.5))
    layer.blendMode = .multiply
    let frame = try Canvas.draw([layer], over: base)
    let (b, s) = (
      try under.encoded(in: attributes.color), try Color(red: 0.5, green: 0.5, blue: 0.5).encoded(in: attributes.color)
    )
    let mixed = try Canvas.color(frame, x: 16, y: 12, width: 12, height: 12)
    for part in 0..<3 { #expect(abs(mixed[part] - b[part] * s[part]) < 0.006) }
    let (before, after) = (Canvas.allSamples(base), Canvas.allSamples(frame))
    for plane in before.indices {
      let isLuma = plane == 0
      for (y, row) in before[plane].enumerated() {
        let isOutside = isLuma ? !(5..<32).contains(y) : y > 34
        if isOutside { #expect(after[plane][y] == row) }
      }
    }
    layer.backgroundColor = .black
    layer.blendMode = .difference
    #expect(Canvas.allSamples(try Canvas.draw([layer], over: base)) == before, "the distance from black")
  }
}
