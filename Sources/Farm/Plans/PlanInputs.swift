package import CompositorAPI
package import CompositorHost
import CompositorMediaIO
import CompositorOverlay
package import CompositorProjectFormat
import CompositorPlatform
package import CompositorValidation

/// A loaded project that a plan is made from or rendered from, with its inputs. Paths are those that this process opens: of
/// `PlanPaths.opened`, or absolute.
package struct PlannedProject: Sendable {
  /// The project with its variables substituted.
  package let file: ProjectFile
  /// The project's path in the plan.
  package let path: String
  /// The composition to render.
  package let composition: ValidatedComposition
  /// Files named by options rather than the project.
  package let optionFiles: [String]
  /// The files of plugins, and the compositors and audio processors used of each.
  package let plugins: [String: [String]]

  package init(
    _ file: ProjectFile, path: String, composition: ValidatedComposition, optionFiles: [String], plugins: [String: [String]]
  ) {
    (self.file, self.path, self.composition) = (file, path, composition)
    (self.optionFiles, self.plugins) = (optionFiles, plugins)
  }

  /// The SHA-256 of a project: of its contents without comments, with variables substituted; of a media file, of the path that a
  /// plan gives it.
  package static func digest(of file: ProjectFile, named path: String) -> String {
    if case .media = file.origin { digest(of: path) } else { digest(of: file.document.json()) }
  }

  private static func digest(of text: String) -> String { FileDigest(of: Array(text.utf8)).sha256 }
}

