package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorProjectFormat
package import CompositorValidation

/// Checks that this machine would make the bytes of a plan. The checks come before the first frame, so that results are never
/// mixed.
package struct PlanChecks: Sendable {
  private let file: SegmentPlanFile
  private let cache: DigestCache
  private let processor: ProcessorArchitecture
  private var plan: SegmentPlan { file.plan }
  private var paths: PlanPaths { file.paths }
  /// The path of the project's file.
  private var projectPath: String { paths.opened(plan.project.path) }

  /// - Parameter processor: The processor to check, by default this machine's.
  package init(_ file: SegmentPlanFile, cache: DigestCache = DigestCache(), processor: ProcessorArchitecture = .current) {
    (self.file, self.cache, self.processor) = (file, cache, processor)
  }

  // MARK: before the project is loaded

  /// Compares the versions that do not depend on the project: of the tool and of FFmpeg.
  ///
  /// - Returns: Tolerated differences.
  /// - Throws: `.versionMismatch`.
  package func checkMediaVersions(tool: String, allows: Bool) throws(CompositorError) -> [String] {
    let here = ToolVersions.media(tool: tool)
    return try allowed(ToolVersions.differences(of: plan.versions, from: here, names: Set(here.keys)), allows)
  }

  /// Compares the processor with the one that the plan needs.
  ///
  /// - Returns: Tolerated differences.
  /// - Throws: `.versionMismatch`.
  package func checkProcessor(allows: Bool) throws(CompositorError) -> [String] {
    try allowed(plan.processor.differences(on: processor), allows)
  }

  /// Compares a project with the plan's.
  ///
  /// - Parameter row: The row of a batch; `nil` for a single movie.
  /// - Throws: `.planChanged`.
  package func check(_ project: ProjectFile, row: Int? = nil) throws(CompositorError) {
    let planned =
      row.map { plan.rows?.indices.contains($0) == true ? plan.rows?[$0].projectSHA256 : nil } ?? plan.project.sha256
    guard PlannedProject.digest(of: project, named: plan.project.path) == planned else {
      let what = row.map { "The project with the values of row \($0)" } ?? "The project"
      throw changed("\(what) differs from the plan's.", at: projectPath)
    }
  }

  /// Compares the media with the plan's, before the project is loaded.
  ///
  /// - Throws: `.fileNotFound`, `.mediaChanged`; the errors of reading.
  package func checkMedia() throws(CompositorError) {
    for input in plan.media { try compare(paths.opened(input)) }
    cache.save()
  }

  /// Compares the project's other files with the plan's.
  ///
  /// - Throws: `.planChanged`; the errors of reading.
  package func checkFiles() throws(CompositorError) {
    for input in (plan.files + plan.plugins.map(\.asFile)).map(paths.opened) {
      let digest: FileDigest
      do throws(CompositorError) {
        digest = try cache.digest(of: input.path)
      } catch {
        guard error.code == .fileNotFound || error.code == .sourceRefused else { throw error }
        throw changed("A file of the plan is not there.", at: input.path)
      }
      guard digest.sha256 == input.sha256 else { throw changed("A file differs from the plan's.", at: input.path) }
    }
    cache.save()
  }

  private func compare(_ input: SegmentPlan.InputFile) throws(CompositorError) {
    let found = try PlanInputs.current(input, cache)
    guard (found.sha256, found.byteCount) == (input.sha256, input.byteCount) else {
      throw CompositorError(
        .mediaChanged, "The media is not that of the plan.",
        recoverySuggestion: "Restore it, or make a new plan.",
        cause: found.byteCount == input.byteCount
          ? "its bytes differ" : "it has \(found.byteCount) bytes instead of \(input.byteCount)",
        at: ErrorLocation(file: input.path))
    }
  }

  // MARK: after it is loaded

  /// Compares everything that a loaded project reads with the plan's.
  ///
  /// - Throws: `.planChanged` for a different font, plugin or file; `.mediaChanged`; the errors of reading.
  package func check(_ project: PlannedProject) throws(CompositorError) {
    let found = try PlanInputs(of: project, cache: cache)
    cache.save()
    let planned = Dictionary(plan.media.map { (paths.compared($0.path), $0) }, uniquingKeysWith: { first, _ in first })
    for input in found.media {
      guard let expected = planned[input.path] else {
        throw changed("The project uses media that the plan does not.", at: input.path)
      }
      guard expected.sha256 == input.sha256 else {
        throw CompositorError(
          .mediaChanged, "The media is not that of the plan.",
          recoverySuggestion: "Restore it, or make a new plan.",
          at: ErrorLocation(file: input.path))
      }
    }
    let files = Dictionary(plan.files.map { (paths.compared($0.path), $0.sha256) }, uniquingKeysWith: { first, _ in first })
    for input in found.files where files[input.path] != input.sha256 {
      throw changed("A file differs from the plan's.", at: input.path)
    }
    let plugins = Dictionary(
      plan.plugins.flatMap { plugin in plugin.ids.map { ($0, plugin.sha256) } }, uniquingKeysWith: { first, _ in first })
    for plugin in found.plugins {
      if let id = plugin.ids.first(where: { plugins[$0] != plugin.sha256 }) {
        throw changed("The plugin of “\(id)” differs from the plan's.", at: plugin.path)
      }
    }
    try check(fonts: found.fonts)
  }

  /// - Throws: `.planChanged` for fonts that differ from the plan's.
  private func check(fonts: [SegmentPlan.Font]) throws(CompositorError) {
    let planned = Set(plan.fonts.map(\.identity))
    for font in fonts where !planned.contains(font.identity) {
      let isKnown = plan.fonts.contains { $0.family == font.family }
      throw CompositorError(
        .planChanged,
        isKnown
          ? "The font “\(font.family)” is another one here than in the plan."
          : "Text is drawn with the font “\(font.family)” here, which the plan does not have.",
        recoverySuggestion: "Install the fonts of the machine that planned, or give them as files in the project.",
        cause: "the file \(font.file) has the SHA-256 \(font.sha256)", at: ErrorLocation(file: projectPath))
    }
  }

  /// Compares the movie to write with the plan's.
  ///
  /// - Parameter tool: The program's version.
  /// - Returns: Tolerated differences, including those of ``checkMediaVersions(tool:allows:)`` and ``checkProcessor(allows:)``.
  /// - Throws: `.versionMismatch`, `.planChanged`.
  package func check(_ outline: ExportOutline, tool: String, allows: Bool) throws(CompositorError) -> [String] {
    guard let movie = plan.movie else { throw CompositorError(.internalFault, "A batch has no movie of its own.") }
    let here = ToolVersions.current(
      tool: tool, composition: outline.composition, video: movie.video, audio: plan.audio?.encoding)
    let differences =
      try allowed(ToolVersions.differences(of: plan.versions, from: here), allows) + checkProcessor(allows: allows)
    let own = SegmentPlan.Movie(outline, path: movie.path, video: outline.settings.video)
    if let difference = own.difference(from: movie) {
      throw changed("The \(difference) is not that of the plan.", at: projectPath)
    }
    guard PlanMaker.audio(outline) == plan.audio else {
      throw changed("The audio is not that of the plan.", at: projectPath)
    }
    return differences
  }

  /// Compares the versions and the processor that a row of a batch depends on.
  package func check(
    row composition: ValidatedComposition, video: VideoEncodingSettings?, audio: AudioEncodingSettings?, tool: String,
    allows: Bool
  ) throws(CompositorError) -> [String] {
    let here = ToolVersions.current(tool: tool, composition: composition, video: video, audio: audio)
    let lacking = plan.processor.differences(on: processor)
    return try allowed(ToolVersions.differences(of: plan.versions, from: here, names: Set(here.keys)) + lacking, allows)
  }

  private func allowed(_ differences: [String], _ allows: Bool) throws(CompositorError) -> [String] {
    guard allows || differences.isEmpty else { throw ToolVersions.mismatch(differences, plan: file.shownPath) }
    return differences
  }

  private func changed(_ message: String, at path: String) -> CompositorError {
    CompositorError(
      .planChanged, message, recoverySuggestion: "Restore it, or make a new plan.", at: ErrorLocation(file: path))
  }
}

extension SegmentPlan.Font {
  /// Identifies a font, independent of the path of its file.
  var identity: [String] { [family, sha256] }
}

extension SegmentPlan.Plugin {
  fileprivate var asFile: SegmentPlan.InputFile { SegmentPlan.InputFile(path: path, byteCount: 0, sha256: sha256) }
}
