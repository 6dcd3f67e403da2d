import AVFoundation

extension UsedNames {
  /// Types of AVFoundation.
  mutating func types() {
    use("AVAsset", AVAsset.self)
    use("AVAssetExportSession", AVAssetExportSession.self)
    use("AVAssetImageGenerator", AVAssetImageGenerator.self)
    use("AVAssetTrack", AVAssetTrack.self)
    use("AVAsynchronousVideoCompositionRequest", AVAsynchronousVideoCompositionRequest.self)
    use("AVAudioMix", AVAudioMix.self)
    use("AVComposition", AVComposition.self)
    use("AVCompositionTrack", AVCompositionTrack.self)
    use("AVFileType", AVFileType.self)
    use("AVMediaType", AVMediaType.self)
    use("AVMutableAudioMix", AVMutableAudioMix.self)
    use("AVMutableAudioMixInputParameters", AVMutableAudioMixInputParameters.self)
    use("AVMutableComposition", AVMutableComposition.self)
    use("AVMutableCompositionTrack", AVMutableCompositionTrack.self)
    use("AVMutableVideoComposition", AVMutableVideoComposition.self)
    use("AVMutableVideoCompositionInstruction", AVMutableVideoCompositionInstruction.self)
    use("AVMutableVideoCompositionLayerInstruction", AVMutableVideoCompositionLayerInstruction.self)
    use("AVURLAsset", AVURLAsset.self)
    use("AVVideoCompositing", (any AVVideoCompositing).self)
    use("AVVideoComposition", AVVideoComposition.self)
    use("AVVideoCompositionCoreAnimationTool", AVVideoCompositionCoreAnimationTool.self)
    use("AVVideoCompositionInstruction", AVVideoCompositionInstruction.self)
    use("AVVideoCompositionInstructionProtocol", (any AVVideoCompositionInstructionProtocol).self)
    use("AVVideoCompositionLayerInstruction", AVVideoCompositionLayerInstruction.self)
    use("AVVideoCompositionRenderContext", AVVideoCompositionRenderContext.self)
  }

  /// Assets and their tracks.
  mutating func assets() {
    use("AVAsset.init(url:)", AVAsset.init(url:))
    use("AVURLAsset.init(url:)", { AVURLAsset(url: $0) } as (URL) -> AVURLAsset)
    use("AVURLAsset.init(url:options:)", AVURLAsset.init(url:options:))
    use("AVAsset.duration", \AVAsset.duration)
    use(
      "AVAsset.loadTracks(withMediaType:)",
      { try await $0.loadTracks(withMediaType: .video) } as (AVAsset) async throws -> [AVAssetTrack])
    use("AVAsset.naturalSize", \AVAsset.naturalSize)
    use("AVAsset.preferredTransform", \AVAsset.preferredTransform)
    use("AVAsset.preferredVolume", \AVAsset.preferredVolume)
    use("AVAsset.track(withTrackID:)", { $0.track(withTrackID: 1) } as (AVAsset) -> AVAssetTrack?)
    use("AVAsset.tracks", { $0.tracks } as (AVAsset) -> [AVAssetTrack])
    use("AVAsset.tracks(withMediaType:)", { $0.tracks(withMediaType: .audio) } as (AVAsset) -> [AVAssetTrack])
    use("AVAssetTrack.asset", \AVAssetTrack.asset)
    use("AVAssetTrack.estimatedDataRate", \AVAssetTrack.estimatedDataRate)
    use("AVAssetTrack.mediaType", \AVAssetTrack.mediaType)
    use("AVAssetTrack.minFrameDuration", \AVAssetTrack.minFrameDuration)
    use("AVAssetTrack.naturalSize", \AVAssetTrack.naturalSize)
    use("AVAssetTrack.nominalFrameRate", \AVAssetTrack.nominalFrameRate)
    use("AVAssetTrack.preferredTransform", \AVAssetTrack.preferredTransform)
    use("AVAssetTrack.preferredVolume", \AVAssetTrack.preferredVolume)
    use("AVAssetTrack.segments", { $0.segments } as (AVAssetTrack) -> [AVAssetTrackSegment])
    use("AVAssetTrack.timeRange", \AVAssetTrack.timeRange)
    use("AVAssetTrack.trackID", \AVAssetTrack.trackID)
    use("AVAsynchronousKeyValueLoading.load(_:)", { try await $0.load(.duration) } as (AVAsset) async throws -> CMTime)
    use(
      "AVAsynchronousKeyValueLoading.loadValuesAsynchronously(forKeys:completionHandler:)",
      { $0.loadValuesAsynchronously(forKeys: ["tracks"]) {} } as (AVAssetTrack) -> Void)
    use(
      "AVAsynchronousKeyValueLoading.statusOfValue(forKey:error:)",
      { $0.statusOfValue(forKey: "tracks", error: nil) } as (AVAsset) -> AVKeyValueStatus)
    use("AVFileType.m4a", AVFileType.m4a)
    use("AVFileType.m4v", AVFileType.m4v)
    use("AVFileType.mov", AVFileType.mov)
    use("AVFileType.mp3", AVFileType.mp3)
    use("AVFileType.mp4", AVFileType.mp4)
    use("AVFileType.wav", AVFileType.wav)
    use("AVMediaType.audio", AVMediaType.audio)
    use("AVMediaType.timecode", AVMediaType.timecode)
    use("AVMediaType.video", AVMediaType.video)
    use("AVPartialAsyncProperty.duration", AVPartialAsyncProperty<AVAsset>.duration)
    use("AVPartialAsyncProperty.estimatedDataRate", AVPartialAsyncProperty<AVAssetTrack>.estimatedDataRate)
    use("AVPartialAsyncProperty.nominalFrameRate", AVPartialAsyncProperty<AVAssetTrack>.nominalFrameRate)
    use("AVPartialAsyncProperty.preferredTransform", AVPartialAsyncProperty<AVAssetTrack>.preferredTransform)
    use("AVPartialAsyncProperty.segments", AVPartialAsyncProperty<AVAssetTrack>.segments)
  }

