public import CompositorAPI
import CompositorMediaIO

extension Composition {
  /// The ID of a track into which any part of a source's track can be inserted without mixing formats: for video the size,
  /// pixel format, pixel aspect ratio, color and orientation; for audio the sample rate and channel count.
  ///
  /// An empty track is always compatible, but one that already has the same format is preferred. Times are ignored.
  ///
  /// - Parameter catalog: The catalog that describes this source and those of the tracks.
  /// - Returns: The first compatible track of the media type; `nil` if there is none, in which case one must be added.
  /// - Throws: Any error of reading the source; `.trackNotFound` if it has no such track.
  public func compatibleTrackID(
    for source: MediaSource, trackIndex: Int = 0, mediaType: MediaType, catalog: MediaCatalog
  ) throws(CompositorError) -> TrackID? {
    let format = try TrackFormat(source, trackIndex, mediaType, catalog)
    var empty: TrackID?
    for track in tracks(mediaType) {
      var formats: Set<TrackFormat> = []
      for segment in track.segments {
        guard let source = segment.source else { continue }
        formats.insert(try TrackFormat(source, segment.sourceTrackIndex, mediaType, catalog))
      }
      if formats == [format] { return track.trackID }
      if formats.isEmpty, empty == nil { empty = track.trackID }
    }
    return empty
  }
}

/// The format that the samples of a track have in common.
private enum TrackFormat: Hashable {
  case video(PixelSize, PixelFormat, Rational, ColorTags, AffineMatrix)
  case audio(sampleRate: Int, channelCount: Int)

  init(
    _ source: MediaSource, _ index: Int, _ mediaType: MediaType, _ catalog: MediaCatalog
  ) throws(CompositorError) {
    switch mediaType {
    case .video:
      let track = try catalog.videoTrack(of: source, index)
      let attributes = track.attributes
      self = .video(
        track.size, track.format, attributes.pixelAspectRatio.reduced, attributes.color, track.preferredTransform)
    case .audio:
      guard let track = try catalog.info(for: source).audioTracks.first(where: { $0.index == index }) else {
        throw CompositorError(
          .trackNotFound, "The source has no audio track \(index).", advice: "\(operation: .probe) lists the tracks.",
          at: ErrorLocation(file: source.description))
      }
      self = .audio(sampleRate: track.sampleRate, channelCount: track.channelCount)
    }
  }
}

extension VideoComposition {
  /// Creates a video composition that shows the video tracks of a composition, the first one on top, each upright and unscaled
  /// in the top left corner.
  ///
  /// - For one video track: its size and its timing. If its frames don't have a constant rate, the output follows the track
  ///   (`sourceTrackIDForFrameTiming`), which keeps a variable frame rate.
  /// - For several: a canvas that contains them all, and the highest known frame rate among them.
  /// - Without a known rate: 30 frames per second.
  ///
  /// `naturalSize` of the composition, if set, is the canvas. Disabled tracks are ignored.
  ///
  /// - Throws: Any error of reading a source; `.trackNotFound` if the composition has no video.
  public init(propertiesOf composition: Composition, catalog: MediaCatalog) throws(CompositorError) {
    var shown: [ShownTrack] = []
    for track in composition.tracks(.video) where track.isEnabled {
      let track = try ShownTrack(track, catalog: catalog)
      if !track.pieces.isEmpty { shown.append(track) }
    }
    guard !shown.isEmpty else {
      throw CompositorError(
        .trackNotFound, "The composition shows no video.", recoverySuggestion: "Insert video, and enable its track.")
    }
    let size =
      composition.naturalSize
      ?? Size(
        width: shown.map(\.size.width).max() ?? 1, height: shown.map(\.size.height).max() ?? 1)
    let rate = shown.compactMap(\.highestRate).max { $0.value < $1.value } ?? Rational(30, 1)
    var layers: [LayerInstruction] = []
    for track in shown { layers.append(try track.layer()) }
    let instruction = Instruction(timeRange: TimeRange(start: .zero, duration: composition.duration), layers: layers)
    self.init(
      instructions: [instruction], frameDuration: rate.frameDuration,
      renderSize: PixelSize(width: VideoComposition.side(size.width), height: VideoComposition.side(size.height)))
    if shown.count == 1, !shown[0].hasConstantRate { sourceTrackIDForFrameTiming = shown[0].track.trackID }
  }

  /// The length of a canvas side in pixels, limited to 1 … 16,384, also for values that aren't lengths.
  private static func side(_ length: Double) -> Int {
    length >= 1 ? Int(min(length.rounded(), Double(PixelSize.renderableSides.upperBound))) : 1
  }
}

/// A video track of a composition with the properties of its sources.
private struct ShownTrack {
  let track: CompositionTrack
  let pieces: [(segment: CompositionTrackSegment, info: VideoTrackInfo)]

  init(_ track: CompositionTrack, catalog: MediaCatalog) throws(CompositorError) {
    var pieces: [(segment: CompositionTrackSegment, info: VideoTrackInfo)] = []
    for segment in track.segments {
      guard let source = segment.source else { continue }
      pieces.append((segment, try catalog.videoTrack(of: source, segment.sourceTrackIndex)))
    }
    self.track = track
    self.pieces = pieces
  }

  /// The size that contains all frames, upright.
  var size: Size {
    let sizes = pieces.map(\.info.displaySize)
    return Size(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
  }

  private func rate(of info: VideoTrackInfo) -> Rational? {
    !info.isStill && (info.cadence != nil || info.nominalFrameRate.isPositive) ? info.outputFrameRate : nil
  }

  /// The frame rate of the fastest source whose rate is known.
  var highestRate: Rational? {
    pieces.compactMap { rate(of: $0.info) }.max { $0.value < $1.value }
  }

  /// Whether all frames have one rate, because the segments are unscaled parts of sources with constant rates. Stills fit any
  /// rate.
  var hasConstantRate: Bool {
    pieces.allSatisfy { segment, info in
      guard !info.isStill, !segment.isFreezeFrame else { return true }
      let isRegular = info.cadence.map { $0.isRegular && !$0.hasGaps } ?? true
      return isRegular && segment.timeMapping.isUnitRate && rate(of: info) == highestRate
    }
  }

  /// The track with each segment upright according to its source.
  func layer() throws(CompositorError) -> LayerInstruction {
    var layer = LayerInstruction(trackID: track.trackID)
    for (segment, info) in pieces where info.preferredTransform != .identity || !layer.transform.isConstant {
      try layer.transform.set(info.preferredTransform, at: segment.timeMapping.target.start)
    }
    return layer
  }
}

extension MediaCatalog {
  fileprivate func videoTrack(of source: MediaSource, _ index: Int) throws(CompositorError) -> VideoTrackInfo {
    let info = try info(for: source)
    if let track = info.videoTracks.first(where: { $0.index == index }) { return track }
    if let undecodable = info.undecodableTrack(.video, index) { throw undecodable.error }
    throw CompositorError(
      .trackNotFound, "The source has no video track \(index).", advice: "\(operation: .probe) lists the tracks.",
      at: ErrorLocation(file: source.description))
  }
}
