import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Plans as values and as files.
@Suite struct PlanTests {
  @Test func plan_ofEqualInputs_isTheSameBytes() async throws {
    let first = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 50, segments: 3)
    let second = try await PlannedMovie(
      "movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 50, segments: 3, folder: first.folder)
    #expect(first.file.name == second.file.name)
    #expect(try first.plan.json() == second.plan.json())
    let other = try await PlannedMovie(
      "movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 50, segments: 4, folder: first.folder)
    #expect(other.file.name != first.file.name)
  }

  @Test func plan_readAgain_isTheSame() async throws {
    let movie = try await PlannedMovie("movie.mov", codec: .proRes, rate: Rational(30000, 1001), frames: 30, segments: 4) {
      $0.metadata = ["title": "A “title” / with \\ all of it"]
      $0.chapters = [.init(start: .zero, title: "One"), .init(start: MediaTime(value: 1, timescale: 2), title: "Two")]
    }
    let read = try SegmentPlanFile(contentsOf: movie.file.path)
    #expect(read.plan == movie.plan && read.name == movie.file.name)
    #expect(try read.plan.json() == movie.plan.json())
    let text = try String(contentsOfFile: movie.file.path, encoding: .utf8)
    #expect(text.hasSuffix("}\n") && text.contains("\"cuts\" : ["))
  }

  /// Whatever a file says, reading it is an error with a reason or a plan whose numbers fit.
  @Test func plan_changedByHand_isRefused() async throws {
    let movie = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 50, segments: 3)
    let text = try String(contentsOfFile: movie.file.path, encoding: .utf8)
    let changes = [
      ("\"formatVersion\" : 1", "\"formatVersion\" : 2"), ("    0,\n", "    7,\n"),
      ("\"frameCount\" : 50", "\"frameCount\" : 20"),
      ("\"frameCount\" : 50", "\"frameCount\" : -3"), ("\"codec\" : \"h264\"", "\"codec\" : \"h999\""),
      ("\"cuts\" : [", "\"cuts\" : [ 0,"), ("\"sampleCount\" : ", "\"sampleCount\" : -"), ("{", "["),
    ]
    for (old, new) in changes {
      let changed = text.replacing(old, with: new, maxReplacements: 1)
      try #require(changed != text, "\(old) is not in the plan")
      let path = movie.folder.file("changed.json")
      try Data(changed.utf8).write(to: URL(filePath: path))
      #expect(throws: CompositorError.self, "\(old) → \(new)") { try SegmentPlanFile(contentsOf: path) }
    }
  }

  @Test func cuts_areNearTheirPlaces_andAtInstructions() async throws {
    // Instructions begin at 0, 42 − 20 = … : a dissolve of 20 frames ends the first clip of 40.
    let movie = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 60, segments: 3)
    let outline = try await ExportOutline(
      of: movie.project.composition, to: try OutputName(path: "movie.mp4"), settings: movie.settings)
    let starts = Set(
      outline.plan.instructions.map { outline.plan.schedule.frameCount(until: $0.timeRange.start) })
    for count in [1, 2, 3, 4, 6, 10, 60] {
      let cuts = try SegmentCuts(outline, .count(count)).firstFrames
      #expect(cuts.count == count && cuts[0] == 0 && zip(cuts, cuts.dropFirst()).allSatisfy { $0 < $1 } && cuts[count - 1] < 60)
      for (index, cut) in cuts.enumerated().dropFirst() {
        let ideal = Double(index) * 60 / Double(count)
        #expect(abs(Double(cut) - ideal) <= Double(60 / count) / 4 + 1, "\(count): \(cuts)")
        let near = starts.filter { abs(Double($0) - ideal) <= Double(60 / count) / 4 - 1 && $0 > 0 }
        if count < 10, !near.isEmpty { #expect(near.contains(cut), "\(count): \(cuts), instructions at \(starts.sorted())") }
      }
    }
    #expect(try SegmentCuts(outline, .duration(MediaTime(value: 1, timescale: 1))).firstFrames.count == 2)
    #expect(try SegmentCuts(outline, .duration(MediaTime(value: 100, timescale: 1))).firstFrames == [0])
    #expect(try SegmentCuts(outline, .duration(MediaTime(value: 1, timescale: 1000))).firstFrames.count == 60)
    for bad in [SegmentLength.count(0), .count(61), .duration(.zero), .duration(.positiveInfinity)] {
      #expect(throws: CompositorError.self) { try SegmentCuts(outline, bad) }
    }
  }

  @Test func selection_ofSegments_isReadAndWritten() throws {
    #expect(try SegmentSelection("3", of: 9).numbers == [3])
    #expect(try SegmentSelection("1,4-7", of: 9).numbers == [1, 4, 5, 6, 7])
    #expect(try SegmentSelection("4-7,1,5", of: 9).description == "1,4-7")
    #expect(SegmentSelection([0, 1, 2, 5]).description == "0-2,5" && SegmentSelection([]).description.isEmpty)
    for bad in ["", "x", "-1", "3-", "-3", "5-2", "1,,2", "9", "0-9", "1-2-3", "1.5", " 1"] {
      #expect(throws: CompositorError.self, "\(bad)") { try SegmentSelection(bad, of: 9) }
    }
  }

