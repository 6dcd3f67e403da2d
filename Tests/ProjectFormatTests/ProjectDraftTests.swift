import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorProjectFormat
import Foundation
import Testing

/// A project is read once as far as it says everything itself: what media or plugins decide is right all the same, and mistakes keep their
/// places.
@Suite struct ProjectDraftTests {
  /// A project over a clip of 64 × 2000 pixels at 50 frames a second.
  private static func project(_ rest: String, clip: String = "", assets: String = "") -> String {
    """
    { version: 1,
      assets: { a: { generate: "color", color: "#102030", size: "64x2000", frameRate: 50, duration: "4s" }\(assets) },
      tracks: [{ clips: [{ asset: "a", duration: "2s"\(clip) }] }]\(rest) }
    """
  }

  private static func edit(_ text: String) throws -> Edit {
    try ProjectFile(text, name: "p.json5").edit(catalog: MediaCatalog(), registry: .builtIn)
  }

  @Test func lengthsAndFrames_ofASizeAndARateThatMediaDecides_areTheirs() throws {
    let edit = try Self.edit(
      Self.project(
        ", titles: [{ text: \"Hi\", size: 1500, start: \"10f\", duration: \"25f\" }]", clip: ", transform: { x: \"50%\" }"))
    #expect(edit.videoComposition.renderSize == PixelSize(width: 64, height: 2000))
    let title = try #require(edit.titles.layers.first)
    // Its end lies within its last frame.
    #expect(title.timing.beginTime == 0.2 && title.timing.duration > 0.48 && title.timing.duration <= 0.5)
    guard case .text(let text) = title.sublayers.first?.content else { return #expect(Bool(false), "no text") }
    #expect(text.font.size == 1500)
  }

  @Test func assetOfTitles_isCheckedAtItsOwnSizeAndRate() throws {
    let asset =
      ", b: { titles: [{ text: \"Hi\", size: 300, start: \"00:00:00:40\" }], size: \"1920x1080\", frameRate: 50, duration: \"2s\" }"
    _ = try Self.edit(Self.project(", output: { size: \"320x180\", frameRate: 25 }", assets: asset))
    let error = #expect(throws: CompositorError.self) {
      _ = try Self.edit(
        Self.project(", output: { size: \"320x180\", frameRate: 25 }", assets: asset.replacing("size: 300", with: "size: 3000"))
      )
    }
    #expect(error?.location.path == "assets.b.titles[0].size")
  }

  @Test(arguments: [
    (", opacity: [{ at: \"1s\", value: 1 }, { at: \"0.5s\", value: 0 }]", "tracks[0].clips[0].opacity[1].at"),
    (", opacity: [{ at: \"40f\", value: 1 }, { at: \"20f\", value: 0 }]", "tracks[0].clips[0].opacity[1].at"),
    (", effects: [{ use: \"lut\", file: \"nowhere.cube\" }]", "tracks[0].clips[0].effects[0].file"),
  ])
  func mistakes_ofAProjectWithoutARate_haveTheirPlaceOnce(clip: String, path: String) throws {
    let error = #expect(throws: CompositorError.self) { _ = try Self.edit(Self.project("", clip: clip)) }
    let file = try #require(error?.location.place)
    #expect(error?.location.path == path)
    #expect(file.hasPrefix("p.json5:3:") && file.components(separatedBy: "p.json5:").count == 2, "\(file)")
  }
}
