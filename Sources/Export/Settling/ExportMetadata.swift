package import CompositorAPI
import CompositorHost
public import CompositorMediaIO
import CompositorMediaWriting
public import CompositorValidation

extension MovieDescription {
  /// Describes the metadata of the whole file, as the settings state it.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline to write.
  ///   - duration: Duration of the timeline.
  /// - Throws: `.invalidValue` for chapters out of order or outside the timeline.
  mutating func apply(
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
  /// The chapters within a range, in its own time. A chapter that is in progress at the start of the range starts there.
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
  /// The frame of the movie for the cover; `nil` if the cover is a file.
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
  ///   - frame: The result of ``frame(of:settings:)``.
  ///   - files: A folder for intermediate files.
  func picture(_ frame: Frame?, in files: AtomicOutput?) throws(CompositorError) -> CoverPicture {
    switch self {
    case .file(let path): return try CoverPicture(contentsOf: path)
    case .picture(let picture): return picture
    case .frame(let time):
      guard let frame, let files else {
        throw CompositorError(.noFrame, "There is no frame for the cover.", at: ErrorLocation(path: "cover", time: time))
      }
      let path = files.path(for: "cover.png")
      try PNGWriter.write(frame, to: path)
      return try CoverPicture(contentsOf: path)
    }
  }
}

extension ValidatedComposition {
  /// The only media file that is shown or heard; `nil` if there are several, or other sources.
  public var onlyMedia: MediaInfo? {
    guard media.count == 1, let (source, info) = media.first, case .file = source else { return nil }
    return info
  }

  /// The difference between times of a file that its container's rounding explains.
  private static let rounding = MediaTime(value: 2, timescale: 1000)

  /// The media time at composition time 0 if the only media file plays at its own speed from its start, which may not be 0. `nil` for
  /// other compositions.
  var offsetOfOnlyMedia: MediaTime? {
    guard let info = onlyMedia else { return nil }
    let segments = edit.composition.tracks.flatMap(\.segments).filter { !$0.isEmpty }
    let offsets = segments.map { $0.timeMapping.source.start - $0.timeMapping.target.start }
    let isPlain = segments.allSatisfy {
      $0.retiming == SegmentRetiming() && $0.timeMapping.source.duration == $0.timeMapping.target.duration
    }
    guard isPlain, let offset = offsets.min(), offsets.allSatisfy({ $0 - offset < Self.rounding }) else { return nil }
    let starts = info.videoTracks.filter { !$0.isStill }.map(\.timeRange.start) + info.audioTracks.map(\.timeRange.start)
    // The priming of audio may come before the video, with which the movie then begins.
    let isStart = starts.contains { offset - $0 < Self.rounding && $0 - offset < Self.rounding }
    return offset == .zero || isStart ? offset : nil
  }
}
