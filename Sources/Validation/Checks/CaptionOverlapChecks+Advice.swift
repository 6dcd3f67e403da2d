import CompositorAPI
import CompositorCaptions
import CompositorOverlay

/// Styles with which captions don't lie on titles.
extension CaptionOverlapChecks {
  /// A style with which no caption of the track lies on a title, as the change to write; in words if there is none.
  func advice(
    for track: CaptionTrack, _ overlaps: [Overlap], _ fonts: FontLibrary, _ beneath: [CaptionLayout]
  ) -> Advice {
    let search = PlaceSearch(checks: self, fonts: fonts, beneath: beneath)
    guard let (key, value) = search.margin(for: track, overlaps) ?? search.position(for: track) else {
      return "Move the title, or show it at another time."
    }
    let others = key == "marginY" ? track.othersMovedByMargin : nil
    let end = ": no caption lies on a title then\(others ?? ""). Or move the title."
    return track.style == CaptionStyle()
      ? .write(.object(key: key, value), key: "style", end) : .write(.string(value), key: key, end)
  }
}

/// Looks for a place at which the captions of a track don't lie on titles.
private struct PlaceSearch {
  let checks: CaptionOverlapChecks
  let fonts: FontLibrary
  /// The captions that are drawn before, and keep their places.
  let beneath: [CaptionLayout]

  /// The distance of captions from a title that they are moved away from, and the largest margin, as shares of the canvas's height.
  private static let (gap, largestMargin) = (0.01, 0.45)

  /// The least margin with which the captions are beyond the titles; `nil` if it would be too large.
  func margin(
    for track: CaptionTrack, _ overlaps: [CaptionOverlapChecks.Overlap]
  ) -> (key: String, value: String)? {
    guard track.style.vertical != .middle else { return nil }
    var (track, overlaps) = (track, overlaps)
    let height = Double(checks.canvas.height)
    // Behind one text may be another one, such as a name above a role.
    for _ in 0..<4 {
      let boxes = overlaps.flatMap(\.text.boxes)
      let edge =
        track.style.vertical == .bottom ? height - (boxes.map(\.minY).min() ?? height) : boxes.map(\.maxY).max() ?? height
      let percent = ((edge / height + Self.gap) * 100).rounded(.up)
      guard percent / 100 > track.style.verticalMargin, percent / 100 <= Self.largestMargin else { return nil }
      track.style.verticalMargin = percent / 100
      guard let rest = try? overlapsOnCanvas(of: track) else { return nil }
      if rest.isEmpty { return ("marginY", "\(Int(percent))%") }
      overlaps = rest
    }
    return nil
  }

  /// Another edge of the canvas at which no title is.
  func position(for track: CaptionTrack) -> (key: String, value: String)? {
    for side in [CaptionPlacement.Vertical.top, .bottom] where side != track.style.vertical {
      var moved = track
      moved.style.vertical = side
      if let rest = try? overlapsOnCanvas(of: moved), rest.isEmpty { return ("position", side.rawValue) }
    }
    return nil
  }

  /// The overlaps of a track with the style that it has; `nil` if a caption would not be all on the canvas.
  private func overlapsOnCanvas(of track: CaptionTrack) throws(CompositorError) -> [CaptionOverlapChecks.Overlap]? {
    let (canvas, titles) = (checks.canvas, checks.titles)
    let layout = try CaptionLayout(track, canvas: canvas, fonts: fonts, beneath: beneath)
    let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    let times = titles.dropFirst().reduce(titles[0].timeRange) { $0.union($1.timeRange) }
    let places = try layout.places(during: times, most: CaptionOverlapChecks.mostCaptions)
    return places.allSatisfy { whole.contains($0.box) } ? try checks.overlaps(of: layout) : nil
  }
}

extension CaptionTrack {
  /// What else a larger margin of the style moves: captions with a place of their own at the other edge; `nil` if there are none.
  fileprivate var othersMovedByMargin: String? {
    let other: CaptionPlacement.Vertical = style.vertical == .top ? .bottom : .top
    guard cues.contains(where: { $0.placement?.vertical == other && $0.placement?.y == nil }) else { return nil }
    return ", and captions at the \(other.rawValue) move \(other == .top ? "down" : "up"), too"
  }
}
