import AVFoundation
import Compositor
import Synchronization
import Testing

/// Settings of small pictures.
func videoSettings(
  _ codec: AVVideoCodecType = .h264, width: Int = 128, height: Int = 96, _ properties: [String: Any] = [:]
) -> [String: Any] {
  [
    AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: height,
    AVVideoCompressionPropertiesKey: properties,
  ]
}

/// Settings of AAC.
var aac: [String: Any] {
  [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2, AVEncoderBitRateKey: 128_000]
}

/// A picture of a number, from 0 to 59.
func picture(_ number: Int, width: Int = 128, height: Int = 96) throws -> CVPixelBuffer {
  var made: CVPixelBuffer?
  CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
  let buffer = try #require(made)
  paint(buffer, gray: 8 + 4 * number)
  return buffer
}

/// The number of a picture.
func number(of buffer: CVPixelBuffer) -> Int { Int((Double(gray(of: buffer) - 8) / 4).rounded()) }

/// A picture as a sample.
func sample(_ buffer: CVPixelBuffer, at time: CMTime, lasting duration: CMTime = .invalid) throws -> CMSampleBuffer {
  try CMSampleBuffer(
    imageBuffer: buffer, formatDescription: try CMFormatDescription(imageBuffer: buffer),
    sampleTiming: CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid))
}

/// A block of a tone: 16-bit integers of two channels.
func tone(_ range: Range<Int>, rate: Int = 48_000, channels: Int = 2) throws -> CMSampleBuffer {
  var values: [Int16] = []
  for index in range {
    let value = Int16((sin(Double(index) / Double(rate) * 880 * .pi) * 8000).rounded())
    values += Array(repeating: value, count: channels)
  }
  let block = try CMBlockBuffer(length: values.count * 2)
  try values.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
  let stream = AudioStreamBasicDescription(
    mSampleRate: Double(rate), mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: UInt32(2 * channels),
    mFramesPerPacket: 1, mBytesPerFrame: UInt32(2 * channels), mChannelsPerFrame: UInt32(channels), mBitsPerChannel: 16,
    mReserved: 0)
  var made: CMSampleBuffer?
  CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: nil, dataBuffer: block, formatDescription: try CMFormatDescription(audioStreamBasicDescription: stream),
    sampleCount: range.count, presentationTimeStamp: CMTime(value: Int64(range.lowerBound), timescale: Int32(rate)),
    packetDescriptions: nil, sampleBufferOut: &made)
  return try #require(made)
}

/// A time of frames at 25 a second.
func frames(_ count: Int) -> CMTime { CMTime(value: Int64(count), timescale: 25) }

/// Blocks a thread that the concurrency pool does not need.
func blocking(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}

/// A writer of pictures and a tone.
struct TestWriter {
  let writer: AVAssetWriter
  let video: AVAssetWriterInput?
  let audio: AVAssetWriterInput?

  init(
    _ url: URL, _ type: AVFileType = .mov, video settings: [String: Any]? = videoSettings(), audio sound: [String: Any]? = aac,
    start: CMTime = .zero
  ) throws {
    writer = try AVAssetWriter(outputURL: url, fileType: type)
    video = settings.map { AVAssetWriterInput(mediaType: .video, outputSettings: $0) }
    audio = sound.map { AVAssetWriterInput(mediaType: .audio, outputSettings: $0) }
    for input in [video, audio].compactMap({ $0 }) {
      #expect(writer.canAdd(input))
      writer.add(input)
    }
    #expect(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: start)
  }

  /// Appends pictures of the numbers.
  func pictures(_ numbers: Range<Int>) throws {
    for index in numbers { #expect(video?.append(try sample(try picture(index % 60), at: frames(index))) == true) }
  }

  /// Appends a tone.
  func tones(_ samples: Range<Int>) throws {
    for start in stride(from: samples.lowerBound, to: samples.upperBound, by: 1024) {
      #expect(audio?.append(try tone(start..<min(start + 1024, samples.upperBound))) == true)
    }
  }

  func finish() async {
    await writer.finishWriting()
    #expect(writer.status == .completed && writer.error == nil, "\(String(describing: writer.error))")
  }
}

/// The numbers of the pictures of a file, with their times.
func numbers(_ url: URL) throws -> [(number: Int, time: CMTime)] {
  let asset = AVAsset(url: url)
  let reader = try AVAssetReader(asset: asset)
  let output = AVAssetReaderTrackOutput(
    track: try #require(asset.tracks(withMediaType: .video).first), outputSettings: bgra)
  reader.add(output)
  #expect(reader.startReading())
  var found: [(Int, CMTime)] = []
  _ = try readAll(output) { found.append((number(of: try #require($0.imageBuffer)), $0.presentationTimeStamp)) }
  return found
}

/// The samples of a file's audio, as 16-bit integers.
func samples(_ url: URL) throws -> [Int16] {
  let asset = AVAsset(url: url)
  let reader = try AVAssetReader(asset: asset)
  let output = AVAssetReaderTrackOutput(
    track: try #require(asset.tracks(withMediaType: .audio).first), outputSettings: pcm16)
  reader.add(output)
  #expect(reader.startReading())
  var found: [Int16] = []
  _ = try readAll(output) { sample in
    let bytes = try #require(sample.dataBuffer).dataBytes()
    bytes.withUnsafeBytes { found += $0.bindMemory(to: Int16.self) }
  }
  return found
}
