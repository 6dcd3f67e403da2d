import CCompositorFFmpeg
import CompositorAPI

/// Describes files through libav.
struct FFmpegProbe {
  let demuxer: Demuxer
  let extents: [cff_extent]
  var warnings: [MediaWarning] = []

  /// Opens and measures a file.
  init(path: String) throws(CompositorError) {
    demuxer = try Demuxer(path: path)
    extents = try demuxer.measure()
  }

  /// Describes a whole file.
  static func probe(path: String) throws(CompositorError) -> (info: MediaInfo, facts: FileFacts) {
    var probe = try FFmpegProbe(path: path)
    var info = MediaInfo(source: .file(path: path), container: probe.demuxer.containerName, duration: .zero)
    info.metadata = probe.demuxer.metadata
    info.chapters = probe.demuxer.chapters
    try probe.describeTracks(into: &info)
    probe.describeContainer(into: &info)
    probe.noteAlphaTracks(of: info)
    probe.noteRestarts()
    probe.noteEmptyEnd()
    probe.noteSize()
    if info.videoTracks.isEmpty, info.audioTracks.isEmpty, let track = info.otherTracks.first(where: { $0.reason != nil }) {
      let code: CompositorError.Code = track.needsDecoder == true ? .decoderNotFound : .unreadableMedia
      let isProtected = probe.extents.contains { $0.is_encrypted }
      let advice =
        isProtected
        ? "Use a file without copy protection."
        : cff_file_ends_early(path) ? CompositorError.adviceOnCutFile : code.readingRecoverySuggestion
      throw CompositorError(
        code, "No track of the file can be decoded.", recoverySuggestion: advice, cause: track.reason,
        at: ErrorLocation(file: path))
    }
    let ends = info.videoTracks.map(\.timeRange.end) + info.audioTracks.map(\.timeRange.end)
    info.duration = ends.max() ?? .zero
    info.warnings = probe.warnings
    return (info, FileFacts(probe.demuxer))
  }

  /// Opens a video track: its description, and the decoder that read its first frame, back at the start.
  static func openVideo(
    path: String, trackIndex: Int, options: VideoReaderOptions, known: VideoTrackInfo?, facts: FileFacts?,
    allocator: (any FrameAllocator)?
  ) throws(CompositorError) -> (info: VideoTrackInfo, decoder: VideoDecoder) {
    if let known {
      let demuxer = try Demuxer(path: path, facts: facts, damaged: options.damaged)
      let stream = try videoStream(trackIndex, in: demuxer)
      let decoder = try VideoDecoder(demuxer, stream: stream, options: options, track: known, allocator: allocator)
      decoder.overlaps = facts?.overlaps(ofStream: stream) ?? []
      return (known, decoder)
    }
    var probe = try FFmpegProbe(path: path)
    let stream = try videoStream(trackIndex, in: probe.demuxer)
    let info = try probe.describeVideo(stream: stream, index: trackIndex)
    try probe.demuxer.rewind()
    if options.damaged == .fail { cff_demuxer_forbid_change(probe.demuxer.handle) }
    let decoder = try VideoDecoder(probe.demuxer, stream: stream, options: options, track: info, allocator: allocator)
    decoder.overlaps = probe.demuxer.overlaps(stream)
    return (info, decoder)
  }

  private static func videoStream(_ index: Int, in demuxer: Demuxer) throws(CompositorError) -> Int {
    let stream = Int32(exactly: index).map { cff_demuxer_video_stream(demuxer.handle, $0) } ?? -1
    guard index >= 0, stream >= 0 else {
      throw CompositorError(
        .trackNotFound, "The file has no video track \(index).", advice: "\(operation: .probe) lists the tracks.",
        at: ErrorLocation(file: demuxer.path))
    }
    return Int(stream)
  }

  // MARK: tracks

