import CompositorAPI
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestSupport
import Testing

/// Video and audio of the clip after a transition stay in sync, for every length of it relative to the frame grid.
@Suite(.enabled(if: hasFFmpeg)) struct TransitionSyncTests {
  /// A beep of 50 ms starts with this frame of each clip.
  private static let beepFrame = 45

  /// `make test` takes one transition for each rate.
  @Test(arguments: TableSelection.pairs(FrameTableTests.rates, ["dissolve:1s", "wipe-left:0.7s", ""], each: 1))
  func joinedClips_eachRate_beepStartsWithItsFrame(_ rate: String, _ transition: String) async throws {
    let folder = try TemporaryFolder()
    let parts = rate.split(separator: "/").compactMap { Double($0) }
    let frames = parts[0] / (parts.count > 1 ? parts[1] : 1)
    let time = Double(Self.beepFrame) / frames
    // 61 and a fraction of frames of the first clip, so that an exact sum of lengths lies between frames.
    for (name, first) in [("a.mkv", 0), ("b.mkv", 512)] {
      try NumberedMovie.make(
        folder.file(name), count: 70, first: first, rate: rate,
        options: ["-c:v", "ffv1", "-c:a", "pcm_s16le"],
        audio: "if(between(t,\(time),\(time + 0.05)),0.8*cos(2*PI*1000*(t-\(time))),0)")
    }
    try await NumberedRender.export(
      [folder.file("a.mkv"), folder.file("b.mkv")], transition: transition.isEmpty ? nil : transition,
      to: folder.file("out.mkv"))
    let numbers = try NumberedMovie.numbers(folder.file("out.mkv"))
    let frame = try #require(numbers.firstIndex(of: 512 + Self.beepFrame))
    let picture = Double(frame) / frames
    let onset = try #require(try self.onset(folder.file("out.mkv"), after: picture - 0.1))
    #expect(abs(onset - picture) < 0.001, "audio at \(onset) s, picture at \(picture) s")
  }

  /// The time of the first loud sample after a time, in seconds.
  private func onset(_ path: String, after time: Double) throws -> Double? {
    let data = try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "f32le", "-"])
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let start = max(0, Int(time * 48000))
    return samples[start...].firstIndex { abs($0) > 0.3 }.map { Double($0) / 48000 }
  }
}
