public import CompositorPlugins
public import CompositorAPI
public import CompositorMediaIO

/// An edit that passed ``CompositionValidator``, with what was learnt on the way. There is no other way to get one.
public struct ValidatedComposition: Sendable {
  /// The edit.
  public let edit: Edit
  /// What each of its sources holds.
  public let media: [MediaSource: MediaInfo]
  /// Where its sources are opened.
  public let catalog: MediaCatalog
  /// Who composes.
  public let registry: CompositorRegistry
  /// Draws its titles; nil where there are none.
  package let titles: TitleOverlay?
  /// Draw its captions, in their order.
  package let captions: [any FrameOverlay]

  init(
    edit: Edit, media: [MediaSource: MediaInfo], catalog: MediaCatalog, registry: CompositorRegistry, titles: TitleOverlay?,
    captions: [any FrameOverlay]
  ) {
    self.captions = captions
    self.titles = titles
    self.edit = edit
    self.media = media
    self.catalog = catalog
    self.registry = registry
  }

  /// The same media on another canvas or in another color: nothing that validation looked at may differ.
  package func replacing(_ edit: Edit) -> ValidatedComposition {
    ValidatedComposition(
      edit: edit, media: media, catalog: catalog, registry: registry, titles: titles, captions: captions)
  }
}

/// What validation found out.
public struct ValidationReport: Sendable {
  /// Diagnostics in the order of the timeline, errors and warnings.
  public let diagnostics: [ValidationDiagnostic]
  /// The edit, ready to render; nil where there are errors.
  public let validated: ValidatedComposition?
  /// The failure to read each source that could not be, which diagnostics of kind `mediaUnavailable` are about.
  public let mediaFailures: [MediaSource: CompositorError]
  /// Why titles cannot be drawn, by index of the diagnostic.
  private let titleFailures: [Int: CompositorError]

  init(
    diagnostics: [ValidationDiagnostic], validated: ValidatedComposition?, mediaFailures: [MediaSource: CompositorError],
    titleFailures: [Int: CompositorError]
  ) {
    self.titleFailures = titleFailures
    self.diagnostics = diagnostics
    self.validated = validated
    self.mediaFailures = mediaFailures
  }

  /// Diagnostics that prevent rendering.
  public var errors: [ValidationDiagnostic] { diagnostics.filter { $0.severity == .error } }

  /// The edit, ready to render.
  ///
  /// - Throws: Why a source cannot be read, if that is the first error; else the first error as a ``CompositorError``.
  public func get() throws(CompositorError) -> ValidatedComposition {
    if let validated { return validated }
    if errors.first?.code == .mediaUnavailable,
      let failure = mediaFailures.min(by: { $0.key.description < $1.key.description })
    {
      throw failure.value
    }
    guard let index = diagnostics.firstIndex(where: { $0.severity == .error }) else {
      throw CompositorError(.internalFault, "Validation failed without a diagnostic.")
    }
    throw titleFailures[index] ?? diagnostics[index].error
  }
}

extension ValidatedComposition {
  /// Whether any sound plays.
  package var hasAudio: Bool {
    edit.composition.tracks(.audio).contains { track in track.isEnabled && track.segments.contains { !$0.isEmpty } }
  }
}

extension Edit {
  /// Whether there is anything to see beside the background.
  package var showsPictures: Bool {
    if !titles.layers.isEmpty || captions.contains(where: \.presentation.isBurnedIn) { return true }
    if composition.tracks(.video).contains(where: { track in track.segments.contains { !$0.isEmpty } }) { return true }
    return videoComposition.instructions.contains { $0.compositor != .layer || !$0.effects.isEmpty }
  }
}
