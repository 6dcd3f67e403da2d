public import CompositorAPI

/// A piece of work that compositors are compared on: the same instruction and the same sources for each of them.
public struct Workload: Sendable {
  /// The short name: `W2`.
  public let name: String
  /// What is done, one sentence.
  public let summary: String
  /// Tracks that the instruction uses, 1, 2, 3 ….
  public let trackIDs: [TrackID]
  /// Frames of one run; the instruction covers exactly these.
  public let frameCount: Int
  /// Time from frame to frame.
  public let frameDuration: MediaTime
  /// The work, for a canvas of a size.
  public let instruction: @Sendable (PixelSize) throws -> Instruction

  /// Makes a workload of your own.
  ///
  /// - Parameter instruction: Makes the instruction for a canvas; its time range is `frameCount` × `frameDuration` from 0 on.
  public init(
    name: String, summary: String, trackIDs: [TrackID], frameCount: Int = 120,
    frameDuration: MediaTime = MediaTime(value: 1, timescale: 30),
    instruction: @escaping @Sendable (PixelSize) throws -> Instruction
  ) {
    self.name = name
    self.summary = summary
    self.trackIDs = trackIDs
    self.frameCount = frameCount
    self.frameDuration = frameDuration
    self.instruction = instruction
  }

  /// The composition time of a frame.
  public func time(ofFrame index: Int) -> MediaTime {
    MediaTime(value: frameDuration.value * Int64(index), timescale: frameDuration.timescale)
  }

  var timeRange: TimeRange { TimeRange(start: .zero, duration: time(ofFrame: frameCount)) }
}

extension Workload {
  /// The workloads that come with the package.
  public static let all: [Workload] = [.dissolve, .rotatingPictureInPicture, .grid]

  /// W2: (1 − t) · A + t · B over the whole frame, t from 0 to 1.
  public static let dissolve = make(
    "W2", "dissolve of two full frames", trackIDs: [1, 2]
  ) { workload, _ in
    var top = LayerInstruction(trackID: 1)
    try top.opacity.setRamp(from: 1, to: 0, timeRange: workload.timeRange)
    return [top, LayerInstruction(trackID: 2)]
  }

  /// W3: B at half size, opacity 0.8, turning from 0° to 30° about its center while it moves, over A.
  public static let rotatingPictureInPicture = make(
    "W3", "half-size picture turning 0 to 30 degrees at opacity 0.8 over a full frame", trackIDs: [1, 2]
  ) { workload, size in
    var inset = LayerInstruction(trackID: 2)
    try inset.opacity.set(0.8, at: .zero)
    // One point a frame: a ramp mixes matrices number by number, which is no rotation.
    for frame in 0..<workload.frameCount {
      let t = Double(frame) / Double(max(1, workload.frameCount - 1))
      try inset.transform.set(insetTransform(t, canvas: size), at: workload.time(ofFrame: frame))
    }
    return [inset, LayerInstruction(trackID: 1)]
  }

  /// W6: 16 layers, each scaled to a quarter, in a grid of 4 × 4, opacity 0.9 over #101010.
  public static let grid = make(
    "W6", "16 quarter-size layers in a grid at opacity 0.9 over #101010", trackIDs: Array(1...16)
  ) { _, size in
    try (0..<16).map { index in
      var layer = LayerInstruction(trackID: TrackID(index + 1))
      // Area means, as the filters that others are measured with.
      layer.sampling = .fast
      try layer.opacity.set(0.9, at: .zero)
      let corner = Point(x: Double(index % 4) * Double(size.width) / 4, y: Double(index / 4) * Double(size.height) / 4)
      try layer.transform.set(
        AffineMatrix.scale(x: 0.25, y: 0.25).concatenating(.translation(x: corner.x, y: corner.y)), at: .zero)
      return layer
    }
  }

  private static func make(
    _ name: String, _ summary: String, trackIDs: [TrackID],
    layers: @escaping @Sendable (Workload, PixelSize) throws -> [LayerInstruction]
  ) -> Workload {
    let shape = Workload(name: name, summary: summary, trackIDs: trackIDs) { _ in Instruction(timeRange: .zero) }
    return Workload(name: name, summary: summary, trackIDs: trackIDs) { size in
      var instruction = Instruction(timeRange: shape.timeRange, layers: try layers(shape, size))
      if name == "W6" { instruction.backgroundColor = Color(red: 16 / 255, green: 16 / 255, blue: 16 / 255) }
      return instruction
    }
  }

  /// The box's corner goes from (100, 50) to (500, 250) on a canvas of 1920 × 1080, in proportion on any other.
  private static func insetTransform(_ t: Double, canvas: PixelSize) -> AffineMatrix {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let corner = Point(x: (100 + 400 * t) / 1920 * width, y: (50 + 200 * t) / 1080 * height)
    let (halfWidth, halfHeight) = (width / 4, height / 4)
    return AffineMatrix.scale(x: 0.5, y: 0.5)
      .concatenating(.translation(x: -halfWidth, y: -halfHeight))
      .concatenating(.rotation(radians: 30 * t * .pi / 180))
      .concatenating(.translation(x: corner.x + halfWidth, y: corner.y + halfHeight))
  }
}
