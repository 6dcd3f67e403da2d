import CompositorAPI
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// What of an encoder is the same on every machine, and what is said where it cannot be.
@Suite struct EncoderPinningTests {
  private static let pins = "asm=avx2,fma3,bmi1,bmi2,lzcnt"
  private static let old = ProcessorFeatures(.x86_64, instructionSets: [])

  private func track(_ codec: VideoEncodingSettings.Codec, width: Int = 1920, height: Int = 1080) -> VideoTrackDescription {
    VideoTrackDescription(
      size: PixelSize(width: width, height: height), format: .yuv420p,
      timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)), encoding: VideoEncodingSettings(codec: codec))
  }

  /// Multiples of 8 macroblocks, and others: AVX-512 is left aside for both.
  @Test(arguments: [1920, 1280, 640, 320, 176])
  func h264_isHeldToOneSetOfInstructions(width: Int) throws {
    let pinning = try #require(EncoderPinning(track(.h264, width: width, height: 144), architecture: .x86_64))
    #expect(pinning.encoder == "libx264" && pinning.instructionSets == ["avx2", "fma3", "bmi1", "bmi2", "lzcnt"])
    #expect(pinning.options.contains("x264-params=\(Self.pins)"), "\(pinning.options)")
  }

  @Test func h264_withEveryInstructionSet_isNotPinned() {
    var video = track(.h264)
    video.encoding.usesEveryInstructionSet = true
    #expect(EncoderPinning(video) == nil && EncoderPinning.instructionSets(for: video.encoding).isEmpty)
    #expect(EncoderPinning.note(for: video.encoding, on: Self.old) == nil)
  }

  @Test func h264_onAArch64_hasItsThreadsAlone() throws {
    let pinning = try #require(EncoderPinning(track(.h264), architecture: .aarch64))
    #expect(!pinning.options.contains { $0.contains("asm=") })
    #expect(pinning.threadCount == 4 && pinning.instructionSets.isEmpty)
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

  @Test func processorWithoutAVX2_isRefused_forH264Alone() throws {
    for codec in VideoEncodingSettings.Codec.allCases {
      let pinning = try #require(EncoderPinning(track(codec), architecture: .x86_64))
      try pinning.validate(on: ProcessorFeatures(.x86_64))
      guard codec == .h264 else {
        try pinning.validate(on: Self.old)
        continue
      }
      let error = #expect(throws: CompositorError.self) { try pinning.validate(on: Self.old) }
      #expect(error?.code == .encoderNotFound && error?.message.contains("AVX2, FMA3, BMI1, BMI2, LZCNT") == true)
    }
  }

  /// One that says AVX2 and lacks another set, as virtual machines do.
  @Test func processorThatLacksOneSet_isRefusedByName() throws {
    let pinning = try #require(EncoderPinning(track(.h264), architecture: .x86_64))
    let masked = ProcessorFeatures(.x86_64, instructionSets: ["avx2", "fma3", "bmi1", "bmi2"])
    let error = #expect(throws: CompositorError.self) { try pinning.validate(on: masked) }
    #expect(error?.message.hasSuffix("has no LZCNT.") == true)
    #expect(masked.x264Parameters.isEmpty)
  }

  @Test func otherArchitecture_isRefused() throws {
    for codec in [VideoEncodingSettings.Codec.h264, .ffv1] {
      let pinning = try #require(EncoderPinning(track(codec), architecture: .x86_64))
      let error = #expect(throws: CompositorError.self) { try pinning.validate(on: ProcessorFeatures(.aarch64)) }
      #expect(error?.code == .encoderNotFound && error?.message.contains("on aarch64 than on x86-64") == true)
    }
  }

  @Test func note_isForH264OnOldProcessors() {
    let text = EncoderPinning.note(for: VideoEncodingSettings(), on: Self.old)
    #expect(text?.contains("no AVX2") == true && text?.contains("may differ") == true)
    for codec in VideoEncodingSettings.Codec.allCases where codec != .h264 {
      #expect(EncoderPinning.note(for: VideoEncodingSettings(codec: codec), on: Self.old) == nil)
    }
    var device = VideoEncodingSettings()
    device.encoder = .nvenc
    #expect(EncoderPinning.note(for: device, on: Self.old) == nil)
    #expect(EncoderPinning.note(for: VideoEncodingSettings(), on: ProcessorFeatures(.x86_64)) == nil)
    #expect(EncoderPinning.note(for: VideoEncodingSettings(), on: ProcessorFeatures(.aarch64)) == nil)
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
