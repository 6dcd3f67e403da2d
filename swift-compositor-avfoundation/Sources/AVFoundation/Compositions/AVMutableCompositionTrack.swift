internal import Compositor
public import Foundation

/// A track of a composition that may be changed.
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
  private func change(
    adding files: [MediaSource: AssetFacts] = [:], _ body: (inout Composition, TrackID) throws(CompositorError) -> Void
  ) throws(AVError) {
    try box.edit(adding: files) { [trackID] composition throws(CompositorError) in try body(&composition, trackID) }
  }

  /// Inserts a range of another track. What is at that time or later moves back; what the track lacks of the range is left out.
  ///
  /// - Parameter startTime: A time of this track, or the invalid time for its end. Before it a gap is left if the track ends earlier.
  /// - Throws: `AVError`: the track is of another type, has nothing in the range, or cannot be read.
  open func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
    try insert([(timeRange, track)], at: startTime)
  }

  /// Inserts ranges of several tracks one after another.
  ///
  /// - Throws: As for one; then none is inserted.
  open func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws {
    try insert(Array(zip(timeRanges.map(\.timeRangeValue), tracks)), at: startTime)
  }

  private func insert(_ parts: [(CMTimeRange, AVAssetTrack)], at startTime: CMTime) throws(AVError) {
    var files: [MediaSource: AssetFacts] = [:]
    var tracks: [(TimeRange, CompositionTrack)] = []
    for (range, track) in parts {
      guard track.mediaType == mediaType, let pieces = track.pieces() else {
        throw AVError(
          .operationNotSupportedForAsset,
          "A track of \(track.mediaType.rawValue) cannot be part of one of \(mediaType.rawValue).")
      }
      if let facts = track.source?.facts { files[facts.source] = facts }
      if let other = track as? AVCompositionTrack { files.merge(other.box.snapshot.files) { first, _ in first } }
      tracks.append((range.media.intersection(TimeRange(start: .zero, end: pieces.timeRange.end)), pieces))
    }
    try change(adding: files) { composition, trackID throws(CompositorError) in
      var time = startTime.media
      for (range, track) in tracks {
        try composition.insert(range, of: track, at: time, inTrack: trackID)
        if time.isValid { time += range.duration }
      }
    }
  }

  /// Inserts a gap. What is later moves back.
  open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    try? change { composition, id throws(CompositorError) in try composition.insertEmpty(timeRange.media, inTrack: id) }
  }

  /// Removes a range. What is later moves forward.
  open func removeTimeRange(_ timeRange: CMTimeRange) {
    try? change { composition, id throws(CompositorError) in try composition.remove(timeRange.media, inTrack: id) }
  }

  /// Makes a range last longer or shorter. What is later moves.
  open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    try? change { composition, id throws(CompositorError) in
      try composition.scale(timeRange.media, to: duration.media, inTrack: id)
    }
  }

  /// Whether parts would make a track: each lasts, begins where the one before ends, and is of a file's track of this type.
  ///
  /// - Throws: `AVError` that says which part is wrong.
  open func validateSegments(_ trackSegments: [AVCompositionTrackSegment]) throws {
    let parts = try resolved(trackSegments)
    do { try CompositionTrack.validate(parts.segments, trackID: trackID) } catch { throw AVError(error) }
  }

  func replace(by newSegments: [AVCompositionTrackSegment]) {
    guard let parts = try? resolved(newSegments) else { return }
    try? change(adding: parts.files) { composition, id throws(CompositorError) in
      try composition.setSegments(parts.segments, ofTrack: id)
    }
  }

  private func resolved(
    _ segments: [AVCompositionTrackSegment]
  ) throws(AVError) -> (segments: [CompositionTrackSegment], files: [MediaSource: AssetFacts]) {
    var files: [MediaSource: AssetFacts] = [:]
    var result: [CompositionTrackSegment] = []
    for segment in segments {
      guard let url = segment.sourceURL else {
        result.append(CompositionTrackSegment(empty: segment.timeMapping.target.media))
        continue
      }
      let facts = files[.file(path: url.path)] ?? box.snapshot.files[.file(path: url.path)] ?? AssetFacts(url)
      guard let source = try SourceTrack.all(of: facts).first(where: { $0.id == segment.sourceTrackID }),
        AVMediaType(source.type) == mediaType
      else { throw AVError(.noSuchTrack, "\(url.path) has no track \(segment.sourceTrackID) of this type.") }
      files[facts.source] = facts
      result.append(
        CompositionTrackSegment(
          source: facts.source, trackIndex: source.index, timeMapping: segment.timeMapping.media))
    }
    return (result, files)
  }
}

extension _AVAssetTrackKind where Self: AVMutableCompositionTrack {
  /// The parts that the track consists of; `nil` removes all. Parts that ``AVMutableCompositionTrack/validateSegments(_:)`` refuses are not
  /// taken. Never `nil`, but programs that unwrap it compile, too.
  public var segments: [AVCompositionTrackSegment]! {
    get { compositionSegments }
    set { replace(by: newValue ?? []) }
  }
}

extension NSValue {
  /// A value that holds a range.
  public convenience init(timeRange: CMTimeRange) {
    var range = timeRange
    self.init(bytes: &range, objCType: "[48C]")
  }

  /// The range that it holds.
  public var timeRangeValue: CMTimeRange {
    var range = CMTimeRange.invalid
    getValue(&range)
    return range
  }

  /// A value that holds a time.
  public convenience init(time: CMTime) {
    var time = time
    self.init(bytes: &time, objCType: "[24C]")
  }

  /// The time that it holds.
  public var timeValue: CMTime {
    var time = CMTime.invalid
    getValue(&time)
    return time
  }
}
