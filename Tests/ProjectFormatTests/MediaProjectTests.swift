import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestMedia
import Testing

/// A media file is a project of one clip.
@Suite struct MediaProjectTests {
  @Test(arguments: ["a.mov", "/media/b.mov"]) func mediaFile_isTheProjectOfOneClip(_ path: String) throws {
    let written = try ProjectFile(
      "{ version: 1, assets: { media: \"\(path)\" }, tracks: [{ clips: [{ asset: \"media\" }] }] }")
    let file = try ProjectFile(media: path)
    #expect(file.origin == .media(path) && written.origin == .project)
    #expect(file.assets == written.assets && file.output == written.output)
    let catalog = MediaCatalog { source in .movie(source) }
    #expect(try file.edit(catalog: catalog) == written.edit(catalog: catalog))
    #expect(try file.timeline(catalog: catalog) == written.timeline(catalog: catalog))
  }

  @Test(arguments: ["", "a\u{0}"]) func mediaFile_withoutAPath_isRefused(_ path: String) throws {
    let error = try #require(throws: CompositorError.self) { try ProjectFile(media: path) }
    #expect(error.code == .invalidProject && error.message == "This is not a path.")
  }
}
