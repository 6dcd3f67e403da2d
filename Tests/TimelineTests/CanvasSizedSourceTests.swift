import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorProjectFormat
import CompositorTestMedia
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Generated sources without a size take that of the canvas.
@Suite struct CanvasSizedSourceTests {
  private static let generators = [
    "{ generate: \"color\", color: \"#00ff00\" }", "{ generate: \"gradient\", from: \"#00ff00\", to: \"#00ff00\" }",
    "{ generate: \"bars\" }", "{ generate: \"clock\" }",
  ]

  private static func sizes(_ edit: Edit) -> Set<PixelSize?> {
    Set(
      edit.composition.tracks(.video).flatMap(\.segments).compactMap(\.source).compactMap { source -> PixelSize?? in
        if case .generated(let generated) = source { return .some(generated.size) }
        return nil
      })
  }

  @Test(arguments: ["1280x720", "720x1280", "600x600", "640x480", "1920x800"])
  func generated_sources_fillEveryCanvas(canvas: String) throws {
    let parts = canvas.split(separator: "x").compactMap { Int($0) }
    let size = PixelSize(width: parts[0], height: parts[1])
    for generator in Self.generators {
      let project = try ProjectFile(
        """
        { version: 1, output: { size: "\(canvas)", frameRate: 25 }, assets: { a: \(generator), b: { generate: "bars", size: "64x36" } },
          tracks: [{ clips: [{ asset: "a", duration: "1s" }, { asset: "b", duration: "1s", transition: { type: "dissolve", duration: "0.5s" } }] }] }
        """)
      let edit = try project.edit(catalog: MediaCatalog())
      #expect(Self.sizes(edit) == [size, PixelSize(width: 64, height: 36)], "\(generator) on \(canvas)")
      #expect(edit.videoComposition.renderSize == size)
    }
  }

  @Test(.enabled(if: hasFFmpeg), arguments: [("360x640", "portrait"), ("400x400", "square"), ("480x360", "4:3")])
  func recipe16_inEveryShape_isBlackToItsEdges(size: String, shape: String) async throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=white:s=\(size):r=25:d=5", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        folder.file("holiday.mp4"),
      ])
    let text = """
      { version: 1,
        assets: { movie: "holiday.mp4", black: { generate: "color", color: "black" } },
        tracks: [
          { clips: [{ asset: "movie", duration: "5s" }] },
          { clips: [
            { asset: "black", duration: "1s", opacity: [{ at: 0, value: 1 }, { at: "1s", value: 0 }] },
            { asset: "black", at: "4s", duration: "fill", opacity: [{ at: 0, value: 0 }, { at: "1s", value: 1 }] } ] } ] }
      """
    let project = try ProjectFile(text, directory: folder.path + "/")
    let catalog = MediaCatalog()
    let edit = try project.edit(catalog: catalog)
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    let generator = try ImageGenerator(composition)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    let brightest = frame.withUnsafePlanes { planes -> Int in
      let plane = planes[0]
      let samples = frame.format.bitDepth > 8 ? 2 : 1
      let bytes = plane.width * samples * (frame.format.isRGB ? (frame.format.hasAlpha ? 4 : 3) : 1)
      return (0..<plane.height).map { y in
        let row = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt8.self)
        // Alpha is opaque.
        return (0..<bytes).filter { !frame.format.isRGB || !frame.format.hasAlpha || $0 / samples % 4 != 3 }.map {
          Int(row[$0])
        }.max() ?? 0
      }.max() ?? 0
    }
    #expect(brightest <= 16, "\(shape): \(brightest)")
  }

  /// The canvas of a project without a size is that of its media, not that of a color before it.
  @Test(.enabled(if: hasFFmpeg)) func canvas_afterAColor_isThatOfTheMovie() throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=300x400:r=24:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        folder.file("m.mp4"),
      ])
    let project = try ProjectFile(
      """
      { version: 1, assets: { m: "m.mp4", black: { generate: "color" } },
        tracks: [{ clips: [{ asset: "black", duration: "1s" }, { asset: "m" }] }] }
      """, directory: folder.path + "/")
    let edit = try project.edit(catalog: MediaCatalog())
    #expect(edit.videoComposition.renderSize == PixelSize(width: 300, height: 400))
    #expect(edit.videoComposition.frameDuration == MediaTime(value: 1, timescale: 24))
    #expect(Self.sizes(edit).contains(PixelSize(width: 300, height: 400)))
  }

  @Test func compositions_withoutATimeline_sizeTheirSourcesToo() throws {
    let source = MediaSource.generated(GeneratedSource(pattern: .color(.white)))
    var composition = Composition()
    let track = composition.addTrack(.video)
    try composition.insert(
      SourceRange(source, timeRange: TimeRange(start: .zero, duration: .seconds(1))), at: .zero, inTrack: track)
    var instruction = Instruction(timeRange: TimeRange(start: .zero, duration: .seconds(1)))
    instruction.layers = [LayerInstruction(trackID: track)]
    var video = VideoComposition(
      frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 90, height: 160))
    video.instructions = [instruction]
    let report = CompositionValidator.validate(
      Edit(composition: composition, videoComposition: video), catalog: MediaCatalog())
    let edit = try report.get().edit
    #expect(Self.sizes(edit) == [PixelSize(width: 90, height: 160)])
  }

  @Test func mediaSources_inJSON_areReadBack() throws {
    let sources: [MediaSource] = [
      .imageSequence(pattern: "a_%d.png", frameRate: Rational(25, 1)),
      .imageSequence(pattern: "a_%d.png", first: 3, frameRate: Rational(25, 1), missing: .hold),
      .generated(GeneratedSource(pattern: .bars)),
    ]
    #expect(try JSONDecoder().decode([MediaSource].self, from: try JSONEncoder().encode(sources)) == sources)
  }
}
