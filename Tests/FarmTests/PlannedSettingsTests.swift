import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import Foundation
import Testing

/// A plan has the settings with which its parts are rendered, and nothing of the machine that made it.
@Suite struct PlannedSettingsTests {
  /// Settings that are those of the machine that renders, of the caller, or measured again.
  private static let others: Set = ["overwrites", "render", "images", "measuredLight", "frameTimes", "extendsAudio"]

  private static func names(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

  /// A setting that is added to the export has to be planned, or named here.
  @Test func everySetting_isPlanned() {
    let (planned, settings) = (Self.names(PlannedSettings(ExportSettings())), Self.names(ExportSettings()))
    #expect(settings.subtracting(Self.others) == planned.subtracting(["quality", "sampling", "damaged"]))
  }

  @Test func recipe_readAgain_isTheSame() throws {
    var settings = ExportSettings(
      video: VideoEncodingSettings(codec: .hevc, quality: .constant(30)), audio: AudioEncodingSettings(sampleRate: 44_100),
      timeRange: TimeRange(start: MediaTime(value: 1, timescale: 2), end: MediaTime(value: 3, timescale: 2)),
      metadata: ["title": "A day"],
      creationSecondsSince1970: 7, videoTrack: .always)
    (settings.render.quality, settings.render.sampling, settings.render.damaged) = (.draft, .best, .keep)
    (settings.size, settings.largestSize) = (PixelSize(width: 64, height: 48), PixelSize(width: 640, height: 480))
    (settings.frameRate, settings.highestFrameRate) = (Rational(30_000, 1001), 60)
    settings.audioFromFirstClip = [.sampleRate, .channelCount]
    (settings.largestSampleRate, settings.mostChannels) = (48_000, 2)
    (settings.keepsSourceAlpha, settings.keepsSourceAudio, settings.keepsFloatingPoint) = (true, true, true)
    (settings.chapters, settings.cover) = ([Chapter(start: .zero, title: "One")], .frame(at: MediaTime(value: 1, timescale: 3)))
    (settings.fastStart, settings.passthrough) = (false, PassthroughMode.allCases.first)
    settings.orientation = Orientation(quarterTurns: 1)
    settings.metadataNotes = ["left out"]
    var overrides = ProjectOverrides()
    (overrides.variables, overrides.ends, overrides.mediaTypes) = (["name": "Ada"], .shortest, [.video])
    (overrides.canvas, overrides.damaged) = (PixelSize(width: 320, height: 240), .keep)
    overrides.colors = ColorOverrides(
      color: .bt2100PQ, hdrMetadata: .generate, depth: 10, sources: .named("bt709"), deinterlacing: .doubleRate)
    (overrides.audio.loudness, overrides.audio.gain, overrides.audio.omitsLimiter) = (-14, 0.5, true)
    (overrides.audio.sourceChannels, overrides.audio.tracks) = (
      .only([1, 0]), .several([.language("deu"), .mix([.index(2)])])
    )
    (overrides.captions.files, overrides.captions.languages) = (["a.srt"], ["de"])
    (overrides.plugins.trusted, overrides.plugins.deadline, overrides.plugins.memory) = (["libavfilter"], 2.5, 512)
    let recipe = SegmentPlan.Recipe(overrides, settings)
    let read = try JSONDecoder().decode(SegmentPlan.Recipe.self, from: JSONEncoder().encode(recipe))
    #expect(read == recipe)
    #expect(SegmentPlan.Recipe(overrides, read.settings.export) == recipe)
  }

  @Test(arguments: ["one", "several", "all"]) func tracks_readAgain_areTheSame(_ kind: String) throws {
    let tracks: AudioTrackSelection = kind == "one" ? .one(.standard) : kind == "several" ? .several([.index(1)]) : .all
    #expect(try JSONDecoder().decode(AudioTrackSelection.self, from: JSONEncoder().encode(tracks)) == tracks)
  }

  /// The library loads the project as the plan says, and makes the parts of a renderer that was given project and settings.
  @Test func segments_renderedByTheLibrary_areThoseOfThePlan() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("project.json5")
    try Data(PlannedMovie.project(rate: Rational(25, 1), frames: 20).utf8).write(to: URL(filePath: path))
    var overrides = ProjectOverrides()
    (overrides.audio.gain, overrides.damaged) = (0.5, .keep)
    let loader = ProjectLoader(catalog: MediaCatalog(), overrides: overrides)
    let (file, composition, _) = try loader.load(try loader.open(path)).validated()
    let project = PlannedProject(file, path: path, composition: composition, optionFiles: [], plugins: [:])
    var settings = ExportSettings(video: VideoEncodingSettings(codec: .ffv1))
    settings.size = PixelSize(width: 80, height: 46)
    let paths = PlanPaths(ofPlan: folder.file("own.json"))
    let maker = PlanMaker(project, at: paths, overrides: overrides, tool: "test", cache: DigestCache(folder: nil))
    let (plan, _) = try await maker.plan(settings, movie: folder.file("movie.mkv"), length: .count(2))
    let (own, other) = (
      try SegmentPlanFile(plan, writingTo: folder.file("own.json"), overwrites: false),
      try SegmentPlanFile(plan, writingTo: folder.file("other.json"), overwrites: false)
    )
    let given = try await PartRenderer(
      other, project: project, settings: settings, tool: "test", allows: false, cache: DigestCache(folder: nil))
    let renderer = PlanRenderer(own, toolVersion: "test")
    for number in 0..<2 {
      let made = try await renderer.renderSegment(number)
      let expected = try await given.render(.segment(number)).path
      #expect(made != expected && FileManager.default.contentsEqual(atPath: made, andPath: expected))
    }
    #expect(try PlanStatus(of: own).missing.numbers.isEmpty)
    await #expect(throws: CompositorError.self) { try await renderer.renderSegment(2) }
    await #expect(throws: CompositorError.self) { try await PlanRenderer(own, toolVersion: "another").renderSegment(0) }
  }
}