/// The files that a project reads, with their digests.
package struct PlanInputs: Sendable {
  package var media: [SegmentPlan.InputFile] = []
  package var files: [SegmentPlan.InputFile] = []
  package var fonts: [SegmentPlan.Font] = []
  package var plugins: [SegmentPlan.Plugin] = []

  /// Reads every file. Blocks; canceling the task stops it.
  ///
  /// - Parameter paths: The paths of a plan to which the inputs belong; `nil` for inputs with the paths that this process opens.
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.readFailed`, `.cancelled`.
  package init(of project: PlannedProject, at paths: PlanPaths? = nil, cache: DigestCache) throws(CompositorError) {
    func named(_ path: String) -> String { paths.map { $0.planned(path).normalizedPath } ?? path.normalizedPath }
    var sources: Set<String> = []
    for source in Self.sources(of: project.composition) {
      guard let opened = source.openedPath, var found = try Self.input(source, cache) else { continue }
      sources.formUnion([found.path, source.description])
      found.path = named(opened)
      media.append(found)
    }
    let pluginFiles = Set(project.plugins.keys.map(\.normalizedPath))
    let mentioned = project.file.mentionedFiles().union(project.optionFiles).filter {
      !sources.contains($0) && RegularFile.exists($0)
    }
    let others = Dictionary(mentioned.sorted().map { ($0.normalizedPath, named($0)) }, uniquingKeysWith: { first, _ in first })
      .filter { !sources.contains($0.key) && !pluginFiles.contains($0.key) }
    for (path, name) in others.sorted(by: { $0.value < $1.value }) {
      let digest = try cache.digest(of: path)
      files.append(SegmentPlan.InputFile(path: name, byteCount: digest.byteCount, sha256: digest.sha256))
    }
    for (path, ids) in project.plugins.sorted(by: { $0.key < $1.key }) {
      plugins.append(SegmentPlan.Plugin(ids: ids.sorted(), path: named(path), sha256: try cache.digest(of: path).sha256))
    }
    fonts = try Self.fonts(of: project.composition, except: Set(others.keys), cache)
  }

  /// The fonts that a composition has used so far, except for those that the project names.
  package static func fonts(
    of composition: ValidatedComposition, except named: Set<String>, _ cache: DigestCache
  ) throws(CompositorError) -> [SegmentPlan.Font] {
    var fonts: Set<SegmentPlan.Font> = []
    for font in composition.usedFonts where !named.contains(font.path.normalizedPath) {
      let digest = try cache.digest(of: font.path)
      fonts.insert(SegmentPlan.Font(family: font.family, file: font.path.fileName, sha256: digest.sha256))
    }
    return fonts.sorted { ($0.family, $0.file, $0.sha256) < ($1.family, $1.file, $1.sha256) }
  }

  /// The sources of a composition that are read from files, in the order of ``media``.
  private static func sources(of composition: ValidatedComposition) -> [MediaSource] {
    composition.media.keys.filter { $0.inputPath != nil }.sorted { $0.description < $1.description }
  }

  /// Adds peaks that were measured of a composition's sources. Each source has its own, even if several show one file.
  mutating func note(_ peaks: [MeasuredPeak], of composition: ValidatedComposition) {
    for (index, source) in Self.sources(of: composition).enumerated() {
      media[index].measuredPeak = peaks.filter { $0.source == source.description }.map(\.luminance).max()
    }
  }

  /// The peaks that a plan has of a composition's sources, so that no machine measures them again. The plan has normalized
  /// paths, and sources those that the project writes: of several sources of one path, each has the next peak.
  ///
  /// - Parameter paths: The paths of the plan as this process opens them.
  package static func peaks(
    of composition: ValidatedComposition, in plan: SegmentPlan, at paths: PlanPaths
  ) -> [MeasuredPeak] {
    var inputs = Dictionary(grouping: plan.media) { paths.compared($0.path) }.mapValues { $0[...] }
    return sources(of: composition).compactMap { source in
      guard let path = source.inputPath, let input = inputs[path]?.popFirst() else { return nil }
      return input.measuredPeak.map { MeasuredPeak(source: source.description, luminance: $0) }
    }
  }

  /// The input for a source that is read from files; `nil` for others.
  private static func input(
    _ source: MediaSource, _ cache: DigestCache
  ) throws(CompositorError) -> SegmentPlan.InputFile? {
    switch source {
    case .file(let path):
      let digest = try cache.digest(of: path)
      return SegmentPlan.InputFile(path: path.normalizedPath, byteCount: digest.byteCount, sha256: digest.sha256)
    case .imageSequence(let pattern, let first, _, _):
      return try images(pattern, first, cache)
    case .generated, .custom: return nil
    }
  }

  private static func images(
    _ pattern: String, _ first: Int?, _ cache: DigestCache
  ) throws(CompositorError) -> SegmentPlan.InputFile {
    let files = try NumberedName(pattern).map { name throws(CompositorError) in
      try NumberedFiles(name, first: first, missing: .skip, description: pattern)
    }
    var (text, byteCount) = ("", Int64(0))
    for path in files?.paths ?? [] {
      let digest = try cache.digest(of: path)
      text += digest.sha256
      byteCount += digest.byteCount
    }
    return SegmentPlan.InputFile(
      path: pattern.normalizedPath, byteCount: byteCount, sha256: FileDigest(of: Array(text.utf8)).sha256,
      firstImage: files?.first ?? first ?? 0, imageCount: files?.paths.count ?? 0)
  }

  /// The files of a plan's input, as the plan names them: one, or the images of a pattern. Their numbers may have holes, which a plan doesn't
  /// list; on a machine without the images, as many as it counts are taken from the first one on.
  static func files(of input: SegmentPlan.InputFile, at paths: PlanPaths) -> [String] {
    guard let first = input.firstImage, let names = NumberedName(input.path) else { return [input.path] }
    let present = NumberedName(paths.opened(input.path)).flatMap { opened in
      try? NumberedFiles(opened, first: first, missing: .skip, description: input.path)
    }
    return present?.paths.map(paths.planned) ?? (0..<max(0, input.imageCount ?? 0)).map { names.name(first + $0) }
  }

  /// The current state of a plan's input, with the path that this process opens.
  package static func current(
    _ input: SegmentPlan.InputFile, _ cache: DigestCache
  ) throws(CompositorError) -> SegmentPlan.InputFile {
    if let first = input.firstImage { return try images(input.path, first, cache) }
    let digest = try cache.digest(of: input.path)
    return SegmentPlan.InputFile(path: input.path, byteCount: digest.byteCount, sha256: digest.sha256)
  }
}

extension MediaSource {
  /// The path or the pattern of a source that is read from files; `nil` for others.
  fileprivate var openedPath: String? {
    switch self {
    case .file(let path): path
    case .imageSequence(let pattern, _, _, _): pattern
    case .generated, .custom: nil
    }
  }

  /// The same without `.` and, as far as possible, without `..`.
  fileprivate var inputPath: String? { openedPath?.normalizedPath }
}

extension String {
  /// The path without `.`, and as far as possible without `..`. Links are not resolved.
  package var normalizedPath: String {
    var parts: [Substring] = []
    for part in split(separator: "/", omittingEmptySubsequences: true) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    let path = parts.joined(separator: "/")
    return hasPrefix("/") ? "/" + path : path.isEmpty ? "." : path
  }

  /// This path, relative to the current folder or absolute, as seen from another folder. Neither may contain links.
  package func relativePath(from folder: String, current: String) -> String {
    let own = (hasPrefix("/") ? self : current + "/" + self).normalizedPath.split(separator: "/")
    let base = (folder.hasPrefix("/") ? folder : current + "/" + folder).normalizedPath.split(separator: "/")
    let common = zip(own, base).prefix { $0 == $1 }.count
    let path = Array(repeating: "..", count: base.count - common) + own[common...].map(String.init)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}
