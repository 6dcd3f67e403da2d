import AVFoundation
import Compositor
import Testing
import VideoToolbox

@Suite struct WriterSettingsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func canApply(_ settings: [String: Any]?, _ type: AVMediaType, in file: AVFileType = .mov) throws -> Bool {
    try AVAssetWriter(outputURL: folder["x"], fileType: file).canApply(outputSettings: settings, forMediaType: type)
  }

  @Test func settings_thatApply_areOfEveryKindOfNumber() throws {
    let settings: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.hevc.rawValue, AVVideoWidthKey: CGFloat(128), AVVideoHeightKey: NSNumber(value: 96),
      AVVideoCompressionPropertiesKey: [
        AVVideoAverageBitRateKey: 1e6, AVVideoProfileLevelKey: kVTProfileLevel_HEVC_Main_AutoLevel as String,
        AVVideoMaxKeyFrameIntervalKey: Float(30), AVVideoAllowFrameReorderingKey: false,
      ] as [String: Any],
    ]
    #expect(try canApply(settings, .video))
    #expect(try canApply(aac, .audio) && canApply(aac, .audio, in: .m4a))
  }

  @Test func settings_thatDoNotApply_areRefused() throws {
    #expect(try !canApply(videoSettings(.jpeg), .video))
    #expect(try !canApply(videoSettings(.proRes422), .video, in: .mp4) && canApply(videoSettings(.proRes422), .video))
    #expect(try !canApply(videoSettings(), .video, in: .m4a))
    #expect(try !canApply(videoSettings(width: 0), .video))
    #expect(try !canApply(videoSettings(.h264, ["Unheard": 1]), .video))
    #expect(try !canApply([AVVideoCodecKey: AVVideoCodecType.h264], .video))
    #expect(try canApply(nil, .video) && !canApply(nil, .video, in: .mp4) && !canApply(aac, .subtitle))
    var sound = aac
    sound[AVNumberOfChannelsKey] = 99
    #expect(try !canApply(sound, .audio))
    sound = aac
    sound[AVFormatIDKey] = kAudioFormatMPEG4AAC_HE
    #expect(try !canApply(sound, .audio))
  }

  @Test func inputs_ofPictures_areAtMostOne() throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    #expect(writer.canAdd(input) && writer.availableMediaTypes == [.video, .audio])
    writer.add(input)
    #expect(!writer.canAdd(input))
    #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())))
    #expect(writer.canAdd(AVAssetWriterInput(mediaType: .audio, outputSettings: aac)))
  }

  @Test(arguments: [
    (AVVideoCodecType.h264, "h264", "yuv420p"), (.hevc, "hevc", "yuv420p"), (.proRes422, "prores", "yuv422p10le"),
    (.proRes4444, "prores", "yuva444p10le"),
  ]) func codec_isWritten(_ codec: AVVideoCodecType, _ name: String, _ format: String) async throws {
    let writer = try TestWriter(folder["a.mov"], video: videoSettings(codec), audio: nil)
    try writer.pictures(0..<5)
    await writer.finish()
    #expect(
      try ffprobe(folder["a.mov"], "-select_streams", "v", "-show_entries", "stream=codec_name,pix_fmt").map {
        // Decoders of ProRes 4444 have 12 bits.
        $0.replacingOccurrences(of: "12le", with: "10le")
      } == [name, format])
    #expect(try numbers(folder["a.mov"]).map(\.number) == Array(0..<5))
  }

  @Test func profile_ofTenBits_isWritten() async throws {
    let profile = kVTProfileLevel_HEVC_Main10_AutoLevel as String
    let writer = try TestWriter(
      folder["a.mp4"], .mp4, video: videoSettings(.hevc, [AVVideoProfileLevelKey: profile]), audio: nil)
    try writer.pictures(0..<3)
    await writer.finish()
    #expect(try ffprobe(folder["a.mp4"], "-select_streams", "v", "-show_entries", "stream=pix_fmt") == ["yuv420p10le"])
  }

  @Test func keyFrames_areAsOftenAsAsked() async throws {
    let writer = try TestWriter(
      folder["a.mov"], video: videoSettings(.h264, [AVVideoMaxKeyFrameIntervalKey: 10]), audio: nil)
    try writer.pictures(0..<40)
    await writer.finish()
    let flags = try ffprobe(folder["a.mov"], "-select_streams", "v", "-show_entries", "frame=key_frame")
    #expect(flags.filter { $0 == "1" }.count >= 4)
  }

  @Test(arguments: [
    (AVVideoScalingModeResize, [20, 20]), (AVVideoScalingModeResizeAspect, [20, 2]),
    (AVVideoScalingModeResizeAspectFill, [20, 20]),
    (AVVideoScalingModeFit, [20, 2]),
  ]) func pictures_ofAnotherSize_areScaled(_ mode: String, _ expected: [Int]) async throws {
    var settings = videoSettings(width: 200, height: 100)
    settings[AVVideoScalingModeKey] = mode
    let writer = try TestWriter(folder["a.mov"], video: settings, audio: nil)
    for index in 0..<3 {
      #expect(writer.video?.append(try sample(try picture(20, width: 80, height: 80), at: frames(index))) == true)
    }
    await writer.finish()
    let shown = try await AVFoundationTests.picture(folder["a.mov"], at: 0)
    #expect(shown.width == 200 && shown.height == 100)
    let data = try #require(shown.dataProvider?.data as Data?)
    func gray(_ x: Int, _ y: Int) -> Int { Int(data[y * shown.bytesPerRow + x * 4]) }
    // At the center, and at the left edge: 88, or black where nothing is.
    #expect(abs(gray(100, 50) - 88) < 6)
    #expect(abs(gray(2, 50) - (expected[1] == 20 ? 88 : 0)) < 8)
  }

  @Test func transformLanguageAndMetadata_areWritten() async throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    let video = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    video.transform = CGAffineTransform(rotationAngle: .pi / 2)
    let sound = AVAssetWriterInput(mediaType: .audio, outputSettings: aac)
    sound.languageCode = "deu"
    let title = AVMutableMetadataItem()
    title.identifier = .commonIdentifierTitle
    title.value = "Flight" as NSString
    writer.metadata = [title]
    for input in [video, sound] { writer.add(input) }
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for index in 0..<5 { #expect(video.append(try sample(try picture(index), at: frames(index)))) }
    #expect(sound.append(try tone(0..<9600)))
    await writer.finishWriting()
    #expect(writer.status == .completed)
    let track = try #require(AVAsset(url: folder["a.mov"]).tracks(withMediaType: .video).first)
    #expect(track.preferredTransform.b == 1 && track.preferredTransform.c == -1)
    let written = try info(folder["a.mov"])
    #expect(written.metadata["title"] == "Flight" && ["de", "deu"].contains(written.audioTracks[0].language))
  }

  @Test func severalTracksOfAudio_areWritten() async throws {
    let writer = try TestWriter(folder["a.mov"], video: nil)
    await writer.finishless()
    let two = try AVAssetWriter(outputURL: folder["b.mov"], fileType: .mov)
    let inputs = [aac, aac].map { AVAssetWriterInput(mediaType: .audio, outputSettings: $0) }
    for input in inputs { two.add(input) }
    #expect(two.startWriting())
    two.startSession(atSourceTime: .zero)
    for input in inputs { #expect(input.append(try tone(0..<4800))) }
    await two.finishWriting()
    #expect(two.status == .completed)
    #expect(try info(folder["b.mov"]).audioTracks.count == 2)
  }

  @Test(arguments: [1, 2]) func channels_areConverted(_ count: Int) async throws {
    var settings = aac
    settings[AVNumberOfChannelsKey] = 3 - count
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: settings)
    #expect(writer.audio?.append(try tone(0..<9600, channels: count)) == true)
    await writer.finish()
    #expect(try info(folder["a.mov"]).audioTracks[0].channelCount == 3 - count)
    let loudest = try samples(folder["a.mov"]).map { abs(Int($0)) }.max() ?? 0
    #expect(loudest > 6000)
  }
}

extension TestWriter {
  /// Ends without a file.
  func finishless() async {
    writer.cancelWriting()
    #expect(writer.status == .cancelled)
  }
}
