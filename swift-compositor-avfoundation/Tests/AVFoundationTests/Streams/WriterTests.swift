import AVFoundation
import Compositor
import Synchronization
import Testing

@Suite struct WriterTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: [AVFileType.mov, .mp4]) func everyFrameAndSample_isWritten(_ type: AVFileType) async throws {
    let writer = try TestWriter(folder["a.mov"], type)
    try writer.pictures(0..<50)
    try writer.tones(0..<96_000)
    await writer.finish()
    #expect(folder.names == ["a.mov"])
    let found = try numbers(folder["a.mov"])
    #expect(found.map(\.number) == Array(0..<50) && found.map(\.time) == (0..<50).map(frames))
    #expect(try frameCount(folder["a.mov"]) == 50)
    let written = try info(folder["a.mov"])
    #expect(written.duration == .seconds(2) && written.videoTracks[0].codec == "h264" && written.audioTracks[0].codec == "aac")
    let sound = try samples(folder["a.mov"])
    #expect(sound.count == 192_000)
    #expect((sound[4800..<91_200].map { abs(Int($0)) }.max() ?? 0) > 6000)
  }

  @Test func uncompressedAudio_isExact() async throws {
    var settings = pcm16
    settings[AVSampleRateKey] = 48_000
    settings[AVNumberOfChannelsKey] = 2
    let writer = try TestWriter(folder["a.mov"], video: nil, audio: settings)
    try writer.tones(0..<10_000)
    await writer.finish()
    let expected = try tone(0..<10_000).dataBuffer?.dataBytes().withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    #expect(try samples(folder["a.mov"]) == expected)
  }

  @Test func audioAlone_isAFile() async throws {
    let writer = try TestWriter(folder["a.m4a"], .m4a, video: nil)
    try writer.tones(0..<30_000)
    await writer.finish()
    let written = try info(folder["a.m4a"])
    #expect(written.videoTracks.isEmpty && written.duration == MediaTime(value: 30_000, timescale: 48_000))
  }

  @Test func adaptor_hasAPool_andItsBuffersAreUsedAgain() async throws {
    let url = folder["a.mp4"]
    let writer = try AVAssetWriter(url: url, fileType: .mp4)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input,
      sourcePixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
    writer.add(input)
    #expect(adaptor.pixelBufferPool == nil && !input.isReadyForMoreMediaData)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    let pool = try #require(adaptor.pixelBufferPool)
    #expect(pool === adaptor.pixelBufferPool)
    for index in 0..<20 {
      var made: CVPixelBuffer?
      CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made)
      let buffer = try #require(made)
      #expect(CVPixelBufferGetWidth(buffer) == 128 && CVPixelBufferGetHeight(buffer) == 96)
      paint(buffer, gray: 8 + 4 * index)
      #expect(adaptor.append(buffer, withPresentationTime: frames(index)))
    }
    await writer.finishWriting()
    #expect(try numbers(url).map(\.number) == Array(0..<20))
  }

  /// One buffer for all pictures, locked all the time in the second case, of the program's memory in the third.
  @Test(arguments: [0, 1, 2]) func buffer_mayBeWrittenAgainAtOnce(_ kind: Int) async throws {
    let writer = try TestWriter(folder["a.mov"], audio: nil)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128 * 96 * 4, alignment: 64)
    defer { memory.deallocate() }
    var buffer = try picture(0)
    if kind == 2 {
      var made: CVPixelBuffer?
      CVPixelBufferCreateWithBytes(nil, 128, 96, kCVPixelFormatType_32BGRA, memory, 512, nil, nil, nil, &made)
      buffer = try #require(made)
    }
    if kind == 1 { CVPixelBufferLockBaseAddress(buffer, []) }
    let base = kind == 1 ? CVPixelBufferGetBaseAddress(buffer) : nil
    for index in 0..<30 {
      switch kind {
      case 1: memset(base, Int32(8 + 4 * index), CVPixelBufferGetBytesPerRow(buffer) * 96)
      case 2: memset(memory, Int32(8 + 4 * index), 128 * 96 * 4)
      default: paint(buffer, gray: 8 + 4 * index)
      }
      #expect(writer.video?.append(try sample(buffer, at: frames(index))) == true)
    }
    if kind == 1 { CVPixelBufferUnlockBaseAddress(buffer, []) }
    await writer.finish()
    #expect(try numbers(folder["a.mov"]).map(\.number) == Array(0..<30))
  }

  @Test func times_areThoseOfTheSamples() async throws {
    let times = [0, 1, 4, 5, 13, 14, 15, 40].map { CMTime(value: $0, timescale: 30) }
    let writer = try TestWriter(folder["a.mov"], audio: nil)
    for (index, time) in times.enumerated() { #expect(writer.video?.append(try sample(try picture(index), at: time)) == true) }
    await writer.finish()
    let found = try numbers(folder["a.mov"])
    #expect(found.map(\.time) == times && found.map(\.number) == Array(0..<8))
    // The last picture lasts as long as the one before.
    #expect(try AVAsset(url: folder["a.mov"]).readableDuration == CMTime(value: 65, timescale: 30))
  }

  @Test func lastPicture_lastsAsLongAsItsSampleSays() async throws {
    let writer = try TestWriter(folder["a.mov"], audio: nil)
    try writer.pictures(0..<2)
    #expect(writer.video?.append(try sample(try picture(2), at: frames(2), lasting: frames(8))) == true)
    await writer.finish()
    #expect(try ffprobe(folder["a.mov"], "-show_entries", "format=duration") == ["0.400000"])
  }

  @Test func file_thatExists_isAnError_andStays() throws {
    try Data("mine".utf8).write(to: folder["a.mov"])
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings()))
    #expect(!writer.startWriting() && writer.status == .failed)
    #expect((writer.error as? AVError)?.code == .fileAlreadyExists)
    #expect(try Data(contentsOf: folder["a.mov"]) == Data("mine".utf8) && folder.names == ["a.mov"])
  }

  @Test func folder_thatDoesNotExist_isAnError() throws {
    let writer = try AVAssetWriter(outputURL: folder["no"].appendingPathComponent("a.mov"), fileType: .mov)
    writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings()))
    #expect(!writer.startWriting() && writer.status == .failed && writer.error is AVError)
  }

  @Test func type_thatCannotBeWritten_isAnError() {
    #expect(throws: AVError.self) { try AVAssetWriter(outputURL: folder["a.caf"], fileType: .caf) }
  }

  @Test func nothingAppended_isAnError_m() async throws {
    let writer = try TestWriter(folder["a.mov"])
    await writer.writer.finishWriting()
    #expect(writer.writer.status == .failed && writer.writer.error is AVError && folder.names.isEmpty)
  }

  @Test func samples_thatDoNotFit_failTheWriter() async throws {
    let writer = try TestWriter(folder["a.mov"])
    try writer.pictures(0..<3)
    #expect(writer.audio?.append(try tone(0..<1024, rate: 4000)) == false)
    #expect(writer.writer.status == .failed && (writer.writer.error as? AVError)?.code == .formatUnsupported)
    #expect(writer.video?.append(try sample(try picture(3), at: frames(3))) == false)
    // A program that only looks at readiness learns of it.
    #expect(writer.video?.isReadyForMoreMediaData == true)
    await writer.writer.finishWriting()
    #expect(writer.writer.status == .failed && folder.names.isEmpty)
  }

  @Test func pictures_outOfOrder_failTheWriter() async throws {
    let writer = try TestWriter(folder["a.mov"], audio: nil)
    for index in [0, 2, 1] { _ = writer.video?.append(try sample(try picture(index), at: frames(index))) }
    await writer.writer.finishWriting()
    #expect(writer.writer.status == .failed && folder.names.isEmpty)
  }

  @Test(arguments: [0, 1, 5, 40]) func cancel_removesTheFile(_ count: Int) async throws {
    let writer = try TestWriter(folder["a.mov"])
    try writer.pictures(0..<count)
    try writer.tones(0..<count * 1000)
    writer.writer.cancelWriting()
    #expect(writer.writer.status == .cancelled && writer.writer.error == nil && folder.names.isEmpty)
    #expect(writer.video?.append(try sample(try picture(9), at: frames(90))) == false)
    #expect(writer.video?.isReadyForMoreMediaData == false)
    writer.writer.cancelWriting()
    await writer.writer.finishWriting()
    #expect(writer.writer.status == .cancelled)
  }

  @Test func writer_thatIsReleased_leavesNoFile() async throws {
    do {
      let writer = try TestWriter(folder["a.mov"])
      try writer.pictures(0..<5)
    }
    #expect(folder.names.isEmpty)
  }

  /// Code of an actor keeps its writer, and calls need no use of their results.
  @MainActor @Test func actor_writesAFile() async throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    input.append(try sample(try picture(0), at: .zero, lasting: frames(1)))
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed && folder.names == ["a.mov"])
  }

  @Test func completion_isCalledOnce_whenTheFileIsThere() async throws {
    let writer = try TestWriter(folder["a.mov"], audio: nil)
    try writer.pictures(0..<5)
    let calls = Mutex(0)
    let url = folder["a.mov"]
    await withCheckedContinuation { continuation in
      writer.writer.finishWriting {
        calls.withLock { $0 += FileManager.default.fileExists(atPath: url.path) ? 1 : 100 }
        continuation.resume()
      }
    }
    #expect(calls.withLock { $0 } == 1 && writer.writer.status == .completed)
    writer.writer.cancelWriting()
    #expect(writer.writer.status == .completed && folder.names == ["a.mov"])
  }
}

extension AVAsset {
  /// The duration, or why it cannot be read.
  var readableDuration: CMTime {
    get throws {
      #expect(!tracks.isEmpty)
      return duration
    }
  }
}
