import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// sRGB graphics keep their R′G′B′ codes in SDR, and are the light of SDR video of their color in HDR.
@Suite(.enabled(if: hasFFmpeg)) struct GraphicsColorTests {
  static let size = "96x32"

  /// A still, a generated color and a title of one color, side by side.
  private func project(
    _ folder: TemporaryFolder, color: String = "#336699", output: String, conversion: String = ""
  ) throws -> ValidatedComposition {
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "color=0x\(color.dropFirst()):s=32x32,format=rgb24", "-frames:v", "1"]
        + [folder.file("still.png")])
    let text = """
      { version: 1, output: { size: "\(Self.size)", frameRate: 25, \(output), colorConversion: { \(conversion) } },
        assets: { still: "still.png", flat: { generate: "color", color: "\(color)", size: "32x32" } },
        tracks: [
          { clips: [{ asset: "flat", duration: "1f", fit: "none" }] },
          { clips: [{ asset: "still", duration: "1f", fit: "none", transform: { x: 16, y: 16 } }] },
        ],
        titles: [{ layer: { bounds: [0, 0, 32, 32], position: [80, 16], backgroundColor: "\(color)" }, duration: "1f" }],
      }
      """
    return try validated(text, folder)
  }

  private func validated(_ text: String, _ folder: TemporaryFolder) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    let edit = try ProjectFile(text, directory: folder.path + "/").edit(catalog: catalog)
    return try CompositionValidator.validate(edit, catalog: catalog).get()
  }

  /// R, G, B of the middle of each third of a movie's first picture, decoded by its matrix.
  private func colors(_ path: String, format: String = "rgb24") throws -> [[Int]] {
    let bytes = [UInt8](
      try runProgram(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-vf",
          "scale=sws_flags=accurate_rnd+full_chroma_int:in_color_matrix=bt709,format=\(format)",
        ]
          + ["-frames:v", "1", "-f", "rawvideo", "-"]))
    return [16, 48, 80].map { x in (0..<3).map { Int(bytes[(16 * 96 + x) * 3 + $0]) } }
  }

  @Test(arguments: ["yuv444p", "yuv444p10", "yuv420p"]) func graphics_inSDR_keepTheirCodes(format: String) async throws {
    let folder = try TemporaryFolder()
    let composition = try project(folder, output: "color: 'sdr', format: '\(format)'")
    let settings = ExportSettings(video: VideoEncodingSettings(codec: .ffv1))
    _ = try await Exporter.export(composition, to: folder.file("out.mkv"), settings: settings)
    for (part, found) in zip(["generated", "still", "title"], try colors(folder.file("out.mkv"))) {
      // A Y′CbCr code is up to 2 codes of R′G′B′ wide.
      let tolerance = format == "yuv444p10" ? 0 : 1
      #expect(zip(found, [51, 102, 153]).allSatisfy { abs($0 - $1) <= tolerance }, "\(part): \(found)")
    }
  }

  @Test func graphics_colorimetric_areLifted() async throws {
    let folder = try TemporaryFolder()
    let composition = try project(folder, output: "color: 'sdr', format: 'yuv444p'", conversion: "srgb: 'colorimetric'")
    let settings = ExportSettings(video: VideoEncodingSettings(codec: .ffv1))
    _ = try await Exporter.export(composition, to: folder.file("out.mkv"), settings: settings)
    for (part, found) in zip(["generated", "still", "title"], try colors(folder.file("out.mkv"))) {
      // IEC 61966-2-1 to light, and a power of 1 / 2.4.
      #expect(zip(found, [62, 110, 158]).allSatisfy { abs($0 - $1) <= 1 }, "\(part): \(found)")
    }
  }

  /// The codes of an HDR output are those of SDR video with the same R′G′B′.
  @Test(arguments: ["hlg", "pq"]) func graphics_inHDR_areTheLightOfSDRVideo(color: String) async throws {
    let folder = try TemporaryFolder()
    // Y′, Cb and Cr of 0.2, 0.4, 0.6 by BT.709, in 16 bits.
    let luma = 0.2126 * 0.2 + 0.7152 * 0.4 + 0.0722 * 0.6
    let (cb, cr) = ((0.6 - luma) / 1.8556, (0.2 - luma) / 1.5748)
    let codes = [16 + 219 * luma, 128 + 224 * cb, 128 + 224 * cr].map { Int(($0 * 256).rounded()) }
    let picture = "color=gray:s=32x32:r=25:d=0.04,format=yuv444p16le,geq=lum=\(codes[0]):cb=\(codes[1]):cr=\(codes[2])"
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", picture, "-c:v", "ffv1"]
        + colorTagging(primaries: "bt709", transfer: "bt709", matrix: "bt709") + [folder.file("video.mkv")])
    let video = try validated(
      """
      { version: 1, output: { size: "96x32", frameRate: 25, color: "\(color)", format: "yuv444p12" }, assets: { v: "video.mkv" },
        tracks: [{ clips: [{ asset: "v", duration: "1f", fit: "fill" }] }] }
      """, folder)
    let graphics = try project(folder, output: "color: '\(color)', format: 'yuv444p12'")
    let (expected, found) = (try await self.codes(of: video), try await self.codes(of: graphics))
    for x in [16, 48, 80] {
      for component in 0..<3 { #expect(abs(found[component][x] - expected[component][48]) <= 1, "\(x) \(component)") }
    }
    #expect(expected[0][48] > 300)
  }

  /// Row 16 of each plane.
  private func codes(of composition: ValidatedComposition) async throws -> [[Int]] {
    let format = try #require(composition.edit.output.format)
    let generator = try ImageGenerator(composition, settings: ImageSettings(format: format, color: .composition).exactly)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    return (0..<3).map { plane in frame.withRow(16, plane: plane, as: UInt16.self) { row in row.indices.map { Int(row[$0]) } } }
  }

  @Test func imageOfAStill_hasItsCodes() async throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48,format=rgb24", "-frames:v", "1", folder.file("photo.png")])
    let generator = try ImageGenerator(.file(path: folder.file("photo.png")), settings: .exact)
    let image = try await generator.image(at: .zero).frame
    await generator.close()
    try PNGWriter.write(image, to: folder.file("again.png"))
    func pixels(_ name: String) throws -> Data {
      try runProgram("ffmpeg", ["-v", "error", "-i", folder.file(name), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    }
    #expect(try pixels("photo.png") == pixels("again.png"))
  }

  /// Viewers show the image as they show the movie: by sRGB's curve.
  @Test func images_ofSDRFrames_areTaggedAsSRGB() async throws {
    let folder = try TemporaryFolder()
    for (color, chunk) in [("sdr", "sRGB"), ("display-p3", "cICP")] {
      let composition = try project(folder, output: "color: '\(color)', format: 'yuv444p'")
      let generator = try ImageGenerator(composition, settings: .exact)
      let image = try await generator.image(at: .zero).frame
      await generator.close()
      #expect(image.attributes.color.transfer == .sRGB)
      let path = folder.file("\(color).png")
      try PNGWriter.write(image, to: path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(bytes.range(of: Data(chunk.utf8)) != nil, "\(color)")
      if color == "display-p3" { #expect(bytes.range(of: Data("cICP".utf8) + [12, 13, 0, 1]) != nil) }
    }
  }

  /// Generated pictures have the depth of the output.
  @Test(arguments: [("yuv444p", 8), ("yuv444p10", 10), ("yuv444p12", 12), ("yuv444p16", 16)])
  func generatedGradient_hasTheOutputsDepth(format: (name: String, bits: Int)) async throws {
    let folder = try TemporaryFolder()
    let composition = try validated(
      """
      { version: 1, output: { size: "4096x2", frameRate: 25, color: "sdr", format: "\(format.name)" },
        assets: { g: { generate: "gradient", from: "#000000", to: "#ffffff", size: "4096x2" } },
        tracks: [{ clips: [{ asset: "g", duration: "1f" }] }] }
      """, folder)
    let pixelFormat = try #require(composition.edit.output.format)
    let generator = try ImageGenerator(composition, settings: ImageSettings(format: pixelFormat, color: .composition).exactly)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    let luma: [Int] =
      format.bits == 8
      ? frame.withRow(0, plane: 0, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } }
      : frame.withRow(0, plane: 0, as: UInt16.self) { row in row.indices.map { Int(row[$0]) } }
    let step = Double(1 << (format.bits - 8))
    for x in luma.indices {
      let exact = (16 + 219 * Double(x) / 4095) * step
      #expect(abs(Double(luma[x]) - exact) <= 0.5001)
    }
    #expect(Set(luma).count == min((219 << (format.bits - 8)) + 1, 4096))
  }
}

/// What cannot be blended in linear light is refused.
struct BlendingCheckTests {
  private func codes(_ output: String, _ rest: String) throws -> [ValidationDiagnostic.Code] {
    let catalog = MediaCatalog()
    let text = """
      { version: 1, output: { size: "64x36", frameRate: 25, \(output) },
        assets: { a: { generate: "bars" }, b: { generate: "color", color: "#ff0000" } }, \(rest) }
      """
    let edit = try ProjectFile(text, directory: "/").edit(catalog: catalog)
    var library = PluginLibrary(PluginOptions(searchPath: PluginSearchPath(folders: []), trusted: [.libavfilter]))
    library.find(edit.compositorIDs)
    return CompositionValidator.validate(edit, catalog: catalog, registry: try library.registry).errors.map(\.code)
  }

  private let title = """
    tracks: [{ clips: [{ asset: "a", duration: "1s" }] }],
    titles: [{ layer: { bounds: [0, 0, 32, 32], backgroundColor: "#fff", blendMode: "screen" }, duration: "1s" }]
    """

  @Test func blendModes_inLightOfHDR_areRefused() throws {
    #expect(try codes("color: 'pq', blending: 'linear', video: { codec: 'hevc' }", title) == [.blendingNotLinear])
    #expect(try codes("color: 'pq', video: { codec: 'hevc' }", title).isEmpty)
    #expect(try codes("color: 'sdr', blending: 'linear'", title).isEmpty)
  }

  @Test func foreignMixers_inLight_areRefused() throws {
    let clips = """
      tracks: [{ clips: [{ asset: "a", duration: "2s" }, { asset: "b", duration: "2s",
        transition: { compositor: "avfilter.xfade", duration: "1s" } }] }]
      """
    #expect(try codes("blending: 'linear'", clips) == [.blendingNotLinear])
    #expect(try codes("blending: 'encoded'", clips).isEmpty)
  }
}
