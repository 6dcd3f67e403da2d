import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Canvas, frame rate and color of an output that states none, for each kind of source before or below a movie, and alone.
@Suite struct OutputDefaultsTests {
  /// A kind of source, and what becomes of an output with it.
  struct Row: Sendable, CustomTestStringConvertible {
    let asset: String
    /// The canvas, the rate and the transfer function, if a movie of 400x300 at 24 frames a second in HLG follows it or lies above it.
    let decided: (size: PixelSize, rate: Int64, transfer: TransferFunction)
    /// The same without other sources, in BT.709.
    let alone: (size: PixelSize, rate: Int64)

    var testDescription: String { asset }

    init(
      _ asset: String, _ size: String, _ rate: Int64, _ transfer: TransferFunction = .hlg, alone: String, at rateAlone: Int64
    ) {
      self.asset = asset
      decided = (Row.size(size), rate, transfer)
      self.alone = (Row.size(alone), rateAlone)
    }

    private static func size(_ text: String) -> PixelSize {
      let sides = text.split(separator: "x").compactMap { Int($0) }
      return PixelSize(width: sides[0], height: sides[1])
    }
  }

  static let rows = [
    Row("\"still.png\"", "64x48", 24, alone: "64x48", at: 30),
    Row("\"photo.jpg\"", "66x44", 24, alone: "66x44", at: 30),
    Row("{ generate: \"color\" }", "400x300", 24, alone: "1920x1080", at: 30),
    Row("{ generate: \"gradient\", frameRate: 50 }", "400x300", 24, alone: "1920x1080", at: 50),
    Row("{ generate: \"bars\", size: \"32x18\", frameRate: 25 }", "32x18", 24, alone: "32x18", at: 25),
    Row("{ generate: \"clock\", frameRate: 50 }", "400x300", 24, alone: "1920x1080", at: 50),
    Row("{ generate: \"clock\", size: \"32x18\", frameRate: 50 }", "32x18", 50, alone: "32x18", at: 50),
    Row("{ titles: [{ text: \"A\" }] }", "400x300", 24, alone: "1920x1080", at: 30),
    Row("{ titles: [{ text: \"A\" }], size: \"32x18\" }", "32x18", 24, alone: "32x18", at: 30),
    Row("{ titles: [{ text: \"A\" }], frameRate: 50 }", "400x300", 50, alone: "1920x1080", at: 50),
    Row("\"animation.gif\"", "80x60", 10, alone: "80x60", at: 10),
    Row("\"sdr.mp4\"", "96x64", 25, .bt709, alone: "96x64", at: 25),
  ]

  private static func track(_ file: String) -> VideoTrackInfo? {
    func track(
      _ codec: String, _ size: PixelSize, _ format: PixelFormat, _ color: ColorTags, rate: Int, isStill: Bool = false
    ) -> VideoTrackInfo {
      var info = VideoTrackInfo(
        index: 0, codec: codec, size: size, format: format, attributes: FrameAttributes(color: color),
        nominalFrameRate: Rational(rate, 1), timeRange: TimeRange(start: .zero, duration: .seconds(1)))
      info.isStill = isStill
      return info
    }
    let fullRange = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601_625, range: .full)
    return switch file {
    case "still.png": track("png", PixelSize(width: 64, height: 48), .rgba, .sRGB, rate: 25, isStill: true)
    case "photo.jpg": track("mjpeg", PixelSize(width: 66, height: 44), .yuv420p, fullRange, rate: 25, isStill: true)
    case "animation.gif": track("gif", PixelSize(width: 80, height: 60), .rgba, .sRGB, rate: 10)
    case "sdr.mp4": track("h264", PixelSize(width: 96, height: 64), .yuv420p, .bt709, rate: 25)
    case "hlg.mp4": track("hevc", PixelSize(width: 400, height: 300), .yuv420p10, .bt2100HLG, rate: 24)
    default: nil
    }
  }

  /// A catalog of files that are only described.
  private func catalog() -> MediaCatalog {
    MediaCatalog { source throws(CompositorError) in
      guard case .file(let path) = source, let track = Self.track(String(path.split(separator: "/").last ?? "")) else {
        return try MediaProbe.probe(source)
      }
      return MediaInfo(source: source, container: "test", duration: .seconds(1), videoTracks: [track])
    }
  }

  private func expect(
    _ tracks: String, _ row: Row, _ size: PixelSize, _ rate: Int64, _ transfer: TransferFunction
  ) throws {
    let project = try ProjectFile(
      "{ version: 1, assets: { first: \(row.asset), movie: \"hlg.mp4\" }, tracks: [\(tracks)] }")
    let catalog = catalog()
    let edit = try project.edit(catalog: catalog)
    #expect(edit.videoComposition.renderSize == size, "\(tracks)")
    #expect(edit.videoComposition.frameDuration == MediaTime(value: 1, timescale: Int32(rate)), "\(tracks)")
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    #expect(RenderFormat(composition).attributes.color.transfer == transfer, "\(tracks)")
  }

  @Test(arguments: rows) func source_beforeAMovie_decidesWhatItHasOfItsOwn(_ row: Row) throws {
    let (size, rate, transfer) = row.decided
    try expect(
      "{ clips: [{ asset: \"first\", duration: \"1s\" }, { asset: \"movie\" }] }", row, size, rate, transfer)
  }

  @Test(arguments: rows) func source_belowAMovie_decidesWhatItHasOfItsOwn(_ row: Row) throws {
    let (size, rate, transfer) = row.decided
    try expect(
      "{ clips: [{ asset: \"first\", duration: \"1s\" }] }, { clips: [{ asset: \"movie\", transform: { scale: 0.5 } }] }",
      row, size, rate, transfer)
  }

  @Test(arguments: rows) func source_aloneInAProject_hasTheUsualDefaults(_ row: Row) throws {
    try expect("{ clips: [{ asset: \"first\", duration: \"1s\" }] }", row, row.alone.size, row.alone.rate, .bt709)
  }
}
