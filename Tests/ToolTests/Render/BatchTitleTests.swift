import Foundation
import Testing

/// Rows of a batch that are rendered at the same time: what a row says is in its own movie.
@Suite struct BatchTitleTests {
  /// Titles on a track, in a shape of their own, inside of others, and as a movie in a title; their length and size by the row, too.
  private static let projects = [
    """
    { version: 1, output: { size: "64x36", frameRate: 25, audio: false }, variables: { who: "X" },
      assets: { card: { titles: [{ text: "${who}", fade: 0, size: "50%" }], duration: "0.4s" } },
      tracks: [{ clips: [{ asset: "card" }] }] }
    """,
    """
    { version: 1, output: { size: "64x36", frameRate: 25, audio: false }, variables: { who: "X", long: "0.4s" },
      assets: {
        inner: { titles: [{ text: "${who}", fade: 0, size: "50%" }], size: "32x18", duration: "${long}" },
        outer: { titles: [{ layer: { bounds: [64, 36], position: [32, 18], content: { movie: { asset: "inner" } } } }], duration: "${long}" } },
      tracks: [{ clips: [{ asset: "outer" }, { asset: "inner" }] }] }
    """,
  ]
  private static let rows = [
    ("Ada", "0.2s"), ("Bob", "0.4s"), ("Cy", "0.2s"), ("Dee", "0.6s"), ("Eve", "0.4s"), ("Fay", "0.2s"),
  ]

  @Test(arguments: projects, [2, 3, 6]) func row_besideOthers_isTheMovieOfItsValues(_ project: String, _ jobs: Int) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", project)
    _ = try scratch.file("t.csv", "who,long\n" + Self.rows.map { "\($0),\($1)\n" }.joined())
    let lossless = ["--codec", "ffv1", "--overwrite"]
    var alone: [String: Data] = [:]
    for (who, long) in Self.rows {
      var command = ["render", "p.json5", "--set", "who=\(who)", "-o", "alone.mkv"] + lossless
      if project.contains("long:") { command += ["--set", "long=\(long)"] }
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      alone[who] = try Data(contentsOf: scratch.file("alone.mkv"))
    }
    #expect(Set(alone.values).count == Self.rows.count)
    for _ in 0..<3 {
      let result = try ToolRun.compositor(
        ["render", "p.json5", "--batch", "t.csv", "-o", "{who}.mkv", "--jobs", "\(jobs)"] + lossless, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      for (who, _) in Self.rows {
        let movie = try Data(contentsOf: scratch.file("\(who).mkv"))
        #expect(movie == alone[who], "\(who), \(jobs) at a time")
      }
    }
  }
}
