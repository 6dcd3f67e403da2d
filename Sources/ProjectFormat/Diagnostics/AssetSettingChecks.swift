import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorTimeline

/// Checks for settings of assets that change nothing in the media that clips show.
struct AssetSettingChecks {
  private let file: ProjectFile
  private let catalog: MediaCatalog

  init(_ file: ProjectFile, catalog: MediaCatalog) { (self.file, self.catalog) = (file, catalog) }

  func diagnostics() -> [ValidationDiagnostic] {
    let shown = Set(file.draft.tracks.flatMap(\.clips).map(\.source) + file.draft.masks.map(\.source))
    // By name: there may be thousands.
    let written = Dictionary((file.document.member("assets")?.members ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    return file.assets.sorted { $0.key < $1.key }.flatMap { name, source -> [ValidationDiagnostic] in
      guard shown.contains(source), let asset = written[name] else { return [] }
      if case .custom = source, asset.member("titles")?.elements.isEmpty == true { return [empty(name)] }
      guard case .file = source, let info = try? catalog.info(for: source), !info.videoTracks.isEmpty else { return [] }
      var found: [ValidationDiagnostic] = []
      if case .string(let mode)? = asset.member("alpha")?.value, mode != SourceAlphaName.ignore.rawValue,
        info.videoTracks.allSatisfy({ $0.attributes.alphaMode == .opaque })
      {
        found.append(idle("alpha", of: name, "the media has no alpha.", "Remove it, or use media with alpha."))
      }
      if asset.member("deinterlace") != nil, file.draft.deinterlacing[source] != nil,
        info.videoTracks.allSatisfy(\.isStill)
      {
        found.append(idle("deinterlace", of: name, "the media is a still image.", "Remove it."))
      }
      return found
    }
  }

  private func idle(_ key: String, of name: String, _ reason: String, _ suggestion: String) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .effectUnchanging, severity: .warning, "\(key) changes nothing: \(reason)", recoverySuggestion: suggestion,
      path: "assets.\(name).\(key)")
  }

  private func empty(_ name: String) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .titleNotSeen, severity: .warning, "The asset \(quoted(name)) has no titles: it shows nothing.",
      recoverySuggestion: "Give it titles, or remove the clips that show it.", path: "assets.\(name).titles")
  }
}
