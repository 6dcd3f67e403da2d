import CompositorAPI

extension Workload {
  /// W5: HLG and PQ, 10-bit BT.2020, dissolved in linear light into HLG. 10-bit 4:2:0, regardless of the canvas's format.
  public static let linearLightDissolve = Workload(
    name: "W5", summary: "linear-light dissolve of HLG and PQ into HLG, 10-bit 4:2:0"
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    builder.output = OutputDescription(format: .yuv420p10, color: .bt2100HLG)
    for (trackID, color) in [(TrackID(1), ColorTags.bt2100HLG), (2, .bt2100PQ)] {
      try builder.addMovie(trackID: trackID, highDynamicRange(color, "\(trackID)", canvas))
    }
    var top = LayerInstruction(trackID: 1)
    try top.opacity.setRamp(from: 1, to: 0, timeRange: shape.timeRange)
    return builder.scene(
      [Instruction(timeRange: shape.timeRange, layers: [top, LayerInstruction(trackID: 2)])], blending: .linear)
  }

  /// W5t: 10-bit PQ, tone-mapped to 8-bit BT.709 SDR. 4:2:0, regardless of the canvas's format.
  public static let toneMapping = Workload(
    name: "W5t", summary: "PQ, 10-bit BT.2020, tone-mapped into BT.709 SDR, 8-bit 4:2:0"
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    builder.output = OutputDescription(format: .yuv420p, color: .bt709)
    try builder.addMovie(trackID: 1, highDynamicRange(.bt2100PQ, "1", canvas))
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: [LayerInstruction(trackID: 1)])])
  }

  private static func highDynamicRange(_ color: ColorTags, _ name: String, _ canvas: WorkloadCanvas) -> WorkloadSource {
    var source = WorkloadSource(
      name: name, size: canvas.size, format: .yuv420p10, attributes: FrameAttributes(color: color))
    source.isMild = true
    return source
  }

  /// W4: two moving lines of DejaVu Sans Bold with outline and shadow over a movie, fading in and out.
  public static let title = Workload(
    name: "W4", summary: "two lines of text with outline and shadow over a movie, moving, fading in and out", frameCount: 300
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    try builder.addMovie(trackID: 1)
    let unit = Double(canvas.size.height) / 1080
    let way = Animation.basic(
      .position, from: .point(x: 100 * unit, y: 700 * unit), to: .point(x: 700 * unit, y: 640 * unit),
      timing: LayerTiming(duration: 10))
    let text = Layer(
      text: "The Quick Brown Fox\nJumps Over the Lazy Dog", size: 96 * unit, family: "DejaVu Sans", weight: 700
    )
    .outlined(width: 4 * unit).shadowed(opacity: 0.5, radius: 0, x: 4 * unit, y: 4 * unit).changed {
      $0.anchorPoint = .zero
      $0.position = Point(x: 100 * unit, y: 700 * unit)
    }
    let lines = text.animated(way).fadingIn(over: .seconds(2)).fadingOut(at: .seconds(8), over: .seconds(2))
    return builder.scene(
      [Instruction(timeRange: shape.timeRange, layers: [LayerInstruction(trackID: 1)])],
      titles: Titles(layers: [Layer(canvas: canvas.size) { lines }]))
  }
}
