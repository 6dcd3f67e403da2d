package import CompositorAPI
import CompositorHost
package import CompositorMedia
import CompositorMediaIO
package import CompositorTimeline

extension Timeline {
  /// Cuts clips that are parts of one recording where their video ends and begins, so that neither has a gap: in parts that a segmenter
  /// wrote, audio may lead or lag the video by some frames, at the end of one as at the beginning of the next. Readers of audio play
  /// over such seams.
  ///
  /// - Throws: The errors of the catalog.
  package mutating func alignRecordings(catalog: MediaCatalog) throws(CompositorError) {
    for track in tracks.indices {
      var parts: [RecordingPart?] = []
      for clip in tracks[track].clips { parts.append(try RecordingPart(clip, catalog: catalog)) }
      for index in parts.indices.dropLast() {
        guard let part = parts[index], let next = parts[index + 1], part.continues(in: next),
          tracks[track].clips[index + 1].transition == nil
        else { continue }
        let start = tracks[track].clips[index].sourceStart ?? part.start
        tracks[track].clips[index].sourceStart = start
        tracks[track].clips[index].duration = part.video.end - start
        tracks[track].clips[index].audioContinues = true
        tracks[track].clips[index + 1].sourceStart = next.video.start
        tracks[track].clips[index + 1].audioFollows = true
      }
    }
  }
}

/// The times of a file that may be a part of a recording.
private struct RecordingPart {
  let path: String
  let video, audio: TimeRange
  private let frameRate: Rational
  /// What containers round times to.
  private static let rounding = MediaTime(value: 1, timescale: 1000)
  /// The duration of a frame of the audio's codec.
  private let audioFrameDuration: MediaTime
  /// The duration of audio that an edit list hides before ``audio``: an encoder's delay, or the end of the part before.
  private let hidden: MediaTime
  /// Properties that the parts of a recording share.
  private let traits: [String]

  /// `nil` for clips that don't show a whole file with video and audio.
  init?(_ clip: TimelineClip, catalog: MediaCatalog) throws(CompositorError) {
    guard case .file(let path) = clip.source, clip.sourceStart == nil, clip.duration == nil, clip.ends == nil else {
      return nil
    }
    let info = try catalog.info(for: clip.source)
    guard let picture = info.videoTracks.first(where: { $0.index == clip.videoTrackIndex }), !picture.isStill,
      let sound = info.audioTracks.first, picture.readableEnd == nil, sound.readableEnd == nil,
      let cadence = picture.cadence, cadence.isRegular, cadence.rate.isPositive
    else { return nil }
    (self.path, video, audio) = (path, picture.timeRange, sound.timeRange)
    (frameRate, audioFrameDuration) = (cadence.rate, sound.codecFrameDuration)
    hidden = MediaTime(value: Int64(sound.primingCount), timescale: Int32(clamping: sound.sampleRate))
    traits = [
      info.container, picture.codec, "\(picture.size)", "\(picture.nominalFrameRate)", sound.codec, "\(sound.sampleRate)",
      "\(sound.channelCount)",
    ]
  }

  /// The beginning of the video, or as many whole frames earlier as audio leads it, so that the part ends with a frame. A frame of the
  /// audio's codec is no lead, however high the frame rate is: as other clips, the part then begins with its video.
  var start: MediaTime {
    let difference = video.start - audio.start
    let lead = difference.seconds * frameRate.value
    guard difference > audioFrameDuration + Self.rounding, lead >= 1, lead < 100 else { return video.start }
    return video.start - frameRate.frameDuration.multiplied(by: Int64(lead), over: 1)
  }

  /// Whether the audio that this part lacks before the end of its video, or has after it, is the other's before its video.
  func continues(in next: RecordingPart) -> Bool {
    guard traits == next.traits, ConsecutiveNames.areConsecutive(path, next.path) else { return false }
    let (lead, tail) = (next.video.start - next.audio.start, video.end - audio.end)
    // Readers of audio accept the same difference.
    return [lead, lead + next.hidden].contains { abs(($0 - tail).seconds) <= 0.002 && abs($0.seconds) < 0.4 }
  }
}
