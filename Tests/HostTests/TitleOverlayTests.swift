import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorOverlay
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

/// A compositor of the user's own: every frame is gray.
private struct Grey: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.grey", name: "Grey")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    try request.context.makeFrame(filledWith: Color(red: 0.5, green: 0.5, blue: 0.5, transfer: .bt709))
  }
}

/// Titles as a stage of rendering: the same over every compositor, in stills and in movies, skipped where told.
struct TitleOverlayTests {
  static let canvas = PixelSize(width: 64, height: 36)

  /// A white box in the middle that moves in the second second of three.
  static func overlay() throws -> TitleOverlay {
    var box = Layer(frame: Rect(x: 24, y: 10, width: 16, height: 16))
    box.backgroundColor = .white
    let moving = box.animated(
      .basic(.positionX, from: 32, to: 40, timing: LayerTiming(beginTime: 1, duration: 1))
    ).shown(from: .zero, for: .seconds(3))
    return try TitleOverlay(Layer(canvas: canvas) { moving }, canvas: canvas)
  }

  private func edit(_ change: (inout [Instruction]) -> Void = { _ in }, format: PixelFormat = .yuv420p, color: ColorTags? = nil)
    throws -> TestEdit
  {
    var edit = TestEdit()
    let attributes = color.map { FrameAttributes(color: $0) } ?? FrameAttributes()
    edit.catalog.provide(MemoryMedia(format: format, attributes: attributes), as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 4), .seconds(0, 4))])
    edit.instructions = [
      Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: track)]),
      Instruction(timeRange: .seconds(2, 4), layers: [LayerInstruction(trackID: track)]),
    ]
    change(&edit.instructions)
    return edit
  }

  private func luma(_ edit: TestEdit, at seconds: Double, x: Int = 32) async throws -> Int {
    let settings = ImageSettings(format: .yuv420p, render: RenderSettings(overlays: [try TitleOverlayTests.overlay()])).exactly
    let generator = try ImageGenerator(edit.validated(), settings: settings)
    let image = try await generator.image(at: MediaTime(value: Int64(seconds * 60), timescale: 60))
    await generator.close()
    return image.frame.withRow(18, as: UInt8.self) { Int($0[x]) }
  }

  @Test func still_underATitle_showsItAndNothingElseChanges() async throws {
    let edit = try edit()
    #expect(try await luma(edit, at: 0.5) == 235)
    #expect(try await luma(edit, at: 0.5, x: 4) == Int(MemoryMedia.luma(ofFrame: 15)))
    #expect(try await luma(edit, at: 3.5) == Int(MemoryMedia.luma(ofFrame: 105)))
  }

  @Test func instructionWithoutPostProcessing_hasNoTitles() async throws {
    let edit = try edit { $0[1].enablePostProcessing = false }
    #expect(try await luma(edit, at: 1.9) == 235)
    #expect(try await luma(edit, at: 2.5) == Int(MemoryMedia.luma(ofFrame: 75)))
  }

  @Test func title_over10BitFrames_isWhiteThere() async throws {
    let edit = try edit(format: .yuv420p10)
    let settings = ImageSettings(format: .yuv420p10, render: RenderSettings(overlays: [try TitleOverlayTests.overlay()]))
      .exactly
    let generator = try ImageGenerator(edit.validated(), settings: settings)
    let image = try await generator.image(at: .zero)
    await generator.close()
    #expect(image.frame.withRow(18, as: UInt16.self) { $0[32] } == 940)
  }

  @Test func overlay_sayingWhatChanges_isExactAboutIt() throws {
    let overlay = try TitleOverlayTests.overlay()
    func time(_ seconds: Double) -> MediaTime { MediaTime(value: Int64(seconds * 600), timescale: 600) }
    func shown(_ seconds: Double) throws -> PresentationTree? { try overlay.appearance(at: time(seconds)) }
    #expect(try shown(0) != nil && shown(3) == nil)
    #expect(try shown(0) == shown(0.9))
    #expect(try shown(1.1) != shown(1.2))
    #expect(try shown(2.9) != shown(3))
    #expect(try shown(3.1) == shown(3.9))
  }

  @Test func renderedFrames_on1And2Threads_areIdentical() async throws {
    let plan = try RenderPlan(edit().validated())
    var all: [[UInt64]] = []
    for threads in [1, 2] {
      let settings = RenderSettings(threadCount: threads, overlays: [try TitleOverlayTests.overlay()])
      let hashes = Mutex<[UInt64]>([])
      try await FrameScheduler(plan, settings: settings).render(0..<plan.frameCount) { rendered in
        let hash = rendered.frame.sampleHash
        hashes.withLock { $0.append(hash) }
      }
      all.append(hashes.withLock { $0 })
    }
    #expect(all[0].count == 120 && all[0] == all[1])
  }

  @Test func title_overAnInstructionOfTheUsersOwnCompositor_liesOverItsFrames() async throws {
    var edit = try edit { $0[1].compositor = "test.grey" }
    try edit.registry.register(Grey.self)
    #expect(try await luma(edit, at: 2.5, x: 4) == 16 + 219 / 2 + 1)
    #expect(try await luma(edit, at: 2.5, x: 32) == 235)
  }

  @Test(arguments: [(ColorTags.bt2100HLG, 721), (.bt2100PQ, 573)]) func title_inAnHDRStill_isAsBrightAsReferenceWhite(
    color: ColorTags, code: Int
  ) async throws {
    // 203 cd/m² is 75 % of HLG and 58.07 % of PQ (BT.2408): 64 + 876 · that.
    let edit = try edit(format: .yuv420p10, color: color)
    let settings = ImageSettings(format: .yuv420p10, render: RenderSettings(overlays: [try TitleOverlayTests.overlay()]))
      .exactly
    let generator = try ImageGenerator(edit.validated(), settings: settings)
    let image = try await generator.image(at: .zero)
    await generator.close()
    let found = image.frame.withRow(18, as: UInt16.self) { Int($0[32]) }
    #expect(abs(found - code) <= 1)
  }

  /// The composed picture at half its size in a corner, with a title inside it.
  @Test func title_insideAPictureInPicture_isSmallWithIt() async throws {
    let picture = Layer(canvas: Self.canvas) {
      Layer(frame: Rect(x: 24, y: 10, width: 16, height: 16)).changed { $0.backgroundColor = .white }
    }.changed {
      $0.content = .video
      $0.transform = .scale(0.5)
      $0.position = Point(x: 48, y: 9)
    }
    let overlay = try TitleOverlay(Layer(canvas: Self.canvas) { picture }, canvas: Self.canvas)
    let settings = ImageSettings(format: .yuv420p, render: RenderSettings(overlays: [overlay])).exactly
    let generator = try ImageGenerator(edit().validated(), settings: settings)
    let image = try await generator.image(at: MediaTime(value: 3, timescale: 1))
    await generator.close()
    func row(_ y: Int) -> [Int] { image.frame.withRow(y, as: UInt8.self) { row in (0..<64).map { Int(row[$0]) } } }
    // The picture covers 32 ..< 64 by 0 ..< 18, the title 44 ..< 52 by 5 ..< 13 of it.
    let video = Int(MemoryMedia.luma(ofFrame: 90))
    #expect(row(20)[40] == 16 && row(9)[20] == 16)
    #expect(abs(row(2)[40] - video) <= 1 && abs(row(9)[40] - video) <= 1)
    #expect((45..<51).allSatisfy { row(9)[$0] == 235 } && abs(row(9)[54] - video) <= 1)
  }

  /// 10-bit HLG and PQ: every frame of the movie on 1 and 2 threads, and stills in any order, are the same pictures.
  @Test(arguments: [(PixelFormat.yuv420p, ColorTags.bt709), (.yuv420p10, .bt2100HLG), (.yuv420p10, .bt2100PQ)])
  func stillsInAnyOrder_andMoviesOn1And2Threads_areTheSamePictures(format: PixelFormat, color: ColorTags) async throws {
    let edit = try edit(format: format, color: color).validated()
    let plan = try RenderPlan(edit)
    var movies: [[UInt64]] = []
    for threads in [1, 2] {
      let settings = RenderSettings(threadCount: threads, overlays: [try TitleOverlayTests.overlay()])
      let hashes = Mutex<[UInt64]>([])
      try await FrameScheduler(plan, settings: settings).render(0..<plan.frameCount) { rendered in
        let hash = rendered.frame.sampleHash
        hashes.withLock { $0.append(hash) }
      }
      movies.append(hashes.withLock { $0 })
    }
    #expect(movies[0] == movies[1] && Set(movies[0]).count == 120)
    let settings = ImageSettings(format: format, render: RenderSettings(overlays: [try TitleOverlayTests.overlay()])).exactly
    let generator = try ImageGenerator(edit, settings: settings)
    for index in [100, 31, 59, 0, 45, 44, 43, 31, 119] {
      let image = try await generator.image(at: MediaTime(value: Int64(index), timescale: 30))
      #expect(image.frame.sampleHash == movies[0][index], "frame \(index)")
    }
    await generator.close()
  }
}
