import CompositorAPI
import Testing

/// An error's line begins with the place where it is to be mended.
@Suite struct ErrorSummaryTests {
  @Test(
    arguments: [
      ("a/b.mp4", [], nil, "a/b.mp4: It is gone."), ("p.json5", ["p.json5"], nil, "p.json5:3:7: It is gone."),
      ("p.json5", ["p.json5"], "assets.a", "p.json5:3:7, at assets.a: It is gone."),
      (nil, [], "assets.a", "at assets.a: It is gone."),
      // A file that the project names follows the place at which it does.
      ("a/b.mp4", ["p.json5"], "assets.a", "p.json5:3:7, at assets.a: a/b.mp4: It is gone."),
      ("a/b.mp4", ["p.json5"], nil, "p.json5:3:7: a/b.mp4: It is gone."),
      ("t.json5", ["p.json5", "t.json5"], "titles[0]", "p.json5:3:7, at titles[0]: t.json5:3:7: It is gone."),
    ] as [(String?, [String], String?, String)])
  func description_beginsWithThePlace(_ file: String?, _ documents: [String], _ path: String?, _ text: String) {
    let positions = documents.map { DocumentPosition(file: $0, line: 3, column: 7) }
    let error = CompositorError(
      .fileNotFound, "It is gone.", recoverySuggestion: "Check the path.",
      at: ErrorLocation(file: file, path: path, documents: positions))
    #expect(error.description == text + " Check the path.")
  }
}
