import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// A file that is opened again is not looked into again: that must not show.
@Suite struct ReopeningTests {
  /// The description of a file, and its first frames with their times, from a separate reader.
  private struct Told: Equatable {
    var info: MediaInfo?
    var frames: [String] = []
    var failure: CompositorError.Code?

    init(_ path: String) {
      do throws(CompositorError) {
        var info = try MediaProbe.probe(.file(path: path))
        info.source = .file(path: "")
        self.info = info
        guard !info.videoTracks.isEmpty else { return }
        let reader = try MediaOpener.openVideo(.file(path: path))
        let range = reader.info.timeRange
        var time = range.start
        for _ in 0..<(TableSelection.isWhole ? 12 : 6) {
          guard time.isNumeric, time < range.end, let shown = try reader.frame(at: time) else { break }
          frames.append("\(shown.presentationTime) \(shown.duration) \(shown.frame.attributes) \(checksum(shown.frame))")
          time = shown.presentationTime + shown.duration
        }
        // From the middle too: seeking uses the same clock.
        if let shown = try reader.frame(at: range.start + MediaTime.seconds(range.duration.seconds / 2)) {
          frames.append("\(shown.presentationTime) \(checksum(shown.frame))")
        }
      } catch {
        failure = error.code
      }
    }
  }

  /// Told of a copy, which nobody has opened before, and twice of another.
  private static func compare(_ path: String) throws {
    let folder = try TemporaryFolder()
    let name = URL(filePath: path).lastPathComponent
    let (first, second) = (folder.file("a-\(name)"), folder.file("b-\(name)"))
    for copy in [first, second] { try FileManager.default.copyItem(atPath: path, toPath: copy) }
    let fresh = Told(first)
    #expect(Told(second) == fresh, "\(name)")
    #expect(Told(second) == fresh, "\(name), again")
  }

  @Test(arguments: ["mp4", "mov", "mkv"], ["libx264", "libx265", "mpeg4", "prores_ks"])
  func madeFiles_openedAgain_tellTheSame(container: String, codec: String) throws {
    if container == "mp4", codec == "prores_ks" { return }
    let folder = try TemporaryFolder()
    let path = try folder.make(
      "movie.\(container)",
      [
        "-f", "lavfi", "-i", "testsrc2=s=192x108:r=30000/1001:d=2", "-f", "lavfi", "-i", "sine=440:d=2", "-c:v", codec, "-bf",
        "2",
        "-pix_fmt", codec == "prores_ks" ? "yuv422p10le" : "yuv420p", "-c:a", "aac",
      ])
    try Self.compare(path)
  }

  /// A file that is replaced, also by one of the same length and name, is looked into anew.
  @Test func fileThatIsReplaced_isLookedIntoAgain() throws {
    let folder = try TemporaryFolder()
    func make(_ name: String, _ rate: String) throws -> String {
      try folder.make(name, ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(rate):d=1", "-c:v", "libx264"])
    }
    let (path, other) = (try make("a.mp4", "25"), try make("b.mp4", "50"))
    let before = try MediaProbe.probe(.file(path: path))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: other, toPath: path)
    let after = try MediaProbe.probe(.file(path: path))
    #expect(before != after)
    #expect(Told(path) == Told(path))
  }

  @Test(.enabled(if: ReadMedia.isPresent)) func realFiles_openedAgain_tellTheSame() throws {
    for name in try ReadMedia.names() where !name.hasSuffix(".md") && !name.hasPrefix(".") {
      try Self.compare(ReadMedia.path(name))
    }
  }
}
