import AVFoundation
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

@Suite struct CompositionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func tracks_areAddedFoundAndRemoved() throws {
    let composition = AVMutableComposition()
    let video = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    let audio = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7))
    #expect(composition.addMutableTrack(withMediaType: .timecode, preferredTrackID: kCMPersistentTrackID_Invalid) == nil)
    #expect(video.trackID != 7 && audio.trackID == 7)
    #expect(composition.tracks.map(\.trackID) == [video.trackID, 7])
    #expect(composition.track(withTrackID: 7) === audio)
    #expect(composition.tracks(withMediaType: .video).first === video)
    composition.removeTrack(audio)
    #expect(composition.tracks.count == 1 && audio.trackID == 7 && audio.segments.isEmpty)
  }

  /// Media at the time and later moves back, a gap is left before it, and what the track lacks is left out.
  @Test func insertion_movesWhatIsLater() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let source = try #require(asset.tracks(withMediaType: .video).first)
    let composition = AVMutableComposition()
    let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    try track.insertTimeRange(range(0, 1), of: source, at: .zero)
    try track.insertTimeRange(range(1, 9), of: source, at: .zero)
    #expect(track.segments.map(\.timeMapping.target) == [range(0, 1), range(1, 2)])
    #expect(track.segments.map(\.timeMapping.source) == [range(1, 2), range(0, 1)])
    try track.insertTimeRange(range(0, 1), of: source, at: seconds(3))
    #expect(track.segments.map(\.isEmpty) == [false, false, true, false] && composition.duration == seconds(4))
    try track.insertTimeRange(range(0, 0.5), of: source, at: .invalid)
    #expect(composition.duration == seconds(4.5))
    #expect(track.segments[0].sourceURL == folder["a.mp4"] && track.segments[0].sourceTrackID == source.trackID)
    #expect(track.naturalSize == CGSize(width: 320, height: 180) && track.nominalFrameRate == 25)
  }

  @Test func insertion_ofAnotherType_isRefused() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let audio = try #require(asset.tracks(withMediaType: .audio).first)
    let composition = AVMutableComposition()
    let track = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    #expect(throws: AVError.self) { try track?.insertTimeRange(range(0, 1), of: audio, at: .zero) }
    #expect(composition.duration == .zero)
  }

  @Test func asset_goesToTracksOfItsTypes() async throws {
    let first = AVAsset(url: try await folder.movie("a.mp4"))
    let second = AVAsset(url: try await folder.movie("b.mp4", tone: nil))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(CMTimeRange(start: .zero, duration: .positiveInfinity), of: first, at: .zero)
    try composition.insertTimeRange(range(0.5, 1), of: second, at: composition.duration)
    #expect(composition.tracks.map(\.mediaType) == [.video, .audio])
    #expect(composition.tracks(withMediaType: .video)[0].timeRange == range(0, 2.5))
    #expect(composition.tracks(withMediaType: .audio)[0].timeRange == range(0, 2))
    // A composition within a composition is that composition's parts.
    let outer = AVMutableComposition()
    try outer.insertTimeRange(range(1.5, 2.5), of: composition, at: .zero)
    #expect(outer.tracks(withMediaType: .video)[0].segments.map(\.sourceURL) == [folder["a.mp4"], folder["b.mp4"]])
  }

  @Test func ranges_areRemovedScaledAndEmptied() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 2), of: asset, at: .zero)
    composition.scaleTimeRange(range(0, 1), toDuration: seconds(3))
    #expect(composition.duration == seconds(4))
    composition.removeTimeRange(range(0, 0.5))
    #expect(composition.duration == seconds(3.5))
    composition.insertEmptyTimeRange(range(1, 2))
    #expect(composition.duration == seconds(4.5))
    #expect(composition.tracks.allSatisfy { $0.segments.contains(where: \.isEmpty) })
  }

  @Test func copies_doNotChange() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 1), of: asset, at: .zero)
    let copy = try #require(composition.copy() as? AVComposition)
    let other = try #require(composition.mutableCopy() as? AVMutableComposition)
    try composition.insertTimeRange(range(0, 1), of: asset, at: .zero)
    #expect(copy.duration == seconds(1) && other.duration == seconds(1) && composition.duration == seconds(2))
    #expect(!(copy is AVMutableComposition))
  }

  /// Parts are checked as the documentation says, each with its code.
  @Test func segments_areChecked() async throws {
    let url = try await folder.movie("a.mp4")
    let composition = AVMutableComposition()
    let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    func part(_ source: CMTimeRange, _ target: CMTimeRange, id: CMPersistentTrackID = 1) -> AVCompositionTrackSegment {
      AVCompositionTrackSegment(url: url, trackID: id, sourceTimeRange: source, targetTimeRange: target)
    }
    let good = [
      part(range(0, 1), range(0, 2)), AVCompositionTrackSegment(timeRange: range(2, 3)), part(range(1, 2), range(3, 4)),
    ]
    try track.validateSegments(good)
    track.segments = good
    #expect(composition.duration == seconds(4) && track.segments.map(\.isEmpty) == [false, true, false])
    let bad: [(AVError.Code, [AVCompositionTrackSegment])] = [
      (.compositionTrackSegmentsNotContiguous, [part(range(0, 1), range(0, 1)), part(range(1, 2), range(2, 3))]),
      (.invalidCompositionTrackSegmentDuration, [part(range(0, 1), range(0, 0))]),
      (.noSuchTrack, [part(range(0, 1), range(0, 1), id: 9)]),
    ]
    for (code, segments) in bad {
      let error = #expect(throws: AVError.self) { try track.validateSegments(segments) }
      #expect(error?.code == code)
      track.segments = segments
      #expect(composition.duration == seconds(4), "a track keeps its parts if new ones are wrong")
    }
  }

  @Test func properties_followTheTracks() async throws {
    let small = AVAsset(url: try await folder.movie("a.mp4", rate: 25))
    let turned = AVAsset(url: try await folder.movie("b.mov", rate: 50, quarterTurns: 1))
    let alone = AVMutableVideoComposition(propertiesOf: turned)
    #expect(alone.renderSize == CGSize(width: 180, height: 320) && alone.frameDuration == CMTime(value: 1, timescale: 50))
    #expect(alone.sourceTrackIDForFrameTiming == 1)
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 2), of: small, at: .zero)
    let second = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    try second?.insertTimeRange(range(0, 2), of: turned.tracks[0], at: seconds(1))
    second?.preferredTransform = turned.tracks[0].preferredTransform
    let both = AVVideoComposition(propertiesOf: composition)
    #expect(both.frameDuration == CMTime(value: 1, timescale: 50) && both.renderSize == CGSize(width: 320, height: 320))
    #expect(both.instructions.map(\.timeRange) == [range(0, 1), range(1, 2), range(2, 3)])
    let layers = both.instructions.compactMap { ($0 as? AVVideoCompositionInstruction)?.layerInstructions.count }
    #expect(layers == [1, 2, 1] && both.sourceTrackIDForFrameTiming == kCMPersistentTrackID_Invalid)
    let sound = try await AVVideoComposition.videoComposition(withPropertiesOf: AVMutableComposition())
    #expect(sound.instructions.isEmpty)
  }

  /// Volume 1 from 0, and from 0.5 to 0.2 between 4 and 9: what is asked at a time is the ramp there, else the next one.
  @Test func ramps_areFoundByTime() {
    let mix = AVMutableAudioMixInputParameters()
    mix.setVolume(1, at: .zero)
    mix.setVolumeRamp(fromStartVolume: 0.5, toEndVolume: 0.2, timeRange: CMTimeRange(start: seconds(4), duration: seconds(5)))
    var (start, end): (Float, Float) = (0, 0)
    var found = CMTimeRange.invalid
    #expect(mix.getVolumeRamp(for: seconds(5), startVolume: &start, endVolume: &end, timeRange: &found))
    #expect(start == 0.5 && end == 0.2 && found == CMTimeRange(start: seconds(4), duration: seconds(5)))
    let layer = AVMutableVideoCompositionLayerInstruction()
    layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: range(1, 2))
    #expect(layer.getOpacityRamp(for: .zero, startOpacity: &start, endOpacity: &end, timeRange: &found) && found == range(1, 2))
    #expect(!layer.getTransformRamp(for: .zero, start: nil, end: nil, timeRange: nil))
  }
}
