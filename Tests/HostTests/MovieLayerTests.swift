import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorMediaIO
import CompositorOverlay
import CompositorTestMedia
import Synchronization
import Testing

/// Movies as layers of titles: which of their frames shows at which frame of the output.
struct MovieLayerTests {
  static let canvas = PixelSize(width: 64, height: 36)

  /// Frames with their number as luma, 30 a second: 60 of them.
  static func edit(
    _ layers: [Layer], frameCount: Int = 60, failsFrom: Int? = nil, seconds: Int64 = 4
  ) throws -> (edit: Edit, catalog: MediaCatalog, media: MemoryMedia) {
    var edit = TestEdit()
    let media = MemoryMedia(frameCount: frameCount, failsFrom: failsFrom)
    edit.catalog.provide(MemoryMedia(frameCount: 600), as: "base")
    edit.catalog.provide(media, as: "numbers")
    let track = try edit.addTrack([("base", .seconds(4, 5), .seconds(0, seconds))])
    edit.instructions = [Instruction(timeRange: .seconds(0, seconds), layers: [LayerInstruction(trackID: track)])]
    var result = edit.edit
    result.titles = Titles(layers: layers, images: ["movie": .custom(name: "numbers")])
    return (result, edit.catalog, media)
  }

  /// The numbers shown in the middle of some frames of the output; nil where the base is seen.
  static func numbers(_ layers: [Layer], at frames: [Int], frameCount: Int = 60) async throws -> [Int?] {
    let (edit, catalog, _) = try Self.edit(layers, frameCount: frameCount)
    let generator = try ImageGenerator(
      CompositionValidator.validate(edit, catalog: catalog).get(), settings: ImageSettings(format: .yuv420p).exactly)
    var found: [Int?] = []
    for frame in frames {
      let image = try await generator.image(at: MediaTime(value: Int64(frame), timescale: 30))
      let rows = Luma.rows(image.frame)
      found.append(rows[18][32] == rows[1][1] ? nil : Int(rows[18][32]) - 16)
    }
    await generator.close()
    return found
  }

  enum Luma {
    static func rows(_ frame: Frame) -> [[UInt8]] {
      frame.withUnsafePlanes { planes in
        (0..<planes[0].height).map { y in
          let row = (planes[0].base + y * planes[0].stride).assumingMemoryBound(to: UInt8.self)
          return (0..<planes[0].width).map { row[$0] }
        }
      }
    }
  }

  static func movie(_ timing: LayerTiming = LayerTiming(), _ change: (inout MovieContent) -> Void = { _ in }) -> Layer {
    var content = MovieContent("movie")
    change(&content)
    var layer = Layer(frame: Rect(x: 16, y: 10, width: 32, height: 16), content: .movie(content))
    layer.timing = timing
    return layer
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var layer: Layer
    /// Output frames, and the movie's frames that show there.
    var expected: [(Int, Int?)]
  }

