package import CompositorAPI
package import CompositorMedia

// A conversion ends at its first error. To find the others, the parts of the timeline are converted one by one.

extension Timeline {
  /// The errors that prevent the conversion to an edit: the first one, and the first of each clip, track, title and captions, in the order
  /// of the timeline. Empty if the timeline can be converted. Relations between parts other than neighboring clips are only checked up
  /// to the first error.
  ///
  /// - Complexity: O(n log n) in clips for each error.
  package func conversionErrors(catalog: MediaCatalog) -> [CompositorError] {
    do throws(CompositorError) {
      _ = try edit(catalog: catalog)
      return []
    } catch {
      var errors: [CompositorError] = []
      for index in tracks.indices { errors += self.errors(inTrack: index, catalog) }
      errors += titleErrors + captionErrors
      let isFound = errors.contains { $0.location.path == error.location.path && $0.code == error.code }
      return isFound ? errors : [error] + errors
    }
  }

  /// The maximum number of errors that are searched in a track, since each costs a conversion.
  private static let mostErrorsOfTrack = 100

  private func errors(inTrack index: Int, _ catalog: MediaCatalog) -> [CompositorError] {
    let clips = tracks[index].clips
    // The length of a clip that fills the timeline depends on other tracks.
    let count = clips.last?.length == .fill ? clips.count - 1 : clips.count
    var (errors, first, audio): ([CompositorError], Int, TrackAudio) = ([], 0, tracks[index].audio)
    audio.ducking = nil
    while first < count, errors.count < Timeline.mostErrorsOfTrack {
      do throws(CompositorError) {
        _ = try part(clips[first..<count], audio).edit(catalog: catalog)
        break
      } catch {
        let path = DocumentPath(error.location.path ?? "")
        guard path.index(of: "tracks", at: 0) == 0 else { break }
        guard let clip = path.index(of: "clips", at: 2) else {
          errors.append(error.moved(to: "tracks[\(index)]", path.dropFirst(2)))
          if audio == TrackAudio() { break }
          audio = TrackAudio()
          continue
        }
        errors.append(error.moved(to: "tracks[\(index)].clips[\(first + clip)]", path.dropFirst(4)))
        first += clip + 1
        // Its fades were made for the whole track.
        audio = TrackAudio()
      }
    }
    guard count < clips.count else { return errors }
    do throws(CompositorError) {
      _ = try catalog.info(for: clips[count].source)
    } catch {
      errors.append(error.locating(ErrorLocation(path: "tracks[\(index)].clips[\(count)].asset")))
    }
    return errors
  }

  /// A timeline of the last clips of one track.
  private func part(_ clips: ArraySlice<TimelineClip>, _ audio: TrackAudio) -> Timeline {
    var part = self
    (part.canvas, part.frameRate) = (renderSize, rate)
    (part.effects, part.instructions, part.titles, part.captions) = ([], nil, [], [])
    (part.audio, part.audioTracks) = (TimelineAudio(), [])
    part.tracks = [TimelineTrack(clips: Array(clips))]
    part.tracks[0].audio = audio
    // The clip from which it leads isn't among them.
    if clips.startIndex > 0 { part.tracks[0].clips[0].transition = nil }
    return part
  }

  private var titleErrors: [CompositorError] {
    titles.enumerated().compactMap { index, title in
      do throws(CompositorError) {
        _ = try title.layer(canvas: renderSize, end: title.start + .seconds(3600))
        return nil
      } catch {
        return error.within("titles[\(index)]")
      }
    }
  }

  private var captionErrors: [CompositorError] {
    captions.enumerated().compactMap { index, captions in
      do throws(CompositorError) {
        _ = try captions.track()
        return nil
      } catch {
        return error.within("captions[\(index)]")
      }
    }
  }
}

extension CompositorError {
  /// The error with another place of the clip or the track that it concerns.
  fileprivate func moved(to place: String, _ rest: DocumentPath) -> CompositorError {
    var copy = self
    copy.location.path = (DocumentPath(place) + rest).description
    return copy
  }
}
