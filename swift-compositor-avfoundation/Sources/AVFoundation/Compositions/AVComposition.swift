internal import Compositor
public import Foundation
internal import Synchronization

/// An edit: tracks that consist of parts of media, as it was when it was taken from an ``AVMutableComposition``.
open class AVComposition: AVAsset, NSMutableCopying, @unchecked Sendable {
  let box: CompositionBox
  private let objects = Mutex<[TrackID: AVCompositionTrack]>([:])

  /// A composition without tracks.
  public convenience init() { self.init(box: CompositionBox()) }

  init(box: CompositionBox) {
    self.box = box
    super.init(facts: nil)
  }

  /// The composition as it is now, which does not change.
  open override func copy(with zone: NSZone? = nil) -> Any { AVComposition(box: CompositionBox(box.snapshot)) }

  /// A composition of the same contents that may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableComposition(box: CompositionBox(box.snapshot)) }

  func makeTrack(_ track: CompositionTrack) -> AVCompositionTrack { AVCompositionTrack(track: track, box: box, asset: self) }

  override func readTracks() throws(AVError) -> [AVAssetTrack] { compositionTracks }

  /// The tracks, the same object each time.
  var compositionTracks: [AVCompositionTrack] {
    let tracks = box.composition.tracks
    return objects.withLock { objects in
      tracks.map { track in
        let object = objects[track.trackID] ?? makeTrack(track)
        objects[track.trackID] = object
        return object
      }
    }
  }

  /// Forgets the object of a track that was removed, so that its number may be used again.
  func forget(_ id: TrackID) { objects.withLock { $0[id] = nil } }

  override func snapshot() throws(AVError) -> AssetSnapshot { box.snapshot }
  override func readDuration() throws(AVError) -> CMTime { CMTime(box.composition.duration) }

  /// The latest end of a track.
  open override var duration: CMTime { CMTime(box.composition.duration) }

  /// The size that was set, else that of the first video track.
  open override var naturalSize: CGSize {
    get { box.composition.naturalSize.map(CGSize.init) ?? super.naturalSize }
    set { try? box.edit { composition throws(CompositorError) in composition.naturalSize = newValue.size } }
  }

  /// The tracks, each on a line.
  open override var description: String {
    let lines = compositionTracks.map { "    \"\($0)\"" }
    return "<\(objectText) tracks = (\n\(lines.joined(separator: ",\n"))\n)>"
  }
}

extension CGSize {
  fileprivate var size: Size { Size(width: Double(width), height: Double(height)) }
}

extension _AVAssetKind where Self: AVComposition {
  /// The tracks.
  public var tracks: [AVCompositionTrack] { compositionTracks }

  /// The tracks of a type.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVCompositionTrack] {
    compositionTracks.filter { $0.mediaType == mediaType }
  }

  /// The track with a number; `nil` if there is none.
  public func track(withTrackID trackID: CMPersistentTrackID) -> AVCompositionTrack? {
    compositionTracks.first { $0.trackID == trackID }
  }

  /// The tracks of a type.
  ///
  /// - Throws: Never, but files do.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVCompositionTrack] {
    compositionTracks.filter { $0.mediaType == mediaType }
  }

  /// The track with a number; `nil` if there is none.
  ///
  /// - Throws: Never, but files do.
  public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVCompositionTrack? {
    compositionTracks.first { $0.trackID == trackID }
  }
}
