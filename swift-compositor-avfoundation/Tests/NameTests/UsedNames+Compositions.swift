import AVFoundation

extension UsedNames {
  /// Audio mixes.
  mutating func mixes() {
    use("AVMutableAudioMix.init()", AVMutableAudioMix.init)
    use("AVMutableAudioMixInputParameters.init(track:)", AVMutableAudioMixInputParameters.init(track:))
    use("AVAudioMix.inputParameters", \AVAudioMix.inputParameters)
    use("AVAudioMixInputParameters.trackID", \AVAudioMixInputParameters.trackID)
    use("AVMutableAudioMix.inputParameters", \AVMutableAudioMix.inputParameters)
    use(
      "AVMutableAudioMixInputParameters.setVolumeRamp(fromStartVolume:toEndVolume:timeRange:)",
      AVMutableAudioMixInputParameters.setVolumeRamp(fromStartVolume:toEndVolume:timeRange:))
    use("AVMutableAudioMixInputParameters.trackID", \AVMutableAudioMixInputParameters.trackID)
  }

  /// Compositions and their tracks.
  mutating func compositions() {
    use("AVMutableComposition.init()", AVMutableComposition.init as () -> AVMutableComposition)
    use("AVComposition.duration", \AVComposition.duration)
    use(
      "AVComposition.loadTracks(withMediaType:)",
      { try await $0.loadTracks(withMediaType: .video) } as (AVComposition) async throws -> [AVCompositionTrack])
    use("AVComposition.naturalSize", \AVComposition.naturalSize)
    use("AVComposition.preferredTransform", \AVComposition.preferredTransform)
    use("AVComposition.track(withTrackID:)", { $0.track(withTrackID: 1) } as (AVComposition) -> AVCompositionTrack?)
    use("AVComposition.tracks", { $0.tracks } as (AVComposition) -> [AVCompositionTrack])
    use("AVComposition.tracks(withMediaType:)", { $0.tracks(withMediaType: .audio) } as (AVComposition) -> [AVCompositionTrack])
    use("AVCompositionTrack.estimatedDataRate", \AVCompositionTrack.estimatedDataRate)
    use("AVCompositionTrack.minFrameDuration", \AVCompositionTrack.minFrameDuration)
    use("AVCompositionTrack.naturalSize", \AVCompositionTrack.naturalSize)
    use("AVCompositionTrack.nominalFrameRate", \AVCompositionTrack.nominalFrameRate)
    use("AVCompositionTrack.preferredTransform", \AVCompositionTrack.preferredTransform)
    use("AVCompositionTrack.segments", { $0.segments } as (AVCompositionTrack) -> [AVCompositionTrackSegment])
    use("AVCompositionTrack.timeRange", \AVCompositionTrack.timeRange)
    use(
      "AVMutableComposition.addMutableTrack(withMediaType:preferredTrackID:)",
      AVMutableComposition.addMutableTrack(withMediaType:preferredTrackID:))
    use(
      "AVMutableComposition.insertTimeRange(_:of:at:)",
      { try $0.insertTimeRange(.zero, of: $1, at: .zero) } as (AVMutableComposition, AVAsset) throws -> Void)
    use(
      "AVMutableComposition.loadTracks(withMediaType:)",
      { try await $0.loadTracks(withMediaType: .video) } as (AVMutableComposition) async throws -> [AVMutableCompositionTrack])
    use("AVMutableComposition.naturalSize", \AVMutableComposition.naturalSize)
    use("AVMutableComposition.scaleTimeRange(_:toDuration:)", AVMutableComposition.scaleTimeRange(_:toDuration:))
    use(
      "AVMutableComposition.track(withTrackID:)",
      { $0.track(withTrackID: 1) } as (AVMutableComposition) -> AVMutableCompositionTrack?)
    use("AVMutableComposition.tracks", { $0.tracks } as (AVMutableComposition) -> [AVMutableCompositionTrack])
    use(
      "AVMutableComposition.tracks(withMediaType:)",
      { $0.tracks(withMediaType: .audio) } as (AVMutableComposition) -> [AVMutableCompositionTrack])
    use("AVMutableCompositionTrack.insertTimeRange(_:of:at:)", AVMutableCompositionTrack.insertTimeRange(_:of:at:))
    use("AVMutableCompositionTrack.preferredTransform", \AVMutableCompositionTrack.preferredTransform)
    use("AVMutableCompositionTrack.scaleTimeRange(_:toDuration:)", AVMutableCompositionTrack.scaleTimeRange(_:toDuration:))
    use(
      "AVMutableCompositionTrack.segments",
      { $0.segments = $1 } as (AVMutableCompositionTrack, [AVCompositionTrackSegment]) -> Void)
  }

