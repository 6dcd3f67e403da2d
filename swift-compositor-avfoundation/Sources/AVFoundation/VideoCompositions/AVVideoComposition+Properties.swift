internal import Compositor
internal import Foundation

extension AVVideoComposition.Parts {
  /// What an asset's tracks say of themselves: one instruction for each stretch with the same tracks, the first track on top.
  init(of asset: AVAsset) {
    let tracks = asset.tracks.filter { $0.mediaType == .video }
    guard !tracks.isEmpty else { return }
    if tracks.count == 1 { timingTrackID = tracks[0].trackID }
    frameDuration = Self.frameDuration(of: tracks)
    renderSize = Self.size(of: tracks, in: asset)
    instructions = Self.instructions(of: tracks, until: asset.duration)
  }

  /// The duration of a frame of the fastest track; 1/30 s if no track states its rate.
  private static func frameDuration(of tracks: [AVAssetTrack]) -> CMTime {
    tracks.map(\.minFrameDuration).filter(\.isNumeric).min() ?? CMTime(value: 1, timescale: 30)
  }

  /// The composition's size, else the smallest one that holds every track as it is shown.
  private static func size(of tracks: [AVAssetTrack], in asset: AVAsset) -> CGSize {
    if let composition = asset as? AVComposition, let size = composition.box.composition.naturalSize { return CGSize(size) }
    let shown = tracks.map { CGRect(origin: .zero, size: $0.naturalSize).applying($0.preferredTransform) }
    return CGSize(width: shown.map(\.width).max() ?? 0, height: shown.map(\.height).max() ?? 0)
  }

  private static func instructions(
    of tracks: [AVAssetTrack], until end: CMTime
  ) -> [any AVVideoCompositionInstructionProtocol] {
    let ranges = tracks.map { track in track.segments.filter { !$0.isEmpty }.map(\.timeMapping.target) }
    let edges = Set(ranges.joined().flatMap { [$0.start, $0.end] } + [.zero, end]).filter { $0 >= .zero && $0 <= end }.sorted()
    var result: [AVMutableVideoCompositionInstruction] = []
    for (start, stop) in zip(edges, edges.dropFirst()) {
      let shown = zip(tracks, ranges).filter { _, ranges in ranges.contains { $0.containsTime(start) } }.map(\.0)
      if let last = result.last, last.layers.map(\.trackID) == shown.map(\.trackID) {
        last.timeRange = CMTimeRange(start: last.timeRange.start, end: stop)
        continue
      }
      let instruction = AVMutableVideoCompositionInstruction()
      instruction.timeRange = CMTimeRange(start: start, end: stop)
      instruction.layerInstructions = shown.map { track in
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        if !track.preferredTransform.isIdentity { layer.setTransform(track.preferredTransform, at: .zero) }
        return layer
      }
      result.append(instruction)
    }
    return result
  }
}