  @Test func limits_areTold_withWhatToDoInstead() async throws {
    func refusal(_ movie: String, _ change: @escaping (inout ExportSettings) -> Void = { _ in }) async -> CompositorError? {
      do {
        _ = try await PlannedMovie(movie, codec: .h264, rate: Rational(25, 1), frames: 10, segments: 2, change: change)
        return nil
      } catch {
        return error as? CompositorError
      }
    }
    let refused: [(String, (inout ExportSettings) -> Void)] = [
      ("movie.gif", { $0.video.codec = .gif }), ("movie.webp", { $0.video.codec = .webp }),
      ("movie.nut", { $0.video.codec = .raw }),
      ("frame_%04d.png", { _ in }), ("audio.m4a", { _ in }), ("movie.mp4", { $0.passthrough = .automatic }),
      (
        "movie.mp4",
        { settings in
          settings.video.quality = .bitRate(1_000_000)
          settings.video.isTwoPass = true
        }
      ),
      ("movie.mp4", { $0.video.encoder = .vaapi }), ("movie.mp4", { $0.videoTrack = .never }),
    ]
    for (movie, change) in refused {
      let error = await refusal(movie, change)
      #expect(
        error?.code == .unsupportedOutput && error?.recoverySuggestion != nil, "\(movie): \(error.map { "\($0)" } ?? "planned")"
      )
    }
    #expect(await refusal("movie.mp4") == nil)
  }

  /// The peak of a source is measured once, for the plan: no machine measures it again, however the project writes its path, and
  /// two spellings of one path are two sources, each with a value of its own.
  @Test(.enabled(if: hasFFmpeg)) func peaks_thatWereMeasured_areThoseOfTheirSources() async throws {
    let folder = try TemporaryFolder()
    let picture = "color=gray:s=64x48:r=25:d=0.2,format=yuv420p10le"
    try runTool(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", picture, "-c:v", "ffv1"]
        + colorTagging(primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc") + [folder.file("a.mkv")])
    let file = try ProjectFile(
      """
      { version: 1, output: { color: 'sdr', peak: 'measure' }, assets: { a: './a.mkv', b: 'a.mkv' },
        tracks: [{ clips: [{ asset: 'a' }, { asset: 'b' }] }] }
      """, name: "project.json5", directory: folder.path + "/")
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog).get()
    let project = PlannedProject(file, path: "project.json5", composition: composition, optionFiles: [], plugins: [:])
    let paths = PlanPaths(ofPlan: folder.file("plan.json"))
    let maker = PlanMaker(project, at: paths, tool: PlannedMovie.tool, cache: DigestCache(folder: nil))
    let settings = ExportSettings(video: VideoEncodingSettings(codec: .h264, speed: .ultrafast))
    var plan = try await maker.plan(settings, movie: folder.file("movie.mp4"), length: .count(1)).plan
    #expect(plan.media.count == 2 && plan.media.allSatisfy { $0.path == "a.mkv" && $0.measuredPeak != nil })
    (plan.media[0].measuredPeak, plan.media[1].measuredPeak) = (1234, 567)
    let peaks = PlanInputs.peaks(of: composition, in: plan, at: paths)
    let outline = try await ExportOutline(
      of: composition, to: try OutputName(path: folder.file("movie.mp4")), settings: settings, peaks: peaks)
    let expected = [folder.path + "/./a.mkv": 1234.0, folder.path + "/a.mkv": 567]
    for found in [peaks, outline.peaks] {
      #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.source, $0.luminance) }) == expected)
    }
  }

  /// A look-up table after more strings than a preview would watch as files.
  @Test func file_namedLateInALongProject_isInThePlan() async throws {
    let movie = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 4, segments: 1)
    let table = movie.folder.file("look.cube")
    try Data("LUT_3D_SIZE 2".utf8).write(to: URL(filePath: table))
    let names = ((0..<5000).map { "title \($0)" } + [table]).map { "{ text: \"\($0)\", start: \"0s\", duration: \"1s\" }" }
    let text = PlannedMovie.project(rate: Rational(25, 1), frames: 4, titles: "[\(names.joined(separator: ","))]")
    let file = try ProjectFile(text, name: "project.json5")
    let project = PlannedProject(
      file, path: "project.json5", composition: movie.project.composition, optionFiles: [], plugins: [:])
    #expect(try PlanInputs(of: project, cache: DigestCache(folder: nil)).files.map(\.path) == [table])
  }

  /// What an encoder would choose by the machine is decided in the plan.
  @Test func encoder_isDecided() async throws {
    for codec in [VideoEncodingSettings.Codec.h264, .hevc, .av1] {
      let movie = try await PlannedMovie("movie.mp4", codec: codec, rate: Rational(25, 1), frames: 4, segments: 2)
      let video = try #require(movie.plan.movie?.video)
      let size = try #require(movie.plan.movie?.size)
      let count = EncoderThreads(video, size: size).count
      // 0 leaves it to the encoder.
      #expect(count == 0 || video.threadCount == count, "\(codec.rawValue): \(video)")
    }
  }
}
