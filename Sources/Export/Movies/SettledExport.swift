import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting

/// An export whose settings are settled for its output: what the output cannot hold is left out, and what follows the sources is decided.
struct SettledExport: Sendable {
  let composition: ValidatedComposition
  let output: OutputName
  let settings: ExportSettings
  /// What the output leaves out, and what follows the sources.
  let notes: [String]

  /// - Throws: `.unsupportedOutput` if nothing is left to write.
  init(
    of composition: ValidatedComposition, to output: OutputName, settings: ExportSettings
  ) throws(CompositorError) {
    let leftOut = try settings.audioLeftOut(of: composition, in: output)
    let (settled, omissions) = try settings.settled(for: output, of: composition)
    let (followed, following) = settled.followingSources(of: composition, in: output)
    (self.composition, self.output, self.settings) = (composition, output, followed)
    notes = leftOut + omissions + following
  }

  /// Notes on where the edit's video and audio end.
  var notesOnEnds: [String] { composition.notesOnEnds(in: settings.timeRange, of: settings.mediaTypes(in: output)) }

  /// Whether only audio is written.
  var isOfAudio: Bool { composition.isExportedAsAudio(to: output, settings) }
}
