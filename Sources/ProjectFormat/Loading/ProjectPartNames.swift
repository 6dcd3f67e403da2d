package import CompositorAPI
package import CompositorMedia
import CompositorMediaIO
import CompositorTimeline
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
    guard !file.isMadeUp else { return .ofMedia(in: edit) }
    return DiagnosticNames(
      track: { self.places.name(of: $0, $1) }, segment: { self.places.name(ofSegment: $0, on: $1) },
      instruction: { self.places.name(ofInstruction: $0) }, source: { self.places.name(of: $0) })
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

extension LoadedProject {
  /// What the project calls the tracks and sources of its edit; empty for a media file.
  ///
  /// - Parameter catalog: The catalog with which the project was loaded.
  package func partNames(_ catalog: MediaCatalog) -> (tracks: [TrackID: String], sources: [MediaSource: String]) {
    guard let file, let edit, !file.isMadeUp else { return ([:], [:]) }
    // Media that cannot be read has the times of placeholders.
    let catalog = stage == .validating ? catalog : .withPlaceholders
    let places = ProjectPlaces(file, edit, catalog: catalog)
    let tracks = edit.composition.tracks.filter { places.clipsByTrack[$0.trackID] != nil }
    return (
      Dictionary(tracks.map { ($0.trackID, places.name(of: $0.trackID, nil)) }) { first, _ in first },
      Dictionary(file.assets.map { ($0.value, $0.key) }) { min($0, $1) }
    )
  }
}

extension ProjectPlaces {
  /// `tracks[1] "B"`, with “the video of” before it for a type of media.
  fileprivate func name(of track: TrackID, _ mediaType: MediaType?) -> String {
    if let mask = clipsByTrack[track]?.first?.ownPath { return mask }
    guard let index = timelineTrack(of: track) else { return DiagnosticNames.numbers.track(track, mediaType) }
    let own = file.draft.tracks.indices.contains(index) ? file.draft.tracks[index].name : nil
    return "\(mediaType.map { "the \($0.rawValue) of " } ?? "")tracks[\(index)]\(own.map { " \(quoted($0))" } ?? "")"
  }

  /// `tracks[1].clips[0] "beach"`.
  fileprivate func name(ofSegment index: Int, on track: TrackID) -> String {
    guard let segments = edit.composition.track(track)?.segments, segments.indices.contains(index),
      let clip = clip(onTrack: track, at: segments[index].timeMapping.target.start)
    else { return DiagnosticNames.numbers.segment(index, track) }
    return clip.path + (assetName(of: clip.clip.source).map { " \(quoted($0))" } ?? "")
  }

  /// `instructions[2]`; derived instructions are named by their times.
  fileprivate func name(ofInstruction index: Int) -> String {
    let instructions = edit.videoComposition.instructions
    guard !isExplicit, instructions.indices.contains(index) else { return "instructions[\(index)]" }
    let range = instructions[index].timeRange
    return "the part from \(range.start.readable) to \(range.end.readable)"
  }

  /// `"beach" (media/beach.mp4)`, with the path that the project writes.
  func name(of source: MediaSource) -> String {
    let path = source.description
    let written =
      !file.directory.isEmpty && path.hasPrefix(file.directory) ? String(path.dropFirst(file.directory.count)) : path
    return assetName(of: source).map { "\(quoted($0)) (\(written))" } ?? path
  }
}
