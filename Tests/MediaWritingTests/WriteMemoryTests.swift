import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Testing

@Suite struct WriteMemoryTests {
  /// Resident memory in bytes.
  private func resident() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4096
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm")))
  func write_longMovie_keepsMemoryFlat() throws {
    let folder = try TemporaryFolder()
    let size = PixelSize(width: 160, height: 96)
    let writer = try MovieWriter(
      MovieDescription(
        container: .mov,
        video: VideoTrackDescription(
          size: size, format: .yuv420p, timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
          encoding: VideoEncodingSettings(speed: .ultrafast, threadCount: 1)), audio: AudioEncodingSettings()),
      path: folder.file("long.mov"))
    let (pool, block) = (FramePool(), AudioBlock(channelCount: 2, capacity: 1920))
    var early = 0
    // Six minutes of video and audio; the first one fills caches.
    for index in 0..<9000 {
      var frame = try pool.makeFrame(format: .yuv420p, size: size)
      frame.fill(codes: [Double(16 + index % 200), 128, 128, 255])
      try writer.append(
        frame.freeze(), at: MediaTime(value: Int64(index), timescale: 25), duration: MediaTime(value: 1, timescale: 25))
      try writer.append(block, count: 1920)
      if index == 1500 { early = try resident() }
    }
    let growth = try resident() - early
    _ = try writer.finish()
    print("memory grew by \(growth / 1024) KiB in 5 minutes of writing")
    // Other tests run beside this one: a leak of frames alone would be 170 MB.
    #expect(growth < 60 << 20)
    #expect(pool.statistics.outstanding == 0 && pool.statistics.allocations <= 4)
  }
}
