import BuiltinCompositors
import CompositorAPI
import CompositorBenchmark
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorValidation
import Testing

/// From files to a file: every stage is there, those that an edit does not have are not, and codecs are measured alone.
@Suite(.serialized) struct EndToEndTests {
  private static let size = PixelSize(width: 192, height: 108)

  private static func configuration(_ workloads: [Workload]) -> BenchmarkConfiguration {
    BenchmarkConfiguration(
      workloads: workloads, sizes: [size], threads: [1], repetitions: 1, maximumRepetitions: 1, checkedFrames: 0)
  }

  @Test func standardWorkloads_haveEveryStageButAudio() async throws {
    let workloads: [Workload] = [.cut, .dissolve, .alphaOverlay]
    let report = try await Benchmark.runEndToEnd(
      [CompositorFactory(LayerCompositor.self)], configuration: Self.configuration(workloads))
    #expect(report.rows.map(\.workload) == ["W1 end to end", "W2 end to end", "W8 end to end"])
    for row in report.rows {
      let figures = try #require(row.figures, "\(row.failure ?? "")")
      let stages = figures.stages
      #expect(stages.compose > 0 && (stages.decode ?? 0) > 0 && (stages.encode ?? 0) > 0)
      #expect(stages.audio == nil, "\(row.workload) has no audio")
      #expect(figures.copies == 0)
      // One pass: the export is that of the row.
      let codecs = try #require(figures.codecs, "\(row.workload)")
      #expect(codecs.decodeMilliseconds > 0 && codecs.encodeMilliseconds > 0)
      #expect(abs(codecs.wholeMilliseconds - figures.processorMilliseconds) < 1e-9)
    }
    #expect(report.table.contains("adds %"))
  }

  @Test func added_isTheShareBeyondDecodingAndEncoding() {
    let codecs = BenchmarkRow.Codecs(decodeMilliseconds: 4, encodeMilliseconds: 6, wholeMilliseconds: 10.3)
    #expect(abs(codecs.added - 0.03) < 1e-12)
  }

  /// A second of a movie with a tone.
  private static func toneProject() throws -> ValidatedComposition {
    let frameDuration = MediaTime(value: 1, timescale: 30)
    let source = MediaSource.generated(GeneratedSource(pattern: .bars, size: size, toneFrequency: 440))
    let duration = TimeRange(start: .zero, duration: .seconds(1))
    var composition = Composition()
    for kind in [MediaType.video, .audio] {
      let track = composition.addTrack(kind)
      try composition.setSegments(
        [CompositionTrackSegment(source: source, timeMapping: TimeMapping(source: duration, target: duration))], ofTrack: track)
    }
    let shown = try #require(composition.tracks(.video).first).trackID
    let video = VideoComposition(
      instructions: [Instruction(timeRange: duration, layers: [LayerInstruction(trackID: shown)])],
      frameDuration: frameDuration, renderSize: size)
    let edit = Edit(
      composition: composition, videoComposition: video, output: OutputDescription(format: .yuv420p, color: .bt709))
    return try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
  }

  /// The audio of one's own edit is mixed and encoded, unless the edit is for a movie without.
  @Test(arguments: [true, false]) func project_withAudio_isExportedWithIt(_ includesAudio: Bool) async throws {
    let report = try await Benchmark.runEndToEnd(
      try Self.toneProject(), name: "mine", configuration: Self.configuration([]), includesAudio: includesAudio)
    let row = try #require(report.rows.first)
    let figures = try #require(row.figures, "\(row.failure ?? "")")
    if includesAudio {
      #expect(try #require(figures.stages.audio) > 0)
      #expect(figures.codecs == nil, "audio is neither decoding nor encoding frames")
    } else {
      #expect(figures.stages.audio == nil && figures.codecs != nil)
    }
  }
}