  private mutating func describeTracks(into info: inout MediaInfo) throws(CompositorError) {
    var (videoIndex, audioIndex, subtitleIndex) = (0, 0, 0)
    for index in 0..<demuxer.streamCount where index < extents.count {
      let stream = demuxer.stream(index)
      switch stream.kind {
      case CFF_STREAM_VIDEO:
        do {
          info.videoTracks.append(try describeVideo(stream: index, index: videoIndex))
        } catch {
          info.otherTracks.append(undecodable(index, kind: .video, trackIndex: videoIndex, error))
        }
        try demuxer.rewind()
        videoIndex += 1
      case CFF_STREAM_AUDIO:
        do {
          info.audioTracks.append(try describeAudio(stream, at: index, index: audioIndex))
        } catch {
          info.otherTracks.append(undecodable(index, kind: .audio, trackIndex: audioIndex, error))
        }
        audioIndex += 1
      case CFF_STREAM_SUBTITLE:
        info.otherTracks.append(describeSubtitles(stream: index, index: subtitleIndex))
        subtitleIndex += 1
      default:
        info.otherTracks.append(describeOther(stream: index, kind: stream.kind))
      }
    }
  }

  private mutating func undecodable(
    _ index: Int, kind: OtherTrackInfo.Kind, trackIndex: Int, _ error: CompositorError
  ) -> OtherTrackInfo {
    let isProtected = extents[index].is_encrypted
    let reason = isProtected ? "it is encrypted for copy protection" : error.cause ?? error.message
    warnings.append(MediaWarning(.undecodableTrack, "Stream \(index) (\(kind)) cannot be used: \(reason)"))
    var track = OtherTrackInfo(
      streamIndex: index, kind: kind, codec: demuxer.codec(index), reason: reason,
      trackIndex: error.code == .noFrame ? nil : trackIndex,
      needsDecoder: error.code == .decoderNotFound)
    track.storage = demuxer.storage(index, extents[index], lasting: nil)
    return track
  }

  private func describeSubtitles(stream index: Int, index trackIndex: Int) -> OtherTrackInfo {
    let isBitmap = cff_stream_is_bitmap_subtitle(demuxer.handle, Int32(index))
    var track = OtherTrackInfo(
      streamIndex: index, kind: .subtitle, codec: demuxer.codec(index), reason: isBitmap ? "bitmaps, not text" : nil,
      trackIndex: trackIndex)
    (track.language, track.title) = (demuxer.language(index), demuxer.title(index))
    (track.flags, track.timeRange) = (demuxer.flags(index), packetRange(index))
    track.storage = demuxer.storage(index, extents[index], lasting: track.timeRange?.duration)
    return track
  }

  private func describeOther(stream index: Int, kind: cff_stream_kind) -> OtherTrackInfo {
    var track = OtherTrackInfo(streamIndex: index, kind: Self.kind(kind), codec: demuxer.codec(index))
    track.flags = demuxer.flags(index)
    if kind == CFF_STREAM_ATTACHMENT { track.fileName = demuxer.metadata("filename", ofStream: index) }
    if kind == CFF_STREAM_TIMECODE || kind == CFF_STREAM_DATA { track.timeRange = packetRange(index) }
    track.storage = demuxer.storage(index, extents[index], lasting: track.timeRange?.duration)
    return track
  }

  /// From the first packet of a stream that is neither video nor audio to the end of its last one; `nil` if a large file would have to be
  /// read for it.
  private func packetRange(_ index: Int) -> TimeRange? {
    let stream = demuxer.stream(index)
    var (first, end) = (extents[index].start, extents[index].end)
    if !demuxer.isReadCompletely, !cff_stream_stated_extent(demuxer.handle, Int32(index), &first, &end) { return nil }
    guard first != Int64.min, end != Int64.min else { return nil }
    let timebase = Timebase(numerator: stream.time_base_numerator, denominator: stream.time_base_denominator)
    let start = timebase.time(Timebase.clamped(first))
    return TimeRange(start: start, end: max(start, timebase.time(Timebase.clamped(end))))
  }

