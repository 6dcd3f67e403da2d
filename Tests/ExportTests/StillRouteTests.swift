import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Photos in movies: converted once, and composed in the output's planes whatever is done to them.
@Suite(.enabled(if: hasFFmpeg)) struct StillRouteTests {
  /// A photo of 1200 × 900 pixels, as cameras write them: full range, BT.601, 4:2:0.
  private func photo(in folder: TemporaryFolder, _ name: String = "photo.jpg") throws {
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=s=1200x900,format=yuvj420p", "-frames:v", "1", "-q:v", "2"]
        + [folder.file(name)])
  }

  private func export(_ clips: String, _ folder: TemporaryFolder) async throws -> ExportResult {
    let text = """
      { version: 1, output: { size: "320x180", frameRate: 25, format: "yuv420p" }, assets: { photo: "photo.jpg" },
        tracks: [ \(clips) ] }
      """
    let catalog = MediaCatalog()
    let edit = try ProjectFile(text, directory: folder.path + "/").edit(catalog: catalog)
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    try? FileManager.default.removeItem(atPath: folder.file("out.mkv"))
    return try await Exporter.export(
      composition, to: folder.file("out.mkv"), settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1)))
  }

  private func frames(_ path: String, _ filter: String) throws -> [UInt8] {
    [UInt8](
      try runProgram("ffmpeg", ["-v", "error", "-i", path, "-vf", filter, "-frames:v", "1", "-f", "rawvideo", "-"]))
  }

  /// The first frame against ffmpeg's area filter on the photo.
  @Test func movingPhoto_isComposedInPlanes() async throws {
    let folder = try TemporaryFolder()
    try photo(in: folder)
    let result = try await export(
      """
      { clips: [{ asset: "photo", duration: "12f", fit: "fill", transform: [{ at: 0, scale: 1 }, { at: "12f", scale: 1.3 }] }] }
      """, folder)
    #expect(result.frameCount == 12)
    #expect(result.routes == [.planar: 12])
    let found = try frames(folder.file("out.mkv"), "format=yuv420p")
    let expected = try frames(
      folder.file("photo.jpg"),
      "crop=1200:675,scale=320:180:flags=area+accurate_rnd+full_chroma_int:in_color_matrix=bt601:in_range=full"
        + ":out_color_matrix=bt709:out_range=limited,format=yuv420p")
    #expect(found.count == expected.count && found.count == 320 * 180 * 3 / 2)
    let squares = zip(found, expected).prefix(320 * 180).reduce(0.0) { sum, pair in
      let difference = Double(pair.0) - Double(pair.1)
      return sum + difference * difference
    }
    let psnr = 10 * log10(255 * 255 / max(squares / (320 * 180), 1e-9))
    #expect(psnr > 35, "\(psnr) dB")
  }

  /// An effect that does not change is applied to a still once: all requests get the same cached frame.
  @Test func stillWithEffects_isTheSamePictureInEveryFrame() async throws {
    let folder = try TemporaryFolder()
    try photo(in: folder)
    let moving = "transform: [{ at: 0, scale: 1 }, { at: '10f', scale: 1.2 }]"
    let blurred = try await export(
      "{ clips: [{ asset: 'photo', duration: '10f', fit: 'fill', effects: [{ use: 'gaussian-blur', radius: 6 }], \(moving) }] }",
      folder)
    #expect(blurred.routes == [.planar: 10])
    let once = try frames(folder.file("out.mkv"), "format=yuv420p")
    // The same with a radius that is stated to change, and does not.
    let animated = try await export(
      """
      { clips: [{ asset: 'photo', duration: '10f', fit: 'fill', \(moving),
        effects: [{ use: 'gaussian-blur', radius: [{ at: 0, value: 6 }, { at: '9f', value: 6.000001 }] }] }] }
      """, folder)
    #expect(animated.routes == [.general: 10])
    let each = try frames(folder.file("out.mkv"), "format=yuv420p")
    let worst = zip(once, each).map { abs(Int($0) - Int($1)) }.max() ?? 0
    // What is kept is rounded to 8 bits, reduced in steps and rounded again, where the other is rounded once.
    #expect(once.count == each.count && worst <= 3, "\(worst)")
  }
}
