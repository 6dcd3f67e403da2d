import AVFoundation
import Compositor
import Synchronization
import Testing

@Suite struct ReaderTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func output(
    _ url: URL, _ type: AVMediaType = .video, _ settings: [String: Any]? = bgra, range: CMTimeRange? = nil
  ) throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    let asset = AVAsset(url: url)
    let reader = try AVAssetReader(asset: asset)
    if let range { reader.timeRange = range }
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: type).first), outputSettings: settings)
    #expect(reader.canAdd(output) && reader.status == .unknown)
    reader.add(output)
    #expect(!reader.canAdd(output))
    return (reader, output)
  }

  @Test func everyFrame_isRead_atItsTime() async throws {
    let movie = try await folder.movie("a.mp4")
    let (reader, output) = try output(movie)
    #expect(reader.startReading() && reader.status == .reading)
    var sizes: Set<[Int]> = []
    let read = try readAll(output) { sample in
      let buffer = try #require(CMSampleBufferGetImageBuffer(sample))
      sizes.insert([
        CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer), Int(CVPixelBufferGetPixelFormatType(buffer)),
      ])
      #expect(sample.formatDescription?.mediaType == .video && sample.numSamples == 1)
    }
    #expect(try read.times.count == frameCount(movie))
    #expect(read.times == (0..<50).map { CMTime(value: $0, timescale: 25) })
    #expect(read.durations.allSatisfy { $0 == CMTime(value: 1, timescale: 25) })
    #expect(sizes == [[320, 180, Int(kCVPixelFormatType_32BGRA)]])
    #expect(reader.status == .completed && reader.error == nil && output.copyNextSampleBuffer() == nil)
  }

  @Test(arguments: [
    kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
    kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_64RGBAHalf,
  ])
  func format_isThatOfTheSettings(_ format: OSType) async throws {
    let (reader, output) = try output(
      try await folder.movie("a.mp4", seconds: 1, tone: nil), .video,
      [kCVPixelBufferPixelFormatTypeKey as String: NSNumber(value: format)])
    #expect(reader.startReading())
    let read = try readAll(output) { sample in
      let buffer = try #require(sample.imageBuffer)
      #expect(CVPixelBufferGetPixelFormatType(buffer) == format)
      #expect(CVBufferCopyAttachment(buffer, kCVImageBufferColorPrimariesKey, nil) as? String == "ITU_R_709_2")
    }
    #expect(read.times.count == 25)
  }

  @Test func size_isThatOfTheSettings() async throws {
    var settings = bgra
    settings[kCVPixelBufferWidthKey as String] = 160
    settings[kCVPixelBufferHeightKey as String] = 90
    let (reader, output) = try output(try await folder.movie("a.mp4", seconds: 1, tone: nil), .video, settings)
    #expect(reader.startReading())
    let sample = try #require(output.copyNextSampleBuffer()?.imageBuffer)
    #expect(CVPixelBufferGetWidth(sample) == 160 && CVPixelBufferGetHeight(sample) == 90)
    #expect(abs(gray(of: sample) - 0) < 8, "the movie is red: green is 0")
    reader.cancelReading()
  }

  @Test func settings_withoutFormat_giveThatOfTheDecoder() async throws {
    let (reader, output) = try output(try await folder.movie("a.mp4", seconds: 1, tone: nil), .video, [:])
    #expect(reader.startReading())
    let buffer = try #require(output.copyNextSampleBuffer()?.imageBuffer)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    reader.cancelReading()
  }

  @Test func storedSamples_areGivenWithoutSettings() async throws {
    let (reader, output) = try output(try await folder.movie("a.mp4", seconds: 1, tone: nil), .video, nil)
    #expect(reader.startReading())
    let read = readAll(output) { #expect($0.imageBuffer == nil && $0.dataBuffer != nil) }
    #expect(read.times.sorted() == (0..<25).map(frames) && reader.status == .completed)
  }

  @Test(arguments: [(16, false), (24, false), (32, false), (32, true), (64, true)], [false, true])
  func audio_isReadWhole_inEachForm(_ number: (bits: Int, isFloat: Bool), isPlanar: Bool) async throws {
    let movie = try await folder.movie("a.mp4", seconds: 1)
    let settings: [String: Any] = [
      AVFormatIDKey: Int(kAudioFormatLinearPCM), AVLinearPCMBitDepthKey: number.bits, AVLinearPCMIsFloatKey: number.isFloat,
      AVLinearPCMIsNonInterleaved: isPlanar,
    ]
    let (reader, output) = try output(movie, .audio, settings)
    #expect(reader.startReading())
    var peak = 0.0
    let read = try readAll(output) { sample in
      let stream = try #require(sample.formatDescription?.audioStreamBasicDescription)
      #expect(stream.mSampleRate == 48_000 && Int(stream.mBitsPerChannel) == number.bits)
      try sample.withAudioBufferList { list, _ in
        #expect(list.count == (isPlanar ? Int(stream.mChannelsPerFrame) : 1))
        let bytes = UnsafeRawBufferPointer(start: list[0].mData, count: Int(list[0].mDataByteSize))
        if number == (16, false) { peak = max(peak, bytes.bindMemory(to: Int16.self).map { Double($0) / 32_768 }.max() ?? 0) }
        if number == (32, true) { peak = max(peak, bytes.bindMemory(to: Float.self).map(Double.init).max() ?? 0) }
      }
    }
    #expect(read.sampleCount == 48_000 && read.times.first == .zero)
    #expect(zip(read.times, read.times.dropFirst()).allSatisfy { $0 < $1 } && reader.status == .completed)
    if number == (16, false) || number == (32, true) { #expect(peak > 0.05 && peak <= 1, "a tone, not noise: \(peak)") }
  }

  @Test func audio_isConverted_toTheRateAndChannelsOfTheSettings() async throws {
    var settings = pcm16
    settings[AVSampleRateKey] = 22_050.0
    settings[AVNumberOfChannelsKey] = 1
    let (reader, output) = try output(try await folder.movie("a.mp4", seconds: 1), .audio, settings)
    #expect(reader.startReading())
    let read = try readAll(output) { sample in
      let stream = try #require(sample.formatDescription?.audioStreamBasicDescription)
      #expect(stream.mSampleRate == 22_050 && stream.mChannelsPerFrame == 1 && stream.mBytesPerFrame == 2)
    }
    #expect(read.sampleCount == 22_050)
  }

  @Test func timeRange_givesSourceTimes() async throws {
    let movie = try await folder.movie("a.mp4")
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), end: CMTime(value: 3, timescale: 2))
    let (pictures, video) = try output(movie, range: range)
    #expect(pictures.startReading())
    let frames = readAll(video)
    // 0.52 s is the first frame that begins in the range.
    #expect(frames.times.first == CMTime(value: 13, timescale: 25) && frames.times.count == 25)
    let (sound, audio) = try output(movie, .audio, pcm16, range: range)
    #expect(sound.startReading())
    let samples = readAll(audio)
    #expect(samples.times.first == CMTime(value: 24_000, timescale: 48_000) && samples.sampleCount == 48_000)
  }

  @Test func emptyRange_isAnError() async throws {
    let (reader, _) = try output(
      try await folder.movie("a.mp4", seconds: 1),
      range: CMTimeRange(start: CMTime(value: 9, timescale: 1), end: .positiveInfinity))
    #expect(!reader.startReading() && reader.status == .failed && reader.error is AVError)
  }

  @Test func fileThatIsNoMovie_isAnError() throws {
    try Data("no movie".utf8).write(to: folder["a.mp4"])
    #expect(throws: AVError.self) { try AVAssetReader(asset: AVAsset(url: folder["a.mp4"])) }
  }

  @Test func cancel_endsAnOutputThatIsRead() async throws {
    let (reader, output) = try output(try await folder.movie("a.mp4", seconds: 4))
    #expect(reader.startReading() && output.copyNextSampleBuffer() != nil)
    nonisolated(unsafe) let canceled = reader
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { canceled.cancelReading() }
    while output.copyNextSampleBuffer() != nil { usleep(2000) }
    #expect([.cancelled, .completed].contains(reader.status))
    reader.cancelReading()
    #expect(output.copyNextSampleBuffer() == nil)
  }

  @Test func reset_readsRangesAgain() async throws {
    let (reader, output) = try output(try await folder.movie("a.mp4", seconds: 1, tone: nil))
    output.supportsRandomAccess = true
    #expect(reader.startReading())
    #expect(readAll(output).times.count == 25 && reader.status == .reading)
    let ranges = [(0, 5), (20, 22)].map { start, end in
      CMTimeRange(start: CMTime(value: start, timescale: 25), end: CMTime(value: end, timescale: 25))
    }
    output.reset(forReadingTimeRanges: ranges.map { NSValue(timeRange: $0) })
    #expect(readAll(output).times.map(\.value) == [0, 1, 2, 3, 4, 20, 21] && reader.status == .reading)
    output.markConfigurationAsFinal()
    #expect(reader.status == .completed)
  }

  @Test func buffers_mayAllBeKept() async throws {
    let (reader, output) = try output(
      try await folder.movie("a.mp4", seconds: 4, tone: nil), .video,
      [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
    #expect(reader.startReading())
    var kept: [CMSampleBuffer] = []
    _ = readAll(output) { kept.append($0) }
    #expect(kept.count == 100 && reader.status == .completed)
  }
}
