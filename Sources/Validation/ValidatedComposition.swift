public import CompositorAPI
import CompositorCaptions
public import CompositorMedia
public import CompositorMediaIO
package import CompositorOverlay
public import CompositorPlugins

/// An edit that passed ``CompositionValidator``, with the information collected by validation. It cannot be created in another
/// way.
public struct ValidatedComposition: Sendable {
  /// The edit.
  public let edit: Edit
  /// The descriptions of the edit's sources.
  public let media: [MediaSource: MediaInfo]
  /// The catalog that opens the sources.
  public let catalog: MediaCatalog
  /// The registry of compositors.
  public let registry: CompositorRegistry
  /// What the edit's titles are drawn with; `nil` if there are none.
  package let titles: ResolvedTitles?
  /// The edit's captions that are burned in, in order.
  package let captions: [ResolvedCaptions]

  /// Only validation, and renders of a part of what it has checked, create compositions.
  package init(
    edit: Edit, media: [MediaSource: MediaInfo], catalog: MediaCatalog, registry: CompositorRegistry, titles: ResolvedTitles?,
    captions: [ResolvedCaptions]
  ) {
    self.captions = captions
    self.titles = titles
    self.edit = edit
    self.media = media
    self.catalog = catalog
    self.registry = registry
  }

  /// A composition of the same media with another canvas or color. Nothing that validation checked may differ.
  package func replacing(_ edit: Edit) -> ValidatedComposition {
    ValidatedComposition(
      edit: edit, media: media, catalog: catalog, registry: registry, titles: titles, captions: captions)
  }
}

/// The result of validation.
public struct ValidationReport: Sendable {
  /// Errors and warnings in timeline order.
  public let diagnostics: [ValidationDiagnostic]
  /// The edit, ready to render; `nil` if there are errors.
  public let validated: ValidatedComposition?
  /// The errors of sources that couldn't be read, which diagnostics with the code `mediaUnavailable` refer to.
  public let mediaFailures: [MediaSource: CompositorError]
  /// The reasons why titles cannot be drawn, by index of the diagnostic.
  private let titleFailures: [Int: CompositorError]
  /// The errors of tracks that cannot be decoded, by index of the diagnostic, which they repeat.
  private let undecodable: [Int: CompositorError]

  init(
    diagnostics: [ValidationDiagnostic], validated: ValidatedComposition?, mediaFailures: [MediaSource: CompositorError],
    titleFailures: [Int: CompositorError], undecodable: [Int: CompositorError]
  ) {
    (self.titleFailures, self.undecodable) = (titleFailures, undecodable)
    self.diagnostics = diagnostics
    self.validated = validated
    self.mediaFailures = mediaFailures
  }

  /// The source whose failure ``get()`` throws; `nil` if it throws another error, or none.
  package var failedSource: MediaSource? {
    guard errors.first?.code == .mediaUnavailable else { return nil }
    return mediaFailures.keys.min { $0.description < $1.description }
  }

  /// The error that ``get()`` throws, if it says more than its diagnostic: why a source cannot be read, or a file of a title; `nil` for
  /// others.
  package var reason: CompositorError? {
    if let failedSource, let failure = mediaFailures[failedSource] { return failure }
    let failure = firstError.flatMap { titleFailures[$0] }
    return failure?.location.place == nil ? nil : failure
  }

  private var firstError: Int? { diagnostics.firstIndex { $0.severity == .error } }

  /// Diagnostics that prevent rendering.
  public var errors: [ValidationDiagnostic] { diagnostics.filter { $0.severity == .error } }

  /// Returns the edit, ready to render.
  ///
  /// - Throws: The reason why a source cannot be read, if that is the first error; otherwise the first error as a
  ///   `CompositorError`.
  public func get() throws(CompositorError) -> ValidatedComposition {
    if let validated { return validated }
    if let failedSource, let failure = mediaFailures[failedSource] { throw failure }
    guard let index = firstError else {
      throw CompositorError(.internalFault, "Validation failed without a diagnostic.")
    }
    throw titleFailures[index] ?? undecodable[index] ?? diagnostics[index].error
  }
}

extension ValidatedComposition {
  /// The font files used so far to lay out titles and captions, sorted. After validation this includes all fonts, except those
  /// of ASS scripts, which are known once the scripts are drawn.
  package var usedFonts: [UsedFont] {
    var fonts = Set(titles?.fonts.usedFonts ?? [])
    for track in captions {
      switch track {
      case .cues(let layout): fonts.formUnion(layout.fonts.usedFonts)
      case .script(let script): fonts.formUnion(script.usedFonts)
      }
    }
    return fonts.sorted { ($0.family, $0.path) < ($1.family, $1.path) }
  }

  /// The versions of the libraries that draw titles and captions, by name, and checksums of the hyphenation dictionaries that
  /// titles use, by file; empty if there are neither titles nor captions.
  package var textLibraryVersions: [String: String] {
    guard titles != nil || !captions.isEmpty else { return [:] }
    var versions = TextLibraries.versions
    versions.merge(titles?.fonts.usedDictionaries ?? [:]) { own, _ in own }
    if captions.contains(where: \.isScript) { versions["libass"] = CaptionScript.libraryVersion }
    return versions
  }

  /// Whether a source's peak must be measured, because its own color entry or the output requests it.
  package func measuresPeak(of source: MediaSource) -> Bool {
    guard media[source]?.videoTracks.contains(where: { $0.attributes.color.transfer == .pq }) == true else { return false }
    return (edit.sourceColors[source]?.peak ?? (edit.output.peak == .measured ? .measured : nil)) == .measured
  }

  /// Whether any audio plays.
  package var hasAudio: Bool {
    edit.composition.tracks(.audio).contains { track in edit.plays(track) && track.segments.contains { !$0.isEmpty } }
  }
}

extension Edit {
  /// Whether an audio track of the output mixes a track of the composition.
  package func plays(_ track: CompositionTrack) -> Bool {
    track.isEnabled || audioTracks.contains { $0.trackIDs.contains(track.trackID) }
  }

  /// Whether anything is visible besides the background.
  package var showsPictures: Bool {
    if !titles.layers.isEmpty || captions.contains(where: \.presentation.isBurnedIn) { return true }
    if composition.tracks(.video).contains(where: { track in track.segments.contains { !$0.isEmpty } }) { return true }
    return videoComposition.instructions.contains { $0.compositor != .layer || !$0.effects.isEmpty }
  }
}

extension ValidatedComposition {
  /// The losses in a render because of tracks that cannot be decoded.
  package func undecodable(withAudio: Bool) -> MediaLosses {
    edit.undecodableTracks.reduce(into: MediaLosses()) { losses, use in
      guard withAudio || use.mediaType == .video else { return }
      losses.add([use.loss], in: MediaLosses.Track(use.source, use.mediaType, use.trackIndex))
    }
  }
}
