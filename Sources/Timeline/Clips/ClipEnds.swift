package import CompositorAPI
package import CompositorMedia
import CompositorMediaIO

/// Which part of its media a clip plays by default if video and audio of the media begin or end at different times.
///
/// Differences that a codec's frame explains, as files of cameras and encoders have them, don't count: up to one frame of the
/// video (at most 1/10 s) or of the audio codec, whichever is longer. The clip then begins and ends with its video.
public enum ClipEnds: String, Hashable, Sendable, Codable, CaseIterable {
  /// From the first beginning to the last end. The first frame is shown before the video begins, and the last one is held after
  /// it ends; where there is no audio it is silent.
  case longest
  /// From the last beginning to the first end.
  case shortest
  /// As long as the video; media without video is as long as its audio.
  case video
  /// As long as the audio; media without audio is as long as its video.
  case audio
}

extension ClipMedia {
  /// The largest difference between the times of video and audio that a codec's frame explains.
  package var endTolerance: MediaTime {
    let longestFrame = MediaTime(value: 1, timescale: 10)
    // Containers round times to a millisecond.
    let rounding = MediaTime(value: 1, timescale: 1000)
    return max(min(picture?.frameDuration ?? .zero, longestFrame), audioFrameDuration) + rounding
  }

  /// Whether one time is later than another by more than a codec's frame explains.
  package func isLater(_ time: MediaTime, than other: MediaTime) -> Bool { time - other > endTolerance }

  /// The time at which clips of the media start by default.
  package var start: MediaTime {
    guard let picture else { return audioStart }
    guard hasAudio, ends != .video else { return picture.start }
    if ends == .audio { return audioStart }
    let differs = isLater(picture.start, than: audioStart) || isLater(audioStart, than: picture.start)
    guard differs else { return picture.start }
    return ends == .longest ? min(picture.start, audioStart) : max(picture.start, audioStart)
  }

  /// The time at which clips of the media end by default; `nil` if it is endless.
  package var end: MediaTime? {
    guard let picture else { return audioEnd }
    guard hasAudio, ends != .video else { return picture.end }
    if ends == .audio { return audioEnd }
    guard let video = picture.end, let audio = audioEnd else { return ends == .longest ? picture.end : picture.end ?? audioEnd }
    guard isLater(video, than: audio) || isLater(audio, than: video) else { return video }
    return ends == .longest ? max(video, audio) : min(video, audio)
  }
}

extension Timeline {
  /// Uses only the audio of clips that have audio, all of it and exact to the sample; clips without audio are silent.
  ///
  /// - Throws: The errors of the catalog, located at the clip.
  package mutating func playAudioAlone(catalog: MediaCatalog) throws(CompositorError) {
    probeMedia(catalog: catalog)
    isAudioAlone = true
    for track in tracks.indices {
      for index in tracks[track].clips.indices {
        let clip = tracks[track].clips[index]
        do {
          let info = try catalog.info(for: clip.source)
          if clip.audio != .unused, info.audioTracks.contains(where: { $0.index == clip.audioTrackIndex }) {
            tracks[track].clips[index].showsVideo = false
          }
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(track)].clips[\(index)].asset"))
        }
      }
    }
  }
}
