import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorValidation
import Testing

/// Validation, explanation and export decide codec and formats once, so that what one of them says is what another one does.
@Suite struct MovieDeliveryTests {
  struct Output: CustomTestStringConvertible, Sendable {
    let text: String
    let codec: VideoEncodingSettings.Codec
    let format: PixelFormat
    var testDescription: String { text.isEmpty ? "nothing" : text }
  }

  static let outputs = [
    Output(text: "", codec: .h264, format: .yuv420p),
    Output(text: "color: 'hlg'", codec: .hevc, format: .yuv420p10),
    Output(text: "format: 'yuv420p10'", codec: .h264, format: .yuv420p10),
    Output(text: "format: 'yuv420p10', video: { codec: 'hevc' }", codec: .hevc, format: .yuv420p10),
    Output(text: "video: { codec: 'ffv1' }", codec: .ffv1, format: .yuv420p),
    Output(text: "preset: 'archive'", codec: .ffv1, format: .yuv420p),
  ]

  @Test(arguments: outputs) func delivery_isThatOfExplanationAndExport(_ output: Output) async throws {
    let text = """
      { version: 1, output: { size: "64x48", frameRate: 25, \(output.text) },
        assets: { red: { generate: "color", color: "red", size: "64x48" } },
        tracks: [{ clips: [{ asset: "red", duration: "10f" }] }] }
      """
    let loaded = ProjectLoader(catalog: MediaCatalog()).load(try ProjectFile(text))
    let (file, composition, delivery) = try loaded.validated()
    #expect(delivery.video.codec == output.codec && delivery.encoded?.pixelFormat == output.format)
    #expect(file.delivery(of: composition).format == delivery.format)

    let explained = try EditExplanation(composition, delivery: delivery)
    #expect(try EditExplanation(composition, video: file.output.video) == explained)
    if file.output.video == VideoEncodingSettings() { #expect(try EditExplanation(composition) == explained) }
    #expect(explained.delivery.codec == output.codec.rawValue && explained.delivery.format == output.format)

    let settings = ExportSettings(video: file.output.video, audio: nil)
    let outline = try await ExportOutline(of: composition, to: try OutputName(path: "movie.mkv"), settings: settings)
    #expect(outline.plan.format == delivery.format && outline.description.video?.format == output.format)
    #expect(outline.description.video?.attributes == delivery.encoded?.attributes)
  }

  /// A container that can't contain the default codec has its own; a project's codec is never replaced.
  @Test func codec_ofAContainer_isItsOwn_unlessTheProjectChooses() throws {
    let text = """
      { version: 1, assets: { red: { generate: "color", color: "red", size: "64x48" } },
        tracks: [{ clips: [{ asset: "red", duration: "10f" }] }] }
      """
    let (file, composition, _) = try ProjectLoader(catalog: MediaCatalog()).load(try ProjectFile(text)).validated()
    var output = file.output
    #expect(output.video.chosenCodec == nil && output.video.settled(for: composition).chosenCodec == .h264)
    for container in MovieContainer.allCases where !container.videoCodecs.isEmpty {
      let settled = output.video.settled(for: composition, in: container)
      #expect(container.videoCodecs.contains(settled.codec), "\(container.rawValue)")
    }
    output.video.codec = .proRes
    #expect(output.video.settled(for: composition, in: .webm) == output.video)
  }
}
