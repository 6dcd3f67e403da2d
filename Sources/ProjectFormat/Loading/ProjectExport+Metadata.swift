import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

extension ProjectExport {
  /// Adds the metadata of the project and of the overrides. The latter override the project, and both override what is kept of a
  /// file.
  func addMetadata(to settings: inout ExportSettings) throws(CompositorError) {
    let (written, given) = (project.metadata, overrides.metadata)
    let rate = composition.edit.videoComposition.frameDuration.frameRate
    settings.metadata = written.entries.merging(given.entries) { _, given in given }
    if let chapters = given.chapters {
      settings.chapters = chapters
    } else {
      settings.chapters = try written.chapters(frameRate: rate)
    }
    if let cover = given.cover {
      settings.cover = cover
    } else {
      settings.cover = try Self.cover(written.cover, rate)
    }
    settings.fastStart = given.hasFastStart ?? written.hasFastStart
    settings.orientation = given.orientation ?? written.orientation
    try keepMetadata(&settings)
  }

  private static func cover(_ cover: ProjectCover?, _ rate: Rational) throws(CompositorError) -> CoverImage? {
    switch cover {
    case .file(let path): return .file(path: path)
    case .frame(let time): return .frame(at: try time.time(atFrameRate: rate))
    case nil: return nil
    }
  }

  private func keepMetadata(_ settings: inout ExportSettings) throws(CompositorError) {
    // Images hold no metadata: the exporter leaves them out, and notes it.
    let container = output.container ?? .mkv
    switch overrides.metadata.source ?? project.metadata.source.map({ .file(path: $0) }) {
    case .onlyMedia: try keepMetadataOfOnlyMedia(&settings, in: container)
    case .file(let path): settings.keepMetadata(of: try composition.catalog.info(for: .file(path: path)), in: container)
    case nil: break
    }
  }

  private func keepMetadataOfOnlyMedia(
    _ settings: inout ExportSettings, in container: MovieContainer
  ) throws(CompositorError) {
    guard let info = composition.onlyMedia else {
      throw CompositorError(
        .invalidValue, "Metadata are kept of one media file, but the composition doesn't have exactly one.",
        recoverySuggestion: "Name the file whose metadata are to be kept.")
    }
    settings.keepMetadata(of: info, in: container)
    if container.holdsChapters {
      settings.keepChapters(of: composition, in: container)
    } else if !info.chapters.isEmpty {
      settings.metadataNotes.append("a .\(container.rawValue) file cannot hold the source's chapters: left out")
    }
  }
}
