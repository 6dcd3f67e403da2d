import CompositorAPI

/// The instructions: number, compositor or pass-through, and layers from front to back.
struct InstructionRow: DiagramRow {
  let instructions: [Instruction]
  let indexes: [TrackID: Int]
  let names: DiagramNames

  let identifier = "instructions"
  let title = "Instructions"
  var subtitle: String { "\(instructions.count), front layer on top" }

  private static let headHeight = 32.0
  private static let layerHeight = 14.0
  private static let mostLayers = 4
  private static let mostLanes = 4

  private var layerRows: Int { min(Self.mostLayers, instructions.map(\.drawnTracks.count).max() ?? 0) }
  private var laneHeight: Double { Self.headHeight + Double(layerRows) * Self.layerHeight + 6 }

  private var spans: [DiagramSpan] {
    instructions.enumerated().map { index, instruction in
      var span = DiagramSpan(
        instruction.timeRange, label: "#\(index) \(instruction.composerText)", kind: .instruction, fill: .band,
        stroke: .mutedText)
      span.detail = "at \(DiagramText.exact(instruction.timeRange.start))"
      span.shortDetail = "at \(DiagramText.seconds(instruction.timeRange.start))"
      span.shortLabel = "#\(index)"
      span.index = index
      span.tooltip = "instruction \(index): \(instruction.composerText)\n\(instruction.layerText(names))"
      return span
    }
  }

  func height(in context: DiagramContext) -> Double {
    let lanes = DiagramCanvas.lanes(spans, on: context.scale, limit: Self.mostLanes).count
    return Double(max(1, lanes)) * laneHeight + 4
  }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    let lanes = DiagramCanvas.lanes(spans, on: canvas.scale, limit: Self.mostLanes)
    for (lane, spans) in lanes.enumerated() {
      let top = 4 + Double(lane) * laneHeight
      canvas.spans(spans, top: top, height: laneHeight - 4, noun: "instruction")
      for span in spans { drawLayers(of: span, top: top + Self.headHeight, on: &canvas) }
    }
  }

  private func drawLayers(of span: DiagramSpan, top: Double, on canvas: inout DiagramCanvas) {
    guard let index = span.index, let extent = canvas.scale.extent(of: span.timeRange),
      extent.upperBound - extent.lowerBound >= 6
    else { return }
    let (x, width) = (extent.lowerBound + 2, extent.upperBound - extent.lowerBound - 4)
    let tracks = instructions[index].drawnTracks
    for (row, track) in tracks.prefix(Self.mostLayers).enumerated() {
      let y = top + Double(row) * Self.layerHeight
      let isRest = row == Self.mostLayers - 1 && tracks.count > Self.mostLayers
      let color = indexes[track]
      var mark = DiagramMark(
        .rectangle(Rect(x: x, y: y, width: width, height: Self.layerHeight - 2)), kind: .layer,
        fill: isRest ? .background : color.map { .trackFill($0) } ?? .errorFill,
        stroke: isRest ? .gap : color.map { .track($0) } ?? .error)
      mark.lineWidth = 0.75
      let text =
        isRest ? "\(tracks.count - row) more layers" : color == nil ? "track \(track): not there" : names.track(track)
      let short = isRest ? "+\(tracks.count - row)" : "\(track)"
      mark.label = short
      canvas.add(mark)
      let place = Point(x: x + 3, y: y + 9.5)
      let fits = TextMetrics.width(of: text, size: 9) <= width - 6
      if fits {
        canvas.text(text, at: place, width: width - 6, size: 9)
      } else if TextMetrics.width(of: short, size: 9) <= width - 6 {
        canvas.add(DiagramMark(.text(short, at: place, size: 9), kind: .label, fill: .text))
      }
    }
  }
}

extension Instruction {
  /// The visible tracks, front to back.
  var drawnTracks: [TrackID] { requiredTrackIDs }

  /// `pass-through`, or the compositor's name.
  var composerText: String {
    if passthroughTrackID != nil { return "pass-through" }
    let name = compositor == .layer ? "layers" : DiagramText.clean(compositor.rawValue)
    guard !effects.isEmpty else { return name }
    return "\(name) + \(DiagramText.count(effects.count, "effect"))"
  }

  /// A description of its layers.
  func layerText(_ names: DiagramNames) -> String {
    if let passthroughTrackID { return "\(names.track(passthroughTrackID)) as it is" }
    guard !drawnTracks.isEmpty else { return "background only" }
    let list = drawnTracks.prefix(16).map { names.track($0) }.joined(separator: ", ")
    return "front to back: \(list)\(drawnTracks.count > 16 ? " and \(drawnTracks.count - 16) more" : "")"
  }
}
