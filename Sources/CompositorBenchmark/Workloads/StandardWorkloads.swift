import CompositorAPI

extension Workload {
  /// The standard workloads, W1 to W11. W7, which is audio only, is measured by `Benchmarks/peers`.
  public static let all: [Workload] = [
    .cut, .dissolve, .rotatingPictureInPicture, .title, .linearLightDissolve, .toneMapping, .grid, .alphaOverlay,
    .reducedDissolve, .kenBurns, .blurredFill,
  ]

  /// W1: A from 0 to 5 s, then B from 2 to 7 s.
  public static let cut = Workload(
    name: "W1", summary: "A from 0 to 5 s, then B from 2 to 7 s", frameCount: 300
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    let half = shape.time(ofFrame: shape.frameCount / 2)
    let later = shape.time(ofFrame: shape.frameCount / 5)
    try builder.addTrack(
      1,
      [
        (builder.movie("A"), TimeRange(start: .zero, duration: half), .zero),
        (builder.movie("B"), TimeRange(start: later, duration: half), half),
      ])
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: [LayerInstruction(trackID: 1)])])
  }

  /// W2: (1 − t) · A + t · B over the whole frame, t from 0 to 1.
  public static let dissolve = Workload(name: "W2", summary: "dissolve of two full frames") { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    for trackID in [TrackID(1), 2] { try builder.addMovie(trackID: trackID) }
    var top = LayerInstruction(trackID: 1)
    try top.opacity.setRamp(from: 1, to: 0, timeRange: shape.timeRange)
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: [top, LayerInstruction(trackID: 2)])])
  }

  /// W3: B at half size with an opacity of 0.8, rotating from 0° to 30° about its center while it moves, over A.
  public static let rotatingPictureInPicture = Workload(
    name: "W3", summary: "half-size clip rotating from 0 to 30 degrees at opacity 0.8 over a full frame"
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    for trackID in [TrackID(1), 2] { try builder.addMovie(trackID: trackID) }
    var inset = LayerInstruction(trackID: 2)
    try inset.opacity.set(0.8, at: .zero)
    // One keyframe per frame: a ramp interpolates matrices component by component, which isn't a rotation.
    for frame in 0..<shape.frameCount {
      let t = Double(frame) / Double(max(1, shape.frameCount - 1))
      try inset.transform.set(insetTransform(t, canvas: canvas.size), at: shape.time(ofFrame: frame))
    }
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: [inset, LayerInstruction(trackID: 1)])])
  }

  /// The box's corner moves from (100, 50) to (500, 250) on a canvas of 1920 × 1080, scaled for other sizes.
  private static func insetTransform(_ t: Double, canvas: PixelSize) -> AffineMatrix {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let corner = Point(x: (100 + 400 * t) / 1920 * width, y: (50 + 200 * t) / 1080 * height)
    let (halfWidth, halfHeight) = (width / 4, height / 4)
    return AffineMatrix.scale(x: 0.5, y: 0.5)
      .concatenating(.translation(x: -halfWidth, y: -halfHeight))
      .concatenating(.rotation(radians: 30 * t * .pi / 180))
      .concatenating(.translation(x: corner.x + halfWidth, y: corner.y + halfHeight))
  }

  /// W6: 16 layers, each scaled to a quarter, in a grid of 4 × 4, opacity 0.9 over #101010.
  public static let grid = grid(layers: 16, name: "W6")

  /// W6 with another number of layers, 1 … 10,000, in the smallest square grid that fits them.
  public static func grid(layers: Int) -> Workload { grid(layers: layers, name: "W6/\(layers)") }

  private static func grid(layers count: Int, name: String) -> Workload {
    let side = Int(Double(max(1, count)).squareRoot().rounded(.up))
    return Workload(
      name: name, summary: "\(count) layers of 1/\(side) size in a grid at opacity 0.9 over #101010"
    ) { shape, canvas in
      var builder = SceneBuilder(shape, canvas)
      // Sixteen sources are enough to overflow the caches; further layers repeat them.
      let sources = (1...min(16, max(1, count))).map { builder.movie("\($0)") }
      let layers = try (0..<count).map { index in
        let trackID = TrackID(index + 1)
        try builder.addMovie(trackID: trackID, sources[index % sources.count])
        var layer = LayerInstruction(trackID: trackID)
        // Area means, like the filters used in other programs.
        layer.sampling = .fast
        try layer.opacity.set(0.9, at: .zero)
        let (width, height) = (Double(canvas.size.width), Double(canvas.size.height))
        let corner = Point(x: Double(index % side) * width / Double(side), y: Double(index / side) * height / Double(side))
        let scale = 1 / Double(side)
        try layer.transform.set(
          AffineMatrix.scale(x: scale, y: scale).concatenating(.translation(x: corner.x, y: corner.y)), at: .zero)
        return layer
      }
      var instruction = Instruction(timeRange: shape.timeRange, layers: layers)
      instruction.backgroundColor = Color(red: 16 / 255, green: 16 / 255, blue: 16 / 255)
      return builder.scene([instruction])
    }
  }

  /// W8: a ProRes 4444 movie with straight 10-bit alpha over the lower third of a movie.
  public static let alphaOverlay = Workload(
    name: "W8", summary: "a movie with 10-bit straight alpha over the lower third of a movie"
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    try builder.addMovie(trackID: 1)
    let format = PixelFormat(named: "yuva444p10") ?? .rgba
    var color = ColorTags.bt709
    if format.isRGB { color = .sRGB }
    let third = canvas.size.height / 3
    let overlay = WorkloadSource(
      name: "overlay", size: PixelSize(width: canvas.size.width, height: third), format: format,
      attributes: FrameAttributes(color: color, alphaMode: .straight))
    try builder.addMovie(trackID: 2, overlay)
    var layer = LayerInstruction(trackID: 2)
    try layer.transform.set(.translation(x: 0, y: Double(canvas.size.height - third)), at: .zero)
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: [layer, LayerInstruction(trackID: 1)])])
  }

  /// W9: two movies of twice the canvas's width and height, reduced to it, with a dissolve.
  public static let reducedDissolve = Workload(
    name: "W9", summary: "dissolve of two movies of twice the width and height, reduced to the canvas"
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    for trackID in [TrackID(1), 2] {
      var source = builder.movie("\(trackID)")
      source.size = PixelSize(width: 2 * canvas.size.width, height: 2 * canvas.size.height)
      try builder.addMovie(trackID: trackID, source)
    }
    var layers = [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)]
    for index in layers.indices { try layers[index].transform.set(.scale(x: 0.5, y: 0.5), at: .zero) }
    try layers[0].opacity.setRamp(from: 1, to: 0, timeRange: shape.timeRange)
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: layers)])
  }

  /// W10: photos of 4000 × 3000 for five seconds each, scaled up by a quarter about their center.
  public static let kenBurns = Workload(
    name: "W10", summary: "12-megapixel photos, 5 s each, scaled up by a quarter", frameCount: 300
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    let half = shape.time(ofFrame: shape.frameCount / 2)
    // Proportional to the canvas, so that a smaller one is less work.
    let photo = PixelSize(width: canvas.size.width * 4000 / 1920, height: canvas.size.width * 3000 / 1920)
    let photos = ["A", "B"].map { name in
      var source = WorkloadSource(name: name, size: photo, format: .rgba, attributes: FrameAttributes(color: .sRGB))
      source.isStill = true
      return source
    }
    let part = TimeRange(start: .zero, duration: half)
    try builder.addTrack(1, [(photos[0], part, .zero), (photos[1], part, half)])
    let cover = max(
      Double(canvas.size.width) / Double(photo.width), Double(canvas.size.height) / Double(photo.height))
    func placed(_ scale: Double) -> AffineMatrix {
      AffineMatrix.translation(x: -Double(photo.width) / 2, y: -Double(photo.height) / 2)
        .concatenating(.scale(x: scale, y: scale))
        .concatenating(.translation(x: Double(canvas.size.width) / 2, y: Double(canvas.size.height) / 2))
    }
    let instructions = try [MediaTime.zero, half].map { start in
      let range = TimeRange(start: start, duration: half)
      var layer = LayerInstruction(trackID: 1)
      try layer.transform.setRamp(from: placed(cover), to: placed(1.25 * cover), timeRange: range)
      return Instruction(timeRange: range, layers: [layer])
    }
    return builder.scene(instructions)
  }

  /// W11: an upright movie, 9:16, over a blurred and larger copy of itself.
  public static let blurredFill = Workload(
    name: "W11", summary: "a movie in 9:16 over a blurred copy that fills the canvas"
  ) { shape, canvas in
    var builder = SceneBuilder(shape, canvas)
    let (wide, tall) = (canvas.size.width, canvas.size.height)
    builder.renderSize = PixelSize(width: tall, height: wide)
    try builder.addMovie(trackID: 1)
    func placed(_ scale: Double) -> AffineMatrix {
      AffineMatrix.translation(x: -Double(wide) / 2, y: -Double(tall) / 2).concatenating(.scale(x: scale, y: scale))
        .concatenating(.translation(x: Double(tall) / 2, y: Double(wide) / 2))
    }
    var (sharp, blurred) = (LayerInstruction(trackID: 1), LayerInstruction(trackID: 1))
    try sharp.transform.set(placed(Double(tall) / Double(wide)), at: .zero)
    try blurred.transform.set(placed(Double(wide) / Double(tall)), at: .zero)
    let radius = 12 * Double(tall) / 1080
    blurred.effects = [EffectReference("builtin.gaussian-blur", parameters: ["radius": .number(radius)])]
    return builder.scene([Instruction(timeRange: shape.timeRange, layers: [sharp, blurred])])
  }
}
