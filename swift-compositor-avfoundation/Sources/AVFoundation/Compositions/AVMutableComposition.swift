internal import Compositor
internal import Foundation

/// An edit that may be changed.
open class AVMutableComposition: AVComposition, @unchecked Sendable {
  /// A composition without tracks.
  public init() { super.init(box: CompositionBox()) }

  /// A composition without tracks. The options apply to files that are opened by the addresses of segments.
  public init(urlAssetInitializationOptions URLAssetInitializationOptions: [String: Any]?) {
    super.init(box: CompositionBox())
  }

  override init(box: CompositionBox) { super.init(box: box) }

  override func makeTrack(_ track: CompositionTrack) -> AVCompositionTrack {
    AVMutableCompositionTrack(track: track, box: box, asset: self)
  }

  private func object(_ id: TrackID) -> AVMutableCompositionTrack? {
    compositionTracks.first { $0.trackID == id } as? AVMutableCompositionTrack
  }

  /// Adds an empty track.
  ///
  /// - Parameters:
  ///   - mediaType: Video or audio.
  ///   - preferredTrackID: A number that no track has, or `kCMPersistentTrackID_Invalid` for the next free one.
  /// - Returns: The track; `nil` if the type is another one.
  @discardableResult
  open func addMutableTrack(
    withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
  ) -> AVMutableCompositionTrack? {
    guard let type = mediaType.compositorType else { return nil }
    let wanted = preferredTrackID == kCMPersistentTrackID_Invalid ? nil : preferredTrackID
    let id = try? box.edit { composition throws(CompositorError) in composition.addTrack(type, preferredTrackID: wanted) }
    return id.flatMap(object)
  }

  /// A track of this composition that a track's media could be appended to: one of the same type.
  open func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
    compositionTracks.first { $0.mediaType == track.mediaType } as? AVMutableCompositionTrack
  }

  /// Removes a track, which still answers with what it was. One of another composition is ignored.
  open func removeTrack(_ track: AVCompositionTrack) {
    guard object(track.trackID) === track else { return }
    try? box.edit { [id = track.trackID] composition throws(CompositorError) in try composition.removeTrack(id) }
    forget(track.trackID)
  }

  /// Inserts all tracks of an asset. What is at that time or later moves back.
  ///
  /// The first video track goes to the first video track here, and so on; missing ones are added. What the asset lacks of the range is
  /// left out. With `await` the compiler warns that nothing is waited for: if both forms existed, it would insist on it.
  ///
  /// - Throws: `AVError`: why the asset cannot be read, or what is wrong with a time.
  open func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
    let other = try asset.snapshot()
    let range = timeRange.media.intersection(TimeRange(start: .zero, duration: other.composition.duration))
    try box.edit(adding: other.files) { composition throws(CompositorError) in
      try composition.insert(range, of: other.composition, at: startTime.media)
    }
  }

  /// Inserts a gap into all tracks.
  open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    try? box.edit { composition throws(CompositorError) in try composition.insertEmpty(timeRange.media) }
  }

  /// Removes a range from all tracks. What is later moves forward.
  open func removeTimeRange(_ timeRange: CMTimeRange) {
    try? box.edit { composition throws(CompositorError) in try composition.remove(timeRange.media) }
  }

  /// Makes a range of all tracks last longer or shorter. What is later moves.
  open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    try? box.edit { composition throws(CompositorError) in try composition.scale(timeRange.media, to: duration.media) }
  }
}

extension AVMutableComposition {
  fileprivate var mutableTracks: [AVMutableCompositionTrack] {
    compositionTracks.compactMap { $0 as? AVMutableCompositionTrack }
  }
}

extension _AVAssetKind where Self: AVMutableComposition {
  /// The tracks.
  public var tracks: [AVMutableCompositionTrack] { mutableTracks }

  /// The tracks of a type.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks with a characteristic.
  public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// The track with a number; `nil` if there is none.
  public func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableCompositionTrack? {
    mutableTracks.first { $0.trackID == trackID }
  }

  /// The tracks of a type.
  ///
  /// - Throws: Never, but files do.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVMutableCompositionTrack] {
    tracks(withMediaType: mediaType)
  }
}
