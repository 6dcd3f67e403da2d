// Not called: programs that validate are linked with libavfilter's filters, which the target of plugins finds.
import CompositorFilters
public import CompositorAPI
public import CompositorMedia
public import CompositorMediaIO
public import CompositorOverlay
public import CompositorPlugins

/// Checks whether an edit can be rendered, and reports its problems.
///
/// Every problem of an edit is reported as a diagnostic, including NaN, infinite and invalid times, negative sizes and missing
/// files. Each source is probed once through the catalog.
public enum CompositionValidator {
  /// Checks an edit itself, then that its media contains what it uses.
  ///
  /// - Parameters:
  ///   - catalog: The catalog that describes sources.
  ///   - registry: The compositors that instructions may use.
  ///   - damaged: How damaged media is handled. A used track that cannot be decoded is an error, or a warning if the render
  ///     keeps damage.
  ///   - fonts: Loaded fonts for titles, to share between edits; `nil` loads the system's and those of `Titles.fonts` if there
  ///     are titles.
  ///   - mediaTypes: The types of tracks to render. Diagnostics about undecodable tracks of other types are warnings. Without
  ///     `.video`, the edit needs no instructions; only its audio can be rendered then.
  ///   - shouldContinue: Called after each diagnostic; returns whether to continue, like AVFoundation's validation delegate. By
  ///     default everything is checked.
  /// - Complexity: O(n log n) in instructions and segments.
  public static func validate(
    _ edit: Edit, catalog: MediaCatalog, registry: CompositorRegistry = .builtIn,
    damaged: DamagePolicy = .fail, fonts: FontLibrary? = nil, mediaTypes: Set<MediaType> = [.video, .audio],
    shouldContinue: @escaping (ValidationDiagnostic) -> Bool = { _ in true }
  ) -> ValidationReport {
    let edit = edit.sizingGeneratedSources()
    var diagnostics = DiagnosticCollector(shouldContinue: shouldContinue)
    var media = MediaChecks(
      catalog: catalog, outputFrameDuration: edit.videoComposition.frameDuration, damaged: damaged, mediaTypes: mediaTypes,
      sourceColors: edit.sourceColors, deinterlacing: edit.deinterlacing)
    var titles = TitleChecks(edit, catalog: catalog, registry: registry, fonts: fonts, damaged: damaged)
    var drawn: ResolvedTitles?
    var captions: [ResolvedCaptions] = []
    func report(_ validated: ValidatedComposition?) -> ValidationReport {
      ValidationReport(
        diagnostics: diagnostics.diagnostics, validated: validated, mediaFailures: media.failures,
        titleFailures: titles.failures, undecodable: media.undecodable)
    }
    do throws(ValidationStopped) {
      // Run this first, because other problems may follow from it.
      try media.noteUndecodable(edit.undecodableTracks, into: &diagnostics)
      try check(edit, catalog, registry, mediaTypes, into: &diagnostics)
      try media.run(edit.composition, into: &diagnostics)
      try check(edit, against: media.infos, catalog, registry, mediaTypes, into: &diagnostics)
      if mediaTypes.contains(.video) {
        drawn = try titles.run(into: &diagnostics)
        try media.noteLosses(of: titles.infos, into: &diagnostics)
        captions = try titles.captions(into: &diagnostics)
        try CaptionSizeChecks.run(edit, captions: captions, into: &diagnostics)
        try CaptionOverlapChecks.run(edit, titles: drawn, captions: captions, catalog: catalog, into: &diagnostics)
      }
      try CaptionChecks.run(edit, fonts: fonts, into: &diagnostics)
    } catch {
      return report(nil)
    }
    guard !diagnostics.hasErrors else { return report(nil) }
    // Colors can be checked only if everything else is valid.
    let candidate = ValidatedComposition(
      edit: edit, media: media.infos.merging(titles.infos) { own, _ in own }, catalog: catalog, registry: registry,
      titles: drawn, captions: captions)
    return report(hasValidColors(candidate, into: &diagnostics) ? candidate : nil)
  }

  /// Checks an edit without regard to its media.
  private static func check(
    _ edit: Edit, _ catalog: MediaCatalog, _ registry: CompositorRegistry, _ mediaTypes: Set<MediaType>,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    try CanvasChecks.run(edit, into: &diagnostics)
    try UnevenEndChecks.run(edit, for: mediaTypes, into: &diagnostics)
    try TrackChecks.run(edit, for: mediaTypes, into: &diagnostics)
    try InstructionTimeChecks.run(edit, for: mediaTypes, into: &diagnostics)
    try InstructionContentChecks.run(edit, catalog: catalog, into: &diagnostics)
    try RampChecks.run(edit, into: &diagnostics)
    try CompositorChecks.run(edit.videoComposition.instructions, registry: registry, into: &diagnostics)
    try IdentityEffectChecks.run(edit.videoComposition.instructions, registry: registry, into: &diagnostics)
    try OtherTimeChecks.run(edit.videoComposition.instructions, registry: registry, into: &diagnostics)
    try AudioChecks.run(edit, into: &diagnostics)
    try AudioProcessorChecks.run(edit, registry: registry, into: &diagnostics)
    try CrossFadeChecks.run(edit, into: &diagnostics)
  }

  /// Checks whether the media contains what an edit uses.
  private static func check(
    _ edit: Edit, against media: [MediaSource: MediaInfo], _ catalog: MediaCatalog, _ registry: CompositorRegistry,
    _ mediaTypes: Set<MediaType>, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    if mediaTypes.contains(.audio) { try ChannelChecks.run(edit, media: media, into: &diagnostics) }
    if mediaTypes.contains(.video) {
      try ShownMediaChecks.run(edit, media: media, catalog: catalog, registry: registry, into: &diagnostics)
    }
    try CropChecks.run(edit, media: media, into: &diagnostics)
    let hidden = HiddenFrames.byRate(in: edit, media: media)
    try PictureChecks.run(edit, media: media, hidden: hidden, into: &diagnostics)
    try HiddenFrameChecks.run(edit, media: media, hidden: hidden, into: &diagnostics)
  }

  private static func hasValidColors(
    _ candidate: ValidatedComposition, into diagnostics: inout DiagnosticCollector
  ) -> Bool {
    do throws(ValidationStopped) {
      let format = RenderFormat(candidate)
      try ColorChecks.run(candidate, format, into: &diagnostics)
      try BlendingChecks.run(candidate, format, into: &diagnostics)
      return !diagnostics.hasErrors
    } catch {
      return false
    }
  }
}

extension Edit {
  /// The edit with the size of its canvas for generated sources that have none of their own.
  fileprivate func sizingGeneratedSources() -> Edit {
    let canvas = videoComposition.renderSize
    var edit = self
    edit.composition.replaceSources {
      $0.takesSizeOfCanvas
    } with: {
      $0.sized(for: canvas)
    }
    for (name, source) in titles.images where source.takesSizeOfCanvas {
      edit.titles.images[name] = source.sized(for: canvas)
    }
    return edit
  }
}

/// Thrown when the caller stops validation.
struct ValidationStopped: Error {}

/// Collects diagnostics and asks after each whether to continue.
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
