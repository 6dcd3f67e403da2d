import CoreMedia
import CoreVideo
import Testing

/// A format of uncompressed audio: 16-bit integers, interleaved, at 48 kHz.
func stereo(_ flags: AudioFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bytes: UInt32 = 2)
  -> AudioStreamBasicDescription
{
  let frame = flags & kAudioFormatFlagIsNonInterleaved == 0 ? bytes * 2 : bytes
  return AudioStreamBasicDescription(
    mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: frame, mFramesPerPacket: 1,
    mBytesPerFrame: frame, mChannelsPerFrame: 2, mBitsPerChannel: bytes * 8, mReserved: 0)
}

/// A pixel buffer of zeros.
func pixels(width: Int = 16, height: Int = 8, _ format: OSType = kCVPixelFormatType_32BGRA) throws -> CVPixelBuffer {
  var made: CVPixelBuffer?
  #expect(CVPixelBufferCreate(nil, width, height, format, nil, &made) == kCVReturnSuccess)
  return try #require(made)
}

@Suite struct FormatDescriptionTests {
  @Test func picture_isDescribedByItsBuffer() throws {
    let buffer = try pixels()
    CVBufferSetAttachment(
      buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020, .shouldPropagate)
    CVBufferSetAttachment(
      buffer, kCVImageBufferPixelAspectRatioKey,
      ["HorizontalSpacing": 3, "VerticalSpacing": 2] as NSDictionary, .shouldPropagate)
    CVBufferSetAttachment(buffer, "Mine" as CFString, 1 as CFNumber, .shouldNotPropagate)
    var made: CMVideoFormatDescription?
    #expect(
      CMVideoFormatDescriptionCreateForImageBuffer(allocator: nil, imageBuffer: buffer, formatDescriptionOut: &made) == 0)
    let format = try #require(made)
    #expect(format.mediaType == .video && CMFormatDescriptionGetMediaType(format) == kCMMediaType_Video)
    #expect(CMFormatDescriptionGetMediaSubType(format) == kCVPixelFormatType_32BGRA)
    let size = CMVideoFormatDescriptionGetDimensions(format)
    #expect(size.width == 16 && size.height == 8)
    #expect(format.presentationDimensions() == CGSize(width: 24, height: 8))
    #expect(format.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_2020) && format.extensions[.yCbCrMatrix] == nil)
    #expect(format.extensions.count == 2)
    let raw = CMFormatDescriptionGetExtension(format, extensionKey: kCMFormatDescriptionExtension_ColorPrimaries) as? String
    #expect(raw == kCMFormatDescriptionColorPrimaries_ITU_R_2020 as String)
    #expect(CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: buffer))
    #expect(!CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: try pixels()))
  }

  @Test func descriptions_areEqual_whenTheySayTheSame() throws {
    func make(_ width: Int32, _ extensions: CFDictionary? = nil) -> CMFormatDescription? {
      var made: CMFormatDescription?
      CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: kCMVideoCodecType_H264, width: width, height: 90, extensions: extensions,
        formatDescriptionOut: &made)
      return made
    }
    #expect(make(160) == make(160) && make(160)?.hashValue == make(160)?.hashValue)
    #expect(make(160) != make(162) && make(160) != make(160, ["FormatName": "x"] as NSDictionary))
    #expect(make(0) == nil)
    #expect(make(160)?.mediaSubType == .h264 && "\(CMFormatDescription.MediaSubType.h264)" == "avc1")
  }

  @Test func audio_hasStreamLayoutAndCookie() throws {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    var stream = stereo()
    let cookie: [UInt8] = [1, 2, 3]
    var made: CMAudioFormatDescription?
    // The first three fields are a whole layout if the tag names the order.
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &stream, layoutSize: 12, layout: &layout, magicCookieSize: 3, magicCookie: cookie,
        extensions: nil, formatDescriptionOut: &made) == 0)
    let format = try #require(made)
    #expect(format.mediaType == .audio && format.mediaSubType == .linearPCM)
    let basic = CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee
    #expect(basic?.mSampleRate == 48_000 && basic?.mBytesPerFrame == 4 && basic?.mChannelsPerFrame == 2)
    #expect(
      CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: nil)?.pointee.mChannelLayoutTag == layout.mChannelLayoutTag)
    #expect(format.magicCookie == Data(cookie))
    #expect(try format != CMFormatDescription(audioStreamBasicDescription: stream))
    #expect(CMAudioFormatDescriptionGetStreamBasicDescription(try CMFormatDescription(imageBuffer: try pixels())) == nil)
  }
}