  static let rows: [Row] = [
    Row(testDescription: "from the start", layer: movie(), expected: (0..<75).map { ($0, min($0, 59)) }),
    Row(
      testDescription: "begins later", layer: movie(LayerTiming(beginTime: 0.5)),
      expected: [(14, nil), (15, 0), (16, 1), (45, 30)]),
    Row(
      testDescription: "trimmed", layer: movie { ($0.from, $0.duration) = (0.5, 0.4) },
      expected: (0..<30).map { ($0, 15 + min($0, 11)) }),
    Row(
      testDescription: "loops", layer: movie { ($0.from, $0.duration, $0.loops) = (0.3, 0.7, true) },
      expected: (0..<100).map { ($0, 9 + $0 % 21) }),
    Row(testDescription: "loops whole", layer: movie { $0.loops = true }, expected: (0..<118).map { ($0, $0 % 60) }),
    Row(
      testDescription: "at half speed", layer: movie(LayerTiming(speed: 0.5)), expected: (0..<60).map { ($0, $0 / 2) }),
    Row(
      testDescription: "at double speed", layer: movie(LayerTiming(speed: 2)), expected: (0..<40).map { ($0, min(2 * $0, 59)) }),
    Row(
      testDescription: "there and back", layer: movie(LayerTiming(duration: 1, autoreverses: true)),
      expected: [(0, 0), (10, 10), (29, 29), (30, 30), (40, 20), (50, 10), (59, 1), (60, nil)]),
    Row(
      testDescription: "backwards", layer: movie(LayerTiming(duration: 1, speed: -1)),
      expected: [(0, 30), (10, 20), (29, 1), (30, nil)]),
    Row(
      testDescription: "repeated", layer: movie(LayerTiming(duration: 0.5, repeatCount: 3)),
      expected: (0..<45).map { ($0, $0 % 15) } + [(45, nil)]),
    Row(
      testDescription: "stays at its end", layer: movie(LayerTiming(duration: 0.5, fillMode: .forwards)),
      expected: [(14, 14), (15, 15), (40, 15)]),
    Row(
      testDescription: "stands still", layer: movie(LayerTiming(speed: 0, timeOffset: 0.4)),
      expected: [(0, 12), (30, 12), (70, 12)]),
    Row(
      testDescription: "in a group's time",
      layer: Layer(canvas: canvas) { movie(LayerTiming(beginTime: 0.1)) }.changed {
        $0.timing = LayerTiming(beginTime: 0.2, speed: 2)
      }, expected: [(5, nil), (8, 1), (9, 3), (20, 25)]),
  ]

  @Test(arguments: rows)
  func movieLayer_inItsOwnTime_showsTheFrameOfThatTime(_ row: Row) async throws {
    let shown = try await MovieLayerTests.numbers([row.layer], at: row.expected.map(\.0))
    for (index, expected) in row.expected.enumerated() { #expect(shown[index] == expected.1, "frame \(expected.0)") }
    // Any order gives the same.
    let scrubbed = try await MovieLayerTests.numbers([row.layer], at: row.expected.map(\.0).reversed())
    #expect(scrubbed.reversed() == shown)
  }

  @Test func replicatedMovie_withADelay_isLaterInEachCopy() async throws {
    var copy = MovieLayerTests.movie(LayerTiming(fillMode: .both))
    copy.bounds.size = Size(width: 12, height: 12)
    copy.position = Point(x: 10, y: 18)
    var group = Layer(canvas: MovieLayerTests.canvas) { copy }
    var replicator = ReplicatorContent(count: 3)
    (replicator.instanceDelay, replicator.instanceTransform.translationX) = (0.3, 20)
    group.content = .replicator(replicator)
    let (edit, catalog, media) = try MovieLayerTests.edit([group])
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    for threads in [1, 4] {
      let plan = try RenderPlan(valid)
      let rows = Mutex<[Int: [UInt8]]>([:])
      try await FrameScheduler(plan, settings: RenderSettings(threadCount: threads)).render(0..<plan.frameCount) { rendered in
        let row = MovieLayerTests.Luma.rows(rendered.frame)[18]
        rows.withLock { $0[rendered.index] = row }
      }
      for (index, row) in rows.withLock({ $0 }) {
        #expect([10, 30, 50].map { Int(row[$0]) - 16 } == [0, 9, 18].map { min(max(index - $0, 0), 59) }, "frame \(index)")
      }
      #expect(rows.withLock { $0.count } == 120)
    }
    #expect(media.openedCount <= 8 && media.openNow == 0, "\(media.openedCount) readers for three times in two renders")
  }

  @Test func movieThatCannotBeDecoded_names_layerFileAndTime() async throws {
    let (edit, catalog, _) = try MovieLayerTests.edit(
      [Layer(canvas: MovieLayerTests.canvas) { MovieLayerTests.movie() }], failsFrom: 20)
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    let generator = try ImageGenerator(valid, settings: .exact)
    _ = try await generator.image(at: MediaTime(value: 19, timescale: 30))
    let error = await #expect(throws: CompositorError.self) {
      try await generator.image(at: MediaTime(value: 25, timescale: 30))
    }
    await generator.close()
    #expect(error?.location.path == "titles.layers[0].sublayers[0]" && error?.location.file == "custom:numbers")
    #expect(error?.location.time == MediaTime(value: 25, timescale: 30))
  }

