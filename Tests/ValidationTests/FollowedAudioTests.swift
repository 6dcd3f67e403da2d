import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorOverlay
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Titles that follow audio: what is measured for them, and what validation says.
struct FollowedAudioTests {
  /// The music is heard from 1 s to 2 s, the voice is a track without audio, and the mix has a tone of its own at the end.
  private static func project(_ titles: String) throws -> ProjectFile {
    try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: { a: { generate: "color", size: "320x180" }, low: { generate: "color", size: "320x180", tone: 100 } },
        tracks: [
          { clips: [{ asset: "a", duration: "4s" }] },
          { name: "music", clips: [{ asset: "low", at: "1s", duration: "1s", video: false }] },
          { name: "voice", clips: [{ asset: "a", duration: "4s", opacity: 0.5 }] },
          { name: "end", clips: [{ asset: "low", at: "3s", duration: "1s", video: false, volume: 0.5 }] },
        ], titles: [\(titles)] }
      """)
  }

  private static func validate(_ titles: String) throws -> (report: ValidationReport, found: [ValidationDiagnostic]) {
    let (file, catalog) = (try project(titles), MediaCatalog())
    let report = CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog)
    return (report, report.diagnostics.map(file.locating))
  }

  private static func title(_ audio: String, timing: String = "", start: String = "0s") -> String {
    "{ start: '\(start)', layer: { bounds: [90, 90], position: [160, 90], backgroundColor: 'white', \(timing) "
      + "animations: [{ property: 'transform.scale', from: 0.5, to: 1, audio: { \(audio) } }] } }"
  }

  /// The scale of the first title's layer at times of the movie.
  private static func scales(_ audio: String, timing: String = "", start: String = "0s", at times: [Double]) throws -> [Double]
  {
    let (report, found) = try validate(title(audio, timing: timing, start: start))
    #expect(found.isEmpty, "\(found)")
    let titles = try #require(try report.get().titles)
    let layer = try #require(titles.root.sublayers.first?.sublayers.first)
    return times.map { time in
      var shown = layer
      for animation in layer.animations { animation.apply(to: &shown, model: layer, at: time) }
      return shown.transform.scaleX
    }
  }

  private static func areEqual(_ found: [Double], _ expected: [Double]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 0.01 }
  }

  @Test func tracksByNameAndIndex_andTheMix_areMeasured() throws {
    let times = [0.5, 1.5, 2.5, 3.5]
    #expect(Self.areEqual(try Self.scales("track: 'music'", at: times), [0.5, 1, 0.5, 0.5]))
    #expect(Self.areEqual(try Self.scales("track: 1", at: times), [0.5, 1, 0.5, 0.5]))
    // Half the level is 6 of 30 dB below.
    #expect(Self.areEqual(try Self.scales("", at: times), [0.5, 1, 0.5, 0.9]))
    #expect(Self.areEqual(try Self.scales("band: [50, 200]", at: times), [0.5, 1, 0.5, 0.9]))
  }

  @Test(arguments: ["1", "0.5"]) func equalValues_areWarnedOf(to: String) throws {
    let title = Self.title("track: 'music'").replacing("from: 0.5, to: 1", with: "from: 0.5, to: \(to)")
    let found = try Self.validate(title).found
    #expect(found.map(\.code) == (to == "0.5" ? [.effectUnchanging] : []), "\(found)")
    #expect(found.allSatisfy { $0.message.contains("from and to are equal") && $0.path == "titles[0].layer.animations[0]" })
  }

  @Test func level_isThatOfTheMoviesTime() throws {
    // The times of the layer, which begins at 1 s of the movie and is twice as fast.
    let found = try Self.scales("track: 'music'", timing: "timing: { speed: 2 },", start: "1s", at: [0.5, 1.5, 2.5, 4])
    #expect(Self.areEqual(found, [1, 1, 0.5, 0.5]), "\(found)")
  }

  @Test(arguments: [
    ("track: 'voice'", "0s", "a track without audio"), ("track: 'music'", "2.5s", "while the title is shown"),
    ("track: 'end', floor: '-3dB'", "0s", "its floor of -3 dB"),
    ("track: 'music', band: [8000, 16000], floor: '-60dB'", "0s", "-60 dB"),
  ])
  func silence_isWarnedOf(audio: String, start: String, words: String) throws {
    let (report, found) = try Self.validate(Self.title(audio, start: start))
    #expect(report.validated != nil && found.map(\.code) == [.effectUnchanging], "\(found)")
    #expect(found.first?.path == "titles[0].layer.animations[0].audio", "\(found)")
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(arguments: [
    ("duration: '1s', repeatCount: 3", "more than once"), ("speed: 0", "stands still"),
  ])
  func repeatedLayer_isRefused(timing: String, words: String) throws {
    let (report, found) = try Self.validate(Self.title("track: 'music'", timing: "timing: { \(timing) },"))
    #expect(report.validated == nil && found.map(\.code) == [.invalidTitle], "\(found)")
    #expect(found.first?.path == "titles[0].layer.animations[0].audio", "\(found)")
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(arguments: [("track: 'musik'", "There is no track"), ("track: 4", "There is no track 4")])
  func trackThatIsNone_isRefusedAtItsPlace(audio: String, words: String) throws {
    let file = try Self.project(Self.title(audio))
    let error = #expect(throws: CompositorError.self) { try file.edit(catalog: MediaCatalog()) }
    #expect(error?.location.path == "titles[0].layer.animations[0].audio.track", "\(error.map { "\($0)" } ?? "")")
    #expect(error?.message.contains(words) == true)
  }

  @Test func editWithoutSuchATrack_isRefused() throws {
    let catalog = MediaCatalog()
    var edit = try Self.project(Self.title("track: 'music'")).edit(catalog: catalog)
    for source in [AudioLevel.Source.tracks([99]), .trackNamed("music")] {
      try edit.titles.layers[0].updateAudioLevels { (level, _, _) throws(CompositorError) in level.source = source }
      let report = CompositionValidator.validate(edit, catalog: catalog)
      #expect(report.errors.map(\.code) == [.invalidTitle], "\(report.diagnostics)")
    }
  }

  @Test func titlesOfAnAsset_cannotFollowTheMovie() throws {
    let text = """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: { badge: { titles: [\(Self.title(""))], duration: "2s" } }, tracks: [{ clips: [{ asset: "badge" }] }] }
      """
    let error = #expect(throws: CompositorError.self) {
      _ = try ProjectFile(text).edit(catalog: MediaCatalog())
    }
    #expect(
      error?.location.path == "assets.badge.titles[0].layer.animations[0].audio", "\(error.map { "\($0)" } ?? "none")")
  }
}
