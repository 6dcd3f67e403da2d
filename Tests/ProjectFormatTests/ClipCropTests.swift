import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// Crops in pixels, in percent, and with absent keys.
@Suite struct ClipCropTests {
  private static func edit(_ crop: String, size: String = "320x180") throws -> Edit {
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "640x360", frameRate: 25 }, assets: { a: { generate: "bars", size: "\(size)" } },
        tracks: [{ clips: [{ asset: "a", duration: "4s", crop: \(crop) }] }] }
      """)
    return try project.timeline(catalog: MediaCatalog()).edit(catalog: MediaCatalog())
  }

  private static func crop(_ crop: String, size: String = "320x180", at seconds: Int64 = 0) throws -> Rect {
    let layer = try #require(try edit(crop, size: size).videoComposition.instructions.first?.layers.first)
    return layer.crop.value(at: MediaTime(value: seconds, timescale: 1))
  }

  @Test(arguments: [
    ("{ x: 80, y: 0, width: 160, height: 180 }", 80, 0, 160, 180), ("{ x: '25%', width: '50%' }", 80, 0, 160, 180),
    ("{ x: 80 }", 80, 0, 240, 180), ("{ y: '50%' }", 0, 90, 320, 90), ("{ width: 100 }", 0, 0, 100, 180),
    ("{ height: '10%' }", 0, 0, 320, 18), ("{}", 0, 0, 320, 180), ("{ x: 10, width: '100% - 20' }", 10, 0, 300, 180),
    ("{ x: '50% - 8', y: '100% - 20', width: 16, height: 20 }", 152, 160, 16, 20),
    ("{ x: 0, y: '12.5%' }", 0, 22.5, 320, 157.5),
    ("{ x: '-25%', width: '50%' }", -80, 0, 160, 180), ("{ width: '200%' }", 0, 0, 640, 180),
  ])
  func crop_everyForm_isThePartInPixels(text: String, x: Double, y: Double, width: Double, height: Double) throws {
    #expect(try Self.crop(text) == Rect(x: x, y: y, width: width, height: height))
  }

  /// Percent follow the source, whatever its size, and mix with pixels in every key.
  @Test func crop_inPercent_followsTheSource() throws {
    for (width, height) in [(320.0, 180.0), (64, 36), (1000, 500)] {
      for percent in [0.0, 10, 25, 50, 100] {
        let crop = try Self.crop(
          "{ x: '\(percent)%', y: 4, width: '\(100 - percent)%', height: 8 }", size: "\(Int(width))x\(Int(height))")
        #expect(abs(crop.minX - width * percent / 100) < 1e-9 && crop.minY == 4, "\(crop)")
        #expect(abs(crop.size.width - width * (100 - percent) / 100) < 1e-9 && crop.size.height == 8, "\(crop)")
      }
    }
  }

  /// A key that is absent is that of the previous keyframe, or else the whole side's.
  @Test func keyframes_partial_keepTheOthers() throws {
    let keyframes = "[{ at: 0 }, { at: '1s', x: 80 }, { at: '2s', width: '25%' }, { at: '3s', x: '50%', y: 30, height: 60 }]"
    let expected = [
      Rect(x: 0, y: 0, width: 320, height: 180), Rect(x: 80, y: 0, width: 240, height: 180),
      Rect(x: 80, y: 0, width: 80, height: 180),
      Rect(x: 160, y: 30, width: 80, height: 60),
    ]
    for (second, rect) in expected.enumerated() { #expect(try Self.crop(keyframes, at: Int64(second)) == rect, "\(second)") }
    let whole = """
      [{ at: 0, x: 0, y: 0, width: 320, height: 180 }, { at: '1s', x: 80, y: 0, width: 240, height: 180 },
       { at: '2s', x: 80, y: 0, width: 80, height: 180 }, { at: '3s', x: 160, y: 30, width: 80, height: 60 }]
      """
    #expect(try Self.edit(keyframes).videoComposition == Self.edit(whole).videoComposition)
  }

  @Test(arguments: [
    ("{ x: '6vmin' }", "crop.x", "Write pixels such as 320, or percent such as \"50%\"."),
    ("{ x: '320px' }", "crop.x", "Write pixels such as 320, or percent such as \"50%\"."),
    ("{ width: '-50%' }", "crop.width", "Write pixels such as 320, or percent such as \"50%\"."),
    ("[{ at: 0, height: '-1%' }]", "crop[0].height", "Write pixels such as 320, or percent such as \"50%\"."),
  ])
  func crop_notAPart_isRefusedAtItsKey(text: String, path: String, advice: String) throws {
    let error = try #require(throws: CompositorError.self) { try Self.edit(text) }
    #expect(error.location.path == "tracks[0].clips[0].\(path)" && error.recoverySuggestion == advice, "\(error)")
  }

  @Test func crop_ofARectangle_isTheSame() {
    let rect = Rect(x: 3, y: 4, width: 5, height: 6)
    #expect(ClipCrop(rect).rect(in: Size(width: 1, height: 1)) == rect)
    #expect(ClipCrop().rect(in: Size(width: 7, height: 8)) == Rect(x: 0, y: 0, width: 7, height: 8))
    #expect(ClipCrop(x: .pixels(9)).rect(in: Size(width: 7, height: 8)).size.width == 0)
  }
}
