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
import CompositorTestSupport
import Testing

/// What is known better of a source's color than it says itself, and what follows for the output.
@Suite(.enabled(if: hasFFmpeg)) struct SourceColorTests {
  /// A clip of one gray, losslessly coded in 10 bits.
  private func clip(
    _ folder: TemporaryFolder, _ name: String, luma: Int, _ tags: (String, String, String), levels: String? = nil,
    site: String = "left", duration: String = "0.2"
  ) throws {
    let codec =
      levels.map {
        [
          "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
          "log-level=none:lossless=1:hdr10=1:max-cll=\($0):"
            + "master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)",
        ]
      } ?? ["-c:v", "ffv1"]
    let picture = "color=black:s=64x48:r=25:d=\(duration),format=yuv420p10le,geq=lum=\(luma):cb=512:cr=512"
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", picture, "-chroma_sample_location", site] + codec
        + colorTagging(primaries: tags.0, transfer: tags.1, matrix: tags.2) + [folder.file(name)])
  }

  private static let sdr = ("bt709", "bt709", "bt709")
  private static let pq = ("bt2020", "smpte2084", "bt2020nc")
  private static let hlg = ("bt2020", "arib-std-b67", "bt2020nc")

  private func project(_ folder: TemporaryFolder, assets: String, output: String = "", duration: String? = nil) throws
    -> ProjectFile
  {
    let length = duration.map { ", duration: '\($0)'" } ?? ""
    let names = assets.matches(of: #/(\w+): [{']/#).map { String($0.1) }.filter { ["a", "b"].contains($0) }
    let clips = names.map { "{ asset: '\($0)'\(length) }" }.joined(separator: ", ")
    return try ProjectFile(
      "{ version: 1, output: { \(output) }, assets: { \(assets) }, tracks: [{ clips: [\(clips)] }] }",
      directory: folder.path + "/")
  }

  private func report(_ project: ProjectFile) throws -> ValidationReport {
    let catalog = MediaCatalog()
    return CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog)
  }

  private func luma(_ path: String) throws -> Int {
    let frame = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)).frame
    return frame.withUnsafePlanes { planes in
      let place = planes[0].base + 24 * planes[0].stride
      return frame.format.bytesPerSample == 1
        ? Int(place.load(fromByteOffset: 32, as: UInt8.self)) : Int(place.load(fromByteOffset: 64, as: UInt16.self))
    }
  }

  private func rendered(_ project: ProjectFile, _ path: String) async throws -> (luma: Int, result: ExportResult) {
    let composition = try report(project).get()
    let result = try await Exporter.export(
      composition, to: path, settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1)))
    return (try luma(path), result)
  }

  @Test func color_ofAnAsset_overrulesItsFile() async throws {
    let folder = try TemporaryFolder()
    try clip(folder, "wrong.mkv", luma: 600, Self.sdr)
    try clip(folder, "right.mkv", luma: 600, Self.hlg)
    let right = try await rendered(project(folder, assets: "a: 'right.mkv'", output: "color: 'sdr'"), folder.file("r.mkv"))
    for color in ["'hlg'", "{ primaries: 9, transfer: 18, matrix: 9 }"] {
      let asset = "a: { file: 'wrong.mkv', color: \(color) }"
      let found = try await rendered(project(folder, assets: asset, output: "color: 'sdr'"), folder.file("\(color.count).mkv"))
      #expect(found.luma == right.luma, "\(color)")
      let explained = try EditExplanation(report(project(folder, assets: asset)).get())
      #expect(explained.sources[0].color?.contains("primaries, transfer, matrix as the project says") == true)
    }
  }

  @Test func color_thatIsPartlySaid_keepsTheRestOfTheFile() throws {
    let folder = try TemporaryFolder()
    try clip(folder, "a.mkv", luma: 600, Self.hlg)
    let asset = "a: { file: 'a.mkv', color: { transfer: 16 }, peakLuminance: 500 }"
    let composition = try report(project(folder, assets: asset)).get()
    let attributes = try #require(composition.media.values.first?.videoTracks.first).attributes
    #expect(attributes.color.transfer == .pq && attributes.color.primaries == .bt2020 && attributes.color.matrix == .bt2020)
    #expect(attributes.hdr?.contentLightLevel?.maximumContentLightLevel == 500)
  }

  @Test func color_ofAStill_isInPlaceOfItsProfile() throws {
    let folder = try TemporaryFolder()
    let curve = ICCProfileBytes.Curve.samples { 0.5 * $0 * $0 + 0.5 * $0 }
    let profile = ICCProfileBytes.matrix([[0.436, 0.222, 0.014], [0.385, 0.717, 0.097], [0.143, 0.061, 0.714]], curve)
    let bytes = ImageBytes.png(
      width: 8, height: 8, depth: 8, components: 3, samples: [UInt8](repeating: 128, count: 192),
      chunks: [ImageBytes.profileChunk(profile)])
    try Data(bytes).write(to: URL(filePath: folder.file("a.png")))
    let converted = try report(project(folder, assets: "a: { file: 'a.png' }", duration: "1s")).get()
    #expect(converted.media.values.first?.videoTracks.first?.format == .rgba16)
    let said = try report(project(folder, assets: "a: { file: 'a.png', color: 'display-p3' }", duration: "1s")).get()
    let track = try #require(said.media.values.first?.videoTracks.first)
    #expect(
      track.format == .rgba && track.attributes.color.primaries == .displayP3 && track.attributes.color.matrix == .identity)
  }

  @Test func colorsOfAssets_areRefusedAtTheirPlace() throws {
    for (asset, path) in [
      ("{ file: 'a.mp4', color: 'slog' }", "assets.a.color"),
      ("{ file: 'a.mp4', color: { transfer: 99 } }", "assets.a.color.transfer"),
      ("{ file: 'a.mp4', color: { transfer: 131 } }", "assets.a.color.transfer"),
      ("{ file: 'a.mp4', peakLuminance: 5 }", "assets.a.peakLuminance"),
      ("{ file: 'a.mp4', peakLuminance: 'measured' }", "assets.a.peakLuminance"),
      ("{ generate: 'bars', peakLuminance: 500 }", "assets.a.peakLuminance"),
    ] {
      #expect {
        try ProjectFile("{ version: 1, tracks: [{ clips: [{ asset: 'a' }] }], assets: { a: \(asset) } }")
      } throws: { error in
        (error as? CompositorError)?.location.path == path
      }
    }
    #expect(throws: CompositorError.self) {
      try ProjectFile(
        """
        { version: 1, tracks: [{ clips: [{ asset: 'a' }] }],
          assets: { a: { file: 'a.mp4', color: 'pq' }, b: { file: 'a.mp4', color: 'hlg' } } }
        """)
    }
  }

  /// Grays between 200 and 2000 cd/m² in PQ; the file says 4000.
  @Test(arguments: [573, 668, 762])
  func peak_thatIsMeasured_isTheBrightestFrame(code: Int) async throws {
    let luminance = 10_000 * (TransferFunction.pq.decode(Double(code - 64) / 876) ?? 0)
    let folder = try TemporaryFolder()
    try clip(folder, "a.mp4", luma: code, Self.pq, levels: "4000,400")
    let stated = try report(project(folder, assets: "a: 'a.mp4'", output: "color: 'sdr'")).get()
    #expect(try await stated.measuringPeaks().peaks.isEmpty)
    for (number, (asset, output)) in [
      ("a: { file: 'a.mp4', peakLuminance: 'measure' }", "color: 'sdr'"), ("a: 'a.mp4'", "color: 'sdr', peak: 'measure'"),
    ].enumerated() {
      let project = try project(folder, assets: asset, output: output)
      let found = try await rendered(project, folder.file("\(number).mkv"))
      let peak = try #require(found.result.measuredPeaks.first)
      #expect(abs(peak.luminance - luminance) < 0.02 * luminance && found.result.measuredPeaks.count == 1)
      // The brightest light of the source is white.
      #expect(abs(found.luma - 940) <= 2, "\(found.luma)")
      let explained = try EditExplanation(report(project).get())
      #expect(explained.sources[0].color?.contains("peak measured in a first pass") == true)
    }
  }

  @Test func sdr_throughPQ_comesBackAsItWas() async throws {
    let folder = try TemporaryFolder()
    for code in [940, 700, 64] {
      try clip(folder, "a.mkv", luma: code, Self.sdr)
      let there = try project(folder, assets: "a: 'a.mkv'", output: "color: 'pq'")
      _ = try await rendered(there, folder.file("pq\(code).mkv"))
      let info = try MediaProbe.probe(.file(path: folder.file("pq\(code).mkv")))
      #expect(info.videoTracks.first?.attributes.hdr?.contentLightLevel?.maximumContentLightLevel == 203)
      let back = try project(folder, assets: "a: 'pq\(code).mkv'", output: "color: 'sdr', format: 'yuv420p10'")
      let found = try await rendered(back, folder.file("back\(code).mkv")).luma
      #expect(abs(found - code) <= 1, "\(found) for \(code)")
    }
  }

  @Test func lightLevels_thatContradict_areWarnedOfAndNotHandedOn() throws {
    let folder = try TemporaryFolder()
    try clip(folder, "a.mp4", luma: 573, Self.pq, levels: "4000,400")
    let report = try report(project(folder, assets: "a: 'a.mp4'"))
    #expect(report.diagnostics.contains { $0.code == .metadataDropped && $0.message.contains("MaxCLL is 4000") })
    let hdr = try RenderFormat(report.get()).attributes.hdr
    #expect(hdr?.masteringDisplay?.maximumLuminance == 1000 && hdr?.contentLightLevel == nil)
  }

  @Test(arguments: [("left", "left"), ("topleft", "top-left")])
  func chroma_ofHDRByName_isSitedAsItsSources(written: String, site: String) throws {
    let folder = try TemporaryFolder()
    try clip(folder, "a.mkv", luma: 573, Self.hlg, site: written)
    try clip(folder, "b.mkv", luma: 573, Self.hlg, site: written == "left" ? "topleft" : "left")
    func chroma(_ assets: String, _ output: String) throws -> ChromaLocation {
      try RenderFormat(report(project(folder, assets: assets, output: output)).get()).attributes.color.chromaLocation
    }
    let stated = try #require(
      try MediaProbe.probe(.file(path: folder.file("a.mkv"))).videoTracks.first
    ).attributes.color.chromaLocation
    #expect(stated.rawValue == site)
    #expect(try chroma("a: 'a.mkv'", "color: 'hlg'") == stated)
    #expect(try chroma("a: 'a.mkv', b: 'b.mkv'", "color: 'hlg'") == .topLeft)
    #expect(try chroma("a: 'a.mkv'", "color: { primaries: 9, transfer: 18, matrix: 9, chroma: 'top' }") == .top)
  }

  @Test func conflictsOfTags_areWarnedOfByValidationAndExplanation() throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=0.12:s=128x96:r=25,format=yuv420p10le", "-c:v", "libx265",
        "-x265-params", "log-level=none:colorprim=9:transfer=16:colormatrix=9",
        "-bsf:v", "hevc_metadata=colour_primaries=9:transfer_characteristics=16:matrix_coefficients=9",
      ] + colorTagging(primaries: "bt709", transfer: "bt709", matrix: "bt709") + [folder.file("a.mp4")])
    let info = try MediaProbe.probe(.file(path: folder.file("a.mp4")))
    try #require(info.warnings.contains { $0.kind == .colorDisagreement }, "the file has one opinion")
    let report = try report(project(folder, assets: "a: 'a.mp4'"))
    let found = try #require(report.diagnostics.first { $0.code == .ambiguousColor })
    #expect(found.severity == .warning && found.message.contains("disagree about color"))
    #expect(try EditExplanation(report.get()).sources[0].warnings.contains { $0.contains("disagree about color") })
    let settled = try self.report(project(folder, assets: "a: { file: 'a.mp4', color: 'pq' }"))
    #expect(!settled.diagnostics.contains { $0.code == .ambiguousColor })
  }

  /// The advice states what is missing, not something else.
  @Test func missingPrimaries_areAdvisedByTheirName() throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=0.12:s=128x96:r=25", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        "-colorspace", "bt709", "-color_trc", "bt709", folder.file("a.mp4"),
      ])
    let report = try report(project(folder, assets: "a: 'a.mp4'"))
    let found = try #require(report.diagnostics.first { $0.code == .ambiguousColor })
    #expect(found.message.contains("no known primaries"), "\(found.message)")
    #expect(found.recoverySuggestion?.contains("color: { primaries: 9 } of a project's asset") == true, "\(found)")
  }
}
