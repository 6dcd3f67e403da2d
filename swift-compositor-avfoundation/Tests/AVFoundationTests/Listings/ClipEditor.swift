import AVFoundation

/// An editor as sample programs have it: clips go to two video and two audio tracks in turn, and each overlaps the next one.
struct ClipEditor {
  let composition = AVMutableComposition()
  let videoTracks: [AVMutableCompositionTrack]
  let audioTracks: [AVMutableCompositionTrack]
  /// When one clip is seen alone, one range for each.
  private(set) var aloneRanges: [CMTimeRange] = []
  /// When a clip and the next one are seen.
  private(set) var overlaps: [CMTimeRange] = []

  /// Places clips whose tracks are of one length.
  ///
  /// - Throws: Why a clip cannot be inserted.
  init(_ clips: [AVAsset], overlap: CMTime) throws {
    func tracks(_ type: AVMediaType, of composition: AVMutableComposition) -> [AVMutableCompositionTrack] {
      (0..<2).compactMap { _ in
        composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid)
      }
    }
    videoTracks = tracks(.video, of: composition)
    audioTracks = tracks(.audio, of: composition)
    var start = CMTime.zero
    for (index, clip) in clips.enumerated() {
      let range = CMTimeRangeMake(start: .zero, duration: clip.duration)
      try videoTracks[index % 2].insertTimeRange(range, of: clip.tracks(withMediaType: .video)[0], at: start)
      try audioTracks[index % 2].insertTimeRange(range, of: clip.tracks(withMediaType: .audio)[0], at: start)
      var alone = CMTimeRangeMake(start: start, duration: range.duration)
      if index > 0 {
        alone.start = CMTimeAdd(alone.start, overlap)
        alone.duration = CMTimeSubtract(alone.duration, overlap)
      }
      start = CMTimeSubtract(CMTimeAdd(start, range.duration), overlap)
      if index + 1 < clips.count {
        alone.duration = CMTimeSubtract(alone.duration, overlap)
        overlaps.append(CMTimeRangeMake(start: start, duration: overlap))
      }
      aloneRanges.append(alone)
    }
  }

  /// Each clip alone as it is; the next one appears over it while they overlap.
  var videoComposition: AVMutableVideoComposition {
    let video = AVMutableVideoComposition()
    video.frameDuration = CMTimeMake(value: 1, timescale: 25)
    video.renderSize = composition.naturalSize
    for (index, range) in aloneRanges.enumerated() {
      let alone = AVMutableVideoCompositionInstruction()
      alone.timeRange = range
      alone.layerInstructions = [AVMutableVideoCompositionLayerInstruction(assetTrack: videoTracks[index % 2])]
      video.instructions.append(alone)
      guard index < overlaps.count else { continue }
      let next = AVMutableVideoCompositionLayerInstruction(assetTrack: videoTracks[1 - index % 2])
      next.setOpacityRamp(fromStartOpacity: 0, toEndOpacity: 1, timeRange: overlaps[index])
      let both = AVMutableVideoCompositionInstruction()
      both.timeRange = overlaps[index]
      both.layerInstructions = [next, AVMutableVideoCompositionLayerInstruction(assetTrack: videoTracks[index % 2])]
      video.instructions.append(both)
    }
    return video
  }

  /// One clip becomes quieter while the next one becomes louder.
  var audioMix: AVMutableAudioMix {
    let parameters = audioTracks.map { AVMutableAudioMixInputParameters(track: $0) }
    for (index, range) in overlaps.enumerated() {
      parameters[index % 2].setVolumeRamp(fromStartVolume: 1, toEndVolume: 0, timeRange: range)
      parameters[1 - index % 2].setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: range)
    }
    let mix = AVMutableAudioMix()
    mix.inputParameters = parameters
    return mix
  }
}
