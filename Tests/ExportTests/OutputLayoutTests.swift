import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation
import CompositorTestMedia
import Testing

/// The format that frames are composed in, by codec: they are composed as they are delivered.
struct OutputLayoutTests {
  /// The format for a source, by default of 10 bits.
  private func format(
    _ codec: VideoEncodingSettings.Codec?, of source: PixelFormat = .yuv420p10,
    _ change: (inout OutputDescription) -> Void = { _ in }
  ) throws -> PixelFormat {
    var test = TestEdit()
    test.catalog.provide(MemoryMedia(format: source), as: "deep")
    let track = try test.addTrack([("deep", .seconds(0, 1), .seconds(0, 1))])
    test.instructions = [Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])]
    var edit = test.edit
    change(&edit.output)
    let composition = try CompositionValidator.validate(edit, catalog: test.catalog, registry: test.registry).get()
    return try RenderPlan(composition, codec: codec).format.pixelFormat
  }

  @Test(arguments: [nil, .h264, .hevc, .av1, .ffv1, .proRes] as [VideoEncodingSettings.Codec?])
  func deepSource_byCodec_hasTheRulesFormat(codec: VideoEncodingSettings.Codec?) throws {
    #expect(try format(codec) == (codec == .h264 ? .yuv420p : .yuv420p10))
    #expect(try format(codec) { $0.bitDepth = 10 } == .yuv420p10)
    #expect(try format(codec) { $0.bitDepth = 8 } == .yuv420p)
    #expect(try format(codec) { $0.color = .bt2100HLG } == .yuv420p10, "asking for HLG is asking for 10 bits")
    #expect(try format(codec) { $0.format = .yuv422p } == .yuv422p, "what is asked for counts")
    #expect(
      try format(codec) { ($0.format, $0.bitDepth) = (.yuv422p, 12) } == .planar(.s422, bitDepth: 12))
  }

  @Test(
    arguments: [.yuv420p, .yuv422p, .yuv420p10, .planar(.s422, bitDepth: 10), .planar(.s444, bitDepth: 12)]
      as [PixelFormat])
  func layout_ofTheFinestSource_isKeptWhereItIsAskedFor(_ source: PixelFormat) throws {
    #expect(try format(.ffv1, of: source) { $0.followsSourceLayout = true } == source)
    #expect(try format(.h264, of: source) { $0.followsSourceLayout = true } == .yuv420p)
    #expect(try format(.ffv1, of: source) { ($0.followsSourceLayout, $0.format) = (true, .yuv420p) } == .yuv420p)
  }

  @Test func alpha_ofCodecsThatCannotStoreIt_isLeftOut() throws {
    let deep = PixelFormat.planar(.s444, bitDepth: 10, alpha: true)
    let expected: [(VideoEncodingSettings.Codec?, PixelFormat)] = [
      (nil, deep), (.h264, .yuv420p), (.hevc, .yuv420p10), (.av1, .yuv420p10), (.proRes, deep), (.ffv1, deep),
    ]
    for (codec, wanted) in expected { #expect(try format(codec) { $0.alphaMode = .straight } == wanted) }
  }
}
