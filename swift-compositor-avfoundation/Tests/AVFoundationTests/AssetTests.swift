import AVFoundation
import Testing

@Suite struct AssetTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func file_hasItsTracksAndTimes() async throws {
    let url = try await folder.movie("a.mp4", seconds: 2, rate: 25)
    let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    #expect(asset.duration == CMTime(value: 2, timescale: 1))
    #expect(asset.tracks.map(\.mediaType) == [.video, .audio])
    #expect(asset.tracks.map(\.trackID) == [1, 2] && asset.unusedTrackID() == 3)
    let video = try #require(asset.tracks(withMediaType: .video).first)
    #expect(video.naturalSize == CGSize(width: 320, height: 180) && video.nominalFrameRate == 25)
    #expect(video.minFrameDuration == CMTime(value: 1, timescale: 25))
    #expect(video.timeRange == CMTimeRange(start: .zero, end: CMTime(value: 2, timescale: 1)))
    #expect(video.preferredTransform.isIdentity && video.hasMediaCharacteristic(.visual))
    #expect(asset.track(withTrackID: 2)?.naturalTimeScale == 48000)
    #expect(asset.isPlayable && asset.isExportable && asset.isReadable && asset.isComposable && !asset.hasProtectedContent)
    #expect(asset.tracks[0] === asset.tracks[0])
  }

  /// One property gives its value, several give a tuple.
  @Test func load_givesWhatPropertiesSay() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mov"))
    #expect(try await asset.load(.duration) == CMTime(value: 2, timescale: 1))
    let (tracks, duration, playable) = try await asset.load(.tracks, .duration, .isPlayable)
    #expect(tracks.count == 2 && duration == asset.duration && playable)
    #expect(try await tracks[0].load(.naturalSize) == CGSize(width: 320, height: 180))
    #expect(try await tracks[0].load(.nominalFrameRate) == 25.0)
    let (size, transform) = try await tracks[0].load(.naturalSize, .preferredTransform)
    #expect(size.width == 320 && transform.isIdentity)
    #expect(try await asset.loadTracks(withMediaType: .audio).count == 1)
    #expect(try await asset.loadTrack(withTrackID: 1)?.mediaType == .video)
    guard case .loaded(let time) = asset.status(of: .duration) else { return #expect(Bool(false), "not loaded") }
    #expect(time == duration)
  }

  @Test func url_makesAURLAsset() async throws {
    let asset: AVAsset = AVAsset(url: folder["none.mp4"])
    #expect((asset as? AVURLAsset)?.url == folder["none.mp4"])
    #expect((asset.copy() as? AVAsset) === asset)
  }

  @Test func missingFile_isEmpty_andLoadSaysWhy() async throws {
    let asset = AVAsset(url: folder["none.mp4"])
    #expect(asset.tracks.isEmpty && asset.duration == .zero && !asset.isPlayable)
    let error = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
    #expect(error?.errorDescription?.contains("none.mp4") == true, "\(String(describing: error))")
    var found: NSError?
    #expect(asset.statusOfValue(forKey: "tracks", error: &found) == .failed && found?.domain == AVFoundationErrorDomain)
    await #expect(throws: AVError.self) { try await AVAsset(url: URL(string: "https://example.com/a.mp4")!).load(.duration) }
  }

  /// A track of a temporary asset still knows its file.
  @Test func track_outlivesItsAsset() async throws {
    let url = try await folder.movie("a.mp4")
    let track = try #require(AVURLAsset(url: url).tracks(withMediaType: .video).first)
    #expect(track.asset == nil && track.naturalSize.width == 320)
    let composition = AVMutableComposition()
    let own = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    try own?.insertTimeRange(track.timeRange, of: track, at: .zero)
    #expect(composition.duration.seconds == 2)
  }

  @Test func turnedMovie_statesItsTransform() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mov", quarterTurns: 1))
    let track = try #require(asset.tracks(withMediaType: .video).first)
    #expect(track.naturalSize == CGSize(width: 320, height: 180))
    let shown = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
    #expect(shown == CGRect(x: 0, y: 0, width: 180, height: 320))
  }
}
