import CompositorAPI
import CompositorValidation

/// The parts of a title asset that clips play.
struct TitleAssetUses {
  /// The times of the asset, with those of the movie, in the order of tracks.
  private let uses: [(source: TimeRange, target: TimeRange)]
  private let source: MediaSource
  /// Whether a clip shows a moment of the asset for a time.
  let hasFreezeFrame: Bool

  init(of source: MediaSource, in edit: Edit) {
    self.source = source
    let segments = edit.composition.tracks(.video).flatMap(\.segments).filter { $0.source == source }
    hasFreezeFrame = segments.contains { $0.timeMapping.source.duration == .zero }
    uses = segments.map { segment in
      var range = segment.timeMapping.source
      if range.duration == .zero { range.duration = edit.videoComposition.frameDuration }
      return (range, segment.timeMapping.target)
    }
  }

  /// The use of the first clip; `nil` if there is none.
  var first: (source: TimeRange, target: TimeRange)? { uses.first }
  /// The earliest time of the asset that is played.
  var start: MediaTime { uses.map(\.source.start).min() ?? .zero }
  /// Whether no clip plays the asset without end.
  var areFinite: Bool { uses.allSatisfy(\.source.duration.isNumeric) }
  /// The end of the latest time of the asset that is played.
  var end: MediaTime { uses.map(\.source.end).max() ?? .zero }

  /// Whether a clip plays a part of a range of the asset.
  func overlap(_ range: TimeRange) -> Bool { uses.contains { $0.source.overlaps(range) } }

  /// The largest scale at which a layer shows the asset, of the side that is scaled less; `nil` if that isn't known.
  func largestScale(in edit: Edit) -> Double? {
    layers(in: edit).flatMap { $0.layer.transform.values(in: $0.range) }.map(\.smallerScale).max()
  }

  /// The part of the asset's frame, and of the space around it, that is on the movie's canvas; `nil` if it isn't the same all the
  /// time, or if effects or a transition may show another one.
  func visibleArea(in edit: Edit) -> Rect? {
    let size = edit.videoComposition.renderSize
    let canvas = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    var area: Rect?
    for (instruction, layer, range) in layers(in: edit) {
      guard instruction.compositor == .layer, layer.effects.isEmpty, !layer.transform.changes(in: range), layer.crop.isConstant,
        case let transform = layer.transform.value(at: range.start), Orientation(of: transform) != nil,
        let found = transform.inverted?.boundingBox(of: canvas), area == nil || area == found
      else { return nil }
      area = found
    }
    return area
  }

  /// The layers that show the asset, each with a time at which it does; empty if a track is passed through.
  private func layers(in edit: Edit) -> [(instruction: Instruction, layer: LayerInstruction, range: TimeRange)] {
    let tracks = edit.composition.tracks(.video).filter { track in track.segments.contains { $0.source == source } }
    let trackIDs = Set(tracks.map(\.trackID))
    var found: [(instruction: Instruction, layer: LayerInstruction, range: TimeRange)] = []
    for instruction in edit.videoComposition.instructions {
      let targets = uses.map(\.target).filter { $0.overlaps(instruction.timeRange) }
      guard !targets.isEmpty, !trackIDs.isDisjoint(with: instruction.requiredTrackIDs) else { continue }
      guard instruction.passthroughTrackID == nil else { return [] }
      for layer in instruction.layers where trackIDs.contains(layer.trackID) {
        found += targets.map { (instruction, layer, $0.intersection(instruction.timeRange)) }
      }
    }
    return found
  }
}

extension AffineMatrix {
  /// The smaller one of the scales of its axes.
  fileprivate var smallerScale: Double { min((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot()) }
}
