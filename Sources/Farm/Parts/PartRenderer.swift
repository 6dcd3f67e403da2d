package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

/// Renders parts of a planned movie on this machine.
package struct PartRenderer: Sendable {
  /// The outcome of rendering a part.
  package struct Outcome: Sendable {
    package let part: PlanPart
    package let receipt: PartReceipt
    /// Path of the part's file.
    package let path: String
    /// Whether the part already existed, so that nothing was rendered.
    package let alreadyExisted: Bool
    /// The result of the export; `nil` if nothing was rendered.
    package let result: ExportResult?

    package init(part: PlanPart, receipt: PartReceipt, path: String, alreadyExisted: Bool, result: ExportResult?) {
      (self.part, self.receipt, self.path) = (part, receipt, path)
      (self.alreadyExisted, self.result) = (alreadyExisted, result)
    }
  }

  private let folder: PartsFolder
  private let outline: ExportOutline
  private let tool: String
  private let allowedVersions: [String]
  private let cache: DigestCache

  private var plan: SegmentPlan { folder.file.plan }

  /// Prepares rendering, and checks that this machine makes the bytes of the plan.
  ///
  /// - Parameters:
  ///   - settings: Export settings of the plan's recipe.
  ///   - tool: The program's version.
  ///   - allows: Whether versions may differ from the plan's. Differences are noted in the receipts.
  /// - Throws: `.planChanged`, `.mediaChanged`, `.versionMismatch`; the errors that an export throws before its first frame.
  package init(
    _ file: SegmentPlanFile, project: PlannedProject, settings: ExportSettings, tool: String, allows: Bool,
    cache: DigestCache = DigestCache()
  ) async throws(CompositorError) {
    guard let movie = file.plan.movie else {
      throw CompositorError(.internalFault, "The rows of a batch are rendered as movies of their own.")
    }
    let checks = PlanChecks(file, cache: cache)
    try checks.check(project)
    var settings = settings
    // Decisions for all machines, and measurements of the whole movie.
    settings.video = movie.video
    if project.composition.edit.output.hdrMetadata == .generate { settings.measuredLight = movie.attributes.hdr }
    outline = try await ExportOutline(
      of: project.composition, to: try OutputName(path: movie.path), settings: settings,
      peaks: PlanInputs.peaks(of: project.composition, in: file.plan, at: file.paths))
    allowedVersions = try checks.check(outline, tool: tool, allows: allows)
    (folder, self.tool, self.cache) = (PartsFolder(file), tool, cache)
    try AtomicOutput.makeFolder(folder.path)
  }

  /// Renders a part unless a valid one exists.
  ///
  /// Its receipt is written last, so a part with a receipt is complete. Several machines may render the same part at once: all
  /// of them make the same bytes, and the last one's file stays.
  ///
  /// - Parameter progress: Receives the progress of the part's export.
  /// - Throws: The errors of exporting; `.internalFault` if the encoder returned different frames than it took.
  package func render(
    _ part: PlanPart, progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> Outcome {
    if let receipt = try PlanStatus.states(of: [part], in: folder)[part]?.receipt {
      return Outcome(part: part, receipt: receipt, path: folder.path(of: part), alreadyExisted: true, result: nil)
    }
    let start = ContinuousClock.now
    let path = folder.path(of: part)
    let result = try await Exporter.export(
      outline.compositionWithoutCaptionTracks, to: path, settings: try settings(of: part), progress: progress)
    var receipt = PartReceipt(
      plan: folder.file.name, part: part, file: folder.fileName(of: part), digest: try FileDigest(ofFile: path), tool: tool,
      host: ToolVersions.host, kernels: ToolVersions.kernelTier, seconds: 0)
    switch part {
    case .segment(let number): try await describe(&receipt, segment: number)
    case .audio: try describeAudio(&receipt)
    }
    if !allowedVersions.isEmpty { receipt.allowedVersions = allowedVersions }
    let fonts = try otherFonts()
    if !fonts.isEmpty { receipt.otherFonts = fonts }
    let warnings = result.warnings.map(\.message)
    if !warnings.isEmpty { receipt.warnings = warnings }
    receipt.seconds = ((ContinuousClock.now - start) / .seconds(1) * 1000).rounded() / 1000
    try receipt.write(to: folder.receiptPath(of: part))
    return Outcome(part: part, receipt: receipt, path: path, alreadyExisted: false, result: result)
  }

  // MARK: what is exported

  private func settings(of part: PlanPart) throws(CompositorError) -> ExportSettings {
    var settings = outline.settings
    // Metadata of the whole file belongs to the joined movie.
    (settings.metadata, settings.creationSecondsSince1970, settings.chapters, settings.cover) = ([:], nil, [], nil)
    (settings.overwrites, settings.fastStart) = (true, false)
    settings.measuredLight = outline.light
    if case .listed(let times) = outline.plan.schedule { settings.frameTimes = times }
    switch part {
    case .segment(let number):
      let frames = plan.frames(ofSegment: number)
      guard !frames.isEmpty else {
        throw CompositorError(
          .invalidValue, "There is no segment \(number).", recoverySuggestion: "The plan has \(plan.segmentCount), from 0 on.")
      }
      let (first, end) = (outline.frames.lowerBound + frames.lowerBound, outline.frames.lowerBound + frames.upperBound)
      let schedule = outline.plan.schedule
      settings.timeRange = TimeRange(
        start: schedule.time(ofFrame: first),
        end: end < outline.plan.frameCount ? schedule.time(ofFrame: end) : outline.plan.duration)
      (settings.audio, settings.videoTrack) = (nil, .always)
    case .audio:
      settings.audioFromFirstClip = []
      let audio = try folder.file.audio()
      settings.timeRange = outline.timeRange
      (settings.audio, settings.videoTrack, settings.extendsAudio) = (audio.encoding, .never, true)
      settings.orientation = .upright
    }
    return settings
  }

  // MARK: what the receipt says

  private func describe(_ receipt: inout PartReceipt, segment number: Int) async throws(CompositorError) {
    let frames = plan.frames(ofSegment: number)
    let found = try PartInspection(video: folder.path(of: receipt.part))
    guard found.frameCount == frames.count else {
      throw CompositorError(
        .internalFault, "The encoder gave \(found.frameCount) frames of \(frames.count).",
        at: ErrorLocation(file: folder.path(of: receipt.part)))
    }
    (receipt.frameCount, receipt.keyFrameCount) = (found.frameCount, found.keyFrameCount)
    (receipt.reordering, receipt.order, receipt.parameters) = (found.reordering, found.order, found.parameters)
    receipt.times = try times(of: frames)
    if number == 0 { receipt.extras = try await writeExtras() }
  }

  /// The start of each frame in the movie, and the end of the last one; `nil` at a constant rate.
  private func times(of frames: Range<Int>) throws(CompositorError) -> [Int64]? {
    guard let timing = plan.movie?.timing, !timing.isConstant else { return nil }
    let (origin, offset) = (outline.timeRange.start, outline.frames.lowerBound)
    var times: [Int64] = []
    for frame in frames { times.append(try timing.units(at: outline.plan.schedule.time(ofFrame: offset + frame) - origin)) }
    times.append(try timing.units(at: outline.plan.end(ofFrame: offset + frames.upperBound - 1) - origin))
    return times
  }

  /// Writes captions and the cover, which accompany the first segment.
  private func writeExtras() async throws(CompositorError) -> PartReceipt.Extras? {
    let cover = try await outline.cover(workingIn: folder.path)
    let captions = outline.captionTracks.map(\.captions)
    guard cover != nil || !captions.isEmpty else { return nil }
    let bytes = try MovieExtras(captions: captions, cover: cover).json()
    try AtomicOutput.write(bytes, to: folder.extrasPath, overwrites: true)
    return PartReceipt.Extras(file: folder.extrasPath.fileName, sha256: FileDigest(of: bytes).sha256)
  }

  private func describeAudio(_ receipt: inout PartReceipt) throws(CompositorError) {
    let found = try PartInspection(audio: folder.path(of: .audio))
    receipt.packetCount = found.packetCount
    receipt.parameters = found.parameters
    receipt.sampleCount = plan.audio?.sampleCount
    receipt.layout = try plan.audio?.encoding.packetLayout()
  }

  /// Fonts that were chosen while frames were drawn.
  private func otherFonts() throws(CompositorError) -> [SegmentPlan.Font] {
    let known = Set(plan.fonts.map(\.identity))
    let named = Set(plan.files.map { folder.file.paths.compared($0.path) })
    return try PlanInputs.fonts(of: outline.composition, except: named, cache).filter {
      !known.contains($0.identity)
    }
  }
}
