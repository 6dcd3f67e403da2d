import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorOverlay
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Testing

/// Movie layers in project files: keys, mistakes at their place, assets of titles in titles.
struct MovieProjectTests {
  static func project(_ content: String, assets: String = "", bounds: String = "[160, 90]") throws -> ProjectFile {
    try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: {
          back: { generate: "color", color: "#204060", size: "320x180" },
          clip: { generate: "clock", size: "160x90", frameRate: 25, duration: "4s" }, \(assets)
        },
        tracks: [{ clips: [{ asset: "back", duration: "4s" }] }],
        titles: [
          { text: "Above" },
          { start: "1s", layer: { bounds: [320, 180], position: [160, 90], sublayers: [
            { bounds: \(bounds), position: [160, 90], content: \(content) }] } },
        ] }
      """, name: "card.json5")
  }

  static func validated(_ file: ProjectFile) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    do {
      return try CompositionValidator.validate(file.edit(catalog: catalog), catalog: catalog).get()
    } catch {
      throw file.locating(error)
    }
  }

  @Test func movie_inAProject_isReadWithTimesInAnyUnit() throws {
    let file = try Self.project(
      """
      { movie: { asset: "clip", from: "25f", duration: "1500ms", loop: true, gravity: "resize-aspect-fill", videoTrack: 0,
        contentsRect: [0.25, 0, 0.5, 1] } }
      """)
    let edit = try file.edit(catalog: MediaCatalog())
    guard case .movie(let movie) = edit.titles.layers[1].sublayers[0].sublayers[0].content else {
      Issue.record("no movie")
      return
    }
    var expected = MovieContent("clip", from: 1, duration: 1.5, loops: true, gravity: .resizeAspectFill)
    expected.contentsRect = Rect(x: 0.25, y: 0, width: 0.5, height: 1)
    #expect(movie == expected)
  }

  @Test(arguments: [
    (#"{ movie: { asset: "clop" } }"#, "Did you mean", "titles[1].layer.sublayers[0]"),
    (#"{ movie: { asset: "clip", from: "5s" } }"#, "video runs from", "titles[1].layer.sublayers[0]"),
    (#"{ movie: { asset: "clip", from: "1s", duration: "3.5s" } }"#, "ends at", "titles[1].layer.sublayers[0]"),
    (#"{ movie: { asset: "clip", videoTrack: 2 } }"#, "video track 2", "titles[1].layer.sublayers[0]"),
  ])
  func movie_thatCannotBeShown_isAMistakeAtItsLayer(content: String, words: String, path: String) throws {
    let error = #expect(throws: CompositorError.self) { try Self.validated(Self.project(content)) }
    let said = "\(error?.message ?? "") \(error?.recoverySuggestion ?? "")"
    #expect(said.contains(words), "\(said)")
    #expect(
      error?.location.path == path && error?.location.place?.hasPrefix("card.json5:10:") == true, "\(String(describing: error))"
    )
  }

  @Test(arguments: [#"{ movie: { asset: "clip", trim: "2s" } }"#, #"{ movie: { from: "1s" } }"#])
  func movie_withOtherKeys_isRefused(content: String) throws {
    let error = #expect(throws: CompositorError.self) { try Self.project(content) }
    #expect(error?.code == .invalidProject, "\(String(describing: error))")
  }

  @Test func movie_withATimeWithoutUnit_isRefused() throws {
    let error = #expect(throws: CompositorError.self) { try Self.project(#"{ movie: { asset: "clip", from: 2 } }"#) }
    #expect(error?.message == "The time 2 has no unit." && error?.location.path?.hasSuffix(".from") == true)
  }

  @Test func titlesInTitles_showTheirMovies() async throws {
    let file = try Self.project(
      #"{ movie: { asset: "outer" } }"#,
      assets: """
        outer: { size: "160x90", duration: "3s", titles: [{ layer: { bounds: [160, 90], position: [80, 45],
          content: { movie: { asset: "inner" } } } }] },
        inner: { size: "160x90", duration: "3s", titles: [{ layer: { bounds: [160, 90], position: [80, 45],
          content: { movie: { asset: "white" } } } }] },
        white: { generate: "color", color: "white", size: "16x16", duration: "2s" },
        """)
    let generator = try ImageGenerator(Self.validated(file), settings: ImageSettings(format: .yuv420p).exactly)
    for (seconds, isWhite) in [(0.5, false), (1.5, true), (3.5, true)] {
      let image = try await generator.image(at: MediaTime(seconds: seconds, preferredTimescale: 100))
      let code = image.frame.withRow(60, as: UInt8.self) { $0[100] }
      #expect((code > 220) == isWhite, "\(seconds) s: \(code)")
    }
    await generator.close()
  }

  @Test func titlesThatShowThemselves_areRefused() throws {
    let file = try Self.project(
      #"{ movie: { asset: "a" } }"#,
      assets: """
        a: { size: "160x90", titles: [{ layer: { bounds: [8, 8], sublayers: [{ content: { movie: { asset: "b" } } }] } }] },
        b: { size: "160x90", titles: [{ layer: { bounds: [8, 8], content: { movie: { asset: "a" } } } }] },
        """)
    let error = #expect(throws: CompositorError.self) { try file.edit(catalog: MediaCatalog()) }
    #expect(
      error?.code == .invalidProject && error?.message.contains("show themselves") == true, "\(String(describing: error))")
    #expect(error?.location.path?.hasPrefix("assets.b.titles[0]") == true, "\(String(describing: error?.location))")
  }

  @Test func moviesOfTitles_areSourcesToThoseWhoAsk() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("still.png")
    try runProgram(
      "ffmpeg", ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1", path])
    let valid = try Self.validated(Self.project(#"{ movie: { asset: "photo" } }"#, assets: "photo: \"\(path)\","))
    let explanation = try EditExplanation(valid)
    #expect(explanation.sources.contains { $0.name == path })
    let error = await #expect(throws: CompositorError.self) {
      try await ImageExporter.export(valid, at: .zero, to: path, overwrites: true)
    }
    #expect(error?.code == .outputIsInput)
  }
}
