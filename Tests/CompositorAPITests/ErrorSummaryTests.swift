import CompositorAPI
import Testing

/// An error's line begins with the place where it is to be mended.
@Suite struct ErrorSummaryTests {
  @Test(
    arguments: [
      ("a/b.mp4", nil, "a/b.mp4: It is gone."), ("p.json5:3:7", nil, "p.json5:3:7: It is gone."),
      ("p.json5:3:7", "assets.a", "p.json5:3:7, at assets.a: It is gone."), (nil, "assets.a", "at assets.a: It is gone."),
      // A file that the project names follows the place at which it does.
      ("p.json5:3:7: a/b.mp4", "assets.a", "p.json5:3:7, at assets.a: a/b.mp4: It is gone."),
      ("p.json5:3:7: a/b.mp4", nil, "p.json5:3:7: a/b.mp4: It is gone."),
      ("p.json5:3:7: t.json5:1:2", "titles[0]", "p.json5:3:7, at titles[0]: t.json5:1:2: It is gone."),
    ] as [(String?, String?, String)])
  func description_beginsWithThePlace(_ file: String?, _ path: String?, _ text: String) {
    let error = CompositorError(
      .fileNotFound, "It is gone.", recoverySuggestion: "Check the path.", at: ErrorLocation(file: file, path: path))
    #expect(error.description == text + " Check the path.")
  }
}
