import CompositorAPI
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// What of an encoder is the same on every machine, and what is said where it cannot be.
@Suite struct EncoderPinningTests {
  private func track(_ codec: VideoEncodingSettings.Codec, width: Int = 1920, height: Int = 1080) -> VideoTrackDescription {
    VideoTrackDescription(
      size: PixelSize(width: width, height: height), format: .yuv420p,
      timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)), encoding: VideoEncodingSettings(codec: codec))
  }

  @Test(arguments: [ProcessorArchitecture.x86_64, .aarch64])
  func h264_isTheSameForEveryInstructionSet(_ architecture: ProcessorArchitecture) throws {
    let pinning = try #require(EncoderPinning(track(.h264), architecture: architecture))
    #expect(pinning.encoder == "libx264" && pinning.threadCount == 4)
    #expect(pinning.options.contains("x264-params=cpu-independent=1"), "\(pinning.options)")
  }

  /// What libx264 makes of frames with each of its instruction sets, and with its memory filled with other bytes before. Widths of a
  /// multiple of 8 macroblocks, and others.
  @Test(.enabled(if: hasFFmpeg), arguments: [(1280, 720), (852, 480), (322, 182)])
  func h264_ofEveryInstructionSet_isTheSame(_ width: Int, _ height: Int) throws {
    let folder = try TemporaryFolder()
    let source = folder.file("source.mkv")
    _ = try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height):rate=25,noise=alls=8:allf=t", "-t", "0.6",
        "-pix_fmt", "yuv420p", "-c:v", "ffv1", source,
      ])
    var found: [String: String] = [:]
    for (set, fill) in [("", "0"), ("", "85"), ("asm=ssse3", "1"), ("asm=sse2", "1"), ("no-asm=1", "1")] {
      let parameters = [set, EncoderPinning.x264Parameter].filter { !$0.isEmpty }.joined(separator: ":")
      let movie = folder.file("movie.mkv")
      _ = try runTool(
        "env",
        [
          "MALLOC_PERTURB_=\(fill)", "ffmpeg", "-v", "error", "-y", "-i", source, "-c:v", "libx264", "-preset", "veryfast",
          "-threads", "2", "-x264-params", parameters, movie,
        ])
      // The decoded frames: the stream itself states its settings.
      found["\(set) \(fill)"] = try runTool("ffmpeg", ["-v", "error", "-i", movie, "-f", "md5", "-"])
    }
    #expect(Set(found.values).count == 1, "\(found)")
  }

  @Test func hevc_hasPoolsAndFramesOfItsSize_andSaysNothingOfTheProcessor() throws {
    for (width, height, threads, frames) in [(1920, 1080, 4, 2), (3840, 2160, 8, 3)] {
      let pinning = try #require(EncoderPinning(track(.hevc, width: width, height: height)))
      let line = try #require(pinning.options.first { $0.hasPrefix("x265-params=") })
      let words = line.dropFirst("x265-params=".count).split(separator: ":")
      for word in ["pools=\(threads)", "frame-threads=\(frames)", "info=0"] {
        #expect(words.contains { $0 == word }, "\(line)")
      }
      #expect(pinning.threadCount == threads)
    }
  }

  /// The rate control of libx265 depends on the threads' pace if it encodes several frames at a time.
  @Test func hevc_withABitRate_encodesAFrameAtATime() throws {
    var video = track(.hevc, width: 1920, height: 1080)
    video.encoding.quality = .bitRate(2_000_000)
    let pinning = try #require(EncoderPinning(video))
    #expect(pinning.options.contains { $0.contains("frame-threads=1:") }, "\(pinning.options)")
  }

  @Test(arguments: VideoEncodingSettings.Codec.allCases)
  func everyCodec_isPinned_andADeviceIsNot(_ codec: VideoEncodingSettings.Codec) throws {
    let pinning = try #require(EncoderPinning(track(codec)))
    #expect(pinning.threadCount >= 1)
    #expect(try JSONDecoder().decode(EncoderPinning.self, from: JSONEncoder().encode(pinning)) == pinning)
    var device = track(codec)
    device.encoding.encoder = .vaapi
    #expect(EncoderPinning(device) == nil)
  }

  @Test func opusAlone_dependsOnTheMakerOfTheProcessor() {
    #expect(AudioEncodingSettings.Codec.allCases.filter(\.dependsOnProcessorMaker) == [.opus])
  }

  /// What x264 writes into the stream is what was pinned, whatever the machine has.
  @Test func h264_stream_namesItsThreads() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("movie.mp4")
    let frameDuration = MediaTime(value: 1, timescale: 25)
    var description = MovieDescription(container: .mp4, video: track(.h264, width: 640, height: 360))
    description.video?.encoding.speed = .ultrafast
    try writeMovie(description, to: path, frameCount: 3, frameDuration: frameDuration)
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: Unicode.ASCII.self)
    #expect(text.contains(" threads=4 "))
  }

  /// libx265 would name itself, its settings and what the processor can do.
  @Test func hevc_stream_saysNothingOfTheProcessor() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("movie.mp4")
    var description = MovieDescription(container: .mp4, video: track(.hevc, width: 320, height: 180))
    description.video?.encoding.speed = .ultrafast
    try writeMovie(description, to: path, frameCount: 3, frameDuration: MediaTime(value: 1, timescale: 25))
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: Unicode.ASCII.self)
    #expect(!text.contains("x265") && !text.contains("cpuid"))
  }
}
