public import CompositorAPI
public import CompositorHost
public import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
public import CompositorTimeline
import CompositorValidation

/// Rendering an edit in one step. Each call uses the current value of the edit, so later changes don't affect a render in
/// progress.
extension Edit {
  /// Checks everything that can be checked before rendering, and probes the media on threads of `RenderBudget.shared`.
  ///
  /// - Parameters:
  ///   - catalog: The catalog that describes and opens sources.
  ///   - registry: The compositors that instructions may use.
  /// - Returns: Errors and warnings in timeline order. If there are no errors, the edit can be rendered.
  public func validate(
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async -> [ValidationDiagnostic] {
    await RenderBudget.shared.probing {
      CompositionValidator.validate(self, catalog: catalog, registry: registry).diagnostics
    }
  }

  /// Exports to a movie (`.mp4`, `.mov`, `.m4v`, `.mkv`, `.webm`), an animated image (`.gif`, `.webp`), audio alone (`.m4a`,
  /// `.wav`, `.flac`, `.mp3`, `.opus`, `.ogg`, `.mka`) or numbered images (`frame_%04d.png`). The file gets its final name only
  /// when it is complete.
  ///
  /// - Parameters:
  ///   - path: The path of the file to write.
  ///   - preset: The encoding preset; `nil` to keep the color of the edit and use the settings' codec, or the default one for
  ///     color and file format if they choose none.
  ///   - overwriting: Whether an existing file is replaced, atomically, when the new one is complete. By default it is an error
  ///     if the file exists.
  ///   - settings: Range, size, threads and other settings. The preset takes precedence.
  ///   - progress: Called after each frame, in order and never concurrently.
  /// - Throws: The first error of ``validate(catalog:registry:)``; the errors of `Exporter.export`.
  @discardableResult
  public func export(
    to path: String, preset: ExportPreset? = nil, overwriting: Bool = false, settings: ExportSettings? = nil,
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn,
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    var edit = self
    var render = settings ?? ExportSettings()
    if overwriting { render.overwrites = true }
    preset?.apply(to: &edit)
    let output = try OutputName(path: path)
    try output.check(preset)
    let composition = try await edit.validated(catalog, registry, render.render, for: render.mediaTypes(in: output))
    preset?.apply(to: &render)
    return try await Exporter.export(composition, to: output, settings: render, progress: progress)
  }

  /// The composed frames in order. As in an export, several frames are rendered ahead, with decoders on separate threads.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline; `nil` for all.
  ///   - format: The pixel format; `nil` for the format in which frames are composed.
  /// - Throws: The first error of ``validate(catalog:registry:)``.
  public func frames(
    in range: TimeRange? = nil, format: PixelFormat? = nil, settings: RenderSettings = RenderSettings(),
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> FrameSequence {
    try await validated(catalog, registry, settings, for: [.video]).frames(in: range, format: format, settings: settings)
  }

  /// A reader that returns the composed frames and the mixed audio at the caller's pace.
  ///
  /// ```swift
  /// for try await media in try await edit.reader().media { … }
  /// ```
  ///
  /// - Throws: The first error of ``validate(catalog:registry:)`` that concerns the requested media; the errors of
  ///   `CompositionReader.init`.
  public func reader(
    _ settings: ReaderSettings = ReaderSettings(), catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> CompositionReader {
    try await CompositionReader(
      validated(catalog, registry, settings.render, for: settings.mediaTypes), settings: settings)
  }

  /// Images at several times, in the requested order; by default, those shown at exactly these times. Sources are decoded in
  /// one pass.
  ///
  /// All images are in memory at the same time. Use `ImageGenerator` to get them one by one.
  ///
  /// - Throws: The first error of ``validate(catalog:registry:)``; `.noFrame` if a time is outside the timeline; any error of
  ///   decoding and composing.
  public func stills(
    at times: [MediaTime], settings: ImageSettings = .exact, catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> [GeneratedImage] {
    let composition = try await validated(catalog, registry, settings.render, for: [.video])
    let generator = try ImageGenerator(composition, settings: settings)
    let requests = generator.requests(at: times)
    var images = [GeneratedImage?](repeating: nil, count: times.count)
    do throws(CompositorError) {
      for await answer in requests { images[answer.index] = try answer.result.get() }
    } catch {
      await generator.close()
      throw error
    }
    await generator.close()
    return images.compactMap(\.self)
  }

  private func validated(
    _ catalog: MediaCatalog, _ registry: CompositorRegistry, _ settings: RenderSettings, for mediaTypes: Set<MediaType>
  ) async throws(CompositorError) -> ValidatedComposition {
    try await settings.budget.probing { () throws(CompositorError) in
      try CompositionValidator.validate(
        self, catalog: catalog, registry: registry, damaged: settings.damaged, mediaTypes: mediaTypes
      ).get()
    }
  }
}

/// Rendering a timeline in one step. The timeline is first converted to an edit.
extension Timeline {
  /// Checks everything that can be checked before rendering, and probes the media on threads of `RenderBudget.shared`.
  ///
  /// - Returns: Errors and warnings of the edit in timeline order, then warnings about what the timeline says and the edit doesn't
  ///   contain, such as keyframes after the end of a clip. If there are no errors, the timeline can be rendered. If it cannot be
  ///   converted to an edit, because clips and transitions are incompatible or media cannot be read, an error for each clip, track,
  ///   title and captions with a mistake.
  public func validate(
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async -> [ValidationDiagnostic] {
    await RenderBudget.shared.probing {
      do throws(CompositorError) {
        let edit = try edit(catalog, registry)
        let found = CompositionValidator.validate(edit, catalog: catalog, registry: registry).diagnostics
        return try found + diagnostics(of: edit, catalog: catalog)
      } catch {
        let errors = transitionErrors(in: registry) + conversionErrors(catalog: catalog)
        return (errors.isEmpty ? [error] : errors).map { ValidationDiagnostic($0) }
      }
    }
  }

  /// Exports to a movie or numbered images: see `Edit.export(to:preset:overwriting:settings:catalog:registry:progress:)`.
  @discardableResult
  public func export(
    to path: String, preset: ExportPreset? = nil, overwriting: Bool = false, settings: ExportSettings? = nil,
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn,
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    try await edit(catalog, registry, settings?.render ?? RenderSettings()).export(
      to: path, preset: preset, overwriting: overwriting, settings: settings, catalog: catalog, registry: registry,
      progress: progress)
  }

  /// The composed frames in order: see `Edit.frames(in:format:settings:catalog:registry:)`.
  public func frames(
    in range: TimeRange? = nil, format: PixelFormat? = nil, settings: RenderSettings = RenderSettings(),
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> FrameSequence {
    try await edit(catalog, registry, settings).frames(
      in: range, format: format, settings: settings, catalog: catalog, registry: registry)
  }

  /// A reader of the composed frames and the mixed audio: see `Edit.reader(_:catalog:registry:)`.
  public func reader(
    _ settings: ReaderSettings = ReaderSettings(), catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> CompositionReader {
    try await edit(catalog, registry, settings.render).reader(settings, catalog: catalog, registry: registry)
  }

  /// Images at several times, in the requested order: see `Edit.stills(at:settings:catalog:registry:)`.
  public func stills(
    at times: [MediaTime], settings: ImageSettings = .exact, catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> [GeneratedImage] {
    try await edit(catalog, registry, settings.render).stills(
      at: times, settings: settings, catalog: catalog, registry: registry)
  }

  private func edit(
    _ catalog: MediaCatalog, _ registry: CompositorRegistry, _ settings: RenderSettings
  ) async throws(CompositorError) -> Edit {
    try await settings.budget.probing { () throws(CompositorError) in try edit(catalog, registry) }
  }

  private func edit(_ catalog: MediaCatalog, _ registry: CompositorRegistry) throws(CompositorError) -> Edit {
    try checkTransitions(in: registry)
    return try edit(catalog: catalog)
  }
}

extension RenderBudget {
  /// Runs work that opens and probes files on one of the threads for decoding, which may block: the cooperative pool has only as
  /// many as there are processors.
  fileprivate func probing<Value, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(ComposeThreads(sharing: decoding, width: 1)) { () async throws(Failure) in
      try work()
    }
  }
}
