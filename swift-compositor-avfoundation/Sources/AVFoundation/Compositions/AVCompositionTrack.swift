internal import Compositor
public import Foundation
internal import Synchronization

/// A part of a composition's track: a range of a file's track and where it lies.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
  /// The file; `nil` for an empty part.
  public let sourceURL: URL?
  /// The number of the track in its file; invalid for an empty part.
  public let sourceTrackID: CMPersistentTrackID

  /// A part of a file's track.
  public init(
    url URL: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange, targetTimeRange: CMTimeRange
  ) {
    sourceURL = URL
    sourceTrackID = trackID
    super.init(timeMapping: CMTimeMapping(source: sourceTimeRange, target: targetTimeRange), isEmpty: false)
  }

  /// A part in which nothing is shown or heard.
  public init(timeRange: CMTimeRange) {
    sourceURL = nil
    sourceTrackID = kCMPersistentTrackID_Invalid
    super.init(timeMapping: CMTimeMapping(source: .invalid, target: timeRange), isEmpty: true)
  }

  init(_ segment: CompositionTrackSegment, trackID: CMPersistentTrackID) {
    if case .file(let path)? = segment.source {
      sourceURL = URL(fileURLWithPath: path)
      sourceTrackID = trackID
    } else {
      sourceURL = nil
      sourceTrackID = kCMPersistentTrackID_Invalid
    }
    super.init(timeMapping: CMTimeMapping(segment.timeMapping), isEmpty: segment.isEmpty)
  }

  /// The range in the track, the file, its track and its range, in seconds.
  open override var description: String {
    let target = "timeRange \(timeMapping.target.secondsText)"
    guard !isEmpty, let sourceURL else { return "<\(objectText) \(target) is empty>" }
    return "<\(objectText) \(target) from trackID \(sourceTrackID) of asset \(sourceURL.absoluteString) "
      + "sourceTimeRange \(timeMapping.source.secondsText)>"
  }
}

extension CMTimeRange {
  /// Start and duration in seconds.
  fileprivate var secondsText: String { String(format: "[%.3f,+%.3f]", start.seconds, duration.seconds) }
}

extension NSObject {
  /// The class and the address, as descriptions begin.
  var objectText: String {
    "\(type(of: self)): 0x\(String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16))"
  }
}

/// A track of a composition. A track that was removed from it still answers with what it was.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
  let box: CompositionBox
  private let last: CompositionTrack
  private let timescale = Mutex<CMTimeScale?>(nil)

  init(track: CompositionTrack, box: CompositionBox, asset: AVAsset) {
    self.box = box
    last = track
    super.init(source: nil, trackID: track.trackID, mediaType: AVMediaType(track.mediaType), asset: asset)
  }

  /// The track as it is now.
  var current: CompositionTrack { box.track(trackID) ?? last }

  override func pieces() -> CompositionTrack? { current }

  override func readSegments() -> [AVAssetTrackSegment] { compositionSegments }

  /// The part of media that is shown at a time of the track; of other times the nearest one.
  open override func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
    super.segment(forTrackTime: trackTime) as? AVCompositionTrackSegment
  }

  /// What is known of the first file that the track shows.
  private var firstFile: (facts: AssetFacts, index: Int)? {
    let snapshot = box.snapshot
    for segment in current.segments {
      if let source = segment.source, let facts = snapshot.files[source] { return (facts, segment.sourceTrackIndex) }
    }
    return nil
  }

  /// The track of the first file that the track shows.
  private var firstTrack: AVAssetTrack? {
    guard let (facts, index) = firstFile, let sources = try? SourceTrack.all(of: facts),
      let source = sources.first(where: { AVMediaType($0.type) == mediaType && $0.index == index })
    else { return nil }
    return AVAssetTrack(source: source, trackID: source.id, mediaType: mediaType, asset: nil)
  }

  /// From 0 to the end of the last part.
  open override var timeRange: CMTimeRange { CMTimeRange(current.timeRange) }
  /// The size of the first part's pictures.
  open override var naturalSize: CGSize { firstTrack?.naturalSize ?? .zero }
  /// The transform that is written with the track, or that the compositor's built-in layers begin with.
  open override var preferredTransform: CGAffineTransform {
    get { CGAffineTransform(current.preferredTransform) }
    set {
      try? box.edit { [trackID] composition throws(CompositorError) in
        try composition.setPreferredTransform(newValue.matrix, ofTrack: trackID)
      }
    }
  }
  /// The frame rate of the first part.
  open override var nominalFrameRate: Float { firstTrack?.nominalFrameRate ?? 0 }
  /// The shortest time between two frames of the first part.
  open override var minFrameDuration: CMTime { firstTrack?.minFrameDuration ?? .invalid }
  /// The time scale that was set, else that of the first part. Times are exact in any case.
  open override var naturalTimeScale: CMTimeScale {
    get { timescale.withLock { $0 } ?? firstTrack?.naturalTimeScale ?? 600 }
    set { timescale.withLock { $0 = newValue } }
  }
  /// Bits per second of the first part's file, on average.
  open override var estimatedDataRate: Float { firstTrack?.estimatedDataRate ?? 0 }

  /// The number, the type and the count of parts.
  open override var description: String {
    "<\(objectText) trackID = \(trackID), mediaType = \(mediaType.rawValue), editCount = \(current.segments.count)>"
  }
  /// Whether the track is shown or heard.
  open override var isEnabled: Bool {
    get { current.isEnabled }
    set {
      try? box.edit { [trackID] composition throws(CompositorError) in
        try composition.setEnabled(newValue, ofTrack: trackID)
      }
    }
  }
}

extension _AVAssetTrackKind where Self: AVCompositionTrack {
  /// The parts that the track consists of.
  public var segments: [AVCompositionTrackSegment] { compositionSegments }
}

extension AVCompositionTrack {
  var compositionSegments: [AVCompositionTrackSegment] {
    let files = box.snapshot.files
    return current.segments.map { segment in
      let facts = segment.source.flatMap { files[$0] }
      let sources = facts.flatMap { try? SourceTrack.all(of: $0) } ?? []
      let source = sources.first { AVMediaType($0.type) == mediaType && $0.index == segment.sourceTrackIndex }
      return AVCompositionTrackSegment(segment, trackID: source?.id ?? kCMPersistentTrackID_Invalid)
    }
  }
}
