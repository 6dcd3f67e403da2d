import CompositorHost
package import CompositorAPI
package import CompositorMediaIO

/// What placing a clip needs to know of its media.
package struct ClipMedia: Hashable, Sendable {
  /// A picture's geometry and time.
  package struct Picture: Hashable, Sendable {
    /// Stored size, pixel aspect and orientation.
    package var shape: SourcePlacement
    /// When the first picture is shown, in media time.
    package var start: MediaTime
    /// End of the track in media time; nil for a still image and for what never ends.
    package var end: MediaTime?
    /// Whether every pixel covers what is behind it.
    package var isOpaque: Bool

    package init(shape: SourcePlacement, start: MediaTime = .zero, end: MediaTime?, isOpaque: Bool = true) {
      self.shape = shape
      self.start = start
      self.end = end
      self.isOpaque = isOpaque
    }
  }

  /// Nil where the media has no such video track, or the clip does not show it.
  package var picture: Picture? {
    get { boxedPicture?.value }
    set { boxedPicture = newValue.map(Boxed.value) }
  }
  // Shared by all clips of the same media.
  private var boxedPicture: Boxed<Picture>?
  /// Whether there is sound that the clip plays.
  package var hasAudio: Bool
  /// When the sound starts, in media time.
  package var audioStart: MediaTime
  /// End of the sound in media time; nil where it never ends.
  package var audioEnd: MediaTime?
  /// Tracks that the clip shows or plays and that cannot be decoded.
  package var undecodable: [UndecodableTrackUse] = []
  /// A track that the clip asks for by its index and that the media does not have; nil where all are there.
  package var missingTrack: MissingTrack? {
    get { boxedMissingTrack?.value }
    set { boxedMissingTrack = newValue.map(Boxed.value) }
  }
  private var boxedMissingTrack: Boxed<MissingTrack>?

  /// A track that media does not have.
  package struct MissingTrack: Hashable, Sendable {
    let source: MediaSource
    let mediaType: MediaType
    let index: Int
    /// How many tracks of the kind there are.
    let count: Int
  }

  package init(picture: Picture?, hasAudio: Bool = false, audioStart: MediaTime = .zero, audioEnd: MediaTime? = nil) {
    self.hasAudio = hasAudio
    self.audioStart = audioStart
    self.audioEnd = audioEnd
    self.picture = picture
  }

  /// What `clip` uses of its media.
  package init(_ info: MediaInfo, for clip: TimelineClip) {
    let video = clip.showsVideo ? info.videoTracks.first { $0.index == clip.videoTrackIndex } : nil
    let audio = clip.playsAudio ? info.audioTracks.first { $0.index == clip.audioTrackIndex } : nil
    hasAudio = audio != nil
    audioStart = audio?.timeRange.start ?? .zero
    audioEnd = audio.flatMap { $0.timeRange.end.isNumeric ? $0.timeRange.end : nil }
    picture = video.map { track in
      let end = track.timeRange.end
      return Picture(
        shape: SourcePlacement(
          size: track.size, pixelAspectRatio: track.attributes.pixelAspectRatio,
          preferredTransform: track.preferredTransform),
        start: track.timeRange.start, end: track.isStill || !end.isNumeric ? nil : end,
        isOpaque: track.attributes.alphaMode == .opaque)
    }
    undecodable = [
      clip.showsVideo ? info.undecodableTrack(.video, clip.videoTrackIndex) : nil,
      clip.playsAudio && !clip.isMuted ? info.undecodableTrack(.audio, clip.audioTrackIndex) : nil,
    ].compactMap(\.self)
    missingTrack =
      (clip.showsVideo ? MissingTrack(.video, clip.videoTrackIndex, in: info) : nil)
      ?? (clip.playsAudio ? MissingTrack(.audio, clip.audioTrackIndex, in: info) : nil)
  }

  /// When the clip's media begins: the pictures decide where there are any.
  package var start: MediaTime { picture?.start ?? audioStart }

  /// When the clip's media is over: the pictures decide where there are any.
  package var end: MediaTime? { picture.map(\.end) ?? audioEnd }
}

/// What clips need to know of their media, found out once for all that use the same in the same way.
final class ClipMediaSource {
  private struct Use: Hashable {
    let source: MediaSource
    let videoTrackIndex, audioTrackIndex: Int
    let showsVideo, playsAudio, isMuted: Bool
  }
  private let catalog: MediaCatalog
  private var known: [Use: ClipMedia] = [:]

  init(_ catalog: MediaCatalog) { self.catalog = catalog }

  /// - Throws: What the catalog throws.
  func media(for clip: TimelineClip) throws(CompositorError) -> ClipMedia {
    let use = Use(
      source: clip.source, videoTrackIndex: clip.videoTrackIndex, audioTrackIndex: clip.audioTrackIndex,
      showsVideo: clip.showsVideo, playsAudio: clip.playsAudio, isMuted: clip.isMuted)
    if let media = known[use] { return media }
    let media = ClipMedia(try catalog.info(for: clip.source), for: clip)
    known[use] = media
    return media
  }
}

extension ClipMedia.MissingTrack {
  /// Nil for a track that is there, decodable or not, and for the first one: media may have pictures or sound alone.
  fileprivate init?(_ mediaType: MediaType, _ index: Int, in info: MediaInfo) {
    let indices = mediaType == .video ? info.videoTracks.map(\.index) : info.audioTracks.map(\.index)
    let undecodable = info.otherTracks.filter { $0.kind == mediaType.rawValue && $0.trackIndex != nil }
    guard index != 0, !indices.contains(index), !undecodable.contains(where: { $0.trackIndex == index }) else { return nil }
    self.init(source: info.source, mediaType: mediaType, index: index, count: indices.count + undecodable.count)
  }

  /// The error, located at the key of the clip at `path` that names the track.
  func error(inClip path: String) -> CompositorError {
    let kind = mediaType.rawValue
    let advice =
      switch count {
      case 0: "Remove the key, or use another asset."
      case 1: "Use track 0."
      default: "Use a track from 0 to \(count - 1)."
      }
    return CompositorError(
      .trackNotFound,
      "\(source) has no \(kind) track \(index): it has \(count == 0 ? "none" : "\(count)"), and tracks count from 0.",
      recoverySuggestion: advice, at: ErrorLocation(path: "\(path).\(kind)Track"))
  }
}
