import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlugins
import CompositorProjectFormat
import Foundation

/// Reads a project with its media. An invalid project gives its diagnostics instead of an error.
struct PreviewLoader: Sendable {
  /// A project file, a media file, or `-`.
  let path: String
  /// Values for `${name}`.
  let variables: [String: String]
  /// The policy for damaged media.
  let damaged: DamagePolicy
  /// The compositors that an edit may name.
  let registry: PreviewProject.RegistryProvider

  /// Maximum number of files that are watched for a project with generated names.
  private static let watchedFileLimit = 4096

  /// Reads everything again. Blocks while files are read.
  ///
  /// - Parameter earlier: The files of the previous reading, which are watched if the project cannot be parsed.
  func load(generation: Int, earlier: Set<String>) -> PreviewSnapshot {
    var snapshot = PreviewSnapshot(generation: generation, files: [path])
    do throws(CompositorError) {
      let file = try ProjectFile(opening: path, variables: variables)
      snapshot.files.formUnion(file.mentionedFiles(limit: Self.watchedFileLimit))
      snapshot.diagnostics = file.warnings.map(PreviewLoader.warning)
      do throws(CompositorError) {
        try read(file, into: &snapshot)
      } catch {
        let missing = error.code == .fileNotFound ? file.missingMedia : []
        guard !missing.isEmpty else { throw error }
        snapshot.diagnostics += missing.map { ValidationDiagnostic($0.error) }
      }
    } catch {
      snapshot.files.formUnion(earlier)
      snapshot.diagnostics.append(ValidationDiagnostic(error))
    }
    snapshot.lines = lines(of: snapshot.diagnostics)
    return snapshot
  }

  private func read(_ file: ProjectFile, into snapshot: inout PreviewSnapshot) throws(CompositorError) {
    let catalog = MediaCatalog()
    let draft = try file.edit(catalog: catalog)
    snapshot.edit = draft
    let registry = try registry(draft, file)
    let edit =
      draft.usesPlugins || draft.namesFiles(registry) ? try file.edit(catalog: catalog, registry: registry) : draft
    snapshot.edit = edit
    let report = CompositionValidator.validate(edit, catalog: catalog, registry: registry, damaged: damaged)
    snapshot.composition = report.validated
    let places = ProjectPlaces(file, edit, catalog: catalog)
    snapshot.diagnostics += (report.diagnostics + places.keyframeDiagnostics).map { places.locating($0).diagnostic }
    snapshot.media = report.validated?.media ?? known(edit, in: catalog)
    for case .file(let path) in edit.sources { snapshot.files.insert(path) }
    if let composition = report.validated {
      snapshot.diagnostics += file.outputDiagnostics(for: composition).map { places.locating($0).diagnostic }
    }
  }

  /// Descriptions of an invalid edit's media, as far as they can be probed.
  private func known(_ edit: Edit, in catalog: MediaCatalog) -> [MediaSource: MediaInfo] {
    let found = edit.sources.map { ($0, try? catalog.info(for: $0)) }
    return Dictionary(found.compactMap { source, info in info.map { (source, $0) } }) { first, _ in first }
  }

  private static func warning(_ error: CompositorError) -> ValidationDiagnostic {
    var diagnostic = ValidationDiagnostic(error)
    diagnostic.severity = .warning
    return diagnostic
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
