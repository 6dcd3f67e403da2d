internal import Compositor
internal import Foundation

extension AVAssetTrack {
  /// The formats of the track's media, one for each that differs: values of `CMFormatDescription`.
  ///
  /// They have what the file states: codec, size and color of pictures, rate and channels of audio, and what a decoder needs besides:
  /// `avcC` and the like under `SampleDescriptionExtensionAtoms`, the magic cookie of audio.
  public var formatDescriptions: [Any] { readFormats() }

  func readFormats() -> [CMFormatDescription] {
    guard let source else { return piecesFormats() }
    return CMFormatDescription.of(CodedTrack(source.type, source.index), source.facts).map { [$0] } ?? []
  }

  /// The formats of the parts of a composition's track.
  private func piecesFormats() -> [CMFormatDescription] {
    guard let asset, let snapshot = try? asset.snapshot(), let track = snapshot.composition.track(trackID) else { return [] }
    var formats: [CMFormatDescription] = []
    for segment in track.segments where !segment.isEmpty {
      guard let file = segment.source.flatMap({ snapshot.files[$0] }) else { continue }
      let format = CMFormatDescription.of(CodedTrack(track.mediaType, segment.sourceTrackIndex), file)
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

/// The code of pictures, as files of the MPEG-4 family state it.
private func code(of track: VideoTrackInfo) -> FourCharCode {
  let tag = track.storage?.codecTag.map { Array($0.utf8) } ?? []
  guard tag.count == 4, Set(["h264", "hevc", "prores", "av1", "vp9"]).contains(track.codec) else { return code(track.codec) }
  // AVI files have codes of their own.
  let known: Set<String> = [
    "avc1", "avc3", "hvc1", "hev1", "apcn", "apch", "apcs", "apco", "ap4h", "ap4x", "av01", "vp09",
  ]
  guard known.contains(String(decoding: tag, as: UTF8.self)) else { return code(track.codec) }
  return tag.reduce(0) { $0 << 8 | UInt32($1) }
}

extension CMFormatDescription {
  /// The format of a track of a file; `nil` if there is no such track.
  static func of(_ track: CodedTrack, _ facts: AssetFacts) -> CMFormatDescription? {
    guard let info = try? facts.info() else { return nil }
    let origin = CodedOrigin(path: facts.url.path, track: track)
    return track.mediaType == .video
      ? info.videoTracks.first { $0.index == track.index }.map { CMFormatDescription($0, origin) }
      : info.audioTracks.first { $0.index == track.index }.map { CMFormatDescription($0, origin) }
  }

  /// Names of the atoms that hold what a decoder needs.
  private static let atoms = ["h264": "avcC", "hevc": "hvcC", "av1": "av1C", "vp9": "vpcC"]

  private convenience init(_ track: VideoTrackInfo, _ origin: CodedOrigin) {
    var values = PixelBufferFormat.attachments(of: track.attributes, alpha: track.format.hasAlpha)
    values[kCMFormatDescriptionExtension_FormatName as String] = track.codec
    values[kCMFormatDescriptionExtension_BitsPerComponent as String] = track.format.bitDepth
    if track.attributes.color.range == .full, !track.format.isRGB {
      values[kCMFormatDescriptionExtension_FullRangeVideo as String] = true
    }
    // Parameter sets between start codes, as transport streams have them, are no atom.
    if let atom = Self.atoms[track.codec], let extra = track.storage?.extraData, let first = extra.first, first != 0 {
      let atoms: NSDictionary = [atom: NSData(data: Data(extra))]
      values[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms as String] = atoms
    }
    self.init(
      video: code(of: track), width: Int32(track.size.width), height: Int32(track.size.height),
      extensions: values as CFDictionary, origin: origin)
  }

  private convenience init(_ track: AudioTrackInfo, _ origin: CodedOrigin) {
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
    let extra = track.storage?.extraData ?? []
    self.init(
      audio: stream, layout: Self.layouts[track.channelCount].map { ManagedAudioChannelLayout(tag: $0) },
      cookie: extra.isEmpty ? nil : NSData(data: Data(extra)), origin: origin)
  }

  /// The order in which decoders give channels, by their number.
  private static let layouts: [Int: AudioChannelLayoutTag] = [
    1: kAudioChannelLayoutTag_Mono, 2: kAudioChannelLayoutTag_Stereo, 6: kAudioChannelLayoutTag_MPEG_5_1_A,
    8: kAudioChannelLayoutTag_MPEG_7_1_C,
  ]

  /// Uncompressed formats by the compositor's names.
  private static let pcm: [String: (flags: AudioFormatFlags, bits: UInt32)] = [
    "pcm_s16le": (kAudioFormatFlagIsSignedInteger, 16), "pcm_s24le": (kAudioFormatFlagIsSignedInteger, 24),
    "pcm_s32le": (kAudioFormatFlagIsSignedInteger, 32), "pcm_f32le": (kAudioFormatFlagIsFloat, 32),
    "pcm_f64le": (kAudioFormatFlagIsFloat, 64),
    "pcm_s16be": (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian, 16),
    "pcm_s24be": (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian, 24),
  ]
}
