internal import Compositor
internal import Foundation

extension AVAssetTrack {
  /// The formats of the track's media, one for each that differs: values of `CMFormatDescription`.
  ///
  /// They have what the file states: codec, size and color of pictures, rate and channels of audio. What a decoder needs besides is missing.
  public var formatDescriptions: [Any] { readFormats() }

  func readFormats() -> [CMFormatDescription] {
    guard let source, let info = try? source.facts.info() else { return piecesFormats() }
    if source.type == .video {
      return info.videoTracks.first { $0.index == source.index }.map { [CMFormatDescription($0)] } ?? []
    }
    return info.audioTracks.first { $0.index == source.index }.map { [CMFormatDescription($0)] } ?? []
  }

  /// The formats of the parts of a composition's track.
  private func piecesFormats() -> [CMFormatDescription] {
    guard let asset, let snapshot = try? asset.snapshot(), let track = snapshot.composition.track(trackID) else { return [] }
    var formats: [CMFormatDescription] = []
    for segment in track.segments where !segment.isEmpty {
      guard let file = segment.source.flatMap({ snapshot.files[$0] }), let info = try? file.info() else { continue }
      let format: CMFormatDescription? =
        track.mediaType == .video
        ? info.videoTracks.first { $0.index == segment.sourceTrackIndex }.map { CMFormatDescription($0) }
        : info.audioTracks.first { $0.index == segment.sourceTrackIndex }.map { CMFormatDescription($0) }
      if let format, !formats.contains(format) { formats.append(format) }
    }
    return formats
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The formats of the track's media, one for each that differs.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty("formatDescriptions") { $0.readFormats() }
  }
}

/// Codes of four characters by the compositor's names of codecs.
private let codes: [String: FourCharCode] = [
  "h264": kCMVideoCodecType_H264, "hevc": kCMVideoCodecType_HEVC, "prores": kCMVideoCodecType_AppleProRes422,
  "mjpeg": kCMVideoCodecType_JPEG, "mpeg4": kCMVideoCodecType_MPEG4Video, "vp9": kCMVideoCodecType_VP9,
  "av1": kCMVideoCodecType_AV1, "aac": kAudioFormatMPEG4AAC, "alac": kAudioFormatAppleLossless, "flac": kAudioFormatFLAC,
  "opus": kAudioFormatOpus, "mp3": kAudioFormatMPEGLayer3, "ac3": kAudioFormatAC3, "eac3": kAudioFormatEnhancedAC3,
]

/// The code of a codec; one without a code of Apple's has the first four letters of its name.
private func code(_ codec: String) -> FourCharCode {
  codes[codec] ?? codec.padding(toLength: 4, withPad: " ", startingAt: 0).utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
}

extension CMFormatDescription {
  fileprivate convenience init(_ track: VideoTrackInfo) {
    var values = PixelBufferFormat.attachments(of: track.attributes, alpha: track.format.hasAlpha)
    values[kCMFormatDescriptionExtension_FormatName as String] = track.codec
    values[kCMFormatDescriptionExtension_BitsPerComponent as String] = track.format.bitDepth
    if track.attributes.color.range == .full, !track.format.isRGB {
      values[kCMFormatDescriptionExtension_FullRangeVideo as String] = true
    }
    self.init(
      video: code(track.codec), width: Int32(track.size.width), height: Int32(track.size.height),
      extensions: values as CFDictionary)
  }

  fileprivate convenience init(_ track: AudioTrackInfo) {
    var stream = AudioStreamBasicDescription()
    stream.mSampleRate = Double(track.sampleRate)
    stream.mChannelsPerFrame = UInt32(track.channelCount)
    stream.mFormatID = track.codec.hasPrefix("pcm_") ? kAudioFormatLinearPCM : code(track.codec)
    if let pcm = Self.pcm[track.codec] {
      stream.mFormatFlags = pcm.flags | kAudioFormatFlagIsPacked
      stream.mBitsPerChannel = pcm.bits
      stream.mFramesPerPacket = 1
      stream.mBytesPerFrame = pcm.bits / 8 * UInt32(track.channelCount)
      stream.mBytesPerPacket = stream.mBytesPerFrame
    } else if track.codec == "aac" {
      stream.mFramesPerPacket = 1024
    }
    self.init(audio: stream)
  }

  /// Uncompressed formats by the compositor's names.
  private static let pcm: [String: (flags: AudioFormatFlags, bits: UInt32)] = [
    "pcm_s16le": (kAudioFormatFlagIsSignedInteger, 16), "pcm_s24le": (kAudioFormatFlagIsSignedInteger, 24),
    "pcm_s32le": (kAudioFormatFlagIsSignedInteger, 32), "pcm_f32le": (kAudioFormatFlagIsFloat, 32),
    "pcm_f64le": (kAudioFormatFlagIsFloat, 64),
    "pcm_s16be": (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian, 16),
    "pcm_s24be": (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian, 24),
  ]
}