  private static func kind(_ kind: cff_stream_kind) -> OtherTrackInfo.Kind {
    switch kind {
    case CFF_STREAM_SUBTITLE: .subtitle
    case CFF_STREAM_TIMECODE: .timecode
    case CFF_STREAM_ATTACHMENT: .attachment
    case CFF_STREAM_COVER: .cover
    default: .data
    }
  }

  // MARK: video

  /// Reads the first frame; leaves the demuxer after it.
  private mutating func describeVideo(stream index: Int, index trackIndex: Int) throws(CompositorError) -> VideoTrackInfo {
    let stream = demuxer.stream(index)
    let timebase = Timebase(numerator: stream.time_base_numerator, denominator: stream.time_base_denominator)
    guard !extents[index].is_encrypted else {
      throw CompositorError(.unreadableMedia, "The track is encrypted for copy protection.")
    }
    let decoder = try VideoDecoder(demuxer, stream: index, options: VideoReaderOptions())
    let first = try firstPicture(of: index, decoder)
    // A frame lost before the first decoded one still counts as promised.
    let start = min(first.time, decoder.losses.first?.time ?? first.time)
    let stamps = stamps(of: index, extents[index], firstTime: start)
    let (cadence, lastFrame) = Self.cadence(of: stream, extents[index], stamps, timebase)
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    let (range, readableEnd) = timeRange(extents[index], clock, firstTime: start, lastFrame: lastFrame, kind: "frames")
    noteSizes(of: index, first.frame.size, clock)
    noteRepeatedTimes(of: trackIndex, stamps, timebase)
    noteIncompletePackets(of: .video, trackIndex, extents[index], timebase)
    noteLostPackets(of: .video, trackIndex, extents[index], timebase)
    if let cadence, extents[index].lost_count == 0 { noteMissingFrames(of: trackIndex, stamps, cadence, timebase) }
    noteAssumedRate()
    noteDisagreement(stream, decoder)
    noteAssumptions(stream, decoder, index: index, first.frame.attributes.color)
    let dynamicMetadata = dynamicMetadata(stream, decoder)
    noteImplausibleDisplay(stream, decoder)
    if let damage = decoder.firstDamage {
      warnings.append(MediaWarning(.damagedVideo, "Frames at the start cannot be decoded: \(damage)."))
    }
    var info = VideoTrackInfo(
      index: trackIndex, codec: demuxer.codec(index), size: first.frame.size, format: first.frame.format,
      attributes: first.frame.attributes, nominalFrameRate: Self.rate(stream), timeRange: range)
    info.colorProvenance = colorProvenance(stream, decoder, index: index)
    (info.cadence, info.readableEnd) = (cadence, readableEnd)
    info.minimumFrameDuration = minimumFrameDuration(stamps, cadence, clock)
    info.storage = demuxer.storage(index, extents[index], lasting: (readableEnd ?? range.end) - range.start)
    info.preferredTransform = preferredTransform(stream, displaySize: first.frame.displaySize)
    info.fieldOrder = Self.fieldOrder(stream, decoder)
    info.lacksFieldOrder = stream.lacks_field_order && info.fieldOrder == .progressive
    info.dynamicMetadata = dynamicMetadata
    info.hasClosedCaptions = decoder.firstHasClosedCaptions
    (info.language, info.title, info.flags) = (demuxer.language(index), demuxer.title(index), demuxer.flags(index))
    return info
  }

  private func firstPicture(of index: Int, _ decoder: VideoDecoder) throws(CompositorError) -> VideoDecoder.Picture {
    guard extents[index].start != Int64.min else {
      throw CompositorError(.noFrame, "The track is empty.", cause: "the track has no frames")
    }
    guard let first = try decoder.next() else {
      throw CompositorError(.decodeFailed, "No frame.", cause: decoder.firstDamage ?? "the track has no frames")
    }
    return first
  }

  private mutating func noteAssumedRate() {
    guard cff_demuxer_assumes_rate(demuxer.handle) else { return }
    warnings.append(
      MediaWarning(
        .assumedFrameRate,
        "The stream has no container, which would state times: it is shown at 25 frames a second, its own rate or, without one, the default."
      ))
  }

