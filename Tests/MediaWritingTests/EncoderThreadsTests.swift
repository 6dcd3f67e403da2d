import CompositorAPI
import CompositorMediaWriting
import Testing

/// How many threads an encoder gets: nothing here knows the machine.
@Suite struct EncoderThreadsTests {
  /// Size of the frames, threads that encode, threads in all.
  @Test(arguments: [
    (1920, 1080, 4, 6), (1080, 1920, 4, 6), (1920, 1088, 4, 6), (1920, 1090, 8, 10), (3840, 2160, 8, 10), (3840, 2162, 16, 19),
    (7680, 4320, 16, 19),
    (1280, 720, 4, 6), (640, 360, 4, 6), (480, 270, 2, 4), (320, 180, 1, 0), (2, 2, 1, 0),
    (4096, 16, 1, 0), (4096, 64, 2, 4),
  ]) func h264_hasAsManyAsPay(width: Int, height: Int, count: Int, total: Int) {
    let threads = EncoderThreads(VideoEncodingSettings(codec: .h264), size: PixelSize(width: width, height: height))
    #expect(threads.count == count && threads.total == total && threads.frameCount == nil)
  }

  /// Codec, threads and, of HEVC, frames at a time for 320x180, 1920x1080, 3840x2160 and 7680x4320.
  @Test(
    arguments: [
      (.hevc, [4, 4, 8, 16], [2, 2, 3, 4]), (.av1, [4, 4, 8, 16], []), (.vp9, [4, 4, 8, 16], []), (.proRes, [4, 4, 8, 16], []),
      (.dnxhr, [4, 4, 8, 16], []), (.ffv1, [4, 4, 4, 4], []), (.gif, [1, 1, 1, 1], []), (.webp, [1, 1, 1, 1], []),
      (.raw, [1, 1, 1, 1], []),
    ] as [(VideoEncodingSettings.Codec, [Int], [Int])])
  func otherCodecs_haveANumberForEachSize(_ codec: VideoEncodingSettings.Codec, counts: [Int], frames: [Int]) {
    let sizes = [(320, 180), (1920, 1080), (3840, 2160), (7680, 4320)].map { PixelSize(width: $0.0, height: $0.1) }
    let threads = sizes.map { EncoderThreads(VideoEncodingSettings(codec: codec), size: $0) }
    #expect(threads.map(\.count) == counts)
    #expect(threads.compactMap(\.frameCount) == frames)
    #expect(threads.allSatisfy { $0.total == ($0.count == 1 ? 0 : $0.count + ($0.frameCount ?? 0)) })
  }

  @Test(arguments: VideoEncodingSettings.Codec.allCases, [1, 2, 5, 64])
  func number_thatIsSaid_counts(_ codec: VideoEncodingSettings.Codec, count: Int) {
    let said = VideoEncodingSettings(codec: codec, threadCount: count)
    for size in [PixelSize(width: 320, height: 180), PixelSize(width: 7680, height: 4320)] {
      #expect(EncoderThreads(said, size: size).count == count)
    }
  }

  @Test(arguments: VideoEncodingSettings.Codec.allCases)
  func memory_growsWithTheFramesAndTheirDepth(_ codec: VideoEncodingSettings.Codec) {
    let settings = VideoEncodingSettings(codec: codec)
    let sizes = [(320, 180), (1280, 720), (3840, 2160)].map { PixelSize(width: $0.0, height: $0.1) }
    let counts = sizes.map { settings.memoryByteCount(format: .yuv420p, size: $0) }
    #expect(counts == counts.sorted() && counts[0] < counts[1] && counts[1] < counts[2])
    #expect(settings.memoryByteCount(format: .yuv420p10, size: sizes[1]) > counts[1])
  }
}
