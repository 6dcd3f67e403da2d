import AVFoundation
import Compositor

// The same edit twice: the first clip for five seconds, a dissolve of a second, the second clip for five seconds.

private func times(_ start: Int64, _ end: Int64) -> TimeRange {
  TimeRange(start: MediaTime(value: start, timescale: 1), end: MediaTime(value: end, timescale: 1))
}

/// The edit by the compositor's own names.
func exportByCompositor(_ clips: [URL], to target: URL) async throws {
  let sources = clips.map { MediaSource.file(path: $0.path) }
  var composition = Composition()
  let videos = sources.map { _ in composition.addTrack(.video) }
  let audios = sources.map { _ in composition.addTrack(.audio) }
  for (index, source) in sources.enumerated() {
    let start = MediaTime(value: Int64(index * 5), timescale: 1)
    try composition.insert(SourceRange(source, timeRange: times(0, 6)), at: start, inTrack: videos[index])
    try composition.insert(SourceRange(source, timeRange: times(0, 6)), at: start, inTrack: audios[index])
  }
  var fading = LayerInstruction(trackID: videos[0])
  try fading.opacity.setRamp(from: 1, to: 0, timeRange: times(5, 6))
  let video = VideoComposition(
    instructions: [
      Instruction(timeRange: times(0, 5), layers: [LayerInstruction(trackID: videos[0])]),
      Instruction(timeRange: times(5, 6), layers: [fading, LayerInstruction(trackID: videos[1])]),
      Instruction(timeRange: times(6, 11), layers: [LayerInstruction(trackID: videos[1])]),
    ], frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 1280, height: 720))
  var mix = AudioMix()
  for (index, track) in audios.enumerated() {
    var input = Compositor.AudioMixInputParameters(trackID: track)
    try input.volume.setRamp(from: index == 0 ? 1 : 0, to: index == 0 ? 0 : 1, timeRange: times(5, 6))
    mix.inputParameters.append(input)
  }
  let edit = Edit(composition: composition, videoComposition: video, audioMix: mix)
  var settings = ExportSettings()
  // What the preset says.
  settings.video.chosenCodec = .h264
  settings.videoTrack = .always
  settings.audio = AudioEncodingSettings(codec: .aac)
  settings.audioFromFirstClip = [.sampleRate, .channelCount]
  (settings.largestSampleRate, settings.mostChannels) = (48_000, 2)
  let valid = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
  _ = try await Exporter.export(valid, to: target.path, settings: settings)
}

/// The edit by the names of AVFoundation.
func exportByNames(_ clips: [URL], to target: URL) async throws {
  func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
    CMTimeRange(start: CMTime(value: start, timescale: 1), end: CMTime(value: end, timescale: 1))
  }
  let composition = AVMutableComposition()
  let video = AVMutableVideoComposition()
  var (videos, inputs): ([AVMutableCompositionTrack], [AVMutableAudioMixInputParameters]) = ([], [])
  for (index, url) in clips.enumerated() {
    let asset = AVURLAsset(url: url)
    for type in [AVMediaType.video, .audio] {
      guard let track = composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid) else {
        continue
      }
      let source = try await asset.loadTracks(withMediaType: type)[0]
      try track.insertTimeRange(range(0, 6), of: source, at: CMTime(value: Int64(index * 5), timescale: 1))
      guard type == .audio else {
        videos.append(track)
        continue
      }
      let input = AVMutableAudioMixInputParameters(track: track)
      input.setVolumeRamp(
        fromStartVolume: index == 0 ? 1 : 0, toEndVolume: index == 0 ? 0 : 1, timeRange: range(5, 6))
      inputs.append(input)
    }
  }
  let layers = videos.map { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
  let fading = AVMutableVideoCompositionLayerInstruction(assetTrack: videos[0])
  fading.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: range(5, 6))
  video.instructions = [(range(0, 5), [layers[0]]), (range(5, 6), [fading, layers[1]]), (range(6, 11), [layers[1]])].map {
    let instruction = AVMutableVideoCompositionInstruction()
    (instruction.timeRange, instruction.layerInstructions) = ($0.0, $0.1)
    return instruction
  }
  (video.renderSize, video.frameDuration) = (CGSize(width: 1280, height: 720), CMTime(value: 1, timescale: 25))
  let mix = AVMutableAudioMix()
  mix.inputParameters = inputs
  guard let session = AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality) else { return }
  session.videoComposition = video
  session.audioMix = mix
  try await session.export(to: target, as: .mov)
}
