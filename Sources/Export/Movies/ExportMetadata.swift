package import CompositorAPI
public import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting

extension MovieDescription {
  /// Writes what the settings say of the whole file.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline that is written.
  ///   - duration: How long the timeline is.
  /// - Throws: `.invalidValue` for chapters out of order or outside the timeline.
  mutating func say(
    _ settings: ExportSettings, in range: TimeRange, of duration: MediaTime, cover: CoverPicture?
  ) throws(CompositorError) {
    metadata = settings.metadata
    creationSecondsSince1970 =
      settings.creationSecondsSince1970 ?? settings.metadata["date"].flatMap { MetadataDate($0)?.secondsSince1970 }
    try settings.chapters.validate(until: duration)
    chapters = settings.chapters.cut(to: range)
    end = range.duration
    hasFastStart = settings.fastStart
    self.cover = cover
    if settings.cover != nil, !container.holdsCover {
      throw CompositorError(
        .unsupportedOutput, "A .\(container.rawValue) file cannot hold a cover.",
        recoverySuggestion: "Write .mp4, .m4a, .mkv, .mp3 or .flac, or leave it out.")
    }
    if let size = video?.size, settings.orientation != .upright {
      video?.preferredTransform = settings.orientation.transform(
        of: Size(width: Double(size.width), height: Double(size.height)))
    }
  }
}

extension [Chapter] {
  /// The chapters of a part of a movie, in its own time: the one that is under way at its start begins there.
  package func cut(to range: TimeRange) -> [Chapter] {
    let first = lastIndex { $0.start <= range.start }
    return enumerated().compactMap { index, chapter in
      if let first, index < first { return nil }
      guard chapter.start < range.end else { return nil }
      return Chapter(start: Swift.max(chapter.start - range.start, .zero), title: chapter.title)
    }
  }
}

extension CoverImage {
  /// The picture of the movie that becomes the cover; nil where a file is.
  func frame(of composition: ValidatedComposition, settings: RenderSettings) async throws(CompositorError) -> Frame? {
    guard case .frame(let time) = self else { return nil }
    let size = PixelSize(width: 1280, height: 1280)
    let generator = try ImageGenerator(
      composition, settings: ImageSettings(color: .sdr, maximumSize: size, render: settings).exactly)
    do throws(CompositorError) {
      let image = try await generator.image(at: time)
      await generator.close()
      return image.frame
    } catch {
      await generator.close()
      throw error.locating(ErrorLocation(path: "cover"))
    }
  }

  /// The cover's bytes.
  ///
  /// - Parameters:
  ///   - frame: What ``frame(of:settings:)`` gave.
  ///   - files: Where a frame is written on its way.
  func picture(_ frame: Frame?, in files: PartialOutput?) throws(CompositorError) -> CoverPicture {
    switch self {
    case .file(let path): return try CoverPicture(contentsOf: path)
    case .picture(let picture): return picture
    case .frame(let time):
      guard let frame, let files else {
        throw CompositorError(.noFrame, "There is no picture for the cover.", at: ErrorLocation(path: "cover", time: time))
      }
      let path = files.path(for: "cover.png")
      try PNGWriter.write(frame, to: path)
      return try CoverPicture(contentsOf: path)
    }
  }
}

extension ExportSettings {
  /// Entries that say what was recorded, when, where and by whom, which ``keepMetadata(of:in:)`` keeps.
  public static let keptMetadataKeys = [
    "title", "artist", "album", "album_artist", "composer", "genre", "date", "location", "comment", "copyright", "make",
    "model",
  ]

  /// Keeps what a file says about itself: those of ``keptMetadataKeys`` that a container holds, and the date of recording. What these
  /// settings say already stays.
  ///
  /// Nothing is kept unless this is called: an edit of several files has no date and place of its own.
  ///
  /// ```swift
  /// settings.keepMetadata(of: try catalog.info(for: .file(path: "phone.mov")), in: .mp4)
  /// ```
  public mutating func keepMetadata(of info: MediaInfo, in container: MovieContainer) {
    // Containers spell keys in any case, and Apple's phones have keys of their own.
    let apple = "com.apple.quicktime."
    let spellings = ["location": "location.iso6709", "date": "creationdate"]
    var known = Dictionary(info.metadata.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    for key in Self.keptMetadataKeys where known[key] == nil { known[key] = known[apple + (spellings[key] ?? key)] }
    for key in Self.keptMetadataKeys where metadata[key] == nil {
      guard let value = known[key] else { continue }
      var copy = metadata
      copy[key] = value
      guard (try? container.check(copy)) != nil else { continue }
      metadata = copy
    }
    if creationSecondsSince1970 == nil {
      creationSecondsSince1970 = known["creation_time"].flatMap { MetadataDate($0)?.secondsSince1970 }
    }
  }

  /// Keeps the chapters of the one file that a composition shows from its start at its own speed. Other compositions have other times, and
  /// so no chapters.
  ///
  /// - Returns: Whether the composition shows one file like this.
  @discardableResult
  public mutating func keepChapters(of composition: ValidatedComposition) -> Bool {
    guard let info = composition.onlyMedia, composition.edit.composition.tracks.allSatisfy(\.keepsTimesOfSource) else {
      return false
    }
    let end = composition.edit.composition.duration
    if chapters.isEmpty {
      chapters = info.chapters.filter { $0.start < end && !$0.title.isEmpty }
      if (try? chapters.validate(until: end)) == nil { chapters = [] }
    }
    return true
  }
}

extension ValidatedComposition {
  /// The one media file that is shown or heard; nil if there are more, or others.
  public var onlyMedia: MediaInfo? {
    guard media.count == 1, let (source, info) = media.first, case .file = source else { return nil }
    return info
  }
}

extension CompositionTrack {
  /// Whether media time is composition time throughout.
  fileprivate var keepsTimesOfSource: Bool {
    segments.allSatisfy { segment in
      segment.isEmpty
        || segment.retiming == SegmentRetiming()
          && segment.timeMapping.source == segment.timeMapping.target
    }
  }
}
