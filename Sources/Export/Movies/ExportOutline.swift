package import CompositorAPI
package import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorValidation

/// What an export of a movie will write, determined without writing it, for movies that are rendered in parts.
package struct ExportOutline: Sendable {
  /// The composition to render, at the size and the rate of the output, with measured peaks.
  package let composition: ValidatedComposition
  /// The settings, without anything that the output cannot hold.
  package let settings: ExportSettings
  /// The frame times.
  package let plan: RenderPlan
  /// The frames of the timeline to write.
  package let frames: Range<Int>
  /// The movie's description, without its cover.
  package let description: MovieDescription
  /// Measured mastering display and light levels; `nil` unless requested.
  package let light: HDRMetadata?
  /// Measured peaks of sources; empty unless requested.
  package let peaks: [MeasuredPeak]
  /// Notes on how the output differs from the edit because of the file's limits.
  package let notes: [ExportNote]

  /// Determines the outline of an export.
  ///
  /// - Parameters:
  ///   - output: A movie. Nothing is written to it, and it may exist.
  ///   - settings: Export settings. Requested light levels are measured, which renders every frame once, unless they are known.
  ///   - peaks: Peaks that were measured before.
  ///   - progress: Receives the progress of measuring.
  /// - Throws: The errors that an export throws before its first frame; `.unsupportedOutput` if the output is not a movie with
  ///   video.
  package init(
    of composition: ValidatedComposition, to output: OutputName, settings: ExportSettings, peaks: [MeasuredPeak] = [],
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) {
    let start = ContinuousClock.now
    let settled = try SettledExport(of: composition, to: output, settings: settings)
    let settings = settled.settings
    guard case .movie = output, settings.passthrough == nil, !settled.isOfAudio, let container = output.movieContainer
    else {
      throw CompositorError(
        .unsupportedOutput, "The output is not a movie with encoded frames.",
        recoverySuggestion: "Write a movie with video, without copying.", at: ErrorLocation(file: output.path))
    }
    let fitted = try settled.fitted()
    var export = try await ExportPlan(of: fitted, peaks: peaks)
    try await export.validate()
    if export.measuresLight {
      let meter = ExportMeter(export.frames.count, passCount: 1, since: start, report: progress)
      export = try await settings.withShare(fitted.demand, isQueued: true, since: start, progress: progress) {
        [export] () async throws(CompositorError) in
        var export = export
        try await export.measureLight { meter.measured($0, inPass: 0) }
        return export
      }
    }
    (self.composition, self.settings, plan, frames) = (export.composition, settings, export.plan, export.frames)
    description = try export.description(container)
    (light, self.peaks) = (export.measuredLight, export.peaks)
    notes = fitted.notes + settled.notes + settled.notesOnEnds
  }
}

extension ExportOutline {
  /// The part of the timeline to write, from the start of the first frame to the end of the last.
  package var timeRange: TimeRange { plan.timeRange(ofFrames: frames) }

  /// The composition without the captions that become tracks of the file.
  package var compositionWithoutCaptionTracks: ValidatedComposition {
    var edit = composition.edit
    edit.captions.removeAll { $0.presentation.isTrack }
    return composition.replacing(edit)
  }

  /// The captions that become tracks of the file.
  package var captionTracks: [SubtitleTrackDescription] { description.subtitleTracks }
}

extension ExportOutline {
  /// The cover of the movie; `nil` for none.
  ///
  /// - Parameter folder: A folder for an intermediate frame of the movie, which is removed.
  package func cover(workingIn folder: String) async throws(CompositorError) -> CoverPicture? {
    guard let cover = settings.cover else { return nil }
    let frame = try await cover.frame(of: composition, settings: settings.render)
    let files = try AtomicOutput(in: folder, overwrites: false)
    defer { files.discard() }
    return try cover.picture(frame, in: files)
  }
}
