package import CompositorAPI
package import CompositorMedia
import CompositorMediaIO
import CompositorTimeline
import CompositorValidation
import Synchronization

/// The names of an edit's parts as its project writes them: key paths, and the names of assets and tracks.
final class ProjectPartNames: Sendable {
  private let file: ProjectFile
  private let edit: Edit
  private let catalog: MediaCatalog
  /// Created for the first name, because most projects have no diagnostics.
  private let found = Mutex<ProjectPlaces?>(nil)

  init(_ file: ProjectFile, _ edit: Edit, catalog: MediaCatalog) {
    (self.file, self.edit, self.catalog) = (file, edit, catalog)
  }

  /// The names for messages.
  var names: DiagnosticNames {
    guard !file.origin.isMedia else { return .ofMedia(in: edit) }
    var names = DiagnosticNames(
      track: { self.places.name(of: $0, $1) }, segment: { self.places.name(ofSegment: $0, on: $1) },
      instruction: { self.places.name(ofInstruction: $0, $1) }, source: { self.places.name(of: $0) })
    names.title = { "titles[\($0)]" }
    return names
  }

  /// The places of the edit's parts.
  var places: ProjectPlaces {
    found.withLock { found in
      if let found { return found }
      let places = ProjectPlaces(file, edit, catalog: catalog)
      found = places
      return places
    }
  }
}

extension DiagnosticNames {
  /// The names for an edit of media files without a project: their tracks and clips have no names, but messages name the file.
  fileprivate static func ofMedia(in edit: Edit) -> DiagnosticNames {
    var names = DiagnosticNames.numbers
    names.segment = { _, _ in "the clip" }
    names.track = { track, mediaType in
      let known = mediaType ?? edit.composition.track(track)?.mediaType
      guard let known, edit.composition.tracks(known).count == 1 else { return numbers.track(track, mediaType) }
      return "the \(known.rawValue)"
    }
    return names
  }
}

/// What a project calls the tracks and sources of its edit, for drawings.
package struct PartNames: Sendable {
  /// The names of tracks: `tracks[1] "B"`.
  package var tracks: [TrackID: String] = [:]
  /// The names of tracks without `tracks`, for rows that say themselves what they are: `[1] "B"`.
  package var shortTracks: [TrackID: String] = [:]
  /// The tracks that are masks of effects.
  package var masks: Set<TrackID> = []
  /// The names of the assets.
  package var sources: [MediaSource: String] = [:]
}

extension LoadedProject {
  /// What the project calls the tracks and sources of its edit; empty for a media file.
  ///
  /// - Parameter catalog: The catalog with which the project was loaded.
  package func partNames(_ catalog: MediaCatalog) -> PartNames {
    var names = PartNames()
    guard let file, let edit, file.origin == .project else { return names }
    // Media that cannot be read has the times of placeholders.
    let catalog = stage == .validating ? catalog : .withPlaceholders
    let places = ProjectPlaces(file, edit, catalog: catalog)
    for track in edit.composition.tracks.map(\.trackID) where places.clipsByTrack[track] != nil {
      names.tracks[track] = places.name(of: track, nil)
      names.shortTracks[track] = places.shortName(of: track)
      if places.clipsByTrack[track]?.first?.ownPath != nil { names.masks.insert(track) }
    }
    names.sources = Dictionary(file.assets.map { ($0.value, $0.key) }) { min($0, $1) }
    return names
  }
}

extension ProjectPlaces {
  /// `tracks[1] "B"`, with “the video of” before it for a type of media.
  fileprivate func name(of track: TrackID, _ mediaType: MediaType?) -> String {
    if let mask = clipsByTrack[track]?.first?.ownPath { return mask }
    guard let name = shortName(of: track) else { return DiagnosticNames.numbers.track(track, mediaType) }
    return "\(mediaType.map { "the \($0.rawValue) of " } ?? "")tracks\(name)"
  }

  /// `[1] "B"`; the rest of the path for the mask of a clip's effect. `nil` for what isn't in `tracks`.
  fileprivate func shortName(of track: TrackID) -> String? {
    if let mask = clipsByTrack[track]?.first?.ownPath {
      return DocumentPath(mask).key(at: 0) == "tracks" ? String(mask.dropFirst("tracks".count)) : nil
    }
    guard let index = timelineTrack(of: track) else { return nil }
    let own = file.draft.tracks.indices.contains(index) ? file.draft.tracks[index].name : nil
    return "[\(index)]\(own.map { " \(quoted($0))" } ?? "")"
  }

  /// `tracks[1].clips[0] "beach"`.
  fileprivate func name(ofSegment index: Int, on track: TrackID) -> String {
    guard let segments = edit.composition.track(track)?.segments, segments.indices.contains(index),
      let clip = clip(onTrack: track, at: segments[index].timeMapping.target.start)
    else { return DiagnosticNames.numbers.segment(index, track) }
    return clip.path + (assetName(of: clip.clip.source).map { " \(quoted($0))" } ?? "")
  }

  /// `instructions[2]`, with `, from 1 s to 2 s` after it for a time; derived instructions are named by their own times.
  fileprivate func name(ofInstruction index: Int, _ time: TimeRange?) -> String {
    let instructions = edit.videoComposition.instructions
    let own = !isExplicit && instructions.indices.contains(index) ? instructions[index].timeRange : nil
    let name = own.map { "the part \($0.readable)" } ?? "instructions[\(index)]"
    return time == own ? name : name + (time.map { ", \($0.readable)" } ?? "")
  }

  /// `"beach" (media/beach.mp4)`, with the path that the project writes.
  func name(of source: MediaSource) -> String {
    let path = source.description
    let written =
      !file.directory.isEmpty && path.hasPrefix(file.directory) ? String(path.dropFirst(file.directory.count)) : path
    return assetName(of: source).map { "\(quoted($0)) (\(written))" } ?? path
  }
}
