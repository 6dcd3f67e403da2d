internal import Compositor
public import Foundation
internal import Synchronization

/// Media with tracks: a file or a composition.
///
/// Properties are read from the file when they are first asked for, once; of a file that cannot be read they are empty, and `load`
/// throws the reason. May be used from any thread.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  /// The file; `nil` for a composition.
  let facts: AssetFacts?
  private let made = Mutex<[AVAssetTrack]?>(nil)

  init(facts: AssetFacts?) {
    self.facts = facts
    super.init()
  }

  /// The same asset, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The tracks, one object for each as long as the asset lives.
  ///
  /// - Throws: Why the file cannot be read.
  func readTracks() throws(AVError) -> [AVAssetTrack] {
    guard let facts else { return [] }
    let sources = try SourceTrack.all(of: facts)
    return made.withLock { made in
      let tracks = made ?? sources.map { AVAssetTrack(source: $0, asset: self) }
      made = tracks
      return tracks
    }
  }

  /// Tracks, times and sources as the compositor takes them.
  func snapshot() throws(AVError) -> AssetSnapshot {
    guard let facts else { return AssetSnapshot() }
    return try AssetSnapshot(file: facts)
  }

  func readDuration() throws(AVError) -> CMTime {
    guard let facts else { return .zero }
    return CMTime(try facts.info().duration)
  }

  /// The decodable tracks.
  @_disfavoredOverload public var tracks: [AVAssetTrack] { (try? readTracks()) ?? [] }

  /// The tracks of a type.
  @_disfavoredOverload public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks with a characteristic.
  @_disfavoredOverload public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVAssetTrack]
  {
    tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// The track with a number; `nil` if there is none.
  @_disfavoredOverload public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// The latest end of a track.
  open var duration: CMTime { (try? readDuration()) ?? .zero }
  /// The rate at which it is meant to be played.
  open var preferredRate: Float { 1 }
  /// The volume at which it is meant to be played.
  open var preferredVolume: Float { 1 }
  /// The transform that it is meant to be shown with.
  open var preferredTransform: CGAffineTransform { .identity }
  /// The size of the first video track.
  open var naturalSize: CGSize { tracks(withMediaType: .video).first?.naturalSize ?? .zero }
  /// Whether its duration and times are exact, which they always are.
  open var providesPreciseDurationAndTiming: Bool { true }
  /// Whether there is a track to play.
  open var isPlayable: Bool { !tracks.isEmpty }
  /// Whether there is a track to export.
  open var isExportable: Bool { !tracks.isEmpty }
  /// Whether there is a track to read.
  open var isReadable: Bool { !tracks.isEmpty }
  /// Whether its tracks can be inserted into a composition.
  open var isComposable: Bool { !tracks.isEmpty }
  /// Whether it is protected; such files cannot be read.
  open var hasProtectedContent: Bool { false }

  /// A number that no track has.
  open func unusedTrackID() -> CMPersistentTrackID { (tracks.map(\.trackID).max() ?? 0) + 1 }

  /// Does nothing: properties are read when they are asked for.
  open func cancelLoading() {}

  /// Calls a closure when properties are known, from another thread.
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    Task(executorPreference: Worker.shared) { [self] in
      _ = try? readTracks()
      handler?()
    }
  }

  /// Whether a property is known, which is found out by reading the file.
  open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
    do {
      _ = try readTracks()
      return .loaded
    } catch {
      outError?.pointee = error as NSError
      return .failed
    }
  }

  /// The tracks of a type.
  ///
  /// - Throws: Why the file cannot be read.
  @_disfavoredOverload public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try readTracks().filter { $0.mediaType == mediaType }
  }

  /// The tracks with a characteristic.
  ///
  /// - Throws: Why the file cannot be read.
  @_disfavoredOverload public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) async throws -> [AVAssetTrack] {
    try readTracks().filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// The track with a number; `nil` if there is none.
  ///
  /// - Throws: Why the file cannot be read.
  @_disfavoredOverload public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    try readTracks().first { $0.trackID == trackID }
  }
}

/// An asset that is a file.
open class AVURLAsset: AVAsset, @unchecked Sendable {
  /// The address of the file.
  public let url: URL

  /// The asset of a file. Options that ask for exact times are always met.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    super.init(facts: AssetFacts(url))
  }
}

/// What ``AVAsset`` gives its subclasses: lists of tracks that are narrower in each, and `AVAsset(url:)`, which makes an ``AVURLAsset``.
///
/// Members of protocol extensions may do both; overrides may not.
public protocol _AVAssetKind {}

extension AVAsset: _AVAssetKind {}

extension _AVAssetKind {
  /// The asset of a file, which is an ``AVURLAsset``. Only ``AVAsset`` itself is made so.
  public init(url: URL) {
    guard let asset = AVURLAsset(url: url, options: nil) as? Self else {
      preconditionFailure("\(Self.self) has initializers of its own; AVAsset(url:) makes an AVURLAsset.")
    }
    self = asset
  }
}

/// Asks for exact durations and times.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Says which files may be referred to.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
