public import CompositorAPI

/// The surface that a workload is made for.
public struct WorkloadCanvas: Sendable, Hashable {
  /// Columns and rows of the canvas. Sources are of this size, or in proportion to it.
  public var size: PixelSize
  /// Format of the output, and of sources that do not need one of their own.
  public var format: PixelFormat

  /// Makes a canvas.
  public init(size: PixelSize, format: PixelFormat) {
    self.size = size
    self.format = format
  }
}

/// Material of a workload: frames in memory, different in every frame and source, that no shortcut can guess.
public struct WorkloadSource: Sendable, Hashable {
  /// What the edit's `MediaSource.custom(name:)` calls it.
  public var name: String
  /// Columns and rows.
  public var size: PixelSize
  /// Integer samples.
  public var format: PixelFormat
  /// Color and alpha.
  public var attributes: FrameAttributes
  /// One picture that is shown for ever.
  public var isStill = false
  /// Whether codes stay where BT.709 has the color too, and noise is weak: for sources whose colors are converted.
  public var isMild = false

  /// Describes material.
  public init(name: String, size: PixelSize, format: PixelFormat, attributes: FrameAttributes) {
    self.name = name
    self.size = size
    self.format = format
    self.attributes = attributes
  }
}

/// A workload on a canvas: an edit and the material that it shows.
public struct WorkloadScene: Sendable {
  /// What is done.
  public var edit: Edit
  /// The material, by the names that the edit uses.
  public var sources: [WorkloadSource]

  /// Makes a scene.
  public init(edit: Edit, sources: [WorkloadSource]) {
    self.edit = edit
    self.sources = sources
  }
}

/// A piece of work that compositors are compared on: the same edit and the same sources for each of them.
public struct Workload: Sendable {
  /// The short name: `W2`.
  public let name: String
  /// What is done, one sentence.
  public let summary: String
  /// Frames of one run; the edit lasts exactly as long.
  public let frameCount: Int
  /// Time from frame to frame.
  public let frameDuration: MediaTime
  private let make: @Sendable (WorkloadShape, WorkloadCanvas) throws -> WorkloadScene

  /// Makes a workload of your own out of one instruction.
  ///
  /// - Parameters:
  ///   - trackIDs: Tracks that the instruction uses, 1, 2, 3 …. Each shows a movie of the canvas's size and format.
  ///   - instruction: Makes the instruction for a canvas; its time range is `frameCount` × `frameDuration` from 0 on.
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

  /// Makes a workload of your own out of an edit.
  ///
  /// - Parameter scene: Makes the edit for a canvas and says what material it shows; it lasts `frameCount` × `frameDuration`.
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

  /// The work on a canvas.
  ///
  /// - Throws: What building the edit throws.
  public func scene(on canvas: WorkloadCanvas) throws -> WorkloadScene { try make(shape, canvas) }

  /// The composition time of a frame.
  public func time(ofFrame index: Int) -> MediaTime { shape.time(ofFrame: index) }

  private var shape: WorkloadShape { WorkloadShape(frameCount: frameCount, frameDuration: frameDuration) }
}

/// How long a workload is.
struct WorkloadShape: Sendable {
  let frameCount: Int
  let frameDuration: MediaTime

  func time(ofFrame index: Int) -> MediaTime {
    MediaTime(value: frameDuration.value * Int64(index), timescale: frameDuration.timescale)
  }

  var timeRange: TimeRange { TimeRange(start: .zero, duration: time(ofFrame: frameCount)) }
}

/// Puts a workload's edit together track by track.
struct SceneBuilder {
  let shape: WorkloadShape
  let canvas: WorkloadCanvas
  /// Columns and rows of the composed picture.
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

  /// A track that shows one source from the start to the end.
  mutating func addMovie(trackID: TrackID, _ source: WorkloadSource? = nil) throws {
    try addTrack(trackID, [(source ?? movie("\(trackID)"), TimeRange(start: .zero, duration: shape.timeRange.duration), .zero)])
  }

  /// A track that shows parts of sources one after another: source, part, and where it begins in the composition.
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
