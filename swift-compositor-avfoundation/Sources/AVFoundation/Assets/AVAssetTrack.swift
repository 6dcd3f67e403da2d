internal import Compositor
public import Foundation

/// A part of a track: a range of media and where it lies.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
  /// The range of the media and that of the track.
  public let timeMapping: CMTimeMapping
  /// Whether nothing is shown or heard.
  public let isEmpty: Bool

  init(timeMapping: CMTimeMapping, isEmpty: Bool) {
    self.timeMapping = timeMapping
    self.isEmpty = isEmpty
    super.init()
  }
}

/// A track of an asset. It keeps what it knows of its file, but not the asset.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  /// The track of the file; `nil` for a track of a composition.
  let source: SourceTrack?
  /// The number of the track in its asset.
  public let trackID: CMPersistentTrackID
  /// What the track holds.
  public let mediaType: AVMediaType
  /// The asset, as long as something else keeps it.
  public private(set) weak var asset: AVAsset?

  init(source: SourceTrack?, trackID: CMPersistentTrackID, mediaType: AVMediaType, asset: AVAsset?) {
    self.source = source
    self.trackID = trackID
    self.mediaType = mediaType
    self.asset = asset
    super.init()
  }

  convenience init(source: SourceTrack, asset: AVAsset) {
    self.init(source: source, trackID: source.id, mediaType: AVMediaType(source.type), asset: asset)
  }

  /// The same track.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private var info: MediaInfo? { try? source?.facts.info() }
  private var video: VideoTrackInfo? {
    guard let source, source.type == .video else { return nil }
    return info?.videoTracks.first { $0.index == source.index }
  }
  private var audio: AudioTrackInfo? {
    guard let source, source.type == .audio else { return nil }
    return info?.audioTracks.first { $0.index == source.index }
  }

  /// The media and their ranges that the track consists of, as the compositor takes them.
  func pieces() -> CompositionTrack? {
    guard let source else { return nil }
    return try? AssetSnapshot(tracks: [source]).composition.tracks.first
  }

  /// The range of the asset's time in which the track has media.
  open var timeRange: CMTimeRange { source.map { CMTimeRange($0.timeRange) } ?? .zero }
  /// The size of the pictures in square pixels, as they are stored; zero for other tracks.
  open var naturalSize: CGSize {
    guard let video else { return .zero }
    let aspect = video.attributes.pixelAspectRatio.value
    return CGSize(width: Double(video.size.width) * max(aspect, 1), height: Double(video.size.height) * max(1 / aspect, 1))
  }
  /// The transform that turns the pictures upright.
  open var preferredTransform: CGAffineTransform { source.map { CGAffineTransform($0.transform) } ?? .identity }
  /// Frames per second, on average; 0 for other tracks.
  open var nominalFrameRate: Float { video.map { Float($0.nominalFrameRate.value) } ?? 0 }
  /// Bits per second, on average; 0 if they are not known, which is the case for large files that are not of the MPEG-4 family.
  open var estimatedDataRate: Float { source?.dataRate.map { Float($0) } ?? 0 }
  /// The shortest time between two frames.
  open var minFrameDuration: CMTime {
    if let shortest = video?.minimumFrameDuration, shortest.isNumeric, shortest > .zero { return CMTime(shortest) }
    guard let rate = video?.nominalFrameRate, rate.numerator > 0 else { return .invalid }
    return CMTime(.frames(1, at: rate))
  }
  /// Units per second of the track's times in the file, or in which they can be stated exactly.
  open var naturalTimeScale: CMTimeScale {
    if let stated = (video?.storage ?? audio?.storage)?.timescale.flatMap(CMTimeScale.init(exactly:)) { return stated }
    if let audio { return CMTimeScale(audio.sampleRate) }
    return video.map { $0.timeRange.duration.isNumeric ? $0.timeRange.duration.timescale : 600 } ?? 600
  }
  /// Whether the track is shown or heard.
  open var isEnabled: Bool { source?.isEnabled ?? true }
  /// The volume at which it is meant to be played.
  open var preferredVolume: Float { 1 }
  /// The language as a BCP 47 tag; `nil` if the file states none.
  open var extendedLanguageTag: String? { video?.language ?? audio?.language }
  /// The language as a code; `nil` if the file states none.
  open var languageCode: String? { extendedLanguageTag }
  /// What the track says about itself: its title.
  public var metadata: [AVMetadataItem] { readMetadata() }
  /// What the track says under keys that all formats have.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

  func readMetadata() -> [AVMetadataItem] {
    (video?.title ?? audio?.title).map { MetadataNames.items(["title": $0]) } ?? []
  }

  /// Whether the track can be played.
  open var isPlayable: Bool { true }
  /// Whether the track can be decoded.
  open var isDecodable: Bool { true }

  /// The parts of media that the track consists of.
  @_disfavoredOverload public var segments: [AVAssetTrackSegment] { readSegments() }

  /// The parts, of the class that the track's own class has.
  func readSegments() -> [AVAssetTrackSegment] { pieces()?.segments.map(AVAssetTrackSegment.init(_:)) ?? [] }

  /// The part of media that is shown at a time of the track; of other times the nearest one.
  open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
    let all = readSegments()
    return all.first { $0.timeMapping.target.containsTime(trackTime) } ?? (trackTime < .zero ? all.first : all.last)
  }

  /// Calls a closure when properties are known, from another thread. They are known when the track is.
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    Task(executorPreference: Worker.shared) { handler?() }
  }

  /// Whether a property is known, which it always is.
  open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus { .loaded }

  /// Whether the track has a characteristic.
  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    switch mediaCharacteristic {
    case .visual: mediaType == .video
    case .audible: mediaType == .audio
    case .containsAlphaChannel: video?.format.hasAlpha ?? false
    default: false
    }
  }
}

/// What ``AVAssetTrack`` gives its subclasses: lists of parts that are narrower in each.
public protocol _AVAssetTrackKind: AnyObject {}

extension AVAssetTrack: _AVAssetTrackKind {}

extension AVAssetTrackSegment {
  convenience init(_ segment: CompositionTrackSegment) {
    self.init(timeMapping: CMTimeMapping(segment.timeMapping), isEmpty: segment.isEmpty)
  }
}

extension CMTimeMapping {
  init(_ mapping: TimeMapping) {
    self.init(source: CMTimeRange(mapping.source), target: CMTimeRange(mapping.target))
  }

  var media: TimeMapping { TimeMapping(source: source.media, target: target.media) }
}
