import AVFoundation
import Compositor
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ duration: Double) -> CMTimeRange {
  CMTimeRange(start: seconds(start), duration: seconds(duration))
}

/// Tracks by inserted ranges and by lists of segments, and what they print.
@Suite struct SegmentTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func emptyTrack(_ composition: AVMutableComposition, _ type: AVMediaType = .video) throws
    -> AVMutableCompositionTrack
  {
    try #require(composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid))
  }

  /// What segments print, without addresses of objects.
  private func printed(_ track: AVCompositionTrack) async throws -> [String] {
    #expect(try await track.load(.segments).allSatisfy { $0 is AVCompositionTrackSegment })
    return try await track.load(.segments).map { segment in
      "\(segment)".replacing(#/0x[0-9a-f]+/#, with: "0x0")
    }
  }

  /// Two movies one after another on two tracks, made in both ways. The printed shape is known from articles alone [m].
  @Test func bothWays_giveTheSameSegments() async throws {
    let urls = [
      try await folder.movie("a.mp4"), try await folder.movie("b.mp4", seconds: 1, color: Color(red: 0, green: 0, blue: 1)),
    ]
    var tracks: [AVAssetTrack] = []
    for url in urls { tracks.append(try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first)) }
    let ranges = (try await tracks[0].load(.timeRange), try await tracks[1].load(.timeRange))

    let inserted = AVMutableComposition()
    let first = (try emptyTrack(inserted), try emptyTrack(inserted))
    try first.0.insertTimeRange(ranges.0, of: tracks[0], at: .zero)
    first.1.insertEmptyTimeRange(ranges.0)
    try first.1.insertTimeRange(ranges.1, of: tracks[1], at: ranges.0.end)

    let listed = AVMutableComposition()
    let second = (try emptyTrack(listed), try emptyTrack(listed))
    second.0.segments = [
      AVCompositionTrackSegment(
        url: urls[0], trackID: tracks[0].trackID, sourceTimeRange: ranges.0, targetTimeRange: ranges.0)
    ]
    let parts = [
      AVCompositionTrackSegment(timeRange: ranges.0),
      AVCompositionTrackSegment(
        url: urls[1], trackID: tracks[1].trackID, sourceTimeRange: ranges.1,
        targetTimeRange: CMTimeRange(start: ranges.0.end, duration: ranges.1.duration)),
    ]
    try second.1.validateSegments(parts)
    second.1.segments = parts

    for (one, other) in [first.0, first.1].enumerated().map({ ($1, [second.0, second.1][$0]) }) {
      #expect(try await printed(one) == printed(other))
    }
    let lines = try await printed(second.1)
    #expect(
      lines == [
        "<AVCompositionTrackSegment: 0x0 timeRange [0.000,+2.000] is empty>",
        "<AVCompositionTrackSegment: 0x0 timeRange [2.000,+1.000] from trackID 1 of asset \(urls[1].absoluteString) "
          + "sourceTimeRange [0.000,+1.000]>",
      ])
    #expect(try await listed.load(.tracks)[1] === second.1)
    let text = "\(listed)".replacing(#/0x[0-9a-f]+/#, with: "0x0")
    #expect(text.hasPrefix("<AVMutableComposition: 0x0 tracks = (") && text.contains("trackID = 2, mediaType = vide"))
  }

  /// Speeds are source by target: a clip at twice its speed, and the last frame of another for a second.
  @Test func segments_changeSpeedAndHoldFrames() async throws {
    let red = try await folder.movie("a.mp4")
    let blue = try await folder.movie("b.mp4", seconds: 4, color: Color(red: 0, green: 0, blue: 1), tone: 1000)
    let composition = AVMutableComposition()
    let (video, audio) = (try emptyTrack(composition), try emptyTrack(composition, .audio))
    video.segments = [
      AVCompositionTrackSegment(url: red, trackID: 1, sourceTimeRange: range(0, 2), targetTimeRange: range(0, 2)),
      AVCompositionTrackSegment(url: red, trackID: 1, sourceTimeRange: range(2, 0), targetTimeRange: range(2, 1)),
      AVCompositionTrackSegment(url: blue, trackID: 1, sourceTimeRange: range(0, 4), targetTimeRange: range(3, 2)),
    ]
    audio.segments = [
      AVCompositionTrackSegment(timeRange: range(0, 3)),
      AVCompositionTrackSegment(url: blue, trackID: 2, sourceTimeRange: range(0, 4), targetTimeRange: range(3, 2)),
    ]
    #expect(video.segments.count == 3 && audio.segments.count == 2 && composition.duration == seconds(5))
    let speeds = video.segments.map { $0.timeMapping.source.duration.seconds / $0.timeMapping.target.duration.seconds }
    #expect(speeds == [1, 0, 2])
    let session = try #require(AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality))
    try await session.export(to: folder["out.mov"], as: .mov)
    #expect(try info(folder["out.mov"]).duration == .seconds(5))
    for (time, expected) in [(1.0, 0), (2.5, 0), (3.5, 2), (4.9, 2)] {
      let color = meanColor(try await picture(folder["out.mov"], at: time))
      #expect(color[expected] > 240 && color[2 - expected] < 12, "\(time) s: \(color)")
    }
    let sound = try Sound(folder["out.mov"])
    #expect(sound.levels[15] < 0.001 && sound.amplitude(of: 1000, at: 4) > 10 * sound.amplitude(of: 2000, at: 4))
  }
}
