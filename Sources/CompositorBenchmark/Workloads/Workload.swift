public import CompositorAPI

/// The surface of a workload.
public struct WorkloadCanvas: Sendable, Hashable {
  /// Columns and rows of the canvas. Sources have this size, or a proportional one.
  public var size: PixelSize
  /// Format of the output, and of sources that don't need a specific one.
  public var format: PixelFormat

  /// Creates a canvas.
  public init(size: PixelSize, format: PixelFormat) {
    self.size = size
    self.format = format
  }
}

/// Material of a workload: frames in memory, different in every frame and source, which allow no shortcuts.
public struct WorkloadSource: Sendable, Hashable {
  /// The name used by the edit's `MediaSource.custom(name:)`.
  public var name: String
  /// Stored columns and rows.
  public var size: PixelSize
  /// The pixel format; integer samples only.
  public var format: PixelFormat
  /// Color and alpha.
  public var attributes: FrameAttributes
  /// Whether it is a still, with a single frame.
  public var isStill = false
  /// Whether codes stay within BT.709's gamut and noise is weak, for sources whose colors are converted.
  public var isMild = false

  /// Creates a description of material.
  public init(name: String, size: PixelSize, format: PixelFormat, attributes: FrameAttributes) {
    self.name = name
    self.size = size
    self.format = format
    self.attributes = attributes
  }
}

/// A workload on a canvas: an edit and its material.
public struct WorkloadScene: Sendable {
  /// The edit to render.
  public var edit: Edit
  /// The material, by the names that the edit uses.
  public var sources: [WorkloadSource]

  /// Creates a scene.
  public init(edit: Edit, sources: [WorkloadSource]) {
    self.edit = edit
    self.sources = sources
  }
}

/// A workload for comparing compositors, with the same edit and the same sources for each of them.
public struct Workload: Sendable {
  /// The short name: `W2`.
  public let name: String
  /// A sentence that describes the work.
  public let summary: String
  /// The number of frames, which is the edit's duration.
  public let frameCount: Int
  /// The time from frame to frame.
  public let frameDuration: MediaTime
  private let make: @Sendable (WorkloadShape, WorkloadCanvas) throws -> WorkloadScene

  /// Creates a workload from one instruction.
  ///
  /// - Parameters:
  ///   - trackIDs: The tracks that the instruction uses, 1, 2, 3 …. Each shows a movie of the canvas's size and format.
  ///   - instruction: Makes the instruction for a canvas; its time range is `frameCount` × `frameDuration`, starting at 0.
  public init(
    name: String, summary: String, trackIDs: [TrackID], frameCount: Int = 120,
    frameDuration: MediaTime = MediaTime(value: 1, timescale: 30),
    instruction: @escaping @Sendable (PixelSize) throws -> Instruction
  ) {
    self.init(name: name, summary: summary, frameCount: frameCount, frameDuration: frameDuration) { shape, canvas in
      var builder = SceneBuilder(shape, canvas)
      for trackID in trackIDs { try builder.addMovie(trackID: trackID) }
      return builder.scene([try instruction(canvas.size)])
    }
  }

  /// Creates a workload from an edit.
  ///
  /// - Parameter scene: Makes the edit for a canvas and describes its material; its duration is `frameCount` ×
  ///   `frameDuration`.
  public init(
    name: String, summary: String, frameCount: Int = 120, frameDuration: MediaTime = MediaTime(value: 1, timescale: 30),
    scene: @escaping @Sendable (WorkloadCanvas) throws -> WorkloadScene
  ) {
    self.init(name: name, summary: summary, frameCount: frameCount, frameDuration: frameDuration) { _, canvas in
      try scene(canvas)
    }
  }

  init(
    name: String, summary: String, frameCount: Int = 120, frameDuration: MediaTime = MediaTime(value: 1, timescale: 30),
    make: @escaping @Sendable (WorkloadShape, WorkloadCanvas) throws -> WorkloadScene
  ) {
    self.name = name
    self.summary = summary
    self.frameCount = frameCount
    self.frameDuration = frameDuration
    self.make = make
  }

  /// The workload on a canvas.
  ///
  /// - Throws: Errors of building the edit.
  public func scene(on canvas: WorkloadCanvas) throws -> WorkloadScene { try make(shape, canvas) }

  /// The composition time of a frame.
  public func time(ofFrame index: Int) -> MediaTime { shape.time(ofFrame: index) }

  private var shape: WorkloadShape { WorkloadShape(frameCount: frameCount, frameDuration: frameDuration) }
}

/// The length of a workload.
struct WorkloadShape: Sendable {
  let frameCount: Int
  let frameDuration: MediaTime

  func time(ofFrame index: Int) -> MediaTime {
    MediaTime(value: frameDuration.value * Int64(index), timescale: frameDuration.timescale)
  }

  var timeRange: TimeRange { TimeRange(start: .zero, duration: time(ofFrame: frameCount)) }
}

/// Builds a workload's edit track by track.
struct SceneBuilder {
  let shape: WorkloadShape
  let canvas: WorkloadCanvas
  /// Columns and rows of the composed frames.
  var renderSize: PixelSize
  var output: OutputDescription
  private var composition = Composition()
  private(set) var sources: [WorkloadSource] = []

  init(_ shape: WorkloadShape, _ canvas: WorkloadCanvas) {
    (self.shape, self.canvas) = (shape, canvas)
    renderSize = canvas.size
    output = OutputDescription(format: canvas.format, color: SceneBuilder.color(of: canvas.format))
  }

  static func color(of format: PixelFormat) -> ColorTags { format.isRGB ? .sRGB : .bt709 }

  /// A movie of the canvas's size and format.
  func movie(_ name: String) -> WorkloadSource {
    WorkloadSource(
      name: name, size: canvas.size, format: canvas.format,
      attributes: FrameAttributes(color: SceneBuilder.color(of: canvas.format)))
  }

  /// Adds a track that shows one source from start to end.
  mutating func addMovie(trackID: TrackID, _ source: WorkloadSource? = nil) throws {
    try addTrack(trackID, [(source ?? movie("\(trackID)"), TimeRange(start: .zero, duration: shape.timeRange.duration), .zero)])
  }

  /// Adds a track that shows parts of sources one after another: source, part, and start time in the composition.
  mutating func addTrack(_ trackID: TrackID, _ clips: [(source: WorkloadSource, part: TimeRange, at: MediaTime)]) throws {
    let track = composition.addTrack(.video, preferredTrackID: trackID)
    let segments = clips.map { clip in
      CompositionTrackSegment(
        source: .custom(name: clip.source.name),
        timeMapping: TimeMapping(source: clip.part, target: TimeRange(start: clip.at, duration: clip.part.duration)))
    }
    try composition.setSegments(segments, ofTrack: track)
    for clip in clips where !sources.contains(clip.source) { sources.append(clip.source) }
  }

  func scene(_ instructions: [Instruction], titles: Titles = Titles(), blending: BlendingSpace = .encoded) -> WorkloadScene {
    var video = VideoComposition(instructions: instructions, frameDuration: shape.frameDuration, renderSize: renderSize)
    video.blending = blending
    return WorkloadScene(
      edit: Edit(composition: composition, videoComposition: video, output: output, titles: titles), sources: sources)
  }
}
