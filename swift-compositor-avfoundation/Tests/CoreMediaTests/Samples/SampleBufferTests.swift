import CoreMedia
import CoreVideo
import Testing

private func time(_ value: Int64, _ scale: Int32 = 30) -> CMTime { CMTime(value: value, timescale: scale) }

@Suite struct SampleBufferTests {
  /// A buffer of one picture at 2/30 s.
  private func picture() throws -> (CMSampleBuffer, CVPixelBuffer) {
    let buffer = try pixels()
    let timing = CMSampleTimingInfo(duration: time(1), presentationTimeStamp: time(2), decodeTimeStamp: .invalid)
    let sample = try CMSampleBuffer(
      imageBuffer: buffer, formatDescription: try CMFormatDescription(imageBuffer: buffer), sampleTiming: timing)
    return (sample, buffer)
  }

  /// A buffer of 16-bit samples 0, 1, 2, … of two channels at 1 s.
  private func audio(_ count: Int, _ stream: AudioStreamBasicDescription = stereo()) throws -> CMSampleBuffer {
    let values = (0..<count * 2).map { Int16($0) }
    let block = try CMBlockBuffer(length: values.count * 2)
    try values.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    var made: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: block, formatDescription: try CMFormatDescription(audioStreamBasicDescription: stream),
        sampleCount: count, presentationTimeStamp: time(1, 1), packetDescriptions: nil, sampleBufferOut: &made) == 0)
    return try #require(made)
  }

  @Test func picture_hasBufferFormatAndTimes() throws {
    let (sample, buffer) = try picture()
    #expect(CMSampleBufferGetImageBuffer(sample) === buffer && CMSampleBufferGetDataBuffer(sample) == nil)
    #expect(CMSampleBufferGetNumSamples(sample) == 1 && CMSampleBufferDataIsReady(sample))
    #expect(sample.presentationTimeStamp == time(2) && sample.duration == time(1) && !sample.decodeTimeStamp.isValid)
    #expect(CMGetAttachment(buffer, key: "x" as CFString, attachmentModeOut: nil) == nil)
    let other = try CMFormatDescription(imageBuffer: try pixels(width: 32))
    #expect(throws: NSError.self) {
      try CMSampleBuffer(imageBuffer: buffer, formatDescription: other, sampleTiming: CMSampleTimingInfo())
    }
  }

  @Test func copy_hasNewTimes_andTheSamePicture() throws {
    let (sample, buffer) = try picture()
    CMSetAttachment(sample, key: "kept" as CFString, value: 1 as CFNumber, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    CMSetAttachment(sample, key: "own" as CFString, value: 2 as CFNumber, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    var timing = CMSampleTimingInfo(duration: time(2), presentationTimeStamp: time(9), decodeTimeStamp: .invalid)
    var made: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateCopyWithNewTiming(
        allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleBufferOut: &made)
        == 0)
    let copy = try #require(made)
    #expect(copy.imageBuffer === buffer && copy.presentationTimeStamp == time(9) && copy.duration == time(2))
    #expect(sample.presentationTimeStamp == time(2))
    var mode: CMAttachmentMode = 7
    #expect(CMGetAttachment(copy, key: "kept" as CFString, attachmentModeOut: &mode) as? Int == 1 && mode == 1)
    #expect(CMGetAttachment(copy, key: "own" as CFString, attachmentModeOut: nil) == nil)
    copy.outputPresentationTimeStamp = time(1)
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(copy) == time(1) && copy.presentationTimeStamp == time(9))
  }

  @Test func timing_ofManySamples_isComputedFromOneEntry() throws {
    let sample = try audio(100)
    #expect(sample.numSamples == 100 && sample.duration == time(100, 48_000) && sample.totalSampleSize == 400)
    #expect(try sample.sampleTimingInfo(at: 48).presentationTimeStamp == time(48_048, 48_000))
    var (info, needed) = (CMSampleTimingInfo(), 0)
    #expect(
      CMSampleBufferGetSampleTimingInfo(sample, at: 100, timingInfoOut: &info) == kCMSampleBufferError_SampleIndexOutOfRange)
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed) == 0)
    #expect(needed == 1)
    let entries = (0..<3).map {
      CMSampleTimingInfo(duration: time(1), presentationTimeStamp: time(9 - $0), decodeTimeStamp: time($0))
    }
    let several = try CMSampleBuffer(
      dataBuffer: nil, formatDescription: nil, numSamples: 3, sampleTimings: entries, sampleSizes: [4, 5, 6])
    #expect(several.presentationTimeStamp == time(7) && several.duration == time(3) && several.totalSampleSize == 15)
    #expect(throws: NSError.self) {
      try CMSampleBuffer(
        dataBuffer: nil, formatDescription: nil, numSamples: 3, sampleTimings: Array(entries.prefix(2)), sampleSizes: [])
    }
  }

  @Test func samples_areSeenAsBuffers() throws {
    try audio(10).withAudioBufferList { list, _ in
      #expect(list.count == 1 && list[0].mNumberChannels == 2 && list[0].mDataByteSize == 40)
      #expect(list[0].mData?.load(fromByteOffset: 38, as: Int16.self) == 19)
    }
    let planar = stereo(
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved)
    let sample = try audio(10, planar)
    try sample.withAudioBufferList { list, _ in
      #expect(list.count == 2 && list[1].mNumberChannels == 1 && list[1].mDataByteSize == 20)
      #expect(list[1].mData?.load(as: Int16.self) == 10)
    }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    let memory = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 8)
    defer { memory.deallocate() }
    for index in 0..<2 {
      list[index] = AudioBuffer(UnsafeMutableBufferPointer(rebasing: memory[index * 4..<index * 4 + 4]), numberOfChannels: 1)
    }
    try sample.copyPCMData(fromRange: 6..<10, into: list.unsafeMutablePointer)
    #expect(Array(memory) == [6, 7, 8, 9, 16, 17, 18, 19])
    #expect(throws: NSError.self) { try sample.copyPCMData(fromRange: 7..<11, into: list.unsafeMutablePointer) }
  }

  @Test func data_areSetOnce_andMadeReadyWhenAsked() throws {
    var made: CMSampleBuffer?
    let format = try CMFormatDescription(audioStreamBasicDescription: stereo())
    let block = try CMBlockBuffer(length: 8)
    CMAudioSampleBufferCreateWithPacketDescriptions(
      allocator: nil, dataBuffer: nil, dataReady: false,
      makeDataReadyCallback: { sample, _ in CMSampleBufferSetDataBuffer(sample, newValue: block) }, refcon: nil,
      formatDescription: format, sampleCount: 2, presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &made)
    let sample = try #require(made)
    #expect(!CMSampleBufferDataIsReady(sample) && sample.dataBuffer == nil)
    try sample.makeDataReady()
    #expect(CMSampleBufferDataIsReady(sample) && sample.dataBuffer === block)
    #expect(CMSampleBufferSetDataBuffer(sample, newValue: block) == kCMSampleBufferError_AlreadyHasDataBuffer)
  }

  @Test func invalidation_letsGoOfTheData_once() throws {
    let (sample, _) = try picture()
    nonisolated(unsafe) var count = 0
    sample.setInvalidateHandler { _ in count += 1 }
    #expect(CMSampleBufferInvalidate(sample) == 0 && CMSampleBufferInvalidate(sample) == kCMSampleBufferError_Invalidated)
    #expect(count == 1 && !CMSampleBufferIsValid(sample) && sample.imageBuffer == nil)
  }

  @Test func eachSample_hasAttachments() throws {
    let sample = try audio(3)
    #expect(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) == nil)
    let list = try #require(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true))
    #expect(CFArrayGetCount(list) == 3)
    (list.object(at: 1) as? NSMutableDictionary)?[kCMSampleAttachmentKey_DependsOnOthers] = true
    let again = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[String: Any]]
    #expect(again?[1]["DependsOnOthers"] as? Bool == true && again?[0].isEmpty == true)
    var firsts: [Int16] = []
    let status = CMSampleBufferCallBlockForEachSample(sample) { one, _ in
      let bytes = try? one.dataBuffer?.dataBytes()
      firsts.append(bytes?.withUnsafeBytes { $0.load(as: Int16.self) } ?? -1)
      return 0
    }
    #expect(status == 0 && firsts == [0, 2, 4])
  }
}
