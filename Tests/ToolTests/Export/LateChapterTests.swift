import CompositorTestSupport
import Foundation
import Testing

/// Chapters of which the first starts later than the movie.
@Suite(.enabled(if: hasFFmpeg)) struct LateChapterTests {
  private func chapters(of name: String, in scratch: Scratch) throws -> [String] {
    try ListedChapters.entries(of: name, in: scratch).map {
      "\((Double($0.start_time) ?? -1).formatted(.number.precision(.fractionLength(1)))) \($0.title)"
    }
  }

  @Test(arguments: ["mp4", "m4a", "mov", "mkv", "mka", "mp3"]) func chapters_areKept_fromZeroOnWhereTheyMustBe(_ suffix: String)
    throws
  {
    let scratch = try Scratch()
    _ = try scratch.file(
      "chapters.txt",
      """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=300
      END=1000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=1000
      END=2000
      title=Two

      """)
    try scratch.make(
      "in.mp3",
      ["-f", "lavfi", "-i", "sine=duration=2", "-i", scratch.folder.appending(path: "chapters.txt").path, "-map_metadata", "1"])
    let isFromZero = ["mp4", "m4a", "mov"].contains(suffix)
    for range in [[], ["--range", "0.1s..1.5s"]] as [[String]] {
      let result = try scratch.render(["in.mp3", "--keep-metadata", "-o", "out.\(suffix)"] + range)
      try #require(result.status == 0, "\(suffix): \(result.errors)")
      let shift = range.isEmpty ? 0 : 0.1
      let (one, two) = (0.3 - shift, 1 - shift)
      let kept = [String(format: "%.1f One", one), String(format: "%.1f Two", two)]
      #expect(try chapters(of: "out.\(suffix)", in: scratch) == (isFromZero ? ["0.0 Start"] : []) + kept, "\(suffix) \(range)")
      #expect(result.errors.contains("“Start” was inserted") == isFromZero, "\(result.errors)")
    }
  }
}
