import CompositorAPI

/// A video track: its segments, gaps, and thumbnails if there are any.
struct VideoTrackRow: DiagramRow {
  let track: CompositionTrack
  /// The index among the video tracks, from 0, which selects its color.
  let index: Int
  let names: DiagramNames

  var identifier: String { "video-\(track.trackID)" }
  var title: String { names.title(of: track.trackID, "Video") }
  var subtitle: String { track.subtitle }

  private static let segmentHeight = 32.0
  private static let pictureHeight = 45.0

  /// The narrowest thumbnail in which anything can be recognized, in user units.
  private static let leastWidth = 12.0

  /// The extent of the segment that a thumbnail shows.
  private func space(for picture: DiagramThumbnail, on scale: DiagramScale) -> ClosedRange<Double>? {
    let segment = track.segments.last { $0.timeMapping.target.start <= picture.time }
    return segment.flatMap { scale.extent(of: $0.timeMapping.target) }
  }

  private func pictures(_ context: DiagramContext) -> [DiagramThumbnail] {
    context.thumbnails.filter { $0.trackID == track.trackID && $0.size.isDrawable }
  }

  func height(in context: DiagramContext) -> Double {
    Self.segmentHeight + 8 + (pictures(context).isEmpty ? 0 : Self.pictureHeight + 4)
  }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    canvas.spans(
      track.spans(fill: .trackFill(index), stroke: .track(index), names), top: 4, height: Self.segmentHeight, noun: "segment")
    var free = canvas.scale.x0
    for picture in pictures(context) {
      let x = canvas.scale.x(picture.time)
      let whole = Self.pictureHeight * picture.size.width / picture.size.height
      guard let space = space(for: picture, on: canvas.scale) else { continue }
      // A thumbnail starts at its time and ends in its segment: smaller in a short one, and not at all at the end of a long one.
      let width = min(whole, space.upperBound - space.lowerBound - 2)
      guard x >= free, width >= Self.leastWidth, x + width <= space.upperBound else { continue }
      let height = Self.pictureHeight * width / whole
      free = x + width + 2
      var mark = DiagramMark(
        .picture(
          picture.picture, in: Rect(x: x, y: Self.segmentHeight + 8, width: width, height: height)),
        kind: .thumbnail)
      mark.timeRange = TimeRange(start: picture.time, duration: .zero)
      mark.tooltip = DiagramText.exact(picture.time)
      canvas.add(mark)
    }
  }
}
