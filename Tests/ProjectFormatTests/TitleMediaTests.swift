import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorOverlay
import CompositorValidation
import CompositorTestMedia
import Testing

/// Titles as media on a track: what is done with a clip is done with them.
struct TitleMediaTests {
  static let canvas = PixelSize(width: 64, height: 36)

  /// A white box of 16 × 16 in a picture of 32 × 32, red in its second second.
  static func box() -> Layer {
    let red = Layer(frame: Rect(x: 8, y: 8, width: 16, height: 16)).changed {
      $0.backgroundColor = Color(red: 1, green: 0, blue: 0)
    }
    return Layer(canvas: PixelSize(width: 32, height: 32)) {
      Layer(frame: Rect(x: 8, y: 8, width: 16, height: 16)).changed { $0.backgroundColor = .white }
      red.shown(from: .seconds(1), for: .seconds(1))
    }
  }

  private func samples(_ edit: ValidatedComposition, at seconds: Double, plane: Int = 0) async throws -> [[UInt8]] {
    let generator = try ImageGenerator(edit, settings: ImageSettings(format: .yuv420p).exactly)
    let image = try await generator.image(at: MediaTime(value: Int64(seconds * 60), timescale: 60))
    await generator.close()
    return (0..<(plane == 0 ? 36 : 18)).map { y in
      image.frame.withUnsafePlanes { planes in
        let row = (planes[plane].base + y * planes[plane].stride).assumingMemoryBound(to: UInt8.self)
        return (0..<planes[plane].width).map { row[$0] }
      }
    }
  }

