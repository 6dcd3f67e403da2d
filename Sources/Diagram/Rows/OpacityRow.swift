import CompositorAPI

/// The opacity of one track's layer, in each instruction that contains it.
struct OpacityRow: DiagramRow {
  let trackID: TrackID
  /// The index among the video tracks, from 0, which selects its color.
  let index: Int
  let names: DiagramNames
  /// The instructions' ranges, with the layer's opacity.
  let stretches: [(range: TimeRange, opacity: PropertyTimeline<Double>)]

  var identifier: String { "opacity-\(trackID)" }
  var title: String { names.title(of: trackID, "Opacity") }

  /// Rows for the tracks whose opacity is not 1 throughout.
  static func rows(of edit: Edit, indexes: [TrackID: Int], _ names: DiagramNames) -> [OpacityRow] {
    var stretches: [TrackID: [(range: TimeRange, opacity: PropertyTimeline<Double>)]] = [:]
    var changing: Set<TrackID> = []
    for instruction in edit.videoComposition.instructions {
      for layer in instruction.layers {
        stretches[layer.trackID, default: []].append((instruction.timeRange, layer.opacity))
        if !layer.opacity.isConstant || layer.opacity.defaultValue != 1 { changing.insert(layer.trackID) }
      }
    }
    return changing.sorted().map {
      OpacityRow(trackID: $0, index: indexes[$0] ?? 0, names: names, stretches: stretches[$0] ?? [])
    }
  }

  private static let curveHeight = 24.0

  func height(in context: DiagramContext) -> Double { Self.curveHeight + 10 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    let box = CurveBox(top: 5, height: Self.curveHeight, maximum: 1)
    canvas.axis(box, labels: ("1", "0"))
    var free = -Double.infinity
    for (range, opacity) in stretches {
      // Of several ranges within half a unit only one is drawn.
      guard let extent = canvas.scale.extent(of: range), extent.upperBound > free + 0.5 else { continue }
      free = extent.upperBound
      canvas.curve(
        opacity, in: [range], box: box, color: .track(index), kind: .opacity, name: "opacity of \(names.track(trackID))")
    }
  }
}
