import CompositorAPI
import CompositorMediaWriting
import Testing

/// How many threads an encoder gets.
@Suite struct EncoderThreadsTests {
  /// Size of the frames, processors, threads that encode, threads in all.
  @Test(arguments: [
    (1920, 1080, 2, 3, 5), (1920, 1080, 8, 12, 15), (1920, 1080, 64, 34, 40), (3840, 2160, 64, 64, 75), (1920, 1080, 1, 1, 0),
    (640, 360, 2, 3, 5), (640, 360, 8, 4, 6), (320, 180, 2, 1, 0), (320, 180, 64, 1, 0), (2, 2, 16, 1, 0), (4096, 16, 16, 1, 0),
  ]) func h264_hasAsManyAsPay(width: Int, height: Int, processors: Int, count: Int, total: Int) {
    let threads = EncoderThreads(
      VideoEncodingSettings(codec: .h264), size: PixelSize(width: width, height: height), processorCount: processors)
    #expect(threads.count == count && threads.total == total)
  }

  @Test(arguments: VideoEncodingSettings.Codec.allCases, [1, 2, 5, 64])
  func number_thatIsSaid_counts(_ codec: VideoEncodingSettings.Codec, count: Int) {
    let said = VideoEncodingSettings(codec: codec, threadCount: count)
    for processors in [1, 2, 64] {
      let threads = EncoderThreads(said, size: PixelSize(width: 320, height: 180), processorCount: processors)
      #expect(threads.count == count)
    }
  }

  @Test(arguments: VideoEncodingSettings.Codec.allCases.filter { $0 != .h264 })
  func otherCodecs_chooseForThemselves(_ codec: VideoEncodingSettings.Codec) {
    let size = PixelSize(width: 1920, height: 1080)
    #expect(EncoderThreads(VideoEncodingSettings(codec: codec), size: size).count == 0)
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
