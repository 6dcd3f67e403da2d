import CompositorAPI
import CompositorMedia
import CompositorValidation
import Testing

/// Validation of edits of which only the audio is rendered.
struct AudioAloneTests {
  /// The media of the sample without its instructions.
  private static func sample() throws -> (sample: SampleEdit, edit: Edit) {
    let sample = try SampleEdit(clips: 1)
    var edit = sample.edit
    edit.videoComposition.instructions = []
    return (sample, edit)
  }

  @Test func noInstructions_forAudio_areValid() throws {
    let (sample, edit) = try Self.sample()
    var alone = edit
    for track in alone.composition.tracks(.video) { try alone.composition.removeTrack(track.trackID) }
    for edit in [edit, alone] {
      let report = CompositionValidator.validate(edit, catalog: sample.catalog, mediaTypes: [.audio])
      #expect(report.diagnostics.filter { $0.severity == .error }.isEmpty)
      #expect(report.validated?.edit.composition.duration == .seconds(5))
    }
  }

  @Test(arguments: [[.video], [.video, .audio]] as [Set<MediaType>])
  func noInstructions_forVideo_areAnError(_ mediaTypes: Set<MediaType>) throws {
    let (sample, edit) = try Self.sample()
    let report = CompositionValidator.validate(edit, catalog: sample.catalog, mediaTypes: mediaTypes)
    #expect(report.diagnostics.contains { $0.code == .emptyTimeRange && $0.severity == .error })
    #expect(report.validated == nil)
  }

  @Test func instructionsWithAGap_forAudio_areAnErrorAsForVideo() throws {
    let (sample, _) = try Self.sample()
    var edit = sample.edit
    edit.videoComposition.instructions[0].timeRange.duration = .seconds(1)
    for mediaTypes in [[.audio], [.video, .audio]] as [Set<MediaType>] {
      let report = CompositionValidator.validate(edit, catalog: sample.catalog, mediaTypes: mediaTypes)
      #expect(report.diagnostics.contains { $0.code == .emptyTimeRange && $0.severity == .error })
    }
  }

  @Test func planOfVideo_withoutInstructions_isRefused() throws {
    let (sample, edit) = try Self.sample()
    let composition = try CompositionValidator.validate(edit, catalog: sample.catalog, mediaTypes: [.audio]).get()
    let error = #expect(throws: CompositorError.self) { try RenderPlan(composition) }
    #expect(error?.code == .invalidComposition)
  }
}
