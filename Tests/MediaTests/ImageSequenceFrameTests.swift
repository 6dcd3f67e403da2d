import CompositorAPI
import CompositorConversion
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Numbered images: which of them are shown, and where.
@Suite(.enabled(if: hasFFmpeg)) struct ImageSequenceFrameTests {
  private static let rate = Rational(25, 1)

  /// Gray images, each with ten times its place in `numbers` as its level.
  private static func gray(_ names: [String], in folder: TemporaryFolder) throws {
    for (index, name) in names.enumerated() {
      let level = String(format: "0x%02x%02x%02x", index * 10, index * 10, index * 10)
      try runTool(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "color=\(level):s=16x16,format=rgb24", "-frames:v", "1", folder.file(name)])
    }
  }

  /// The places in the list of files of the frames that a source shows.
  private static func shown(_ source: MediaSource) throws -> [Int] {
    let catalog = MediaCatalog()
    let info = try #require(try catalog.info(for: source).videoTracks.first)
    let reader = try catalog.openVideo(source, trackIndex: 0)
    let count = Int((info.timeRange.duration.seconds * rate.value).rounded())
    return try (0..<count).map { index in
      let time = MediaTime(value: Int64(index), timescale: 25)
      let frame = try #require(try reader.frame(at: time)).frame
      return try Int((pixel(frame, 0.5, 0.5)[0] / 10).rounded())
    }
  }

  /// The levels from 0 to 255 of a frame's sample at a place in fractions of its size.
  private static func pixel(_ frame: Frame, _ x: Double, _ y: Double) throws -> [Double] {
    let pool = FramePool(maximumOutstanding: 4)
    let attributes = FrameAttributes(color: .sRGB, alphaMode: .straight)
    let converted = try FrameConverter.convert(frame, to: .rgba, attributes: attributes, pool: pool)
    let (column, row) = (Int(x * Double(frame.size.width)), Int(y * Double(frame.size.height)))
    return converted.withUnsafePlanes { planes in
      let samples = (planes[0].base + row * planes[0].stride).assumingMemoryBound(to: UInt8.self)
      return (0..<4).map { Double(samples[4 * column + $0]) }
    }
  }

  struct Gap: CustomTestStringConvertible, Sendable {
    let name: String
    let files: [String]
    var first: Int?
    /// What the error names; `nil` for no error.
    let missing: String?
    let skipped: [Int]
    let held: [Int]
    var testDescription: String { name }

    static func numbered(_ numbers: [Int], _ format: String = "f_%04d.png") -> [String] {
      numbers.map { String(format: format, $0) }
    }

    static let all: [Gap] = [
      Gap(name: "none", files: numbered([0, 1, 2, 3]), missing: nil, skipped: [0, 1, 2, 3], held: [0, 1, 2, 3]),
      Gap(name: "begins at 7", files: numbered([7, 8, 9]), missing: nil, skipped: [0, 1, 2], held: [0, 1, 2]),
      Gap(
        name: "in the middle", files: numbered([1, 2, 4, 5]), missing: "image 3 is", skipped: [0, 1, 2, 3],
        held: [0, 1, 1, 2, 3]),
      Gap(name: "after the first", files: numbered([1, 4]), missing: "2 to 3", skipped: [0, 1], held: [0, 0, 0, 1]),
      Gap(
        name: "several", files: numbered([1, 3, 4, 8]), missing: "2, 5 to 7", skipped: [0, 1, 2, 3],
        held: [0, 0, 1, 2, 2, 2, 2, 3]),
      Gap(name: "roll-over", files: numbered([9998, 9999, 1, 2]), missing: nil, skipped: [0, 1, 2, 3], held: [0, 1, 2, 3]),
      Gap(name: "roll-over to 0", files: numbered([9999, 0, 1]), missing: nil, skipped: [0, 1, 2], held: [0, 1, 2]),
      Gap(
        name: "roll-over with a gap", files: numbered([9996, 9998, 9999, 1, 3]), missing: "9997, 2", skipped: [0, 1, 2, 3, 4],
        held: [0, 0, 1, 2, 3, 3, 4]),
      Gap(
        name: "roll-over from a number", files: numbered([9998, 9999, 1, 2]), first: 9999, missing: nil, skipped: [1, 2, 3],
        held: [1, 2, 3]),
      Gap(name: "from a number", files: numbered([1, 2, 3, 4]), first: 3, missing: nil, skipped: [2, 3], held: [2, 3]),
      Gap(
        name: "mixed padding", files: ["f_8.png", "f_9.png", "f_10.png", "f_0011.png"], missing: nil, skipped: [0, 1, 2, 3],
        held: [0, 1, 2, 3]),
      Gap(
        name: "beyond the padding", files: numbered([9999, 10_000, 10_001]), missing: nil, skipped: [0, 1, 2], held: [0, 1, 2]),
    ]
  }

  @Test(arguments: Gap.all) func sequence_withGaps_isAnErrorOrAChoice(_ gap: Gap) throws {
    let folder = try TemporaryFolder()
    try Self.gray(gap.files, in: folder)
    func source(_ missing: MissingImages) -> MediaSource {
      .imageSequence(pattern: folder.file("f_%04d.png"), first: gap.first, frameRate: Self.rate, missing: missing)
    }
    if let missing = gap.missing {
      let error = #expect(throws: CompositorError.self) { try MediaProbe.probe(source(.error)) }
      #expect(error?.code == .fileNotFound)
      #expect(
        error?.message.contains(missing) == true && error?.message.contains("files come after") == true,
        "\(String(describing: error))")
      #expect(error?.recoverySuggestion?.contains("missing: \"skip\"") == true)
    } else {
      #expect(try Self.shown(source(.error)) == gap.skipped)
    }
    #expect(try Self.shown(source(.skip)) == gap.skipped, "skip")
    #expect(try Self.shown(source(.hold)) == gap.held, "hold")
  }

  @Test func sequence_withTwoImagesOfANumber_orNone_isRefused() throws {
    let folder = try TemporaryFolder()
    func error(_ pattern: String, first: Int? = nil) -> CompositorError? {
      #expect(throws: CompositorError.self) {
        try MediaProbe.probe(.imageSequence(pattern: folder.file(pattern), first: first, frameRate: Self.rate))
      }
    }
    #expect(error("f_%04d.png")?.code == .fileNotFound)
    try Self.gray(["f_1.png", "f_01.png", "g_2.png"], in: folder)
    let double = error("f_%04d.png")
    #expect(double?.message.contains("f_01.png") == true && double?.message.contains("f_1.png") == true)
    let absent = error("g_%d.png", first: 1)
    #expect(absent?.recoverySuggestion?.contains("first: 2") == true, "\(String(describing: absent))")
  }

  /// An image whose upright quarters are red, green, blue and white, stored with an orientation of Exif.
  private static func quarters(
    _ name: String, _ width: Int, _ height: Int, orientation: Int, in folder: TemporaryFolder
  ) throws {
    let (w, h) = (width / 2, height / 2)
    let turned = [1: "null", 6: "transpose=cclock", 8: "transpose=clock"][orientation] ?? "null"
    let filter =
      "color=red:s=\(width)x\(height),format=rgb24,drawbox=\(w):0:\(w):\(h):0x00ff00:fill,drawbox=0:\(h):\(w):\(h):blue:fill,"
      + "drawbox=\(w):\(h):\(w):\(h):white:fill,\(turned)"
    let path = folder.file(name)
    try runTool("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", filter, "-frames:v", "1", "-q:v", "2", path])
    guard orientation != 1 else { return }
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let tiff: [UInt8] = [
      0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
    ]
    let exif = Array("Exif\0\0".utf8) + tiff
    bytes.insert(contentsOf: [0xff, 0xe1, UInt8((exif.count + 2) >> 8), UInt8((exif.count + 2) & 255)] + exif, at: 2)
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Every image of a sequence has its quarters at the same places, in a rectangle of its aspect ratio.
  @Test(arguments: ["png", "jpg", "webp"], [[1, 1, 1, 1], [6, 1, 8, 6], [1, 6, 6, 8], [6, 6, 6, 6]])
  func images_ofOtherSizesAndOrientations_landInOnePlace(kind: String, orientations: [Int]) throws {
    guard kind == "jpg" || orientations == [1, 1, 1, 1] else { return }
    let folder = try TemporaryFolder()
    // The same, smaller, larger, and upright.
    let sizes = [(160, 96), (80, 48), (320, 192), (96, 160)]
    for (index, size) in sizes.enumerated() {
      try Self.quarters("f_\(index).\(kind)", size.0, size.1, orientation: orientations[index], in: folder)
    }
    let source = MediaSource.imageSequence(pattern: folder.file("f_%d.\(kind)"), frameRate: Self.rate)
    let catalog = MediaCatalog()
    let info = try #require(try catalog.info(for: source).videoTracks.first)
    #expect(info.displaySize == Size(width: 160, height: 96))
    let reader = try catalog.openVideo(source, trackIndex: 0)
    for (index, size) in sizes.enumerated() {
      let frame = try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 25))).frame
      #expect(frame.size == info.size && frame.format == info.format)
      // The part of the place that the image covers.
      let scale = min(160 / Double(size.0), 96 / Double(size.1))
      let (width, height) = (Double(size.0) * scale / 160, Double(size.1) * scale / 96)
      let colors: [(Double, Double, [Double])] = [
        (0.25, 0.25, [255, 0, 0]), (0.75, 0.25, [0, 255, 0]), (0.25, 0.75, [0, 0, 255]), (0.75, 0.75, [255, 255, 255]),
      ]
      for (x, y, color) in colors {
        let found = try Self.pixel(frame, 0.5 + (x - 0.5) * width, 0.5 + (y - 0.5) * height)
        let difference = zip(found, color).map { abs($0 - $1) }.max() ?? 255
        #expect(difference <= 24, "\(kind) \(index) at \(x), \(y): \(found), not \(color)")
      }
      if width < 0.9 { #expect(try Self.pixel(frame, 0.02, 0.5).prefix(3).allSatisfy { $0 < 8 }) }
    }
  }

  @Test func images_ofOtherSamples_keepColorAndAlpha() throws {
    let folder = try TemporaryFolder()
    let inputs = [
      ("f_1.png", "color=gray:s=32x32,format=gray"), ("f_2.png", "color=red:s=32x32,format=rgb24"),
      ("f_3.png", "color=0x00ff0080:s=32x32,format=rgba"), ("f_4.png", "color=blue:s=32x32,format=rgb48be"),
    ]
    for (name, input) in inputs {
      try runTool("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", input, "-frames:v", "1", folder.file(name)])
    }
    let source = MediaSource.imageSequence(pattern: folder.file("f_%d.png"), frameRate: Self.rate)
    let catalog = MediaCatalog()
    let info = try #require(try catalog.info(for: source).videoTracks.first)
    #expect(info.attributes.alphaMode == .straight)
    let reader = try catalog.openVideo(source, trackIndex: 0)
    let expected: [[Double]] = [[128, 128, 128, 255], [255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 255]]
    for (index, color) in expected.enumerated() {
      let frame = try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 25))).frame
      let found = try Self.pixel(frame, 0.5, 0.5)
      #expect(zip(found, color).allSatisfy { abs($0 - $1) <= 3 }, "\(inputs[index].0): \(found)")
    }
  }
}
