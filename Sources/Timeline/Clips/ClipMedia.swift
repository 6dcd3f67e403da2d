package import CompositorAPI
import CompositorMedia
package import CompositorMediaIO

/// The properties of media that are needed to place a clip.
package struct ClipMedia: Hashable, Sendable {
  /// The geometry and time range of a video track.
  package struct Picture: Hashable, Sendable {
    /// Stored size, pixel aspect ratio and orientation.
    package var shape: SourcePlacement
    /// The media time of the first frame.
    package var start: MediaTime
    /// The end of the track in media time; `nil` for a still image and for endless media.
    package var end: MediaTime?
    /// Whether every pixel is opaque.
    package var isOpaque: Bool
    /// The nominal duration of a frame; `nil` if it is unknown.
    package var frameDuration: MediaTime?

    package init(
      shape: SourcePlacement, start: MediaTime = .zero, end: MediaTime?, isOpaque: Bool = true, frameDuration: MediaTime? = nil
    ) {
      self.shape = shape
      self.start = start
      self.end = end
      self.isOpaque = isOpaque
      self.frameDuration = frameDuration
    }
  }

  /// `nil` if the media has no such video track, or the clip doesn't show it.
  package var picture: Picture? {
    get { boxedPicture?.value }
    set { boxedPicture = newValue.map(Boxed.value) }
  }
  // Boxed, because it is shared by all clips of the same media.
  private var boxedPicture: Boxed<Picture>?
  /// Whether the clip plays audio.
  package var hasAudio: Bool
  /// The start of the audio in media time.
  package var audioStart: MediaTime
  /// The end of the audio in media time; `nil` if it is endless.
  package var audioEnd: MediaTime?
  /// The duration of a frame of the audio's codec.
  package var audioFrameDuration = MediaTime.zero
  /// The audio's samples a second.
  package var sampleRate = 48_000
  /// The number of the audio's channels.
  package var channelCount = 8
  /// Which of video and audio determines where clips begin and end by default.
  package var ends = ClipEnds.longest
  /// All audio tracks of the media, if it has several.
  package var audioTracks: [AudioTrack] {
    get { boxedAudioTracks?.value ?? [] }
    set { boxedAudioTracks = newValue.count > 1 ? .value(newValue) : nil }
  }
  private var boxedAudioTracks: Boxed<[AudioTrack]>?
  /// Used tracks that cannot be decoded.
  package var undecodable: [UndecodableTrackUse] = []
  /// A track that the clip requests by index and that the media doesn't have; `nil` if there are none.
  package var missingTrack: MissingTrack? {
    get { boxedMissingTrack?.value }
    set { boxedMissingTrack = newValue.map(Boxed.value) }
  }
  private var boxedMissingTrack: Boxed<MissingTrack>?
  /// The audio tracks that the output's choose and that the media doesn't have, by each part of their choices. Empty for media without
  /// audio.
  var lackedTracks: [AudioTrackChoice: MissingTrack] = [:]

  /// A track that media doesn't have.
  package struct MissingTrack: Hashable, Sendable {
    let source: MediaSource
    let mediaType: MediaType
    let index: Int
    /// The number of tracks of the type.
    let count: Int
    /// A language that no track has.
    var language: String?
    /// The languages that tracks have.
    var languages: [String] = []
  }

  package init(picture: Picture?, hasAudio: Bool = false, audioStart: MediaTime = .zero, audioEnd: MediaTime? = nil) {
    self.hasAudio = hasAudio
    self.audioStart = audioStart
    self.audioEnd = audioEnd
    self.picture = picture
  }

  /// Creates a description of the media that `clip` uses.
  ///
  /// - Parameters:
  ///   - ends: Which of video and audio applies to clips that don't specify it.
  ///   - outputs: The audio tracks of the output; by default one with what each clip has chosen.
  package init(
    _ info: MediaInfo, for clip: TimelineClip, ends: ClipEnds = .longest, outputs: [TimelineAudioTrack] = []
  ) {
    let video = clip.showsVideo ? info.videoTracks.first { $0.index == clip.videoTrackIndex } : nil
    let tracks = clip.audio != .unused ? info.audioTracks.map(AudioTrack.init) : []
    let played = ClipMedia.played(tracks, by: clip, in: outputs)
    hasAudio = !played.isEmpty
    audioStart = played.map(\.start).min() ?? .zero
    audioEnd = played.contains { $0.end == nil } ? nil : played.compactMap(\.end).max()
    audioFrameDuration = played.map(\.frameDuration).max() ?? .zero
    sampleRate = played.first?.sampleRate ?? sampleRate
    channelCount = played.first?.channelCount ?? channelCount
    self.ends = clip.ends ?? ends
    picture = video.map { track in
      let end = track.timeRange.end
      return Picture(
        shape: SourcePlacement(
          size: track.size, pixelAspectRatio: track.attributes.pixelAspectRatio,
          preferredTransform: track.preferredTransform),
        start: track.timeRange.start, end: track.isStill || !end.isNumeric ? nil : end,
        isOpaque: track.attributes.alphaMode == .opaque,
        frameDuration: track.nominalFrameRate.isPositive ? track.nominalFrameRate.frameDuration : nil)
    }
    audioTracks = tracks
    let audioIndex = clip.audioChoice == nil ? clip.audioTrackIndex : clip.audioChoice?.index
    undecodable = [
      clip.showsVideo ? info.undecodableTrack(.video, clip.videoTrackIndex) : nil,
      clip.audio == .played ? audioIndex.flatMap { info.undecodableTrack(.audio, $0) } : nil,
    ].compactMap(\.self)
    missingTrack =
      (clip.showsVideo ? MissingTrack(.video, clip.videoTrackIndex, in: info) : nil)
      ?? (clip.audio != .unused ? audioIndex.flatMap { MissingTrack(.audio, $0, in: info) } : nil)
      ?? (clip.audio != .unused && played.isEmpty ? MissingTrack(clip.audioChoice, in: info) : nil)
      ?? (clip.audio != .unused ? clip.audioChoice?.missing(in: tracks).flatMap { MissingTrack(part: $0, in: info) } : nil)
    guard !tracks.isEmpty else { return }
    for part in outputs.compactMap(\.choice).flatMap(\.parts) where part.tracks(of: tracks).isEmpty {
      lackedTracks[part] = MissingTrack(part: part, in: info)
    }
  }
}

