internal import Compositor

/// An asset as the compositor takes it: its tracks, and what is known of their files.
struct AssetSnapshot: Sendable {
  var composition = Composition()
  var files: [MediaSource: AssetFacts] = [:]

  init() {}

  /// The tracks of a file, each where it begins.
  ///
  /// - Throws: Why the file cannot be read, or why a track's times cannot be used.
  init(file: AssetFacts) throws(AVError) { try self.init(tracks: try SourceTrack.all(of: file)) }

  /// Tracks of files, each where it begins.
  ///
  /// - Throws: Why a track's times cannot be used.
  init(tracks: [SourceTrack]) throws(AVError) {
    for track in tracks {
      let id = composition.addTrack(track.type, preferredTrackID: track.id)
      files[track.facts.source] = track.facts
      do throws(CompositorError) {
        try composition.setPreferredTransform(track.transform, ofTrack: id)
        if !track.isEnabled { try composition.setEnabled(false, ofTrack: id) }
        try composition.insert(
          SourceRange(track.facts.source, trackIndex: track.index, timeRange: track.timeRange), at: track.timeRange.start,
          inTrack: id)
      } catch {
        throw AVError(error)
      }
    }
  }

  /// A catalog that knows what is known of the files.
  ///
  /// - Throws: Why a file cannot be read.
  func catalog() throws(AVError) -> MediaCatalog {
    let catalog = MediaCatalog()
    for (source, facts) in files { catalog.provide(try facts.info(), for: source) }
    return catalog
  }
}
