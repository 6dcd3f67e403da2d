import AVFoundation

extension UsedNames {
  /// Readers and their outputs.
  mutating func reading() {
    use("AVAssetReader", AVAssetReader.self)
    use("AVAssetReaderAudioMixOutput", AVAssetReaderAudioMixOutput.self)
    use("AVAssetReaderOutput", AVAssetReaderOutput.self)
    use("AVAssetReaderTrackOutput", AVAssetReaderTrackOutput.self)
    use("AVAssetReaderVideoCompositionOutput", AVAssetReaderVideoCompositionOutput.self)
    use("AVAssetReader.init(asset:)", { try AVAssetReader(asset: $0) } as (AVAsset) throws -> AVAssetReader)
    use(
      "AVAssetReaderAudioMixOutput.init(audioTracks:audioSettings:)",
      AVAssetReaderAudioMixOutput.init(audioTracks:audioSettings:))
    use("AVAssetReaderTrackOutput.init(track:outputSettings:)", AVAssetReaderTrackOutput.init(track:outputSettings:))
    use(
      "AVAssetReaderVideoCompositionOutput.init(videoTracks:videoSettings:)",
      AVAssetReaderVideoCompositionOutput.init(videoTracks:videoSettings:))
    use("AVAssetReader.add(_:)", { $0.add($1) } as (AVAssetReader, AVAssetReaderOutput) -> Void)
    use("AVAssetReader.asset", \AVAssetReader.asset)
    use("AVAssetReader.canAdd(_:)", { $0.canAdd($1) } as (AVAssetReader, AVAssetReaderOutput) -> Bool)
    use("AVAssetReader.cancelReading()", { $0.cancelReading() } as (AVAssetReader) -> Void)
    use("AVAssetReader.error", \AVAssetReader.error)
    use("AVAssetReader.startReading()", { $0.startReading() } as (AVAssetReader) -> Bool)
    use("AVAssetReader.status", \AVAssetReader.status)
    use("AVAssetReader.timeRange", \AVAssetReader.timeRange)
    use("AVAssetReaderAudioMixOutput.audioMix", \AVAssetReaderAudioMixOutput.audioMix)
    use("AVAssetReaderOutput.alwaysCopiesSampleData", \AVAssetReaderOutput.alwaysCopiesSampleData)
    use("AVAssetReaderOutput.copyNextSampleBuffer()", { $0.copyNextSampleBuffer() } as (AVAssetReaderOutput) -> CMSampleBuffer?)
    use("AVAssetReaderOutput.mediaType", \AVAssetReaderOutput.mediaType)
    use("AVAssetReaderVideoCompositionOutput.videoComposition", \AVAssetReaderVideoCompositionOutput.videoComposition)
  }

