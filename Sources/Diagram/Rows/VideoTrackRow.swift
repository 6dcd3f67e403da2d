import CompositorAPI

/// A video track: its segments, gaps, and thumbnails if there are any.
struct VideoTrackRow: DiagramRow {
  let track: CompositionTrack
  /// The index among the video tracks, from 0, which selects its color.
  let index: Int

  var identifier: String { "video-\(track.trackID)" }
  var title: String { "Video \(track.trackID)" }
  var subtitle: String {
    let count = track.segments.count { !$0.isEmpty }
    return DiagramText.count(count, "segment") + (track.isEnabled ? "" : ", disabled")
  }

  private static let segmentHeight = 32.0
  private static let pictureHeight = 45.0

  private func pictures(_ context: DiagramContext) -> [DiagramThumbnail] {
    context.thumbnails.filter { $0.trackID == track.trackID && $0.size.isDrawable }
  }

  func height(in context: DiagramContext) -> Double {
    Self.segmentHeight + 8 + (pictures(context).isEmpty ? 0 : Self.pictureHeight + 4)
  }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    canvas.spans(
      track.spans(fill: .trackFill(index), stroke: .track(index)), top: 4, height: Self.segmentHeight, noun: "segment")
    var free = canvas.scale.x0
    for picture in pictures(context) {
      let x = canvas.scale.x(picture.time)
      let width = Self.pictureHeight * picture.size.width / picture.size.height
      // A thumbnail starts at its time, and is omitted if it does not fit completely.
      guard x >= free, x + width <= canvas.scale.x1 else { continue }
      free = x + width + 2
      var mark = DiagramMark(
        .picture(
          picture.picture, in: Rect(x: x, y: Self.segmentHeight + 8, width: width, height: Self.pictureHeight)),
        kind: "thumbnail")
      mark.timeRange = TimeRange(start: picture.time, duration: .zero)
      mark.tooltip = DiagramText.exact(picture.time)
      canvas.add(mark)
    }
  }
}