  @Test func movieLayer_withoutItsMediaOrBeyondIt_isRefusedAtItsKeyPath() throws {
    func diagnostics(_ change: (inout MovieContent) -> Void) throws -> [ValidationDiagnostic] {
      let (edit, catalog, _) = try MovieLayerTests.edit([
        Layer(canvas: MovieLayerTests.canvas) { MovieLayerTests.movie(LayerTiming(), change) }
      ])
      return CompositionValidator.validate(edit, catalog: catalog).diagnostics
    }
    #expect(try diagnostics { _ in }.isEmpty)
    for (change, code) in [
      ({ $0.asset = "move" }, ValidationDiagnostic.Code.titleResourceMissing), ({ $0.from = 2.5 }, .invalidTitle),
      ({ ($0.from, $0.duration) = (1, 1.5) }, .invalidTitle), ({ $0.videoTrack = 3 }, .invalidTitle),
      ({ $0.duration = -1 }, .invalidTitle),
    ] as [((inout MovieContent) -> Void, ValidationDiagnostic.Code)] {
      let found = try diagnostics(change)
      #expect(found.map(\.code) == [code] && found.first?.path?.hasPrefix("titles.layers[0].sublayers[0]") == true, "\(found)")
    }
  }

  @Test func imageLayer_thatNamesAMovie_isWarnedOf() throws {
    var (edit, catalog, _) = try MovieLayerTests.edit([
      Layer(frame: Rect(x: 0, y: 0, width: 8, height: 8), content: .image(ImageContent("movie")))
    ])
    let found = CompositionValidator.validate(edit, catalog: catalog).diagnostics
    #expect(
      found.map(\.severity) == [.warning] && found.first?.recoverySuggestion?.contains("movie: { asset: ") == true, "\(found)")
    edit.titles.layers = [MovieLayerTests.movie()]
    #expect(CompositionValidator.validate(edit, catalog: catalog).diagnostics.isEmpty)
  }

  @Test func movieLayer_writtenAndRead_isTheSame() throws {
    var content = MovieContent("a", from: 1.5, duration: 2, loops: true, gravity: .resizeAspectFill)
    content.contentsRect = Rect(x: 0.25, y: 0, width: 0.5, height: 1)
    let layer = Layer(frame: Rect(x: 0, y: 0, width: 8, height: 8), content: .movie(content))
    #expect(try JSONDecoder().decode(Layer.self, from: JSONEncoder().encode(layer)) == layer)
  }

  @Test func titlesAsMedia_withAMovie_showItsFrames() async throws {
    var edit = TestEdit()
    let media = MemoryMedia(frameCount: 60)
    edit.catalog.provide(media, as: "numbers")
    let root = Layer(canvas: MovieLayerTests.canvas) { MovieLayerTests.movie(LayerTiming(beginTime: 0.5)) }
    edit.catalog.provide(
      try TitleMedia(root, size: MovieLayerTests.canvas, movies: ["movie": .custom(name: "numbers")], catalog: edit.catalog),
      as: "card")
    let track = try edit.addTrack([("card", .seconds(0, 2), .seconds(0, 2))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: track)])]
    let valid = try edit.validated()
    #expect(valid.media[.custom(name: "numbers")] != nil, "its media is known to those who guard inputs")
    let generator = try ImageGenerator(valid, settings: ImageSettings(format: .yuv420p).exactly)
    for (frame, number) in [(14, nil), (15, 0), (40, 25), (20, 5)] as [(Int64, Int?)] {
      let rows = MovieLayerTests.Luma.rows(try await generator.image(at: MediaTime(value: frame, timescale: 30)).frame)
      #expect(rows[18][32] == UInt8(16 + (number ?? 0)), "frame \(frame)")
    }
    await generator.close()
  }
}