  /// Writers and their inputs.
  mutating func writing() {
    use("AVAssetWriter", AVAssetWriter.self)
    use("AVAssetWriterInput", AVAssetWriterInput.self)
    use("AVAssetWriterInputPixelBufferAdaptor", AVAssetWriterInputPixelBufferAdaptor.self)
    use(
      "AVAssetWriter.init(outputURL:fileType:)",
      { try AVAssetWriter(outputURL: $0, fileType: .mov) } as (URL) throws -> AVAssetWriter)
    use("AVAssetWriter.init(url:fileType:)", { try AVAssetWriter(url: $0, fileType: .mov) } as (URL) throws -> AVAssetWriter)
    use(
      "AVAssetWriterInput.init(mediaType:outputSettings:)",
      { AVAssetWriterInput(mediaType: $0, outputSettings: nil) } as (AVMediaType) -> AVAssetWriterInput)
    use(
      "AVAssetWriterInputPixelBufferAdaptor.init(assetWriterInput:sourcePixelBufferAttributes:)",
      AVAssetWriterInputPixelBufferAdaptor.init(assetWriterInput:sourcePixelBufferAttributes:))
    use("AVAssetWriter.add(_:)", { $0.add($1) } as (AVAssetWriter, AVAssetWriterInput) -> Void)
    use("AVAssetWriter.canAdd(_:)", { $0.canAdd($1) } as (AVAssetWriter, AVAssetWriterInput) -> Bool)
    use("AVAssetWriter.cancelWriting()", { $0.cancelWriting() } as (AVAssetWriter) -> Void)
    use("AVAssetWriter.error", \AVAssetWriter.error)
    use("AVAssetWriter.finishWriting()", { await $0.finishWriting() } as (AVAssetWriter) async -> Void)
    use("AVAssetWriter.finishWriting(completionHandler:)", { $0.finishWriting {} } as (AVAssetWriter) -> Void)
    use("AVAssetWriter.metadata", \AVAssetWriter.metadata)
    use("AVAssetWriter.outputFileType", \AVAssetWriter.outputFileType)
    use("AVAssetWriter.outputURL", \AVAssetWriter.outputURL)
    use("AVAssetWriter.shouldOptimizeForNetworkUse", \AVAssetWriter.shouldOptimizeForNetworkUse)
    use("AVAssetWriter.startSession(atSourceTime:)", { $0.startSession(atSourceTime: .zero) } as (AVAssetWriter) -> Void)
    use("AVAssetWriter.startWriting()", { $0.startWriting() } as (AVAssetWriter) -> Bool)
    use("AVAssetWriter.status", \AVAssetWriter.status)
    use("AVAssetWriterInput.append(_:)", { $0.append($1) } as (AVAssetWriterInput, CMSampleBuffer) -> Bool)
    use("AVAssetWriterInput.expectsMediaDataInRealTime", \AVAssetWriterInput.expectsMediaDataInRealTime)
    use("AVAssetWriterInput.isReadyForMoreMediaData", \AVAssetWriterInput.isReadyForMoreMediaData)
    use("AVAssetWriterInput.markAsFinished()", { $0.markAsFinished() } as (AVAssetWriterInput) -> Void)
    use("AVAssetWriterInput.mediaType", \AVAssetWriterInput.mediaType)
    use("AVAssetWriterInput.metadata", \AVAssetWriterInput.metadata)
    use("AVAssetWriterInput.naturalSize", \AVAssetWriterInput.naturalSize)
    use(
      "AVAssetWriterInput.requestMediaDataWhenReady(on:using:)",
      { $0.requestMediaDataWhenReady(on: .main) {} } as (AVAssetWriterInput) -> Void)
    use("AVAssetWriterInput.transform", \AVAssetWriterInput.transform)
    use(
      "AVAssetWriterInputPixelBufferAdaptor.append(_:withPresentationTime:)",
      { $0.append($1, withPresentationTime: .zero) } as (AVAssetWriterInputPixelBufferAdaptor, CVPixelBuffer) -> Bool)
    use("AVAssetWriterInputPixelBufferAdaptor.pixelBufferPool", \AVAssetWriterInputPixelBufferAdaptor.pixelBufferPool)
  }

