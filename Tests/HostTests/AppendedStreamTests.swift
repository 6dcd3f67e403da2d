import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Transport streams that were appended to one another: numbered frames of both parts, whatever the packet counters say at the
/// joint, which match by chance in one of sixteen files only.
@Suite(.enabled(if: hasFFmpeg)) struct AppendedStreamTests {
  /// `make test` takes half of the lengths with and half without B-frames.
  @Test(arguments: ["0", "2"])
  func twoParts_anyCountersAtTheJoint_showEachFrameOnce(_ bFrames: String) async throws {
    let folder = try TemporaryFolder()
    for count in TableSelection.columns(Array(20..<36), ofRow: bFrames == "0" ? 0 : 1, each: 8) {
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

  /// A pause over which frames are reordered is no second recording: each number of B-frames, and each place of the pause among them.
  @Test(arguments: ["0", "2", "3", "8"], ["mp4", "mkv", "ts"])
  func pause_withReorderedFrames_isNoSecondRecording(_ bFrames: String, _ container: String) async throws {
    let folder = try TemporaryFolder()
    for last in 18..<23 {
      let path = folder.file("pause\(last).\(container)")
      try NumberedMovie.make(
        path, count: 90, rate: "30",
        options: ["-vf", "select='lt(n,\(last))+gt(n,60)'", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", bFrames])
      let info = try MediaCatalog().info(for: .file(path: path))
      #expect(!info.warnings.contains { $0.kind == .repeatedTimes }, "\(last): \(info.warnings)")
    }
  }
}