  /// Video compositions that change.
  mutating func mutableVideoCompositions() {
    use("AVMutableVideoComposition.init()", { AVMutableVideoComposition() } as () -> AVMutableVideoComposition)
    use("AVMutableVideoCompositionInstruction.init()", AVMutableVideoCompositionInstruction.init)
    use(
      "AVMutableVideoCompositionLayerInstruction.init(assetTrack:)",
      { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
        as (AVAssetTrack) -> AVMutableVideoCompositionLayerInstruction)
    use("AVMutableVideoComposition.animationTool", \AVMutableVideoComposition.animationTool)
    use("AVMutableVideoComposition.colorPrimaries", \AVMutableVideoComposition.colorPrimaries)
    use("AVMutableVideoComposition.colorTransferFunction", \AVMutableVideoComposition.colorTransferFunction)
    use("AVMutableVideoComposition.colorYCbCrMatrix", \AVMutableVideoComposition.colorYCbCrMatrix)
    use("AVMutableVideoComposition.customVideoCompositorClass", \AVMutableVideoComposition.customVideoCompositorClass)
    use("AVMutableVideoComposition.frameDuration", \AVMutableVideoComposition.frameDuration)
    use("AVMutableVideoComposition.instructions", \AVMutableVideoComposition.instructions)
    use("AVMutableVideoComposition.renderScale", \AVMutableVideoComposition.renderScale)
    use("AVMutableVideoComposition.renderSize", \AVMutableVideoComposition.renderSize)
    use("AVMutableVideoComposition.sourceTrackIDForFrameTiming", \AVMutableVideoComposition.sourceTrackIDForFrameTiming)
    use(
      "AVMutableVideoComposition.videoComposition(withPropertiesOf:)",
      { try await AVMutableVideoComposition.videoComposition(withPropertiesOf: $0) }
        as (AVAsset) async throws -> AVMutableVideoComposition)
    use("AVMutableVideoCompositionInstruction.backgroundColor", \AVMutableVideoCompositionInstruction.backgroundColor)
    use("AVMutableVideoCompositionInstruction.layerInstructions", \AVMutableVideoCompositionInstruction.layerInstructions)
    use("AVMutableVideoCompositionInstruction.timeRange", \AVMutableVideoCompositionInstruction.timeRange)
    use(
      "AVMutableVideoCompositionLayerInstruction.setTransform(_:at:)",
      AVMutableVideoCompositionLayerInstruction.setTransform(_:at:))
    use("AVMutableVideoCompositionLayerInstruction.trackID", \AVMutableVideoCompositionLayerInstruction.trackID)
  }

  /// Video compositions and requests.
  mutating func videoCompositions() {
    use(
      "AVVideoCompositionCoreAnimationTool.init(postProcessingAsVideoLayer:in:)",
      AVVideoCompositionCoreAnimationTool.init(postProcessingAsVideoLayer:in:))
    use("AVAsynchronousVideoCompositionRequest.compositionTime", \AVAsynchronousVideoCompositionRequest.compositionTime)
    use("AVAsynchronousVideoCompositionRequest.finish(with:)", AVAsynchronousVideoCompositionRequest.finish(with:))
    use(
      "AVAsynchronousVideoCompositionRequest.finish(withComposedVideoFrame:)",
      AVAsynchronousVideoCompositionRequest.finish(withComposedVideoFrame:))
    use(
      "AVAsynchronousVideoCompositionRequest.sourceFrame(byTrackID:)",
      AVAsynchronousVideoCompositionRequest.sourceFrame(byTrackID:))
    use(
      "AVAsynchronousVideoCompositionRequest.videoCompositionInstruction",
      \AVAsynchronousVideoCompositionRequest.videoCompositionInstruction)
    use("AVVideoComposition.animationTool", \AVVideoComposition.animationTool)
    use("AVVideoComposition.colorPrimaries", \AVVideoComposition.colorPrimaries)
    use("AVVideoComposition.colorTransferFunction", \AVVideoComposition.colorTransferFunction)
    use("AVVideoComposition.colorYCbCrMatrix", \AVVideoComposition.colorYCbCrMatrix)
    use("AVVideoComposition.customVideoCompositorClass", \AVVideoComposition.customVideoCompositorClass)
    use("AVVideoComposition.frameDuration", \AVVideoComposition.frameDuration)
    use("AVVideoComposition.instructions", \AVVideoComposition.instructions)
    use("AVVideoComposition.renderScale", \AVVideoComposition.renderScale)
    use("AVVideoComposition.renderSize", \AVVideoComposition.renderSize)
    use("AVVideoComposition.sourceTrackIDForFrameTiming", \AVVideoComposition.sourceTrackIDForFrameTiming)
    use(
      "AVVideoComposition.videoComposition(withPropertiesOf:)",
      { try await AVVideoComposition.videoComposition(withPropertiesOf: $0) } as (AVAsset) async throws -> AVVideoComposition)
    use("AVVideoCompositionInstruction.backgroundColor", \AVVideoCompositionInstruction.backgroundColor)
    use("AVVideoCompositionInstruction.layerInstructions", \AVVideoCompositionInstruction.layerInstructions)
    use("AVVideoCompositionInstruction.requiredSourceTrackIDs", \AVVideoCompositionInstruction.requiredSourceTrackIDs)
    use("AVVideoCompositionInstruction.timeRange", \AVVideoCompositionInstruction.timeRange)
    use(
      "AVVideoCompositionInstructionProtocol.requiredSourceTrackIDs",
      { $0.requiredSourceTrackIDs } as (any AVVideoCompositionInstructionProtocol) -> [NSValue]?)
    use(
      "AVVideoCompositionInstructionProtocol.timeRange",
      { $0.timeRange } as (any AVVideoCompositionInstructionProtocol) -> CMTimeRange)
    use("AVVideoCompositionLayerInstruction.trackID", \AVVideoCompositionLayerInstruction.trackID)
    use("AVVideoCompositionRenderContext.newPixelBuffer()", AVVideoCompositionRenderContext.newPixelBuffer)
    use("AVVideoCompositionRenderContext.renderScale", \AVVideoCompositionRenderContext.renderScale)
    use("AVVideoCompositionRenderContext.videoComposition", \AVVideoCompositionRenderContext.videoComposition)
  }
}