  /// Sample buffers, formats and metadata.
  mutating func samples() {
    use("AVMetadataItem", AVMetadataItem.self)
    use("AVAsset.metadata", { $0.metadata } as (AVAsset) -> [AVMetadataItem])
    use("AVAssetExportSession.metadata", \AVAssetExportSession.metadata)
    use("AVAssetTrack.formatDescriptions", { $0.formatDescriptions } as (AVAssetTrack) -> [Any])
    use("AVAssetTrack.metadata", { $0.metadata } as (AVAssetTrack) -> [AVMetadataItem])
    use("AVCompositionTrack.formatDescriptions", { $0.formatDescriptions } as (AVCompositionTrack) -> [Any])
    use("AVMediaType.metadata", AVMediaType.metadata)
    use("AVMetadataItem.duration", \AVMetadataItem.duration)
    use("AVMetadataItem.identifier", \AVMetadataItem.identifier)
    use("AVMetadataItem.key", \AVMetadataItem.key)
    use("AVMetadataItem.keySpace", \AVMetadataItem.keySpace)
    use("AVMetadataItem.stringValue", \AVMetadataItem.stringValue)
    use("AVMetadataItem.time", \AVMetadataItem.time)
    use("AVMetadataItem.value", \AVMetadataItem.value)
    use("AVMutableMetadataItem.duration", \AVMutableMetadataItem.duration)
    use("AVMutableMetadataItem.identifier", \AVMutableMetadataItem.identifier)
    use("AVMutableMetadataItem.key", \AVMutableMetadataItem.key)
    use("AVMutableMetadataItem.keySpace", \AVMutableMetadataItem.keySpace)
    use("AVMutableMetadataItem.stringValue", \AVMutableMetadataItem.stringValue)
    use("AVMutableMetadataItem.time", \AVMutableMetadataItem.time)
    use("AVMutableMetadataItem.value", \AVMutableMetadataItem.value)
    use("AVPartialAsyncProperty.formatDescriptions", AVPartialAsyncProperty<AVAssetTrack>.formatDescriptions)
    use("CMFormatDescription.mediaType", \CMFormatDescription.mediaType)
    use("CMSampleBuffer.duration", \CMSampleBuffer.duration)
    use("CMSampleTimingInfo.duration", \CMSampleTimingInfo.duration)
    use("AudioChannelLayout", AudioChannelLayout.self)
    use("AudioFormatID", AudioFormatID.self)
    use("AudioChannelLayout.init()", AudioChannelLayout.init as () -> AudioChannelLayout)
    use("CMFormatDescription", CMFormatDescription.self)
    use("CMSampleBuffer", CMSampleBuffer.self)
    use("CMSampleTimingInfo", CMSampleTimingInfo.self)
    use("CMFormatDescription.extensions", \CMFormatDescription.extensions)
    use("CMSampleBuffer.isValid", \CMSampleBuffer.isValid)
    use("CMSampleTimingInfo.invalid", CMSampleTimingInfo.invalid)
  }

  /// More of them.
  mutating func moreSamples() {
    use(
      "CMAudioFormatDescriptionGetStreamBasicDescription(_:)",
      { CMAudioFormatDescriptionGetStreamBasicDescription($0) }
        as (CMAudioFormatDescription) -> UnsafePointer<AudioStreamBasicDescription>?)
    use("CMFormatDescriptionGetMediaSubType(_:)", CMFormatDescriptionGetMediaSubType(_:))
    use("CMSampleBufferGetImageBuffer(_:)", CMSampleBufferGetImageBuffer(_:))
    use("CMSampleBufferGetPresentationTimeStamp(_:)", CMSampleBufferGetPresentationTimeStamp(_:))
  }

  /// Keys and values of settings.
  mutating func streamSettings() {
    use("AVChannelLayoutKey", AVChannelLayoutKey)
    use("AVEncoderBitRateKey", AVEncoderBitRateKey)
    use("AVFormatIDKey", AVFormatIDKey)
    use("AVNumberOfChannelsKey", AVNumberOfChannelsKey)
    use("AVSampleRateKey", AVSampleRateKey)
    use("AVVideoCodecType", AVVideoCodecType.self)
    use("AVVideoCodecType.hevc", AVVideoCodecType.hevc)
    use("AVVideoCodecType.proRes4444", AVVideoCodecType.proRes4444)
    use("AVVideoAverageBitRateKey", AVVideoAverageBitRateKey)
    use("AVVideoCodecKey", AVVideoCodecKey)
    use("AVVideoCompressionPropertiesKey", AVVideoCompressionPropertiesKey)
    use("AVVideoHeightKey", AVVideoHeightKey)
    use("AVVideoMaxKeyFrameIntervalKey", AVVideoMaxKeyFrameIntervalKey)
    use("AVVideoProfileLevelH264HighAutoLevel", AVVideoProfileLevelH264HighAutoLevel)
    use("AVVideoProfileLevelKey", AVVideoProfileLevelKey)
    use("AVVideoQualityKey", AVVideoQualityKey)
    use("AVVideoScalingModeKey", AVVideoScalingModeKey)
    use("AVVideoScalingModeResizeAspectFill", AVVideoScalingModeResizeAspectFill)
    use("AVVideoWidthKey", AVVideoWidthKey)
    use("kAudioFormatLinearPCM", kAudioFormatLinearPCM)
    use("kAudioFormatMPEG4AAC", kAudioFormatMPEG4AAC)
  }
}