  private mutating func noteDisagreement(_ stream: cff_stream, _ decoder: VideoDecoder) {
    guard let color = decoder.firstColor else { return }
    if let difference = ColorResolution.disagreement(container: stream.container_color, bitstream: color) {
      warnings.append(
        MediaWarning(
          .colorDisagreement,
          "Container and bitstream disagree about color: \(difference). The container counts, but full range if either states it."
        ))
    }
    if let container = HDRMetadata(stream.hdr), let bitstream = HDRMetadata(decoder.firstHDR),
      let difference = container.disagreement(with: bitstream)
    {
      warnings.append(
        MediaWarning(
          .colorDisagreement, "Container and bitstream disagree about HDR metadata; the container counts: \(difference)."))
    }
  }

  /// Reports what was assumed although the file states part of its color.
  private mutating func noteAssumptions(_ stream: cff_stream, _ decoder: VideoDecoder, index: Int, _ tags: ColorTags) {
    guard let color = decoder.firstColor,
      let parts = ColorResolution.assumptions(
        container: stream.container_color, bitstream: color, circumstances(stream, decoder, index: index), as: tags)
    else { return }
    warnings.append(MediaWarning(.assumedColor, "The file says \(parts)."))
  }

  private func circumstances(
    _ stream: cff_stream, _ decoder: VideoDecoder, index: Int
  ) -> ColorResolution.Circumstances {
    ColorResolution.Circumstances(
      size: PixelSize(width: 0, height: 0), codec: demuxer.codec(index), isRGB: decoder.firstIsRGB,
      dolbyVision: stream.dolby_vision)
  }

  private func colorProvenance(_ stream: cff_stream, _ decoder: VideoDecoder, index: Int) -> ColorProvenance? {
    guard let color = decoder.firstColor else { return nil }
    return ColorResolution.provenance(
      container: stream.container_color, bitstream: color, circumstances(stream, decoder, index: index))
  }

  /// Dynamic metadata, from the container's configuration and the first frame.
  private mutating func dynamicMetadata(_ stream: cff_stream, _ decoder: VideoDecoder) -> [DynamicMetadata] {
    var found: [DynamicMetadata] = []
    if stream.dolby_vision.is_present {
      found.append(DynamicMetadata(stream.dolby_vision))
    } else if decoder.firstHasDolbyVision {
      found.append(DynamicMetadata(.dolbyVision))
    }
    if decoder.firstHasHDR10Plus { found.append(DynamicMetadata(.hdr10Plus)) }
    warnings += found.map { MediaWarning(.dynamicMetadataDropped, $0.loss) }
    return found
  }

  private mutating func noteImplausibleDisplay(_ stream: cff_stream, _ decoder: VideoDecoder) {
    let displays = [MasteringDisplay(stated: stream.hdr), MasteringDisplay(stated: decoder.firstHDR)]
    if let display = displays.compactMap(\.self).first(where: { !$0.isPlausible }) {
      warnings.append(
        MediaWarning(
          .implausibleMasteringDisplay,
          "The mastering display states \(display.minimumLuminance) to \(display.maximumLuminance) cd/m², which is impossible; "
            + "it is ignored."))
    } else if stream.hdr.lacks_luminance || decoder.firstHDR.lacks_luminance {
      warnings.append(
        MediaWarning(.implausibleMasteringDisplay, "The mastering display has no valid luminance range; it is ignored."))
    }
    if let contradiction = HDRMetadata(container: HDRMetadata(stream.hdr), bitstream: HDRMetadata(decoder.firstHDR))?
      .contradiction
    {
      warnings.append(
        MediaWarning(.contradictoryLightLevels, "\(contradiction) The lower counts, and the light levels are not passed on."))
    }
  }

  /// The highest frame rate; container clocks of a thousand ticks and more are not frame rates.
  static let highestRate = 999.0

