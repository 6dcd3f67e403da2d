import CompositorAPI
import CompositorMedia
import CompositorMediaIO

// What an explanation says of sources, tracks and layers.

extension EditExplanation {
  /// The sources in the order of their first use, then those of movies in titles.
  static func sources(_ composition: ValidatedComposition, _ output: ColorTags) -> [Source] {
    var seen: Set<MediaSource> = []
    let shown = composition.titles?.movies.values.map(\.source).sorted { $0.description < $1.description } ?? []
    let used = (composition.edit.composition.tracks.flatMap(\.segments).compactMap(\.source) + shown)
      .filter { seen.insert($0).inserted }
    let masks = composition.edit.videoComposition.maskOnlyTrackIDs
    let others = composition.edit.composition.tracks.filter { !masks.contains($0.trackID) }
    let pictures = Set(others.flatMap(\.segments).compactMap(\.source) + shown)
    return used.compactMap { source in
      guard let info = composition.media[source] else { return nil }
      let video = info.videoTracks.first.map {
        "\($0.codec) \($0.size) \($0.format)\($0.isStill ? ", still" : ", \($0.rateText)")"
      }
      let audio = info.audioTracks.first.map { "\($0.codec) \($0.sampleRate) Hz, \($0.channelCount) ch" }
      let measured = composition.measuresPeak(of: source) ? ", peak measured in a first pass" : ""
      return Source(
        name: source.description, video: video, color: info.videoTracks.first.map { $0.colorExplanation + measured },
        conversion: pictures.contains(source)
          ? info.videoTracks.first?.conversion(to: output, policy: composition.edit.videoComposition.colorConversion)
          : "a mask: nothing to convert",
        audio: audio, warnings: info.warnings.map(\.message))
    }
  }
}

extension EditExplanation.Track {
  /// - Parameter media: The descriptions of sources.
  init(_ track: CompositionTrack, media: [MediaSource: MediaInfo]) {
    id = track.trackID
    mediaType = track.mediaType
    segments = track.segments.map { segment in
      let mapping = segment.timeMapping
      return EditExplanation.Segment(
        start: mapping.target.start, end: mapping.target.end, source: segment.source?.description,
        sourceTrack: segment.isEmpty ? nil : segment.sourceTrackIndex,
        sourceTrackName: segment.source.flatMap { media[$0] }?.name(ofTrack: segment.sourceTrackIndex, track.mediaType),
        sourceStart: segment.isEmpty ? nil : mapping.source.start, sourceEnd: segment.isEmpty ? nil : mapping.source.end,
        retiming: segment.explanation(of: track.mediaType))
    }
  }
}

extension EditExplanation.Layer {
  init(_ layer: LayerInstruction, over range: TimeRange) {
    track = layer.trackID
    animatedProperties = []
    if layer.opacity.changes(in: range) { animatedProperties.append("opacity") }
    if layer.transform.changes(in: range) { animatedProperties.append("transform") }
    if layer.crop.changes(in: range) { animatedProperties.append("crop") }
    if layer.decoration?.changes(in: range) == true { animatedProperties.append("decoration") }
    motionBlur = layer.motionBlur?.exposure
    opacity = layer.opacity.value(at: range.start)
    let matrix = layer.transform.value(at: range.start)
    transform = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
    let rect = layer.crop.value(at: range.start)
    crop = rect.isInfinite ? nil : [rect.minX, rect.minY, rect.size.width, rect.size.height]
    effects = layer.effects.map(\.explanation)
  }
}

extension CompositionTrackSegment {
  /// How the segment plays; `nil` for forward at its media's own speed.
  fileprivate func explanation(of mediaType: MediaType) -> String? {
    guard !isEmpty else { return nil }
    guard !isFreezeFrame else { return "freeze frame" }
    let (low, high) = (speeds.lowerBound, speeds.upperBound)
    var words: [String] = []
    if low != high {
      words.append("\(low.plain)x to \(high.plain)x")
    } else if low != 1 {
      words.append("\(low.plain)x")
    }
    let isOtherSpeed = !words.isEmpty
    if retiming.isReversed { words.append("backward") }
    if mediaType == .audio, isOtherSpeed {
      words.append(retiming.pitch == .varispeed ? "pitch follows" : "pitch kept (\(retiming.pitch.rawValue))")
    }
    if isMuted { words.append("muted") }
    if mediaType == .video, retiming.frames != .nearest { words.append("frames \(retiming.frames.rawValue)") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
