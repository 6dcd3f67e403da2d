public import CompositorAPI
public import CompositorMediaIO
public import CompositorOverlay
public import CompositorPlugins

/// Decides whether an edit can be rendered, and says what is wrong with it.
///
/// Nothing in an edit can make validation fail other than by a diagnostic: not-a-number, infinite and invalid times, negative
/// sizes and missing files are all described. Sources are probed through the catalog, each once.
public enum CompositionValidator {
  /// Checks everything that an edit says, then that its media can deliver it.
  ///
  /// - Parameters:
  ///   - catalog: Where sources are looked up.
  ///   - registry: The compositors that instructions may name.
  ///   - damaged: Whether a track that is used and cannot be decoded is an error, or a warning if the render keeps damage.
  ///   - fonts: Loaded fonts for titles, for many edits with the same ones; `nil` loads the system's and ``Titles/fonts`` if there are
  ///     titles.
  ///   - mediaTypes: The kinds of tracks that will be rendered; diagnostics about undecodable tracks of other kinds are warnings.
  ///   - shouldContinue: Asked after each diagnostic whether to go on, as the editing model's validation delegate is; by
  ///     default everything is checked.
  /// - Complexity: O(n log n) in instructions and segments.
  public static func validate(
    _ edit: Edit, catalog: MediaCatalog, registry: CompositorRegistry = .builtIn,
    damaged: DamagePolicy = .fail, fonts: FontLibrary? = nil, mediaTypes: Set<MediaType> = [.video, .audio],
    shouldContinue: @escaping (ValidationDiagnostic) -> Bool = { _ in true }
  ) -> ValidationReport {
    var diagnostics = DiagnosticCollector(shouldContinue: shouldContinue)
    var media = MediaChecks(
      catalog: catalog, outputFrameDuration: edit.videoComposition.frameDuration, damaged: damaged, mediaTypes: mediaTypes,
      sourceColors: edit.sourceColors)
    var titles = TitleChecks(edit, catalog: catalog, fonts: fonts, damaged: damaged)
    var overlay: TitleOverlay?
    var captions: [any FrameOverlay] = []
    func report(_ validated: ValidatedComposition?) -> ValidationReport {
      ValidationReport(
        diagnostics: diagnostics.diagnostics, validated: validated, mediaFailures: media.failures,
        titleFailures: titles.failures)
    }
    do throws(ValidationStopped) {
      // First, because what else is wrong may follow from it.
      try media.noteUndecodable(edit.undecodableTracks, into: &diagnostics)
      try CanvasChecks.run(edit, into: &diagnostics)
      try TrackChecks.run(edit.composition, for: mediaTypes, into: &diagnostics)
      try InstructionTimeChecks.run(edit, into: &diagnostics)
      try InstructionContentChecks.run(edit, catalog: catalog, into: &diagnostics)
      try RampChecks.run(edit, into: &diagnostics)
      try CompositorChecks.run(edit.videoComposition.instructions, registry: registry, into: &diagnostics)
      try OtherTimeChecks.run(edit.videoComposition.instructions, registry: registry, into: &diagnostics)
      try AudioChecks.run(edit, into: &diagnostics)
      try AudioProcessorChecks.run(edit, registry: registry, into: &diagnostics)
      try CrossFadeChecks.run(edit, into: &diagnostics)
      try media.run(edit.composition, into: &diagnostics)
      try ShownMediaChecks.run(edit, media: media.infos, into: &diagnostics)
      try PlacementChecks.run(edit, media: media.infos, into: &diagnostics)
      try PictureChecks.run(edit, media: media.infos, into: &diagnostics)
      if mediaTypes.contains(.video) {
        overlay = try titles.run(into: &diagnostics)
        try media.noteLosses(of: titles.infos, into: &diagnostics)
        captions = try titles.captions(into: &diagnostics)
      }
    } catch {
      return report(nil)
    }
    guard !diagnostics.hasErrors else { return report(nil) }
    // Colors can only be looked at where all the rest is right.
    let candidate = ValidatedComposition(
      edit: edit, media: media.infos.merging(titles.infos) { own, _ in own }, catalog: catalog, registry: registry,
      titles: overlay, captions: captions)
    do throws(ValidationStopped) {
      try ColorChecks.run(candidate, into: &diagnostics)
      try BlendingChecks.run(candidate, into: &diagnostics)
    } catch {
      return report(nil)
    }
    return report(diagnostics.hasErrors ? nil : candidate)
  }
}

/// Validation was told to stop.
struct ValidationStopped: Error {}

/// Gathers diagnostics and asks after each whether to go on.
struct DiagnosticCollector {
  private(set) var diagnostics: [ValidationDiagnostic] = []
  private let shouldContinue: (ValidationDiagnostic) -> Bool

  init(shouldContinue: @escaping (ValidationDiagnostic) -> Bool) {
    self.shouldContinue = shouldContinue
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  mutating func add(_ diagnostic: ValidationDiagnostic) throws(ValidationStopped) {
    diagnostics.append(diagnostic)
    guard shouldContinue(diagnostic) else { throw ValidationStopped() }
  }
}
