import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

/// An export whose settings are settled for its output: what the output cannot hold is left out, and what follows the sources
/// is decided.
struct SettledExport: Sendable {
  let composition: ValidatedComposition
  let output: OutputName
  let settings: ExportSettings
  /// What the output leaves out, and what follows the sources.
  let notes: [ExportNote]

  /// - Throws: `.unsupportedOutput` if nothing is left to write.
  init(
    of composition: ValidatedComposition, to output: OutputName, settings: ExportSettings
  ) throws(CompositorError) {
    let keepsAlpha = settings.keepsSourceAlpha && output.keepsAlphaByItself
    let composition = keepsAlpha ? composition.keepingAlpha() : composition
    let leftOut = try settings.audioLeftOut(of: composition, in: output)
    let (settled, omissions) = try settings.settled(for: output, of: composition)
    var (followed, following) = settled.followingSources(of: composition, in: output)
    followed.video = followed.video.settled(for: composition, in: output.container)
    (self.composition, self.output, self.settings) = (composition, output, followed)
    notes = leftOut + omissions + following
  }

  /// Notes on where the edit's video and audio end.
  var notesOnEnds: [ExportNote] {
    composition.notesOnEnds(in: settings.timeRange, of: settings.mediaTypes(in: output)).map {
      ExportNote(.unevenEnds, Wording($0))
    }
  }

  /// Whether only audio is written.
  var isOfAudio: Bool { composition.isExportedAsAudio(to: output, settings) }

  /// Fits the composition to the output, and the export to the memory of its budget.
  ///
  /// - Throws: `.invalidValue` for a size or a rate that cannot be made; `.resourceExhausted` if not even one frame at a time
  ///   fits.
  func fitted() throws(CompositorError) -> FittedExport {
    let (composition, notes) = try settings.fitting(composition, into: output.movieContainer)
    let pictures = try ExportedFrames(of: composition, to: output, settings)
    let (bounded, demand) = try settings.demand(of: composition, in: output, pictures)
    return FittedExport(
      composition: composition, output: output, settings: bounded, pictures: pictures, demand: demand, notes: notes)
  }
}

/// An export at the size and the rate of its output, within the memory of its budget.
struct FittedExport: Sendable {
  let composition: ValidatedComposition
  let output: OutputName
  /// The settings with which the export fits the memory of its budget.
  let settings: ExportSettings
  /// The formats of the frames, as far as they are known before peaks are measured.
  let pictures: ExportedFrames
  /// The resources that the export needs.
  let demand: RenderDemand
  /// Notes on how the output differs from the edit.
  let notes: [ExportNote]
}
