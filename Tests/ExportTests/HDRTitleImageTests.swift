import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// HDR stills as images of titles: their light is that of the same still as a clip, in every output.
@Suite(.enabled(if: hasFFmpeg)) struct HDRTitleImageTests {
  static let tags = [
    "pq": ("bt2020", "smpte2084", "bt2020nc"), "hlg": ("bt2020", "arib-std-b67", "bt2020nc"),
    "sdr": ("bt709", "bt709", "bt709"),
  ]

  /// A still of three grays and a color, as 10-bit codes of Y′, Cb, Cr.
  private func still(_ folder: TemporaryFolder, _ color: String) throws {
    let tags = try #require(Self.tags[color])
    let luma = "if(lt(X,16),200,if(lt(X,32),500,if(lt(X,48),723,600)))"
    let picture =
      "color=black:s=64x48:r=25:d=0.04,format=yuv444p10le,geq=lum='\(luma)':cb='if(lt(X,48),512,440)':cr='if(lt(X,48),512,620)'"
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", picture, "-c:v", "ffv1"]
        + colorTagging(primaries: tags.0, transfer: tags.1, matrix: tags.2) + [folder.file("still.mkv")])
  }

  /// The samples of the first frame of a project.
  private func samples(_ json: String, _ folder: TemporaryFolder) async throws -> [Int] {
    let project = try ProjectFile(json, directory: folder.path + "/")
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog).get()
    let generator = try ImageGenerator(composition, settings: ImageSettings(format: .rgba16).exactly)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    return frame.withUnsafePlanes { planes in
      let row = (planes[0].base + 24 * planes[0].stride).assumingMemoryBound(to: UInt16.self)
      return [8, 24, 40, 56].flatMap { x in (0..<3).map { Int(row[4 * x + $0]) } }
    }
  }

  @Test(arguments: ["pq", "hlg", "sdr"], ["pq", "hlg", "sdr"])
  func light_ofAnImage_isThatOfAClip(source: String, output: String) async throws {
    let folder = try TemporaryFolder()
    try still(folder, source)
    let start = "{ version: 1, output: { size: '64x48', frameRate: 25, color: '\(output)' }, assets: { still: 'still.mkv'"
    let clip = try await samples(start + " }, tracks: [{ clips: [{ asset: 'still' }] }] }", folder)
    let title = try await samples(
      start + """
        , black: { generate: 'color', color: '#000000', duration: '1s' } }, tracks: [{ clips: [{ asset: 'black' }] }],
          titles: [{ start: 0, layer: { layout: { left: 0, right: 0, top: 0, bottom: 0 }, content: { image: { image: 'still' } } } }] }
        """, folder)
    // A code of 8 bits, and a little more: images of titles are converted once more.
    for (left, right) in zip(clip, title) { #expect(abs(left - right) <= 320, "\(source) in \(output): \(clip), \(title)") }
  }
}
