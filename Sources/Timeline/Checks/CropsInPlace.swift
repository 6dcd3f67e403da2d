import CompositorAPI

/// Checks for clips that are cropped to the shape of the canvas and fill a small part of it, because a crop hides the rest of a frame
/// where fitting put it. The edit doesn't tell such a crop from one in a place that was computed, so the timeline is checked instead.
enum CropsInPlace {
  /// How much the sides of a crop may differ from those of the canvas, as rounded pixels do.
  private static let tolerance = 0.03
  /// The share of the canvas from which on a margin may be meant.
  private static let mostCovered = 0.75

  /// Warnings about clips alone on a canvas without a background, whose place isn't set.
  static func diagnostics(of timeline: Timeline, tracks: TimelineTracks) -> [ValidationDiagnostic] {
    guard let canvas = timeline.canvas, canvas.width > 0, canvas.height > 0, timeline.background == nil,
      timeline.instructions == nil, timeline.effects.isEmpty, !timeline.titles.contains(where: \.showsComposedFrame)
    else { return [] }
    return tracks.clips.joined().compactMap { placed in
      guard let picture = placed.media.picture, isAlone(placed, tracks) else { return nil }
      let size = PictureGeometry(picture, fit: placed.clip.fit, canvas: canvas).uprightSize
      guard let crop = crop(of: placed.clip, in: size) else { return nil }
      return diagnostic(of: crop, placed, picture, canvas)
    }
  }

  /// The crop of a clip that is only cropped; `nil` for others.
  private static func crop(of clip: TimelineClip, in size: Size) -> Rect? {
    guard case .constant(let relative)? = clip.crop else { return nil }
    let crop = relative.rect(in: size)
    guard !crop.isInfinite, crop.size.width > 0, crop.size.height > 0, clip.placement == .constant(ClipPlacement()),
      clip.decoration == nil, clip.effects.isEmpty, clip.opacity == .constant(1)
    else { return nil }
    return crop
  }

  private static func isAlone(_ placed: PlacedClip, _ tracks: TimelineTracks) -> Bool {
    !tracks.clips.joined().contains { other in
      other.track != placed.track && other.media.picture != nil && other.range.start < placed.range.end
        && placed.range.start < other.range.end
    }
  }

  private static func diagnostic(
    of crop: Rect, _ placed: PlacedClip, _ picture: ClipMedia.Picture, _ canvas: PixelSize
  ) -> ValidationDiagnostic? {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let shape = (crop.size.width / crop.size.height) / (width / height)
    let geometry = PictureGeometry(picture, fit: placed.clip.fit, canvas: canvas)
    let size = geometry.uprightSize
    let isInside = min(crop.minX, crop.minY) > -1 && crop.maxX < size.width + 1 && crop.maxY < size.height + 1
    guard abs(shape - 1) < tolerance, isInside else { return nil }
    let shown = geometry.fitting.boundingBox(of: crop).intersection(Rect(x: 0, y: 0, width: width, height: height))
    let covered = shown.isEmpty ? 0 : shown.size.width * shown.size.height / (width * height)
    guard covered > 0, covered < mostCovered else { return nil }
    return ValidationDiagnostic(
      .canvasUnfilled, severity: .warning,
      "The clip is cropped to the shape of the canvas, but covers \(Int((covered * 100).rounded())) % of it: the rest is black.",
      cause: "A crop hides the rest of the frame where fitting put it. It does not move or enlarge what remains.",
      path: "\(placed.path).crop", timeRange: try? placed.range.timeRange()
    ).advising(advice(crop, PictureGeometry(picture, fit: .fill, canvas: canvas), width, height))
  }

  /// The place at which the crop of a frame that fills the canvas does so, too.
  private static func advice(_ crop: Rect, _ geometry: PictureGeometry, _ width: Double, _ height: Double) -> Advice {
    let filled = geometry.fitting.boundingBox(of: crop)
    let scale = max(width / filled.size.width, height / filled.size.height)
    // The frame is scaled about its center, which is that of the canvas.
    let x = width / 2 - (filled.minX + filled.size.width / 2 - width / 2) * scale
    let y = height / 2 - (filled.minY + filled.size.height / 2 - height / 2) * scale
    var keys: [String] = []
    if abs(x - width / 2) >= 1 { keys.append("x: \(Int(x.rounded()))") }
    if abs(y - height / 2) >= 1 { keys.append("y: \(Int(y.rounded()))") }
    let factor = (scale * 1000).rounded(.up) / 1000
    if factor != 1 { keys.append("scale: \(factor == factor.rounded() ? "\(Int(factor))" : "\(factor)")") }
    let place = keys.isEmpty ? "" : " and transform: { \(keys.joined(separator: ", ")) }"
    return Advice("Write fit: \"fill\"\(place) to fill the canvas with it.")
  }
}

extension TimelineTitle {
  /// Whether a layer shows the frame that the clips make, in a place of its own.
  fileprivate var showsComposedFrame: Bool {
    guard case .layer(let tree) = content else { return false }
    var isShown = false
    try? tree.visit { (layer, _) throws(CompositorError) in isShown = isShown || layer.content == .video }
    return isShown
  }
}
