package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorProjectFormat
import CompositorValidation

/// Makes the plan of a movie.
///
/// Files of the project, of overrides and of settings have the paths that this process opens, whatever its current folder is. Those
/// of `PlanPaths.opened` are relative to the plan's folder in the plan.
package struct PlanMaker: Sendable {
  private let project: PlannedProject
  private let paths: PlanPaths
  private let overrides: ProjectOverrides
  private let tool: String
  private let cache: DigestCache

  /// - Parameters:
  ///   - paths: The paths of the plan.
  ///   - overrides: The overrides with which the project was loaded, for loading it again.
  ///   - tool: The program's version.
  package init(
    _ project: PlannedProject, at paths: PlanPaths, overrides: ProjectOverrides = ProjectOverrides(), tool: String,
    cache: DigestCache = DigestCache()
  ) {
    (self.project, self.paths, self.overrides, self.tool, self.cache) = (project, paths, overrides, tool, cache)
  }

  /// Plans a movie: fixes everything that its bytes depend on, measures what has to be measured of the whole movie, and cuts
  /// it.
  ///
  /// - Parameters:
  ///   - settings: Export settings.
  ///   - movie: The movie's path, relative to the plan's folder.
  ///   - progress: Receives the progress of measuring.
  /// - Returns: The plan, and notes: one sentence each, without a full stop.
  /// - Throws: `.unsupportedOutput` for a movie that cannot be rendered in parts; the errors that an export throws before its
  ///   first frame; the errors of reading the inputs; `.cancelled`.
  package func plan(
    _ settings: ExportSettings, movie: String, length: SegmentLength,
    progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> (plan: SegmentPlan, notes: [Wording]) {
    let output = try OutputName(path: movie)
    guard project.composition.edit.audioTracks.count <= 1 else {
      throw CompositorError(
        .unsupportedOutput,
        "A movie with \(project.composition.edit.audioTracks.count) audio tracks cannot be rendered in parts.",
        advice: "Use \(operation: .render), or choose one audio track.", at: ErrorLocation(file: movie))
    }
    try PlanLimits.check(settings, output: output)
    let recipe = paths.planned(SegmentPlan.Recipe(overrides, settings))
    var settings = settings
    let outline = try await ExportOutline(of: project.composition, to: output, settings: settings, progress: progress)
    try PlanLimits.check(outline)
    settings.video = Self.decided(outline)
    let cuts = try SegmentCuts(outline, length)
    var inputs = try PlanInputs(of: project, at: paths, cache: cache)
    inputs.note(outline.peaks, of: project.composition)
    cache.save()
    let audio = Self.audio(outline)
    let plan = SegmentPlan(
      project: SegmentPlan.Project(
        path: project.path, sha256: PlannedProject.digest(of: project.file, named: project.path)), recipe: recipe,
      media: inputs.media, files: inputs.files, fonts: inputs.fonts, plugins: inputs.plugins,
      versions: ToolVersions.current(
        tool: tool, composition: outline.composition, video: settings.video, audio: audio?.encoding),
      processor: .current,
      movie: SegmentPlan.Movie(outline, path: movie, video: settings.video), cuts: cuts.firstFrames, audio: audio)
    return (plan, outline.notes.map(\.wording) + (cuts.warnings + Self.advice(plan)).map { Wording($0) })
  }

  /// The encoding settings, with fixed values for everything that the machine would decide.
  private static func decided(_ outline: ExportOutline) -> VideoEncodingSettings {
    var video = outline.settings.video
    guard video.threadCount == nil, let size = outline.description.video?.size else { return video }
    let count = EncoderThreads(video, size: size).count
    if count > 0 { video.threadCount = count }
    return video
  }

  /// The audio of the whole movie; `nil` if there is none.
  package static func audio(_ outline: ExportOutline) -> SegmentPlan.AudioPart? {
    guard let encoding = outline.description.audio else { return nil }
    let count = encoding.sampleCount(lasting: outline.timeRange.duration)
    return count > 0 ? SegmentPlan.AudioPart(encoding: encoding, sampleCount: count) : nil
  }

  /// Notes on what makes a plan hard to run elsewhere.
  private static func advice(_ plan: SegmentPlan) -> [String] {
    let absolute = ([plan.project.path] + (plan.media + plan.files).map(\.path) + plan.plugins.map(\.path)).filter {
      $0.hasPrefix("/")
    }
    // The audio is one part, so that it fits the others on whichever machine it is made.
    let maker =
      plan.audio?.encoding.codec.dependsOnProcessorMaker == true
      ? ["\(plan.audio?.encoding.codec.rawValue ?? "") audio has the same bytes only on processors of one manufacturer"] : []
    guard let first = absolute.first else { return maker }
    return maker + [
      "\(absolute.count == 1 ? "a file has" : "\(absolute.count) files have") an absolute path, such as \(first): every machine has to have "
        + "\(absolute.count == 1 ? "it" : "them") there"
    ]
  }
}

extension SegmentPlan.Movie {
  /// Describes what an export will write.
  ///
  /// - Parameter video: Encoding settings with fixed values.
  package init(_ outline: ExportOutline, path: String, video: VideoEncodingSettings) {
    let described = outline.description
    self.init(
      path: path, container: described.container, video: video, size: described.video?.size ?? outline.plan.format.frameSize,
      format: described.video?.format ?? outline.plan.format.pixelFormat,
      attributes: described.video?.attributes ?? outline.plan.format.attributes,
      timing: described.video?.timing ?? .variable(timescale: 90_000, nominalFrameRate: .one),
      firstFrame: outline.frames.lowerBound, frameCount: outline.frames.count, timeRange: outline.timeRange,
      orientation: outline.settings.orientation, metadata: described.metadata,
      creationSecondsSince1970: described.creationSecondsSince1970, chapters: described.chapters,
      hasFastStart: described.hasFastStart, captionTrackCount: outline.captionTracks.count,
      hasCover: outline.settings.cover != nil)
  }

  /// The movie's description for a writer. Captions and the cover are not part of a plan.
  ///
  /// - Parameter audio: Audio encoding settings; `nil` without audio.
  package func description(audio: AudioEncodingSettings?) -> MovieDescription {
    var described = MovieDescription(
      container: container,
      video: VideoTrackDescription(size: size, format: format, attributes: attributes, timing: timing, encoding: video),
      audio: audio, metadata: metadata, creationSecondsSince1970: creationSecondsSince1970)
    described.chapters = chapters
    described.end = timeRange.duration
    described.hasFastStart = hasFastStart
    return described
  }

  /// The first difference between two movies other than their paths; `nil` if they would have the same bytes.
  package func difference(from other: SegmentPlan.Movie) -> String? {
    let facts: [(name: String, isSame: Bool)] = [
      ("container", container == other.container), ("encoding of the video", video == other.video),
      ("size", size == other.size),
      ("pixel format", format == other.format), ("color", attributes == other.attributes), ("timing", timing == other.timing),
      ("range of frames", (firstFrame, frameCount) == (other.firstFrame, other.frameCount)),
      ("time range", timeRange == other.timeRange), ("orientation", orientation == other.orientation),
      ("metadata", metadata == other.metadata), ("date", creationSecondsSince1970 == other.creationSecondsSince1970),
      ("list of chapters", chapters == other.chapters), ("fast start", hasFastStart == other.hasFastStart),
      ("number of caption tracks", captionTrackCount == other.captionTrackCount), ("cover", hasCover == other.hasCover),
    ]
    if let first = facts.first(where: { !$0.isSame }) { return first.name }
    var renamed = other
    renamed.path = path
    return self == renamed ? nil : "movie"
  }
}