  /// Export sessions and image generators.
  mutating func outputs() {
    use("AVAssetExportSession.init(asset:presetName:)", AVAssetExportSession.init(asset:presetName:))
    use("AVAssetImageGenerator.init(asset:)", AVAssetImageGenerator.init(asset:))
    use("AVAssetExportSession.asset", \AVAssetExportSession.asset)
    use("AVAssetExportSession.audioMix", \AVAssetExportSession.audioMix)
    use("AVAssetExportSession.cancelExport()", AVAssetExportSession.cancelExport)
    use("AVAssetExportSession.error", \AVAssetExportSession.error)
    use("AVAssetExportSession.export()", { await $0.export() } as (AVAssetExportSession) async -> Void)
    use(
      "AVAssetExportSession.export(to:as:)",
      { try await $0.export(to: $1, as: .mov) } as (AVAssetExportSession, URL) async throws -> Void)
    use(
      "AVAssetExportSession.exportAsynchronously(completionHandler:)",
      AVAssetExportSession.exportAsynchronously(completionHandler:))
    use("AVAssetExportSession.outputFileType", \AVAssetExportSession.outputFileType)
    use("AVAssetExportSession.outputURL", \AVAssetExportSession.outputURL)
    use("AVAssetExportSession.progress", \AVAssetExportSession.progress)
    use("AVAssetExportSession.shouldOptimizeForNetworkUse", \AVAssetExportSession.shouldOptimizeForNetworkUse)
    use("AVAssetExportSession.status", \AVAssetExportSession.status)
    use("AVAssetExportSession.timeRange", \AVAssetExportSession.timeRange)
    use("AVAssetExportSession.videoComposition", \AVAssetExportSession.videoComposition)
    use("AVAssetImageGenerator.appliesPreferredTrackTransform", \AVAssetImageGenerator.appliesPreferredTrackTransform)
    use("AVAssetImageGenerator.asset", \AVAssetImageGenerator.asset)
    use(
      "AVAssetImageGenerator.image(at:)",
      { try await $0.image(at: .zero).image } as (AVAssetImageGenerator) async throws -> CGImage)
    use("AVAssetImageGenerator.maximumSize", \AVAssetImageGenerator.maximumSize)
    use("AVAssetImageGenerator.requestedTimeToleranceAfter", \AVAssetImageGenerator.requestedTimeToleranceAfter)
    use("AVAssetImageGenerator.requestedTimeToleranceBefore", \AVAssetImageGenerator.requestedTimeToleranceBefore)
    use("AVAssetImageGenerator.videoComposition", \AVAssetImageGenerator.videoComposition)
  }

  /// Constants of AVFoundation.
  mutating func constants() {
    use("AVAssetExportPresetAppleM4A", AVAssetExportPresetAppleM4A)
    use("AVAssetExportPresetHEVCHighestQuality", AVAssetExportPresetHEVCHighestQuality)
    use("AVAssetExportPresetHighestQuality", AVAssetExportPresetHighestQuality)
    use("AVAssetExportPresetMediumQuality", AVAssetExportPresetMediumQuality)
    use("AVAssetExportPresetPassthrough", AVAssetExportPresetPassthrough)
    use("AVCoreAnimationBeginTimeAtZero", AVCoreAnimationBeginTimeAtZero)
    use("AVURLAssetPreferPreciseDurationAndTimingKey", AVURLAssetPreferPreciseDurationAndTimingKey)
    use("AVVideoColorPrimariesKey", AVVideoColorPrimariesKey)
    use("AVVideoColorPropertiesKey", AVVideoColorPropertiesKey)
    use("AVVideoTransferFunctionKey", AVVideoTransferFunctionKey)
    use("AVVideoTransferFunction_ITU_R_2100_HLG", AVVideoTransferFunction_ITU_R_2100_HLG)
    use("AVVideoYCbCrMatrixKey", AVVideoYCbCrMatrixKey)
  }
}