  /// Titles at (20, 2) over flat frames.
  private func edit(_ change: (inout LayerInstruction) throws -> Void = { _ in }) throws -> ValidatedComposition {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    edit.catalog.provide(
      try TitleMedia(Self.box(), size: PixelSize(width: 32, height: 32), duration: .seconds(4)), as: "titles")
    let back = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    let front = try edit.addTrack([("titles", .seconds(0, 2), .seconds(0, 2))])
    var titles = LayerInstruction(trackID: front)
    try titles.transform.set(.translation(x: 20, y: 2), at: .zero)
    try change(&titles)
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [titles, LayerInstruction(trackID: back)])]
    return try edit.validated()
  }

  @Test func titlesTrack_placedOverVideo_coversOnlyWhereItsLayersDo() async throws {
    let rows = try await samples(edit(), at: 0.5)
    let under = MemoryMedia.luma(ofFrame: 15)
    for (y, row) in rows.enumerated() {
      for (x, code) in row.enumerated() {
        #expect(code == ((28..<44).contains(x) && (10..<26).contains(y) ? 235 : under), "\(x) \(y)")
      }
    }
  }

  @Test func titlesTrack_croppedAndFaded_isSo() async throws {
    let edit = try edit {
      try $0.crop.set(Rect(x: 0, y: 0, width: 16, height: 32), at: .zero)
      try $0.opacity.setRamp(from: 0, to: 1, timeRange: .seconds(0, 2))
    }
    let row = try await samples(edit, at: 0.5)[18]
    let under = Int(MemoryMedia.luma(ofFrame: 15))
    #expect(abs(Int(row[30]) - (under + (235 - under) / 4)) <= 1 && Int(row[37]) == under)
  }

  @Test func titlesTrack_inItsOwnTime_changesThere() async throws {
    let edit = try edit()
    #expect(try await samples(edit, at: 0.9, plane: 2)[9][18] == 128)
    #expect(try await samples(edit, at: 1.1, plane: 2)[9][18] == 240)
    #expect(try await samples(edit, at: 0.5)[18][30] == 235, "backwards again")
  }

  @Test func titlesTrack_grownAndTurned_isAPictureInThePicture() async throws {
    // Half as large and turned by a quarter about its corner: 32 × 32 becomes 16 × 16, its box 8 × 8.
    let edit = try edit {
      let turn = AffineMatrix.scale(x: 0.5, y: 0.5).concatenating(.rotation(radians: .pi / 2))
      try $0.transform.set(turn.concatenating(.translation(x: 40, y: 10)), at: .zero)
    }
    let rows = try await samples(edit, at: 0.5)
    let under = MemoryMedia.luma(ofFrame: 15)
    for (y, row) in rows.enumerated() {
      for (x, code) in row.enumerated() {
        // The box covers 28 ..< 36 by 14 ..< 22; its edge may be soft by a sample.
        if (29..<35).contains(x) && (15..<21).contains(y) { #expect(code == 235, "\(x) \(y)") }
        if !(27..<37).contains(x) || !(13..<23).contains(y) { #expect(code == under, "\(x) \(y)") }
      }
    }
  }

  @Test func reader_ofStandingTitles_handsOutTheSameFrame() throws {
    let media = try TitleMedia(Self.box(), size: PixelSize(width: 32, height: 32), duration: .seconds(2))
    let reader = try media.openVideo(trackIndex: 0, options: VideoReaderOptions())
    func frame(_ value: Int64) throws -> DecodedVideoFrame {
      try #require(try reader.frame(at: MediaTime(value: value, timescale: 60)))
    }
    let first = try frame(0)
    #expect(try frame(59).frame.isSameMemory(as: first.frame))
    #expect(try frame(59).presentationTime == MediaTime(value: 29, timescale: 30))
    #expect(try !frame(60).frame.isSameMemory(as: first.frame))
    #expect(try frame(600).presentationTime == MediaTime(value: 59, timescale: 30), "the last frame is held")
    #expect(try reader.frame(at: MediaTime(value: -1, timescale: 60)) == nil)
  }

  @Test func media_ofImpossibleNumbers_isRefused() throws {
    for (size, rate, duration) in [
      (PixelSize(width: 0, height: 1), Rational(30, 1), MediaTime.seconds(1)),
      (PixelSize(width: 8, height: 8), Rational(0, 1), .seconds(1)), (PixelSize(width: 8, height: 8), Rational(30, 1), .zero),
      (PixelSize(width: 16_384, height: 16_384), Rational(30, 1), .seconds(1)),
    ] {
      #expect(throws: CompositorError.self) { try TitleMedia(Layer(), size: size, frameRate: rate, duration: duration) }
    }
  }
}

/// The same in a project.
struct ProjectTitleAssetTests {
  private func project(_ asset: String, clip: String = "asset: \"t\"") throws -> ProjectFile {
    try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: 30 },
        variables: { name: "Ada", file: "bars" },
        assets: { a: { generate: "${file}", duration: "4s" }, t: \(asset) },
        tracks: [{ clips: [{ asset: "a" }] }, { clips: [{ \(clip) }] }] }
      """)
  }

  @Test func asset_ofTitles_followsTheOutputUnlessItSaysOtherwise() throws {
    let catalog = MediaCatalog()
    _ = try project("{ titles: [{ text: \"${name}\" }], duration: \"2s\" }").edit(catalog: catalog)
    let track = try #require(try catalog.info(for: .custom(name: "assets.t")).videoTracks.first)
    #expect(track.size == PixelSize(width: 64, height: 36) && track.nominalFrameRate == Rational(30, 1))
    #expect(track.timeRange.duration == .seconds(2) && track.attributes.alphaMode == .premultiplied)
    _ = try project("{ titles: [{ text: \"a\" }], size: \"16x8\", frameRate: 10, duration: \"15f\" }").edit(catalog: catalog)
    let other = try #require(try catalog.info(for: .custom(name: "assets.t")).videoTracks.first)
    #expect(other.size == PixelSize(width: 16, height: 8) && other.timeRange.duration == MediaTime(value: 3, timescale: 2))
  }

  @Test(arguments: [
    ("{ titles: [{ txt: \"a\" }] }", "assets.t.titles[0].txt"), ("{ titles: [] , file: \"a\" }", "assets.t.file"),
    ("{ titles: [{ text: \"a\" }], tone: 3 }", "assets.t.tone"),
    ("{ titles: [{ text: \"${nam}\" }] }", "assets.t.titles[0].text"),
    ("{ titles: [{ text: \"a\" }], duration: \"0s\" }", "assets.t.duration"),
    ("{ titles: [{ layer: { sublayers: [{}, { cornrRadius: 1 }] } }] }", "assets.t.titles[0].layer.sublayers[1].cornrRadius"),
  ])
  func mistakes_inAssetsOfTitles_areReportedAtTheirPlace(asset: String, path: String) throws {
    let error = #expect(throws: CompositorError.self) { try project(asset) }
    #expect(error?.code == .invalidProject && error?.location.path == path)
  }

  @Test func credits_withoutAnEnd_areAMistake() throws {
    let endless = try project("{ titles: [{ kind: \"credits\", text: \"a\" }] }", clip: "asset: \"t\", duration: \"1s\"")
    #expect(throws: CompositorError.self) { try endless.edit(catalog: MediaCatalog()) }
  }

  @Test(arguments: [
    ("{ sublayers: [{ opactiy: 1 }] }", ".sublayers[0].opactiy", "Did you mean \"opacity\"?"),
    ("{ content: { txt: {} } }", ".content.txt", "Did you mean \"text\"?"),
    ("{ content: { text: { font: { sise: 3 } } } }", ".content.text.font.sise", "Did you mean \"size\"?"),
    ("{ animations: [{ property: \"opactiy\" }] }", ".animations[0].property", "Did you mean \"opacity\"?"),
    ("{ animations: [{ property: \"opacity\", values: [1], from: 1 }] }", ".animations[0].from", "Remove it."),
    ("{ blendMode: \"multiplied\" }", ".blendMode", "Did you mean \"multiply\"?"),
    ("{ content: { text: { generator: { nmber: {} } } } }", ".content.text.generator.nmber", "Did you mean \"number\"?"),
    ("{ mask: { bouns: [1, 1] } }", ".mask.bouns", "Did you mean \"bounds\"?"),
  ])
  func mistakes_deepInALayer_areReportedWithANearName(layer: String, path: String, recoverySuggestion: String) throws {
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.project("{ layer: \(layer) }") }
    #expect(error?.location.path == "titles[0].layer" + path)
    #expect(error?.recoverySuggestion == recoverySuggestion)
    #expect(error?.location.place?.contains(":3:") == true)
  }

  @Test func generators_inALayer_areReadWithTheirDefaults() throws {
    let file = try ProjectTitleTests.project(
      """
      { layer: { sublayers: [
        { content: { text: { generator: { number: {} } } } },
        { content: { text: { generator: { timecode: { framesPerSecond: "30000/1001", dropFrame: true } } } } },
        { content: { text: { generator: { timecode: { framesPerSecond: 25 } } } } },
      ] } }
      """)
    let layers = try #require(try ProjectTitleTests.titles(file)).root.sublayers[0].sublayers[0].sublayers
    let generators = layers.map { layer -> TextGenerator? in
      guard case .text(let text) = layer.content else { return nil }
      return text.generator
    }
    #expect(
      generators == [
        .number(fractionDigits: 0, minimumIntegerDigits: 1, grouping: ""),
        .timecode(framesPerSecond: Rational(30000, 1001), startFrame: 0, dropFrame: true),
        .timecode(framesPerSecond: Rational(25, 1), startFrame: 0, dropFrame: false),
      ])
    #expect(throws: CompositorError.self) {
      try ProjectTitleTests.project("{ layer: { content: { text: { generator: { timecode: { framesPerSecond: 0 } } } } } }")
    }
  }
}
