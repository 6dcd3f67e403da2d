public import CompositorAPI
public import CompositorHost
public import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
public import CompositorTimeline

/// Rendering an edit in one step. Each call takes the edit as it is now: later changes do not reach a render that has begun.
extension Edit {
  /// Checks everything that can be known before rendering, and probes the media.
  ///
  /// - Parameters:
  ///   - catalog: Where sources are looked up.
  ///   - registry: The compositors that instructions may name.
  /// - Returns: Errors and warnings, in the order of the timeline; no errors if the edit can be rendered.
  public func validate(
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async -> [ValidationDiagnostic] {
    CompositionValidator.validate(self, catalog: catalog, registry: registry).diagnostics
  }

  /// Renders to a movie (`.mp4`, `.mov`, `.m4v`, `.mkv`, `.webm`), an animated image (`.gif`, `.webp`), audio alone (`.m4a`, `.wav`, `.flac`, `.mp3`, `.opus`, `.ogg`, `.mka`) or numbered
  /// images (`frame_%04d.png`). The final name appears with the complete
  /// file, or not at all.
  ///
  /// - Parameters:
  ///   - path: The file to write.
  ///   - preset: Everything about how the movie is written; `nil` takes the color of the edit and the codec that is usual for it.
  ///   - overwriting: Whether an existing file is replaced, at once, when the new one is complete. Default: that is an error.
  ///   - settings: Range, size, threads and the rest; what the preset says counts more.
  ///   - progress: Called after each frame, in order, never at the same time.
  /// - Throws: The first error of ``validate(catalog:registry:)``; what `Exporter.export` throws.
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
    let composition = try edit.validated(
      catalog, registry, render.render, for: render.audio == nil ? [.video] : [.video, .audio])
    if let preset {
      if let container = try? MovieContainer(path: path) { try preset.check(container, path: path) }
      preset.apply(to: &render)
    } else if settings == nil {
      render.video.codec = VideoEncodingSettings.usualCodec(for: composition, in: path)
    }
    return try await Exporter.export(composition, to: path, settings: render, progress: progress)
  }

  /// The composed frames, in order, as an export makes them: several ahead, decoders on threads of their own.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline; `nil` for all.
  ///   - format: The pixel format; `nil` for the one they are composed in.
  /// - Throws: The first error of ``validate(catalog:registry:)``.
  public func frames(
    in range: TimeRange? = nil, format: PixelFormat? = nil, settings: RenderSettings = RenderSettings(),
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> FrameSequence {
    try validated(catalog, registry, settings, for: [.video]).frames(in: range, format: format, settings: settings)
  }

  /// A reader of the composed frames and the mixed audio, at the caller's pace.
  ///
  /// ```swift
  /// for try await media in try await edit.reader().media { … }
  /// ```
  ///
  /// - Throws: The first error of ``validate(catalog:registry:)`` that concerns what is read; what `CompositionReader.init` throws.
  public func reader(
    _ settings: ReaderSettings = ReaderSettings(), catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> CompositionReader {
    try await CompositionReader(
      validated(catalog, registry, settings.render, for: settings.mediaTypes), settings: settings)
  }

  /// Images at several times, in the order asked for; by default those that are shown at the very times. Sources are decoded in one pass.
  ///
  /// All images are in memory at a time: `ImageGenerator` gives them one by one.
  ///
  /// - Throws: The first error of ``validate(catalog:registry:)``; `.noFrame` for a time outside the timeline; what decoding and
  ///   composing throw.
  public func stills(
    at times: [MediaTime], settings: ImageSettings = .exact, catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> [GeneratedImage] {
    let generator = try ImageGenerator(validated(catalog, registry, settings.render, for: [.video]), settings: settings)
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
  ) throws(CompositorError) -> ValidatedComposition {
    try CompositionValidator.validate(
      self, catalog: catalog, registry: registry, damaged: settings.damaged, mediaTypes: mediaTypes
    ).get()
  }
}

/// Rendering a timeline in one step: the timeline becomes an edit first.
extension Timeline {
  /// Checks everything that can be known before rendering, and probes the media.
  ///
  /// - Returns: Errors and warnings, in the order of the timeline; no errors if the timeline can be rendered.
  /// - Throws: What keeps the timeline from being an edit: clips and transitions that do not go together, media that cannot be read.
  public func validate(
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> [ValidationDiagnostic] {
    try await edit(catalog: catalog).validate(catalog: catalog, registry: registry)
  }

  /// Renders to a movie or numbered images: see ``Edit/export(to:preset:overwriting:settings:catalog:registry:progress:)``.
  @discardableResult
  public func export(
    to path: String, preset: ExportPreset? = nil, overwriting: Bool = false, settings: ExportSettings? = nil,
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn,
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> ExportResult {
    try await edit(catalog: catalog).export(
      to: path, preset: preset, overwriting: overwriting, settings: settings, catalog: catalog, registry: registry,
      progress: progress)
  }

  /// The composed frames, in order: see ``Edit/frames(in:format:settings:catalog:registry:)``.
  public func frames(
    in range: TimeRange? = nil, format: PixelFormat? = nil, settings: RenderSettings = RenderSettings(),
    catalog: MediaCatalog = MediaCatalog(), registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> FrameSequence {
    try await edit(catalog: catalog).frames(
      in: range, format: format, settings: settings, catalog: catalog, registry: registry)
  }

  /// A reader of the composed frames and the mixed audio: see ``Edit/reader(_:catalog:registry:)``.
  public func reader(
    _ settings: ReaderSettings = ReaderSettings(), catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> CompositionReader {
    try await edit(catalog: catalog).reader(settings, catalog: catalog, registry: registry)
  }

  /// Images at several times, in the order asked for: see ``Edit/stills(at:settings:catalog:registry:)``.
  public func stills(
    at times: [MediaTime], settings: ImageSettings = .exact, catalog: MediaCatalog = MediaCatalog(),
    registry: CompositorRegistry = .builtIn
  ) async throws(CompositorError) -> [GeneratedImage] {
    try await edit(catalog: catalog).stills(at: times, settings: settings, catalog: catalog, registry: registry)
  }
}
