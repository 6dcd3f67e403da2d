import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorMediaWriting
import Synchronization
import CompositorTestSupport
import Testing

/// Color and HDR metadata of what comes out, from project to file.
@Suite(.enabled(if: hasFFmpeg)) struct HDROutputTests {
  /// A clip of one gray, losslessly coded.
  private func clip(
    _ folder: TemporaryFolder, _ name: String, luma: Int, transfer: String = "smpte2084", hdr10: Bool = false
  ) throws {
    let tags = colorTagging(
      primaries: transfer == "bt709" ? "bt709" : "bt2020", transfer: transfer,
      matrix: transfer == "bt709" ? "bt709" : "bt2020nc")
    let codec =
      hdr10
      ? [
        "-c:v", "libx265", "-x265-params",
        "log-level=none:lossless=1:hdr10=1:max-cll=900,300:"
          + "master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)",
      ] : ["-c:v", "ffv1"]
    // A black half, so that the mean is half of the peak.
    let picture =
      "color=black:s=64x48:r=25:d=0.2,format=yuv420p10le,geq=lum='if(lt(X,32),\(luma),64)':cb=512:cr=512"
    try runTool("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", picture] + codec + tags + [folder.file(name)])
  }

  private func project(_ folder: TemporaryFolder, _ clips: [String], output: String = "") throws -> ProjectFile {
    let assets = clips.enumerated().map { "c\($0): '\($1)'" }.joined(separator: ", ")
    let list = clips.indices.map { "{ asset: 'c\($0)' }" }.joined(separator: ", ")
    return try ProjectFile(
      "{ version: 1, output: { \(output) }, assets: { \(assets) }, tracks: [{ clips: [\(list)] }] }",
      directory: folder.path + "/")
  }

  private func validated(_ project: ProjectFile) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    return try CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog).get()
  }

  @Test func outputColor_whereNothingIsSaid_isTheFirstSources() throws {
    let folder = try TemporaryFolder()
    try clip(folder, "pq.mkv", luma: 400)
    try clip(folder, "sdr.mkv", luma: 400, transfer: "bt709")
    let first = try EditExplanation(validated(project(folder, ["pq.mkv"])))
    #expect(first.format.contains("BT.2020 primaries, PQ") && first.colorReason.contains("pq.mkv"))
    let said = try EditExplanation(validated(project(folder, ["sdr.mkv"], output: "color: 'sdr'")))
    #expect(said.format.contains("BT.709 primaries") && said.colorReason.contains("project"))
  }

  @Test func generatedMetadata_ofKnownGreys_isTheirLight() async throws {
    let folder = try TemporaryFolder()
    try clip(folder, "a.mkv", luma: 573)
    try clip(folder, "b.mkv", luma: 723)
    let project = try project(folder, ["a.mkv", "b.mkv"], output: "hdrMetadata: 'generate', video: { codec: 'hevc' }")
    let composition = try validated(project)
    let last = LockedProgress()
    let result = try await Exporter.export(
      composition, to: folder.file("out.mp4"),
      settings: ExportSettings(video: VideoEncodingSettings(codec: .hevc, speed: .ultrafast))
    ) { last.note($0) }
    // 573 is 203.7 cd/m², 723 is 1004.2 cd/m²; half of each picture is black.
    let expected = HDRLevels(content: 1004, average: 502, maximum: 1004)
    #expect(try HDRLevels(folder.file("out.mp4"), entries: "stream") == expected)
    #expect(try HDRLevels(folder.file("out.mp4"), entries: "frame") == expected)
    #expect(result.frameCount == 10)
    // Ten frames that are measured, the same ten that are encoded, each told when it is composed.
    let (rendered, fractions) = (last.told.map(\.framesRendered), last.told.map(\.fraction))
    #expect(rendered == rendered.sorted() && Set(rendered) == Set(1...20))
    #expect(fractions == fractions.sorted() && fractions.filter { $0 == 1 }.count == 1 && fractions.last == 1)
  }

  @Test func metadata_ofAPQSource_isPropagatedOrDropped() async throws {
    let folder = try TemporaryFolder()
    try clip(folder, "a.mp4", luma: 573, hdr10: true)
    let settings = ExportSettings(video: VideoEncodingSettings(codec: .hevc, speed: .ultrafast))
    _ = try await Exporter.export(validated(project(folder, ["a.mp4"])), to: folder.file("kept.mkv"), settings: settings)
    #expect(try HDRLevels(folder.file("kept.mkv"), entries: "stream") == HDRLevels(content: 900, average: 300, maximum: 1000))
    let dropping = try project(folder, ["a.mp4"], output: "hdrMetadata: 'drop'")
    _ = try await Exporter.export(validated(dropping), to: folder.file("dropped.mkv"), settings: settings)
    #expect(try HDRLevels(folder.file("dropped.mkv"), entries: "stream") == nil)
    #expect(try HDRLevels(folder.file("dropped.mkv"), entries: "frame") == nil)
  }

  @Test func hdr_in8Bits_isRefusedBeforeRendering() throws {
    let folder = try TemporaryFolder()
    try clip(folder, "pq.mkv", luma: 400)
    let catalog = MediaCatalog()
    let shallow = try project(folder, ["pq.mkv"], output: "format: 'yuv420p'").edit(catalog: catalog)
    let report = CompositionValidator.validate(shallow, catalog: catalog)
    #expect(report.errors.map(\.code) == [.colorNotConvertible])
    let inH264 = try project(folder, ["pq.mkv"], output: "video: { codec: 'h264' }")
    #expect {
      try inH264.checkDelivery(of: try validated(inH264))
    } throws: { error in
      guard let error = error as? CompositorError else { return false }
      return error.code == .unsupportedOutput && error.location.path == "output.video.codec"
    }
    #expect(VideoEncodingSettings.defaultCodec(for: try validated(project(folder, ["pq.mkv"]))) == .hevc)
  }

  /// Sources with a matrix or a curve that are unknown here are found before rendering, for every compositor.
  @Test func source_ofUnknownColor_isRefusedBeforeRendering() throws {
    let folder = try TemporaryFolder()
    for (name, transfer, matrix) in [("ictcp", "smpte2084", "ictcp")] {
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "color=gray:s=64x48:r=25:d=0.2,format=yuv420p10le", "-c:v", "ffv1",
        ] + colorTagging(primaries: "bt709", transfer: transfer, matrix: matrix) + [folder.file("\(name).mkv")])
      let catalog = MediaCatalog()
      let edit = try project(folder, ["\(name).mkv"], output: "color: 'sdr'").edit(catalog: catalog)
      let report = CompositionValidator.validate(edit, catalog: catalog)
      #expect(report.errors.map(\.code) == [.colorNotConvertible], "\(name)")
      // On its own, nothing has to be converted: whole frames are passed on, and validation says that no more is possible.
      let alone = CompositionValidator.validate(try project(folder, ["\(name).mkv"]).edit(catalog: catalog), catalog: catalog)
      #expect(alone.errors.isEmpty && alone.diagnostics.map(\.code).contains(.colorNotConvertible), "\(alone.diagnostics)")
    }
  }

  @Test func output_ofColorThatNoFramesCanHave_isRefused() throws {
    let source = MediaSource.generated(GeneratedSource(pattern: .bars, size: PixelSize(width: 64, height: 48)))
    let second = TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 1))
    var composition = Composition()
    let track = composition.addTrack(.video)
    try composition.insert(SourceRange(source, timeRange: second), at: .zero, inTrack: track)
    var edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: [Instruction(timeRange: second, layers: [LayerInstruction(trackID: track)])],
        frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 64, height: 48)))
    var (unknown, rgb) = (ColorTags.bt709, ColorTags.bt709)
    unknown.primaries = ColorPrimaries(rawValue: 99)
    rgb.matrix = .identity
    for color in [unknown, rgb] {
      edit.output.color = color
      let report = CompositionValidator.validate(edit, catalog: MediaCatalog())
      #expect(report.errors.map(\.code) == [.colorNotConvertible])
    }
    edit.output.format = .planar(.s444, bitDepth: 8)
    #expect(CompositionValidator.validate(edit, catalog: MediaCatalog()).errors.isEmpty)
  }

  @Test func colorKeys_outOfRange_areRefusedAtTheirPlace() throws {
    for (output, path) in [
      ("color: { primaries: 99, transfer: 16, matrix: 9 }", "output.color.primaries"),
      ("color: { primaries: 9, transfer: 3, matrix: 9 }", "output.color.transfer"),
      ("color: { primaries: 9, transfer: 16, matrix: 14 }", "output.color.matrix"),
      ("colorConversion: { diffuseWhite: 10 }", "output.colorConversion.diffuseWhite"),
      ("colorConversion: { toneMapping: 'aces' }", "output.colorConversion.toneMapping"),
      ("hdrMetadata: 'keep'", "output.hdrMetadata"), ("color: 'rec2100'", "output.color"),
    ] {
      #expect {
        try ProjectFile("{ version: 1, output: { \(output) }, tracks: [{ clips: [{ asset: 'a' }] }], assets: { a: 'a.mp4' } }")
      } throws: { error in
        (error as? CompositorError)?.location.path == path
      }
    }
    let project = try ProjectFile(
      """
      { version: 1, output: { colorConversion: { diffuseWhite: 100, hlgPeakLuminance: 2000, sdrPeakLuminance: 150,
        toneMapping: 'hable', gamutMapping: 'clip', sdrCurve: 'camera', dithering: 'none' } },
        assets: { a: { generate: 'bars' } }, tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }] }
      """)
    let edit = try project.edit(catalog: MediaCatalog())
    #expect(
      edit.videoComposition.colorConversion
        == ColorConversionPolicy(
          diffuseWhite: 100, hlgPeakLuminance: 2000, sdrPeakLuminance: 150, toneMapping: .hable, gamutMapping: .clip,
          sdrCurve: .camera, dithering: .none))
  }
}

/// Light levels that ffprobe finds in a file.
struct HDRLevels: Equatable {
  var content, average, maximum: Int

  init(content: Int, average: Int, maximum: Int) {
    (self.content, self.average, self.maximum) = (content, average, maximum)
  }

  /// - Parameter entries: `stream` for the container's, `frame` for the bitstream's.
  init?(_ path: String, entries: String) throws {
    let text = try runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_\(entries)s", "-read_intervals", "%+#1", path])
    var values: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
    }
    guard let content = values["max_content"].flatMap(Int.init), let average = values["max_average"].flatMap(Int.init),
      let terms = values["max_luminance"]?.split(separator: "/").compactMap({ Double($0) }), terms.count == 2
    else { return nil }
    self.init(content: content, average: average, maximum: Int((terms[0] / terms[1]).rounded()))
  }
}

/// The reported progress.
final class LockedProgress: Sendable {
  private let notes = Mutex<[ExportProgress]>([])
  var told: [ExportProgress] { notes.withLock { $0 } }
  func note(_ progress: ExportProgress) { notes.withLock { $0.append(progress) } }
}
