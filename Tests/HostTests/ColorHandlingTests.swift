import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

/// What compositors were given: color and the first luma code, by compositor.
private let given = Mutex<[CompositorID: (color: ColorTags, luma: Int)]>([:])

private protocol Handling: Sendable {
  static var handling: CompositorDescriptor.ColorHandling { get }
}
private enum Narrow: Handling { static let handling = CompositorDescriptor.ColorHandling.sdrOnly }
private enum Wide: Handling { static let handling = CompositorDescriptor.ColorHandling.wide }
private enum HDR: Handling { static let handling = CompositorDescriptor.ColorHandling.hdr }
private enum Own: Handling { static let handling = CompositorDescriptor.ColorHandling.conformsItself }

/// Notes its source and hands it back.
private struct Noting<Kind: Handling>: VideoCompositor {
  static var descriptor: CompositorDescriptor {
    CompositorDescriptor(id: CompositorID(rawValue: "test.noting.\(Kind.handling)"), name: "Noting") {
      $0.colorHandling = Kind.handling
    }
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    guard let frame = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first else {
      return try request.context.makeFrame(filledWith: .black)
    }
    let luma = frame.withRow(0, as: UInt16.self) { Int($0[0]) }
    given.withLock { $0[Self.descriptor.id] = (frame.attributes.color, luma) }
    return frame
  }
}

@Suite(.serialized) struct ColorHandlingTests {
  private static let output = ColorTags.bt2100HLG

  /// A gray of a source through a compositor of a kind into HLG: what the compositor was given, and the output's luma code.
  private func render<Kind: Handling>(
    _ kind: Kind.Type, _ source: ColorTags
  ) async throws -> (given: (color: ColorTags, luma: Int), output: Int) {
    var edit = TestEdit()
    let media = MemoryMedia(format: .yuv420p10, attributes: FrameAttributes(color: source))
    edit.catalog.provide(media, as: "a")
    let track = try edit.addTrack([("a", .seconds(4, 5), .seconds(0, 1))])
    try edit.registry.register(Noting<Kind>.self)
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])
    instruction.compositor = Noting<Kind>.descriptor.id
    edit.instructions = [instruction]
    var wanted = edit.edit
    wanted.output.color = Self.output
    let valid = try CompositionValidator.validate(wanted, catalog: edit.catalog, registry: edit.registry).get()
    let pipeline = try FrameScheduler(try RenderPlan(valid), settings: RenderSettings(threadCount: 1))
    let frame = try await pipeline.frame(at: .zero).frame
    let seen = try #require(given.withLock { $0[Noting<Kind>.descriptor.id] })
    #expect(frame.attributes.color == Self.output)
    return (seen, frame.withRow(0, as: UInt16.self) { Int($0[0]) })
  }

  /// The code that double precision makes of the source's gray.
  private func code(_ source: ColorTags, _ target: ColorTags) throws -> Int {
    let grey = Double(Int(MemoryMedia.luma(ofFrame: 120)) * 4 - 64) / 876
    let signal = try LightConversion(from: source, to: target).convert(SIMD3(repeating: grey))
    return Int((signal.x * 876 + 64).rounded())
  }

  @Test(arguments: [ColorTags.bt2100HLG, .bt2100PQ])
  func sdrOnly_getsToneMappedBT709(source: ColorTags) async throws {
    let result = try await render(Narrow.self, source)
    #expect(result.given.color.primaries == .bt709 && result.given.color.transfer == .bt709)
    #expect(abs(result.given.luma - (try code(source, .bt709))) <= 1)
  }

  @Test(arguments: [ColorTags.bt2100HLG, .bt2100PQ])
  func wide_getsItConverted(source: ColorTags) async throws {
    let result = try await render(Wide.self, source)
    var wide = ColorTags.bt2100HLG
    wide.transfer = .bt709
    #expect(result.given.color == wide)
    #expect(abs(result.given.luma - (try code(source, wide))) <= 1)
  }

  @Test(arguments: [ColorTags.bt2100HLG, .bt2100PQ])
  func hdr_getsHDRInTheOutputsKind(source: ColorTags) async throws {
    let result = try await render(HDR.self, source)
    #expect(result.given.color == Self.output)
    #expect(abs(result.given.luma - (try code(source, Self.output))) <= 1)
    #expect(result.output == result.given.luma)
  }

  @Test(arguments: [ColorTags.bt2100HLG, .bt2100PQ])
  func conformsItself_getsTheSourceUntouched(source: ColorTags) async throws {
    let result = try await render(Own.self, source)
    #expect(result.given.color == source && result.given.luma == Int(MemoryMedia.luma(ofFrame: 120)) * 4)
    #expect(abs(result.output - (try code(source, Self.output))) <= 1)
  }

  /// The output of an SDR-only compositor is at the level of SDR in the HDR output.
  @Test func sdrOnly_inHDR_isAtDiffuseWhite() async throws {
    let result = try await render(Narrow.self, .bt2100HLG)
    let given = Double(result.given.luma - 64) / 876
    let expected = try LightConversion(from: .bt709, to: Self.output).convert(SIMD3(repeating: given)).x
    #expect(abs(Double(result.output) - (expected * 876 + 64)) <= 1.5)
  }
}
