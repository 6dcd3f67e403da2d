internal import Compositor
internal import Foundation

/// The samples of one track: pictures and audio, decoded or as they are stored.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput {
  /// The track.
  public let track: AVAssetTrack
  /// The form of the samples.
  public let outputSettings: [String: Any]?
  /// How pitch follows the speed of an edit. It has no effect: readers of tracks do not change the speed.
  open var audioTimePitchAlgorithm = AVAudioTimePitchAlgorithm.spectral

  /// An output of a track.
  ///
  /// - Parameter outputSettings: For pictures the attributes of pixel buffers, for audio keys such as `AVLinearPCMBitDepthKey` with
  ///   uncompressed audio as the format. `nil` gives samples as they are stored, in decoding order, for tracks of files.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.track = track
    self.outputSettings = outputSettings
    super.init(track.mediaType)
    if track.mediaType == .audio, outputSettings != nil { _ = AudioStreamSettings(outputSettings, of: Self.self) }
  }

  override var trackIDs: Set<CMPersistentTrackID> { [track.trackID] }

  override func fits(_ asset: AVAsset) -> Bool {
    (try? asset.readTracks().contains { $0.trackID == track.trackID && $0.mediaType == mediaType }) ?? false
  }

  override func opener(for asset: AVAsset) throws(AVError) -> @Sendable (CMTimeRange) throws -> any SampleStream {
    guard let outputSettings else { return try codedOpener(for: asset) }
    let plan = try TrackPlan(track.trackID, of: asset)
    if mediaType == .audio {
      let settings = AudioStreamSettings(outputSettings, of: type(of: self))
      let info = try plan.snapshot.audio(of: plan.track)
      let format = try settings.format(sampleRate: info?.sampleRate ?? 48_000, channelCount: info?.channelCount ?? 2)
      let edit = try plan.audio()
      return { try AudioStream(edit, in: try plan.range(in: $0), format: format) }
    }
    let info = try plan.snapshot.video(of: plan.track)
    let settings = try VideoStreamSettings(
      outputSettings, isDeep: (info?.format.bitDepth ?? 8) > 8, of: type(of: self))
    let (edit, copies) = (try plan.video(settings), alwaysCopiesSampleData)
    return {
      try VideoStream(edit, in: try plan.range(in: $0), settings: settings, gaps: plan.gaps, copies: copies)
    }
  }
}

/// One track of an asset by itself.
struct TrackPlan: Sendable {
  let asset: SelectedTracks
  let snapshot: AssetSnapshot
  let track: CompositionTrack
  private let mediaRange: TimeRange

  /// - Throws: `.noSuchTrack`; why the asset cannot be read.
  init(_ trackID: CMPersistentTrackID, of asset: AVAsset) throws(AVError) {
    self.asset = SelectedTracks([trackID], of: asset)
    snapshot = try self.asset.snapshot()
    guard let track = snapshot.composition.track(trackID), let range = snapshot.mediaRange(of: track) else {
      throw AVError(.noSuchTrack, "There is no track \(trackID), or it has no media.")
    }
    (self.track, mediaRange) = (track, range)
  }

  /// Ranges without media between others.
  var gaps: [TimeRange] { track.segments.filter(\.isEmpty).map(\.timeMapping.target) }

  /// The part of a range in which the track has media.
  ///
  /// - Throws: `.operationNotSupportedForAsset` if there is none.
  func range(in range: CMTimeRange) throws(AVError) -> TimeRange {
    let cut = range.media.intersection(mediaRange)
    guard cut.isNumeric, !cut.isEmpty else {
      throw AVError(.operationNotSupportedForAsset, "Track \(track.trackID) has nothing in the reader's time range.")
    }
    return cut
  }

  /// The track as audio that is not changed.
  func audio() throws(AVError) -> TranslatedEdit { try EditTranslation(asset: asset).translated() }

  /// The track's pictures at their own times, in the size that settings ask for.
  func video(_ settings: VideoStreamSettings) throws(AVError) -> TranslatedEdit {
    guard let info = try snapshot.video(of: track) else {
      throw AVError(.noSuchTrack, "Track \(track.trackID) has no pictures.")
    }
    let all = TimeRange(start: .zero, duration: snapshot.composition.duration)
    let rate = info.nominalFrameRate
    let step = rate.numerator > 0 ? MediaTime.frames(1, at: rate) : MediaTime(value: 1, timescale: 30)
    var video = VideoComposition(frameDuration: step, renderSize: settings.size ?? info.size)
    video.sourceTrackIDForFrameTiming = track.trackID
    video.colorPrimaries = settings.colorPrimaries
    video.transferFunction = settings.transferFunction
    video.matrix = settings.matrix
    if let size = settings.size, size != info.size {
      let scale = AffineMatrix.scale(
        x: Double(size.width) / info.displaySize.width, y: Double(size.height) / info.displaySize.height)
      var layer = LayerInstruction(trackID: track.trackID)
      do { try layer.transform.set(scale, at: .zero) } catch { throw AVError(error) }
      video.instructions = [Instruction(timeRange: all, layers: [layer])]
    } else {
      video.instructions = [Instruction(timeRange: all, passthroughTrackID: track.trackID)]
    }
    let edit = Edit(composition: snapshot.composition, videoComposition: video)
    do throws(CompositorError) {
      let valid = try CompositionValidator.validate(edit, catalog: try catalog(), mediaTypes: [.video]).get()
      return TranslatedEdit(composition: valid, timeRange: all, hasVideo: true, hasAudio: false)
    } catch {
      throw AVError(error)
    }
  }

  private func catalog() throws(CompositorError) -> MediaCatalog {
    let catalog = MediaCatalog()
    for (source, facts) in snapshot.files { if let info = try? facts.info() { catalog.provide(info, for: source) } }
    return catalog
  }
}
