import AVFoundation
import Compositor
import Testing

/// Streams that are longer than what a writer keeps in memory, and pictures of other formats.
@Suite struct LongStreamTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Ten seconds of one input first, then of the other. Audio that waits for the first picture goes to the disk.
  @Test(arguments: [true, false]) func oneInputIsFedFirst(_ isAudio: Bool) async throws {
    var sound = pcm16
    sound[AVSampleRateKey] = 48_000
    sound[AVNumberOfChannelsKey] = 2
    let writer = try TestWriter(folder["a.mov"], video: videoSettings(width: 64, height: 64), audio: sound)
    if isAudio { try writer.tones(0..<480_000) }
    for index in 0..<250 {
      let buffer = try picture(index % 50, width: 64, height: 64)
      #expect(writer.video?.append(try sample(buffer, at: frames(index))) == true)
    }
    if !isAudio { try writer.tones(0..<480_000) }
    await writer.finish()
    #expect(folder.names == ["a.mov"])
    #expect(try numbers(folder["a.mov"]).map(\.number) == (0..<250).map { $0 % 50 })
    let (found, block) = (try samples(folder["a.mov"]), try tone(0..<480_000).dataBuffer)
    let expected = try block?.dataBytes().withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    #expect(found == expected)
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_32ARGB, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_64RGBAHalf,
  ]) func picturesOfEachFormat_keepTheirColors(_ format: OSType) async throws {
    let source = try TestWriter(folder["a.mov"], audio: nil)
    try source.pictures(0..<25)
    await source.finish()
    let asset = AVAsset(url: folder["a.mov"])
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .video).first),
      outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: format])
    reader.add(output)
    let writer = try TestWriter(folder["b.mov"], audio: nil)
    #expect(reader.startReading())
    while let sample = output.copyNextSampleBuffer() { #expect(writer.video?.append(sample) == true) }
    await writer.finish()
    let found = try numbers(folder["b.mov"])
    #expect(found.map(\.number) == Array(0..<25) && found.map(\.time) == (0..<25).map(frames))
  }

  /// Pixels that are not square are read as they are stored.
  @Test func shapeOfPixels_isWritten_andPicturesAreReadAsStored() async throws {
    var settings = videoSettings()
    settings[AVVideoPixelAspectRatioKey] = [
      AVVideoPixelAspectRatioHorizontalSpacingKey: 4, AVVideoPixelAspectRatioVerticalSpacingKey: 3,
    ]
    let writer = try TestWriter(folder["a.mov"], video: settings, audio: nil)
    for index in 0..<5 {
      let buffer = try picture(40)
      // A black left half, whose edge shows whether pictures are scaled.
      CVPixelBufferLockBaseAddress(buffer, [])
      for row in 0..<96 { memset(CVPixelBufferGetBaseAddress(buffer)! + row * CVPixelBufferGetBytesPerRow(buffer), 0, 256) }
      CVPixelBufferUnlockBaseAddress(buffer, [])
      #expect(writer.video?.append(try sample(buffer, at: frames(index))) == true)
    }
    await writer.finish()
    #expect(
      try ffprobe(folder["a.mov"], "-select_streams", "v", "-show_entries", "stream=width,sample_aspect_ratio") == [
        "128", "4:3",
      ])
    let asset = AVAsset(url: folder["a.mov"])
    let track = try #require(asset.tracks(withMediaType: .video).first)
    #expect(abs(track.naturalSize.width - 128 * 4 / 3) < 0.01)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: bgra)
    reader.add(output)
    #expect(reader.startReading())
    let buffer = try #require(output.copyNextSampleBuffer()?.imageBuffer)
    #expect(CVPixelBufferGetWidth(buffer) == 128 && CVPixelBufferGetHeight(buffer) == 96)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    let row = try #require(CVPixelBufferGetBaseAddress(buffer)) + 48 * CVPixelBufferGetBytesPerRow(buffer)
    let grays = [40, 60, 68, 90].map { Int(row.load(fromByteOffset: $0 * 4, as: UInt8.self)) }
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(grays[0] < 12 && grays[1] < 20 && abs(grays[2] - 168) < 20 && abs(grays[3] - 168) < 8, "\(grays)")
    reader.cancelReading()
  }

  /// Colors that settings name are written, and pictures converted to them.
  @Test func colors_areThoseOfTheSettings() async throws {
    var settings = videoSettings(.hevc)
    settings[AVVideoColorPropertiesKey] = [
      AVVideoColorPrimariesKey: AVVideoColorPrimaries_SMPTE_C, AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_709_2,
      AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_601_4,
    ]
    let writer = try TestWriter(folder["a.mov"], video: settings, audio: nil)
    try writer.pictures(0..<5)
    await writer.finish()
    let entries = "stream=color_space,color_transfer,color_primaries"
    #expect(
      try ffprobe(folder["a.mov"], "-select_streams", "v", "-show_entries", entries) == ["smpte170m", "bt709", "smpte170m"])
    #expect(try numbers(folder["a.mov"]).map(\.number) == Array(0..<5))
  }
}
