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
  private let cache: DigestCache

  /// - Parameters:
  ///   - tool: The program's version.
  ///   - allows: Whether versions may differ from the plan's. Differences are noted in the receipts.
  /// - Throws: `.writeFailed` if the folder of receipts cannot be created.
  package init(
    _ file: SegmentPlanFile, tool: String, allows: Bool, cache: DigestCache = DigestCache()
  ) throws(CompositorError) {
    (folder, self.tool, self.allows, self.cache) = (PartsFolder(file), tool, allows, cache)
    try AtomicFile.makeFolder(folder.path)
  }

  /// The existing output of a row; `nil` if it is still to be rendered.
  package func existing(_ row: Int) throws(CompositorError) -> PartRenderer.Outcome? {
    let part = PlanPart.segment(row)
    return try folder.state(of: part).receipt.map {
      PartRenderer.Outcome(part: part, receipt: $0, path: folder.path(of: part), wasThere: true, result: nil)
    }
  }

  /// Renders a row. Its receipt is written last.
  ///
  /// - Throws: `.planChanged`, `.mediaChanged`, `.versionMismatch`; the errors of exporting.
  package func render(
    _ row: Int, project: PlannedProject, settings: ExportSettings, progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> PartRenderer.Outcome {
    let start = ContinuousClock.now
    let checks = PlanChecks(folder.file, cache: cache)
    try checks.check(project)
    let part = PlanPart.segment(row)
    let path = folder.path(of: part)
    let container = try OutputName(path: path).container()
    let audio = settings.audio.map { audio in container.map { audio.settled(for: $0) } ?? audio }
    let allowed = try checks.check(
      row: project.composition, video: settings.video, audio: audio, tool: tool, allows: allows)
    var settings = settings
    settings.overwrites = true
    try makeFolder(above: path)
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
    return PartRenderer.Outcome(part: part, receipt: receipt, path: path, wasThere: false, result: result)
  }

  private func makeFolder(above path: String) throws(CompositorError) {
    do {
      try FileManager.default.createDirectory(atPath: OutputName.folder(of: path), withIntermediateDirectories: true)
    } catch {
      throw CompositorError(
        .writeFailed, "The output's folder cannot be made.",
        recoverySuggestion: "Check the permissions of the folder above it.", cause: error.localizedDescription,
        at: ErrorLocation(file: path))
    }
  }
}
