import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// `Examples/soundtrack.json5`: what is heard and seen of it is what it says.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SoundtrackTests {
  private static func text() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/soundtrack.json5")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The levels that the example draws, in the order A, B, C, music, with their frequencies: C plays at double
  /// speed, and its pitch follows.
  private static let drawn: [(frequencies: [Double], level: @Sendable (Double) -> Double)] = [
    ([220], { max(1 - $0 / 2, 0) }), ([340], { max(1 - $0 / 2, 0) }), ([1000], { max(($0 - 8) / 2, 0) }),
    ([880], { (2..<8).contains($0) ? 1 : 0 }),
  ]

  @Test func levels_every50Milliseconds_areTheDrawnCurves() async throws {
    let catalog = MediaCatalog()
    let audio = try await AudioLevelTests.render(try ProjectFile(Self.text()).edit(catalog: catalog), catalog)
    #expect(audio.samples.count == 480_000)
    for step in 0..<200 {
      let start = Double(step) / 20
      for (frequencies, level) in Self.drawn {
        // The mean of a line over a window is its value in the middle; generated tones have a quarter of full scale.
        let expected = level(start + 0.025) * 0.25
        let found = frequencies.map { pow(audio.amplitude(of: $0, at: start), 2) }.reduce(0, +).squareRoot()
        let isNear = abs(20 * log10(found / expected)) < 0.1 || abs(found - expected) < 0.001 * 0.25
        #expect(isNear, "\(frequencies): \(found) for \(expected) at \(start) s")
      }
    }
  }

  /// The same project over movies whose frames say their number.
  @Test func frames_atEveryBoundary_areTheSourcesOwn() async throws {
    let folder = try TemporaryFolder()
    for (name, count) in [("a", 150), ("b", 125), ("c", 1950)] {
      try NumberedMovie.make(folder.file("\(name).mkv"), count: count, rate: "25", options: ["-c:v", "ffv1"])
    }
    var lines = try Self.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      guard let name = ["a", "b", "c"].first(where: { line.hasPrefix("    \($0): { generate:") }) else { continue }
      lines[index] = "    \(name): \"\(name).mkv\","
    }
    let catalog = MediaCatalog()
    let project = try ProjectFile(lines.joined(separator: "\n"), directory: folder.path + "/")
    #expect(project.assets.values.filter { if case .file = $0 { true } else { false } }.count == 3)
    let composition = try CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog).get()
    let path = folder.file("out.mkv")
    _ = try await Exporter.export(
      composition, to: path, settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1), audio: nil))
    let frames = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
    #expect(frames.count == 250 * 640 * 360)
    for frame in 0..<min(250, frames.count / (640 * 360)) {
      // Ten bars across the picture, half as wide where two stand side by side.
      func number(from x: Int, width: Int) -> Int {
        let row = frames.startIndex + (frame * 360 + 180) * 640
        return (0..<10).reduce(0) { $0 | (frames[row + x + (2 * $1 + 1) * width / 20] > 128 ? 1 << $1 : 0) }
      }
      if frame < 150 {
        #expect(number(from: 0, width: 320) == frame && number(from: 320, width: 320) == min(frame, 124), "frame \(frame)")
      } else {
        #expect(number(from: 0, width: 640) == (1725 + 2 * (frame - 150)) % 1024, "frame \(frame)")
      }
    }
  }
}
