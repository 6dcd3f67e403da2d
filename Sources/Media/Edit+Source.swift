public import CompositorAPI
import CompositorMediaIO

extension Edit {
  /// Creates an edit that shows a source's first video track and, if present, its first audio track, from the first frame to
  /// the end; upright, at its own size and at its own frame rate. A still lasts one second.
  ///
  /// - Throws: Any error of reading the source; `.trackNotFound` if it has no video.
  public init(showing source: MediaSource, catalog: MediaCatalog) throws(CompositorError) {
    try self.init(showing: source, catalog: catalog, endlessFor: MediaTime(value: 1, timescale: 1))
  }

  /// Shows a source as ``init(showing:catalog:)`` does; one that has no end of its own, such as a still, for a given time.
  package init(
    showing source: MediaSource, catalog: MediaCatalog, endlessFor duration: MediaTime
  ) throws(CompositorError) {
    let info = try catalog.info(for: source)
    guard let track = info.videoTracks.first else {
      if let undecodable = info.undecodableTrack(.video, 0) { throw undecodable.error }
      throw CompositorError(
        .trackNotFound, "There is no video in \(source).", recoverySuggestion: "Use a file with video.",
        at: ErrorLocation(file: source.description))
    }
    var range = track.timeRange
    if !range.duration.isNumeric { range.duration = duration }
    var composition = Composition()
    let video = composition.addTrack(.video)
    let target = TimeRange(start: .zero, duration: range.duration)
    try composition.setSegments(
      [
        CompositionTrackSegment(
          source: source, trackIndex: track.index, timeMapping: TimeMapping(source: range, target: target))
      ], ofTrack: video)
    if let sound = info.audioTracks.first {
      let audio = composition.addTrack(.audio)
      try composition.setSegments(
        [
          CompositionTrackSegment(
            source: source, trackIndex: sound.index, timeMapping: TimeMapping(source: range, target: target))
        ], ofTrack: audio)
    }
    let instruction = Instruction(timeRange: target, passthroughTrackID: video)
    let size = track.displaySize
    // A larger source than a canvas can be is reduced in its aspect ratio.
    let scale = min(1, Double(PixelSize.renderableSides.upperBound) / max(1, size.width, size.height))
    let canvas = PixelSize(rounding: Size(width: size.width * scale, height: size.height * scale))
    self.init(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: [instruction], frameDuration: track.outputFrameRate.frameDuration, renderSize: canvas))
  }
}
