internal import Compositor
internal import Foundation

/// Several audio tracks, mixed.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput {
  /// The tracks.
  public let audioTracks: [AVAssetTrack]
  /// The form of the samples.
  public let audioSettings: [String: Any]?
  /// How the tracks are mixed; `nil` as they are.
  open var audioMix: AVAudioMix? {
    willSet { requireNotStarted("audioMix") }
  }
  /// How pitch follows the speed. The pitch is kept.
  open var audioTimePitchAlgorithm = AVAudioTimePitchAlgorithm.spectral

  /// An output of tracks.
  ///
  /// - Parameters:
  ///   - audioTracks: The tracks, at least one.
  ///   - audioSettings: Keys such as `AVLinearPCMBitDepthKey`, with uncompressed audio as the format; `nil` for 32-bit floating-point
  ///     numbers at the highest rate and number of channels of the tracks.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    precondition(
      !audioTracks.isEmpty && audioTracks.allSatisfy { $0.mediaType == .audio }, "Pass audio tracks, at least one.")
    self.audioTracks = audioTracks
    self.audioSettings = audioSettings
    super.init(.audio)
    _ = AudioStreamSettings(audioSettings, of: Self.self)
  }

  override var trackIDs: Set<CMPersistentTrackID> { Set(audioTracks.map(\.trackID)) }

  override func fits(_ asset: AVAsset) -> Bool {
    let known = Set(((try? asset.readTracks()) ?? []).filter { $0.mediaType == .audio }.map(\.trackID))
    return trackIDs.isSubset(of: known)
  }

  override func opener(for asset: AVAsset) throws(AVError) -> @Sendable (CMTimeRange) throws -> any SampleStream {
    let selected = SelectedTracks(trackIDs, of: asset)
    let snapshot = try selected.snapshot()
    var (rate, channels) = (0, 0)
    for track in snapshot.composition.tracks {
      guard let info = try snapshot.audio(of: track) else { continue }
      (rate, channels) = (max(rate, info.sampleRate), max(channels, info.channelCount))
    }
    let usual: [String: Any] = [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
    let format = try AudioStreamSettings(audioSettings ?? usual, of: type(of: self)).format(
      sampleRate: rate > 0 ? rate : 48_000, channelCount: channels > 0 ? channels : 2)
    let edit = try EditTranslation(asset: selected, audioMix: audioMix).translated()
    let all = TimeRange(start: .zero, duration: snapshot.composition.duration)
    return { try AudioStream(edit, in: try $0.cut(to: all), format: format) }
  }
}

/// Several video tracks, composed.
open class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput {
  /// The tracks.
  public let videoTracks: [AVAssetTrack]
  /// The form of the pictures.
  public let videoSettings: [String: Any]?
  /// How they are composed, which must be set before the reader starts.
  open var videoComposition: AVVideoComposition? {
    willSet { requireNotStarted("videoComposition") }
  }

  /// An output of tracks.
  ///
  /// - Parameters:
  ///   - videoTracks: The tracks, at least one.
  ///   - videoSettings: The attributes of pixel buffers; `nil` for a format in which frames are composed.
  public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
    precondition(
      !videoTracks.isEmpty && videoTracks.allSatisfy { $0.mediaType == .video }, "Pass video tracks, at least one.")
    self.videoTracks = videoTracks
    self.videoSettings = videoSettings
    super.init(.video)
  }

  override var trackIDs: Set<CMPersistentTrackID> { Set(videoTracks.map(\.trackID)) }

  override func fits(_ asset: AVAsset) -> Bool {
    let known = Set(((try? asset.readTracks()) ?? []).filter { $0.mediaType == .video }.map(\.trackID))
    return trackIDs.isSubset(of: known)
  }

  override func opener(for asset: AVAsset) throws(AVError) -> @Sendable (CMTimeRange) throws -> any SampleStream {
    guard let videoComposition else {
      preconditionFailure("Set videoComposition of the AVAssetReaderVideoCompositionOutput before the reader starts.")
    }
    let settings = try VideoStreamSettings(videoSettings ?? [:], isDeep: false, of: type(of: self))
    if let size = settings.size, size != videoComposition.renderSize.pixels {
      throw AVError(
        .formatUnsupported,
        "The output is to give pictures of \(size), but the video composition makes those of "
          + "\(videoComposition.renderSize.pixels).", suggestion: "Leave the size to renderSize.")
    }
    let selected = SelectedTracks(trackIDs, of: asset)
    let edit = try EditTranslation(asset: selected, videoComposition: videoComposition).translated()
    let all = TimeRange(start: .zero, duration: try selected.snapshot().composition.duration)
    let copies = alwaysCopiesSampleData
    return { try VideoStream(edit, in: try $0.cut(to: all), settings: settings, copies: copies) }
  }
}

extension CMTimeRange {
  /// The part of the range in another one.
  ///
  /// - Throws: `.operationNotSupportedForAsset` if there is none.
  fileprivate func cut(to all: TimeRange) throws(AVError) -> TimeRange {
    let cut = media.intersection(all)
    guard cut.isNumeric, !cut.isEmpty else {
      throw AVError(.operationNotSupportedForAsset, "There is nothing in the reader's time range.")
    }
    return cut
  }
}
