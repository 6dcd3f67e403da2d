import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Edges between saturated colors and white in 4:2:0: interpolated chroma beside sharp luma gives components far above 1, which an
/// SDR display limits. In HDR outputs nothing of SDR is brighter than its white either.
@Suite(.enabled(if: hasFFmpeg)) struct SDROvershootTests {
  /// Stripes of a color on white, three pixels wide, so that chroma samples straddle their edges.
  private func clip(_ folder: TemporaryFolder, _ color: String, format: String) throws {
    let stripes =
      "color=white:s=64x48:r=25:d=0.2,format=gbrp,geq="
      + ["r", "g", "b"].map { part in
        "\(part)='if(lt(mod(X,6),3)*lt(mod(Y,10),5),\(color.contains(part) ? 255 : 0),255)'"
      }.joined(separator: ":")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", stripes + ",scale=out_color_matrix=bt709:out_range=tv,format=\(format)",
        "-c:v", "ffv1",
      ]
        + colorTagging(primaries: "bt709", transfer: "bt709", matrix: "bt709") + [folder.file("stripes.mkv")])
  }

  private func composition(_ folder: TemporaryFolder, _ output: String) throws -> ValidatedComposition {
    let project = try ProjectFile(
      "{ version: 1, output: { \(output) }, assets: { a: 'stripes.mkv' }, tracks: [{ clips: [{ asset: 'a' }] }] }",
      directory: folder.path + "/")
    let catalog = MediaCatalog()
    return try CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog).get()
  }

  @Test(arguments: ["r", "g", "b", "rb", "none"], ["yuv420p", "yuv422p10le"])
  func edges_ofColorsOnWhite_areNoBrighterThanWhite(color: String, format: String) async throws {
    let folder = try TemporaryFolder()
    try clip(folder, color, format: format)
    for (output, transfer) in [("pq", TransferFunction.pq), ("hlg", .hlg)] {
      for blending in ["encoded", "linear"] {
        let generator = try ImageGenerator(
          composition(folder, "color: '\(output)', blending: '\(blending)', format: 'yuv444p10'"),
          settings: ImageSettings(format: .rgba16).exactly)
        let frame = try await generator.image(at: .zero).frame
        await generator.close()
        let white = try Color.white.encoded(in: frame.attributes.color)
        let conversion = try LightConversion(from: frame.attributes.color, to: frame.attributes.color, mixesLight: true)
        let limit = conversion.light(of: white).max()
        let brightest = frame.withUnsafePlanes { planes in
          (0..<planes[0].height).flatMap { y in
            let row = (planes[0].base + y * planes[0].stride).assumingMemoryBound(to: UInt16.self)
            return (0..<planes[0].width).map { x in
              conversion.light(of: SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2])) / 65535).max()
            }
          }.max()
        }
        // Without the output's own subsampling; a code of 10 bits is 2 % of light.
        let found = try #require(brightest)
        #expect(
          frame.attributes.color.transfer == transfer && found <= limit * 1.03 && found > limit * 0.9,
          "\(output): \(found) of \(limit)")
      }
    }
  }

  @Test(arguments: ["r", "b", "none"]) func generatedLight_ofSDRAlone_isAtMostItsWhite(color: String) async throws {
    let folder = try TemporaryFolder()
    try clip(folder, color, format: "yuv420p")
    _ = try await Exporter.export(
      composition(folder, "color: 'pq', hdrMetadata: 'generate', video: { codec: 'hevc' }"), to: folder.file("out.mp4"),
      settings: ExportSettings(video: VideoEncodingSettings(codec: .hevc, speed: .ultrafast)))
    let info = try MediaCatalog().info(for: .file(path: folder.file("out.mp4")))
    let hdr = try #require(info.videoTracks.first?.attributes.hdr)
    let levels = try #require(hdr.contentLightLevel)
    #expect((200...203).contains(levels.maximumContentLightLevel) && levels.maximumFrameAverageLightLevel <= 203, "\(levels)")
    #expect(try #require(hdr.masteringDisplay).maximumLuminance <= 203)
  }
}
