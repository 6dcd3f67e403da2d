internal import Compositor
internal import Foundation

extension AVAssetWriterInput {
  /// Whether samples are written as they are.
  var isCopied: Bool { outputSettings == nil && uncompressedSettings == nil }

  /// Settings for samples that are not compressed, if the hint says that they are such and were not read from a file.
  var uncompressedSettings: [String: Any]? {
    guard mediaType == .audio, let hint = sourceFormatHint, hint.origin == nil, let stream = hint.audioStreamBasicDescription,
      stream.mFormatID == kAudioFormatLinearPCM
    else { return nil }
    return [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: stream.mSampleRate,
      AVNumberOfChannelsKey: Int(stream.mChannelsPerFrame), AVLinearPCMBitDepthKey: Int(stream.mBitsPerChannel),
      AVLinearPCMIsFloatKey: stream.mFormatFlags & kAudioFormatFlagIsFloat != 0,
      AVLinearPCMIsBigEndianKey: stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0, AVLinearPCMIsNonInterleaved: false,
    ]
  }

  /// What is to be copied.
  ///
  /// - Throws: `.formatUnsupported`: a format that the file cannot hold, or that must be known before.
  func copied(in container: MovieContainer) throws(AVError) -> WriterPlan.Copied {
    guard mediaType == .audio || mediaType == .video && !container.isAudioOnly else {
      throw AVError(.formatUnsupported, "A .\(container.rawValue) file cannot hold samples of \(mediaType.rawValue).")
    }
    guard sourceFormatHint != nil || container == .mov else {
      throw AVError(
        .formatUnsupported, "A .\(container.rawValue) file is to hold samples of an unknown format.",
        suggestion: "Pass sourceFormatHint to AVAssetWriterInput, or write AVFileType.mov.")
    }
    let source = try hintedSource()
    if let source {
      let type = source.origin.track.mediaType
      let isHeld = try source.use { (reader) throws(CompositorError) in
        try CodedMediaWriter.canCopy(source.origin.track, of: reader, to: container)
      }
      guard isHeld, AVMediaType(type) == mediaType else {
        throw AVError(
          .formatUnsupported, "A .\(container.rawValue) file cannot hold samples of this format.",
          suggestion: "Write AVFileType.mov, or pass outputSettings, so that they are encoded.")
      }
    }
    return WriterPlan.Copied(
      type: mediaType == .video ? .video : .audio, source: source, transform: mediaType == .video ? transform : nil,
      language: extendedLanguageTag ?? languageCode, title: title(in: container))
  }

  /// The title of the track; `nil` if it has none, and for files of audio, which have no place for it.
  func title(in container: MovieContainer) -> String? {
    let item = metadata.first { $0.commonKey == .commonKeyTitle }
    return container.isAudioOnly ? nil : item?.stringValue
  }

  /// A sample as it is written, at the times of the buffer.
  ///
  /// - Throws: `.formatUnsupported` for samples that no reader has made, and those whose bytes were changed.
  func coded(_ buffer: CMSampleBuffer) throws(AVError) -> CodedPayload {
    guard let payload = buffer.origin as? CodedPayload, AVMediaType(payload.sample.track.mediaType) == mediaType,
      let bytes = buffer.dataBuffer
    else {
      throw AVError(
        .formatUnsupported, "An input without outputSettings takes samples that a reader gives as they are stored.",
        suggestion: "Pass nil as outputSettings of the AVAssetReaderTrackOutput, or outputSettings to AVAssetWriterInput.")
    }
    let isSame = try? bytes.withContiguousStorage { bytes in
      payload.sample.withUnsafeBytes { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }
    guard isSame == true else {
      throw AVError(.formatUnsupported, "The bytes of a coded sample were changed. Only its times can be.")
    }
    var sample = payload.sample
    let time = buffer.presentationTimeStamp.media
    let shift = sample.presentationTime.map { time - $0 } ?? .zero
    sample.decodeTime = buffer.decodeTimeStamp.isNumeric ? buffer.decodeTimeStamp.media : sample.decodeTime.map { $0 + shift }
    sample.presentationTime = time
    if buffer.duration.isNumeric { sample.duration = buffer.duration.media }
    return CodedPayload(sample: sample, source: payload.source)
  }
}
