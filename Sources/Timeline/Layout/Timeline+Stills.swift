package import CompositorAPI
package import CompositorMedia
import CompositorMediaIO

extension Timeline {
  /// The names of transitions that projects and `init(joining:transition:catalog:)` accept, sorted.
  public static var transitionNames: [String] { TransitionName.all }

  /// The duration of a still image if there is no project that specifies it: 5 s.
  package static var stillDuration: MediaTime { MediaTime(value: 5, timescale: 1) }

  /// Sets ``stillDuration`` on every still image without a duration.
  ///
  /// - Throws: The errors of the catalog, located at the clip.
  package mutating func giveStillsDuration(catalog: MediaCatalog) throws(CompositorError) {
    for track in tracks.indices {
      for index in tracks[track].clips.indices where tracks[track].clips[index].length == .media {
        let clip = tracks[track].clips[index]
        do {
          let shown = try catalog.info(for: clip.source).videoTracks.first { $0.index == clip.videoTrackIndex }
          if shown?.isStill == true { tracks[track].clips[index].duration = Timeline.stillDuration }
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(track)].clips[\(index)].asset"))
        }
      }
    }
  }
}
