import AVFoundation
import Compositor
import Testing

@Suite struct TrackFormatTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func formats_areThoseOfTheFile() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 1))
    let video = try #require(asset.tracks(withMediaType: .video).first)
    let format = try #require(video.formatDescriptions.first) as! CMFormatDescription
    #expect(CMFormatDescriptionGetMediaSubType(format) == kCMVideoCodecType_H264 && format.mediaType == .video)
    #expect(format.dimensions.width == 320 && format.dimensions.height == 180)
    #expect(format.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_709_2))
    let sound = try await asset.loadTracks(withMediaType: .audio)[0].load(.formatDescriptions)
    #expect(sound.count == 1 && sound[0].mediaSubType == .mpeg4AAC)
    let stream = sound[0].audioStreamBasicDescription
    #expect(stream?.mSampleRate == 48_000 && stream?.mChannelsPerFrame == 2 && stream?.mFramesPerPacket == 1024)
  }

  @Test func formats_ofACompositionsTrack_areThoseOfItsParts() async throws {
    let composition = AVMutableComposition()
    let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    for (name, width) in [("a.mp4", 320), ("b.mp4", 160), ("c.mp4", 320)] {
      let asset = AVAsset(
        url: try await folder.movie(name, seconds: 1, size: PixelSize(width: width, height: 90), tone: nil))
      try track.insertTimeRange(
        CMTimeRange(start: .zero, duration: asset.duration), of: try #require(asset.tracks(withMediaType: .video).first),
        at: track.timeRange.end)
    }
    let formats = track.formatDescriptions.compactMap { $0 as? CMFormatDescription }
    #expect(formats.map(\.dimensions.width) == [320, 160])
  }
}