extension ClipMedia {
  /// The audio tracks of the media that are heard in any track of the output; several of a mix.
  private static func played(
    _ tracks: [AudioTrack], by clip: TimelineClip, in outputs: [TimelineAudioTrack]
  ) -> [AudioTrack] {
    let own = (clip.audioChoice ?? .index(clip.audioTrackIndex)).tracks(of: tracks)
    guard !outputs.isEmpty else { return own }
    return outputs.flatMap { output in
      let chosen = output.choice?.tracks(of: tracks) ?? []
      return chosen.isEmpty ? own : chosen
    }
  }
}

/// Describes the media of clips, once for all clips that use the same media in the same way.
final class ClipMediaSource {
  private struct Use: Hashable {
    let source: MediaSource
    let videoTrackIndex, audioTrackIndex: Int
    let audioChoice: AudioTrackChoice?
    let showsVideo: Bool
    let audio: AudioUse
    let ends: ClipEnds
  }
  private let catalog: MediaCatalog
  private let ends: ClipEnds
  private let outputs: [TimelineAudioTrack]
  private var known: [Use: ClipMedia] = [:]

  /// - Parameters:
  ///   - ends: Which of video and audio applies to clips that don't specify it.
  ///   - outputs: The audio tracks of the output.
  init(_ catalog: MediaCatalog, ends: ClipEnds?, outputs: [TimelineAudioTrack]) {
    self.catalog = catalog
    self.ends = ends ?? .longest
    self.outputs = outputs
  }

  /// - Throws: The errors of the catalog.
  func media(for clip: TimelineClip) throws(CompositorError) -> ClipMedia {
    let use = Use(
      source: clip.source, videoTrackIndex: clip.videoTrackIndex, audioTrackIndex: clip.audioTrackIndex,
      audioChoice: clip.audioChoice, showsVideo: clip.showsVideo, audio: clip.audio,
      ends: clip.ends ?? ends)
    if let media = known[use] { return media }
    let media = ClipMedia(try catalog.info(for: clip.source), for: clip, ends: ends, outputs: outputs)
    known[use] = media
    return media
  }
}

extension ClipMedia.MissingTrack {
  /// `nil` for a track that exists, decodable or not, and for the first one, because media may have only video or audio.
  fileprivate init?(_ mediaType: MediaType, _ index: Int, in info: MediaInfo) {
    let indices = mediaType == .video ? info.videoTracks.map(\.index) : info.audioTracks.map(\.index)
    let undecodable = info.otherTracks.filter { $0.kind == OtherTrackInfo.Kind(mediaType) && $0.trackIndex != nil }
    guard index != 0, !indices.contains(index), !undecodable.contains(where: { $0.trackIndex == index }) else { return nil }
    self.init(
      source: info.source, mediaType: mediaType, index: index, count: indices.count + undecodable.count,
      languages: mediaType == .audio ? info.audioTracks.compactMap(\.language) : [])
  }

  /// - Parameter part: A part of a choice that the media doesn't have.
  fileprivate init?(part: AudioTrackChoice, in info: MediaInfo) {
    if let index = part.index { self.init(.audio, index, in: info) } else { self.init(part, in: info) }
  }

  /// `nil` unless the choice is a language that no track has.
  fileprivate init?(_ choice: AudioTrackChoice?, in info: MediaInfo) {
    guard case .language(let language) = choice else { return nil }
    self.init(source: info.source, mediaType: .audio, index: 0, count: info.audioTracks.count)
    self.language = language
    languages = info.audioTracks.compactMap(\.language)
  }

  /// The error, located at the key in the clip at `path` that specifies the track.
  func error(inClip path: String) -> CompositorError { error(at: "\(path).\(mediaType.rawValue)Track") }

  /// The error, located at the key at `path` that specifies the track.
  func error(at path: String) -> CompositorError {
    let kind = mediaType.rawValue
    if let language {
      let known = languages.isEmpty ? "no language is stated" : "its languages are \(languages.joined(separator: ", "))"
      let advice = languages.isEmpty ? "Choose a track by its number, from 0." : "Choose one of these, or a number from 0."
      return CompositorError(
        .trackNotFound,
        "\(source) has no audio track in \(quoted(language)): it has \(count == 0 ? "none" : "\(count), and \(known)").",
        recoverySuggestion: count == 0 ? "Remove the key, or use another asset." : advice,
        at: ErrorLocation(path: path))
    }
    let advice: Advice =
      switch count {
      case 0: "Remove the key, or use another asset."
      case 1: Advice("Use track 0.", writing: WrittenLiteral(value: .word("0")))
      default: "Use a track from 0 to \(count - 1)."
      }
    return CompositorError(
      .trackNotFound,
      "\(source) has no \(kind) track \(index): it has \(count == 0 ? "none" : "\(count)"), and tracks count from 0.",
      advice: advice, at: ErrorLocation(path: path))
  }
}
