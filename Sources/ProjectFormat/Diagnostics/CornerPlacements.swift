import CompositorAPI
import CompositorTimeline

/// Clips whose center is placed at a corner of the canvas or near one, so that most of them is outside: usually their corner is meant, as
/// in programs that place corners. The edit doesn't tell this from a place that was computed, so the text is checked.
struct CornerPlacements {
  private let document: JSON5Node
  private let timeline: Timeline
  private let tracks: TimelineTracks
  private let canvas: PixelSize

  /// How far from a corner a center may be to be near it, as a share of the canvas's width and height.
  private static let nearness = 0.08
  /// The most of a clip that is on the canvas if its center isn't right at a corner.
  private static let mostSeen = 0.5

  /// - Parameters:
  ///   - document: The project's text.
  ///   - tracks: The placed clips of the timeline.
  init(_ document: JSON5Node, _ timeline: Timeline, _ tracks: TimelineTracks, canvas: PixelSize) {
    (self.document, self.timeline, self.tracks, self.canvas) = (document, timeline, tracks, canvas)
  }

  /// Whether a clip has a place that is checked.
  static func concern(_ clip: TimelineClip) -> Bool { clip.placement.values.contains { $0.x != nil && $0.y != nil } }

  /// A warning for each such clip, and for each such layer of an instruction.
  func diagnostics() -> [ValidationDiagnostic] {
    guard canvas.width > 0, canvas.height > 0 else { return [] }
    let instructions = timeline.instructions ?? []
    let replaced = Set(instructions.flatMap(\.layers).filter { $0.placement != nil }.map(\.track))
    // Titles tell themselves which edges cut them off.
    let clips = tracks.clips.joined().filter { !replaced.contains($0.track) && !$0.clip.source.isTitles }
    let ofClips = clips.compactMap {
      found($0.clip.placement, [$0], fit: nil, path: "\($0.path).transform")
    }
    let ofLayers = instructions.enumerated().flatMap { index, instruction in
      instruction.layers.enumerated().compactMap { place, layer -> ValidationDiagnostic? in
        guard let placement = layer.placement, tracks.clips.indices.contains(layer.track) else { return nil }
        let path = "instructions[\(index)].layers[\(place)].transform"
        return found(placement, tracks.clips[layer.track], fit: layer.fit, path: path)
      }
    }
    return ofClips + ofLayers
  }

  /// - Parameter fit: How the clips are fitted; `nil` for their own ways.
  private func found(
    _ animated: Animated<ClipPlacement>, _ clips: [PlacedClip], fit: FitMode?, path: String
  ) -> ValidationDiagnostic? {
    let placements = animated.values
    guard let first = placements.first, let corner = corner(of: first),
      placements.allSatisfy({ self.corner(of: $0) == corner }),
      !hasAnchor(path)
    else { return nil }
    let isExact = placements.allSatisfy { self.isExact($0, corner) }
    var most = 0.0
    for clip in clips where !isExact {
      guard let picture = clip.media.picture, clip.clip.crop == nil else { return nil }
      let geometry = PictureGeometry(picture, fit: fit ?? clip.clip.fit, canvas: canvas)
      let frame = Rect(origin: .zero, size: picture.shape.displaySize)
      for placement in placements where placement.scale.width > 0 && placement.scale.height > 0 {
        most = max(most, share(of: geometry.matrix(placement).boundingBox(of: frame)))
      }
    }
    guard isExact ? clips.contains(where: { $0.media.picture != nil }) : !clips.isEmpty && most < Self.mostSeen else {
      return nil
    }
    let name = "\(corner.down == 0 ? "top" : "bottom") \(corner.across == 0 ? "left" : "right")"
    let outside = isExact ? "three quarters of it are outside" : "\(Int(((1 - most) * 100).rounded())) % of it are outside"
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "x and y place the clip's center \(isExact ? "at" : "near") the \(name) corner of the canvas: \(outside).",
      cause: "Positions are those of the anchor, which is the center by default.",
      recoverySuggestion: "Write anchor: [\(corner.across), \(corner.down)] to place the clip's \(name) corner there.",
      path: path)
  }

  /// A corner of the canvas: 0 for the left and the top, 1 for the right and the bottom.
  private struct Corner: Equatable {
    let across, down: Int
  }

  /// The corner that a place is at or near; `nil` for others, and for what is enlarged or rotated, which is often placed by its center on
  /// purpose.
  private func corner(of placement: ClipPlacement) -> Corner? {
    guard placement.matrix == nil, placement.anchor == Point(x: 0.5, y: 0.5), placement.rotationDegrees == 0,
      placement.scale.width <= 1, placement.scale.height <= 1, let x = placement.x, let y = placement.y
    else { return nil }
    func end(_ value: Double, _ side: Int) -> Int? {
      let (length, reach) = (Double(side), Double(side) * Self.nearness)
      return abs(value) <= reach ? 0 : abs(value - length) <= reach ? 1 : nil
    }
    guard let across = end(x, canvas.width), let down = end(y, canvas.height) else { return nil }
    return Corner(across: across, down: down)
  }

  private func isExact(_ placement: ClipPlacement, _ corner: Corner) -> Bool {
    placement.x == Double(corner.across * canvas.width) && placement.y == Double(corner.down * canvas.height)
  }

  /// The share of a box that is on the canvas.
  private func share(of box: Rect) -> Double {
    let seen = box.intersection(Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height)))
    return seen.isEmpty ? 0 : seen.size.width * seen.size.height / (box.size.width * box.size.height)
  }

  /// Whether an anchor is written, so that the place is meant for it.
  private func hasAnchor(_ path: String) -> Bool {
    guard document.existing(path: path) == path, let node = document.node(atPath: path) else { return true }
    return (node.elements.isEmpty ? [node] : node.elements).contains { $0.member("anchor") != nil }
  }
}
