public import CompositorAPI
import CompositorMediaIO

extension Composition {
  /// A track into which any part of a source's track can be inserted so that everything it plays has one format: for video the size, the
  /// pixel format, the pixel aspect ratio, the color and the orientation, for audio the sample rate and the number of channels.
  ///
  /// An empty track fits everything, but one that holds the same format already is preferred. Times do not matter.
  ///
  /// - Parameter catalog: Where this source and those of the tracks are looked up.
  /// - Returns: The first such track of the media type; nil if there is none, so that one has to be added.
  /// - Throws: What keeps the source from being read; `.trackNotFound` if it has no such track.
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

/// What the samples of a track have in common.
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
          .trackNotFound, "The source has no audio track \(index).", recoverySuggestion: "`compositor probe` lists the tracks.",
          at: ErrorLocation(file: source.description))
      }
      self = .audio(sampleRate: track.sampleRate, channelCount: track.channelCount)
    }
  }
}

extension VideoComposition {
  /// Shows a composition as its video tracks are: the first one on top, each upright, at its own size in the top left corner.
  ///
  /// - One video track: its size, and its timing. If its frames do not come at one rate throughout, the output follows the track
  ///   (``sourceTrackIDForFrameTiming``), and a variable frame rate is kept.
  /// - Several: a canvas that holds them all, and the highest frame rate that is known among them.
  /// - Without a known rate: 30 frames a second.
  ///
  /// `naturalSize` of the composition, if it has one, is the canvas. Tracks that are not enabled do not count.
  ///
  /// - Throws: What keeps a source from being read; `.trackNotFound` if the composition shows no video.
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
    var instruction = Instruction(timeRange: TimeRange(start: .zero, duration: composition.duration))
    for track in shown { instruction.layers.append(try track.layer()) }
    self.init(
      instructions: [instruction], frameDuration: rate.frameDuration,
      renderSize: PixelSize(width: VideoComposition.side(size.width), height: VideoComposition.side(size.height)))
    if shown.count == 1, !shown[0].hasConstantRate { sourceTrackIDForFrameTiming = shown[0].track.trackID }
  }

  /// A side of a canvas in pixels, 1 … 16384, also of what is no length.
  private static func side(_ length: Double) -> Int { length >= 1 ? Int(min(length.rounded(), 16384)) : 1 }
}

/// A video track of a composition with what its sources say.
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

  /// The size that holds every picture, upright.
  var size: Size {
    let sizes = pieces.map(\.info.displaySize)
    return Size(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
  }

  private func rate(of info: VideoTrackInfo) -> Rational? {
    !info.isStill && (info.cadence != nil || info.nominalFrameRate.isPositive) ? info.outputFrameRate : nil
  }

  /// Frames a second of the fastest source whose rate is known.
  var highestRate: Rational? {
    pieces.compactMap { rate(of: $0.info) }.max { $0.value < $1.value }
  }

  /// Whether all frames come at one rate: unscaled pieces of regular sources. Stills fit any.
  var hasConstantRate: Bool {
    pieces.allSatisfy { segment, info in
      guard !info.isStill, !segment.isFreezeFrame else { return true }
      let isRegular = info.cadence.map { $0.isRegular && !$0.hasGaps } ?? true
      return isRegular && segment.timeMapping.isUnitRate && rate(of: info) == highestRate
    }
  }

  /// The track with each piece upright, as its source asks.
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
      .trackNotFound, "The source has no video track \(index).", recoverySuggestion: "`compositor probe` lists the tracks.",
      at: ErrorLocation(file: source.description))
  }
}
