package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import Foundation

/// Renders a row of a planned batch on this machine.
package struct RowRenderer: Sendable {
  private let folder: PartsFolder
  private let tool: String
  private let allows: Bool
  private let overwrites: Bool
  private let cache: DigestCache

  /// - Parameters:
  ///   - tool: The program's version.
  ///   - allows: Whether versions may differ from the plan's. Differences are noted in the receipts.
  ///   - overwrites: Whether files that no render of a row wrote are replaced. Earlier results of a row always are.
  /// - Throws: `.writeFailed` if the folder of receipts cannot be created.
  package init(
    _ file: SegmentPlanFile, tool: String, allows: Bool, overwrites: Bool = false, cache: DigestCache = DigestCache()
  ) throws(CompositorError) {
    (folder, self.tool, self.allows, self.cache) = (PartsFolder(file), tool, allows, cache)
    self.overwrites = overwrites
    try AtomicOutput.makeFolder(folder.path)
  }

  /// The existing output of a row; `nil` if it is still to be rendered.
  package func existing(_ row: Int) throws(CompositorError) -> PartRenderer.Outcome? {
    let part = PlanPart.segment(row)
    return try folder.state(of: part).receipt.map {
      PartRenderer.Outcome(part: part, receipt: $0, path: folder.path(of: part), alreadyExisted: true, result: nil)
    }
  }

  /// Renders a row. Its receipt is written last.
  ///
  /// - Throws: `.planChanged`, `.mediaChanged`, `.versionMismatch`, `.outputExists` for a file that no render of this row wrote;
  ///   the errors of exporting.
  package func render(
    _ row: Int, project: PlannedProject, settings: ExportSettings, progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> PartRenderer.Outcome {
    let start = ContinuousClock.now
    let checks = PlanChecks(folder.file, cache: cache)
    try checks.check(project)
    let part = PlanPart.segment(row)
    let path = folder.path(of: part)
    let output = try OutputName(path: path)
    let (video, audio) = (
      settings.video.settled(for: project.composition, in: output.container), output.encoding(of: settings.audio)
    )
    let allowed = try checks.check(row: project.composition, video: video, audio: audio, tool: tool, allows: allows)
    var settings = settings
    settings.overwrites = true
    try makeFolder(above: path)
    try claim(path, for: part)
    defer { unlink(claimPath(of: part)) }
    let result = try await Exporter.export(project.composition, to: path, settings: settings, progress: progress)
    var receipt = PartReceipt(
      plan: folder.file.name, part: part, file: folder.fileName(of: part), digest: try FileDigest(ofFile: path), tool: tool,
      host: ToolVersions.host, kernels: ToolVersions.kernelTier, seconds: 0)
    (receipt.frameCount, receipt.sampleCount) = (result.frameCount, result.audioSampleCount)
    if !allowed.isEmpty { receipt.allowedVersions = allowed }
    let warnings = result.warnings.map(\.message)
    if !warnings.isEmpty { receipt.warnings = warnings }
    receipt.seconds = ((ContinuousClock.now - start) / .seconds(1) * 1000).rounded() / 1000
    try receipt.write(to: folder.receiptPath(of: part))
    return PartRenderer.Outcome(part: part, receipt: receipt, path: path, alreadyExisted: false, result: result)
  }

  // MARK: whose file it is

  /// Marks a row's output as written by this plan until there is a receipt. Without it, a process that is killed between the two
  /// would leave a file that nothing replaces.
  private func claimPath(of part: PlanPart) -> String { "\(folder.path)/\(part.stem).begun" }

  private func claim(_ path: String, for part: PlanPart) throws(CompositorError) {
    if !overwrites, !isOwnResult(part) { try OutputGuard.check([path], sources: [] as [MediaSource], overwrites: false) }
    try AtomicOutput.write(Array("\(folder.file.name)\n".utf8), to: claimPath(of: part), overwrites: true)
  }

  /// Whether the row's file, if there is one, is a render's output, even if modified since.
  private func isOwnResult(_ part: PlanPart) -> Bool {
    if access(claimPath(of: part), F_OK) == 0 { return true }
    return (try? PartReceipt(contentsOf: folder.receiptPath(of: part)))?.file == folder.fileName(of: part)
  }

  private func makeFolder(above path: String) throws(CompositorError) {
    do {
      try FileManager.default.createDirectory(atPath: FileName.folder(of: path), withIntermediateDirectories: true)
    } catch {
      throw CompositorError(
        .writeFailed, "The output's folder cannot be made.",
        recoverySuggestion: "Check the permissions of the folder above it.", cause: error.localizedDescription,
        at: ErrorLocation(file: path))
    }
  }
}
