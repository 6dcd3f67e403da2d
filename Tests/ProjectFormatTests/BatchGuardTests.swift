import CompositorAPI
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Testing

/// A batch that replaces files replaces none that one of its rows reads.
@Suite struct BatchGuardTests {
  @Test func output_thatARowReads_isAFailure() throws {
    let folder = try TemporaryFolder()
    let project = folder.file("card.json5")
    let text = """
      {
        version: 1, variables: { clip: "default.mp4" }, output: { size: "64x48", frameRate: 25 },
        assets: { a: "${clip}" }, tracks: [{ clips: [{ asset: "a" }] }],
      }
      """
    try Data(text.utf8).write(to: URL(filePath: project))
    for name in ["a.mp4", "b.mp4", "default.mp4"] { try Data(name.utf8).write(to: URL(filePath: folder.file(name))) }
    try FileManager.default.createSymbolicLink(atPath: folder.file("link.mp4"), withDestinationPath: folder.file("b.mp4"))
    let table = try CSVTable("clip,movie\na.mp4,new\nb.mp4,a\n,link\nb.mp4,default\n", name: "t.csv")
    let outputs = try table.outputs(folder.file("{movie}.mp4"))
    let guarded = BatchGuard(project: project, variables: [:], table: table).guarding(outputs)
    #expect(try guarded[0].get() == folder.file("new.mp4"))
    // The place is the first row that reads the file, a link is the file that it leads to, and the project itself names the default.
    for (row, input, place) in [(1, "a.mp4", "t.csv:2"), (2, "b.mp4", "t.csv:3"), (3, "default.mp4", "t.csv:2")] {
      let error = try #require(throws: CompositorError.self) { try guarded[row].get() }
      #expect(error.code == .outputIsInput && error.location.file == (try? outputs[row].get()))
      #expect(error.message == "The output is \(folder.file(input)), which \(place) reads.")
    }
  }
}
