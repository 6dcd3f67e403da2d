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

  init(
    edit: Edit, media: [MediaSource: MediaInfo], catalog: MediaCatalog, registry: CompositorRegistry, titles: TitleOverlay?
  ) {
    self.titles = titles
    self.edit = edit
    self.media = media
    self.catalog = catalog
    self.registry = registry
  }
}

/// What validation found out.
public struct ValidationReport: Sendable {
  /// Findings in the order of the timeline, errors and warnings.
  public let findings: [ValidationFinding]
  /// The edit, ready to render; nil where there are errors.
  public let validated: ValidatedComposition?
  /// The failure to read each source that could not be, which findings of kind `mediaUnavailable` are about.
  public let mediaFailures: [MediaSource: CompositorError]
  /// Why titles cannot be drawn, by index of the finding.
  private let titleFailures: [Int: CompositorError]

  init(
    findings: [ValidationFinding], validated: ValidatedComposition?, mediaFailures: [MediaSource: CompositorError],
    titleFailures: [Int: CompositorError]
  ) {
    self.titleFailures = titleFailures
    self.findings = findings
    self.validated = validated
    self.mediaFailures = mediaFailures
  }

  /// Findings that prevent rendering.
  public var errors: [ValidationFinding] { findings.filter { $0.severity == .error } }

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
    guard let index = findings.firstIndex(where: { $0.severity == .error }) else {
      throw CompositorError(.internalFault, "Validation failed without a finding.")
    }
    throw titleFailures[index] ?? findings[index].error
  }
}
