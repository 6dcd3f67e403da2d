import Foundation
import CompositorTestSupport
import Testing

/// Transport streams that were appended to one another: numbered frames of both parts, whatever the packet counters say at the
/// joint, which match by chance in one of sixteen files only.
@Suite(.enabled(if: hasFFmpeg)) struct AppendedStreamTests {
  @Test(arguments: ["0", "2"])
  func twoParts_anyCountersAtTheJoint_showEachFrameOnce(_ bFrames: String) async throws {
    let folder = try TemporaryFolder()
    for count in 20..<36 {
      let part = folder.file("part.ts")
      try NumberedMovie.make(
        part, count: count, rate: "30",
        options: ["-c:v", "libx264", "-preset", "ultrafast", "-bf", bFrames, "-c:a", "aac"], audio: "0.3*sin(2000*t)")
      let bytes = try Data(contentsOf: URL(filePath: part))
      try (bytes + bytes).write(to: URL(filePath: folder.file("both.ts")))
      try await NumberedRender.export([folder.file("both.ts")], to: folder.file("out.mkv"))
      let all = Array(0..<count)
      #expect(try NumberedMovie.numbers(folder.file("out.mkv")) == all + all, "\(count) frames")
    }
  }
}
