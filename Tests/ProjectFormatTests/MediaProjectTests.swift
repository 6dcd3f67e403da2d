import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import Testing

/// A media file is a project of one clip.
@Suite struct MediaProjectTests {
  private static func description(of source: MediaSource) -> MediaInfo {
    let range = TimeRange(start: .zero, end: .seconds(2))
    return MediaInfo(
      source: source, container: "mov", duration: .seconds(2),
      videoTracks: [
        VideoTrackInfo(
          index: 0, codec: "h264", size: PixelSize(width: 64, height: 48), format: .yuv420p, attributes: FrameAttributes(),
          nominalFrameRate: Rational(25, 1), timeRange: range)
      ],
      audioTracks: [AudioTrackInfo(index: 0, codec: "aac", sampleRate: 48_000, channelCount: 2, timeRange: range)])
  }

  @Test(arguments: ["a.mov", "/media/b.mov"]) func mediaFile_isTheProjectOfOneClip(_ path: String) throws {
    let written = try ProjectFile(
      "{ version: 1, assets: { media: \"\(path)\" }, tracks: [{ clips: [{ asset: \"media\" }] }] }")
    let file = try ProjectFile(media: path)
    #expect(file.origin == .media(path) && written.origin == .project)
    #expect(file.assets == written.assets && file.output == written.output)
    let catalog = MediaCatalog { source in Self.description(of: source) }
    #expect(try file.edit(catalog: catalog) == written.edit(catalog: catalog))
    #expect(try file.timeline(catalog: catalog) == written.timeline(catalog: catalog))
  }

  @Test(arguments: ["", "a\u{0}"]) func mediaFile_withoutAPath_isRefused(_ path: String) throws {
    let error = try #require(throws: CompositorError.self) { try ProjectFile(media: path) }
    #expect(error.code == .invalidProject && error.message == "This is not a path.")
  }
}
