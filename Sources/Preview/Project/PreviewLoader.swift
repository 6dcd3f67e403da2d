import CompositorAPI
import CompositorDiagram
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorProjectFormat
import CompositorTimeline
import Foundation

/// Reads a project with its media. An invalid project gives its diagnostics instead of an error.
struct PreviewLoader: Sendable {
  /// A project file, a media file, or `-`.
  let path: String
  /// Values for `${name}`.
  let variables: [String: String]
  /// The policy for damaged media.
  let damaged: DamagePolicy
  /// The compositors that a project may name.
  let registry: PreviewProject.RegistryProvider
  /// Where clips begin and end if their video and audio differ; `nil` for the project's choice.
  let ends: ClipEnds?

  /// Maximum number of files that are watched for a project with generated names.
  private static let watchedFileLimit = 4096

  /// Reads everything again. Blocks while files are read.
  ///
  /// - Parameter earlier: The files of the previous reading, which are watched if the project cannot be parsed.
  func load(generation: Int, earlier: Set<String>) async -> PreviewSnapshot {
    var snapshot = PreviewSnapshot(generation: generation, files: [path])
    let registry = registry
    let catalog = MediaCatalog()
    var overrides = ProjectOverrides()
    (overrides.variables, overrides.damaged, overrides.ends) = (variables, damaged, ends)
    let loader = ProjectLoader(
      catalog: catalog, overrides: overrides,
      plugins: { file throws(CompositorError) in OpenedPlugins(registry: try registry(file)) })
    let project: LoadedProject
    do throws(CompositorError) {
      project = await loader.check(path, try ProjectText.opening(path))
    } catch {
      project = LoadedProject(error)
    }
    if let file = project.file {
      snapshot.files.formUnion(file.mentionedFiles(limit: Self.watchedFileLimit))
      for case .file(let path) in project.edit?.sources ?? [] { snapshot.files.insert(path) }
    }
    if project.edit == nil { snapshot.files.formUnion(earlier.union(ProjectFile.variableFiles(of: path))) }
    (snapshot.edit, snapshot.composition, snapshot.media) = (project.edit, project.composition, project.media)
    let names = project.partNames(catalog)
    snapshot.names = DiagramNames(
      tracks: names.tracks, shortTracks: names.shortTracks, masks: names.masks, sources: names.sources)
    snapshot.diagnostics = project.diagnostics.map(\.diagnostic)
    snapshot.lines = lines(of: snapshot.diagnostics)
    return snapshot
  }

  /// The project's lines with diagnostics, shortened to fit the page.
  private func lines(of diagnostics: [ValidationDiagnostic]) -> [Int: String] {
    let wanted = Set(diagnostics.filter { $0.file == path }.compactMap(\.line))
    guard !wanted.isEmpty, path != "-",
      let bytes = try? RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount)
    else { return [:] }
    var (found, number) = ([Int: String](), 1)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if wanted.contains(number) { found[number] = String(decoding: line.prefix(400), as: UTF8.self) }
      number += 1
    }
    return found
  }
}

extension Edit {
  /// The sources of all tracks.
  fileprivate var sources: Set<MediaSource> {
    Set(composition.tracks.flatMap { track in track.segments.compactMap(\.source) })
  }
}