  static func rate(_ stream: cff_stream) -> Rational {
    let rate = Double(stream.rate_numerator) / Double(stream.rate_denominator)
    guard stream.rate_denominator > 0, rate > 0, rate < highestRate else { return Rational(0, 1) }
    return Rational(Int(stream.rate_numerator), Int(stream.rate_denominator))
  }

  private static func fieldOrder(_ stream: cff_stream, _ decoder: VideoDecoder) -> FieldOrder {
    switch stream.field_order {
    case 1: .topFirst
    case 2: .bottomFirst
    default: decoder.firstIsInterlaced ? (decoder.firstIsTopFirst ? .topFirst : .bottomFirst) : .progressive
    }
  }

  private mutating func preferredTransform(_ stream: cff_stream, displaySize: Size) -> AffineMatrix {
    guard stream.has_matrix else { return .identity }
    let m = stream.matrix
    let elements = [m.0, m.1, m.2, m.3, m.4, m.5, m.6, m.7, m.8]
    if let transform = DisplayMatrix.transform(elements, size: displaySize) { return transform }
    warnings.append(MediaWarning(.unusableDisplayMatrix, "The display matrix flattens the frame; it is ignored."))
    return .identity
  }

  // MARK: audio

  private mutating func describeAudio(
    _ stream: cff_stream, at index: Int, index trackIndex: Int
  ) throws(CompositorError) -> AudioTrackInfo {
    guard !extents[index].is_encrypted else {
      throw CompositorError(.unreadableMedia, "The track is encrypted for copy protection.")
    }
    guard extents[index].start != Int64.min else {
      throw CompositorError(.noFrame, "The track is empty.", cause: "the track has no samples")
    }
    if let reason = cff_audio_refusal(demuxer.handle, Int32(index)) {
      throw CompositorError(.decoderNotFound, "The audio track cannot be decoded.", cause: String(cString: reason))
    }
    guard stream.sample_rate > 0, stream.channel_count > 0 else {
      throw CompositorError(.unreadableMedia, "The track has no sample rate or no channels.")
    }
    let timebase = Timebase(numerator: stream.time_base_numerator, denominator: stream.time_base_denominator)
    var (range, readableEnd) = timeRange(
      extents[index], FrameStampClock(timebase: timebase, cadence: nil), firstTime: extents[index].start, kind: "samples")
    if let counted = Self.countedRange(extents[index], sampleRate: stream.sample_rate), readableEnd == nil { range = counted }
    // Samples before time 0 are the encoder's preroll and are not played.
    let start = range.start < .zero ? MediaTime(value: 0, timescale: range.start.timescale) : range.start
    var info = AudioTrackInfo(
      index: trackIndex, codec: demuxer.codec(index), sampleRate: Int(stream.sample_rate),
      channelCount: Int(stream.channel_count), timeRange: TimeRange(start: start, end: max(start, range.end)),
      readableEnd: readableEnd, language: demuxer.language(index), title: demuxer.title(index))
    info.flags = demuxer.flags(index)
    info.storage = demuxer.storage(index, extents[index], lasting: (readableEnd ?? info.timeRange.end) - start)
    if stream.lacks_positions {
      info.assumedLayout = withUnsafeBytes(of: stream.assumed_layout) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    (info.primingCount, info.paddingCount) = (Int(extents[index].dropped_first), Int(extents[index].dropped_last))
    info.gaps = gaps(ofStream: index, sampleRate: stream.sample_rate)
    noteIncompletePackets(of: .audio, trackIndex, extents[index], timebase)
    noteLostPackets(of: .audio, trackIndex, extents[index], timebase)
    noteMissingAudio(of: info, extents[index])
    let wander = MediaTime(value: extents[index].wander, timescale: stream.sample_rate)
    let missing = Self.timeOfMissing(extents[index], sampleRate: stream.sample_rate)
    noteGaps(of: info, wander: wander, lostCount: Int(extents[index].lost_count), except: missing)
    noteChannels(of: info, extents[index])
    return info
  }
}
