import CCompositorFFmpeg
import CompositorAPI
import CompositorMediaIO

/// Describes the tracks of a movie to a muxer and writes the header.
struct HeaderWriting: MuxerWriting {
  /// The maximum space for an index before the media, in bytes, limited by what libavformat accepts.
  static let maximumRoom = 1 << 30

  let muxer: OpaquePointer?
  let path: String
  /// Whether written bytes cannot be changed.
  var isStream = false

  /// Adds the video track.
  ///
  /// - Returns: Its index in the file.
  func addVideo(
    _ encoder: VideoEncoder, _ track: VideoTrackDescription, container: MovieContainer
  ) throws(CompositorError) -> Int32 {
    let rate = track.timing.nominalFrameRate
    var mastering = cff_mastering_metadata(track.attributes.hdr)
    // Apple's players read HEVC only under this name.
    let tag = track.encoding.codec == .hevc && container.keepsExactTimes ? "hvc1" : nil
    var index: Int32 = 0
    try check {
      cff_muxer_add_track(
        muxer, encoder.handle, Int32(track.timing.timescale), Int32(rate.numerator), Int32(rate.denominator), tag, &mastering,
        &index, &$0)
    }
    let orientation = try track.orientation()
    if orientation != .upright {
      let size = Size(
        width: Double(track.size.width) * track.attributes.pixelAspectRatio.value, height: Double(track.size.height))
      try check { cff_muxer_set_display_matrix(muxer, index, DisplayMatrix.elements(orientation, size: size), &$0) }
    }
    cff_muxer_set_default(muxer, index, true)
    if container.tellsColorInEntries { try check { cff_muxer_tell_color(muxer, index, &$0) } }
    try describe(index, track.language, track.title, track.metadata, in: container)
    return index
  }

  /// Adds an audio track.
  ///
  /// - Returns: Its index in the file.
  func addAudio(
    _ encoder: AudioEncoder, _ track: AudioTrackDescription, container: MovieContainer, isDefault: Bool
  ) throws(CompositorError) -> Int32 {
    var index: Int32 = 0
    try check {
      cff_muxer_add_track(muxer, encoder.handle, Int32(track.encoding.sampleRate), 0, 1, nil, nil, &index, &$0)
    }
    if isDefault { cff_muxer_set_default(muxer, index, true) }
    try describe(index, track.language, track.title, track.metadata, in: container)
    return index
  }

  /// Adds a caption track.
  func addSubtitles(
    _ track: SubtitleTrackDescription, container: MovieContainer
  ) throws(CompositorError) -> SubtitleWriting {
    var writing = try SubtitleWriting(track, in: container)
    try check {
      cff_muxer_add_subtitles(
        muxer, writing.codec, writing.header, SubtitleWriting.timescale, track.captions.isDefault, track.captions.isForced,
        &writing.index, &$0)
    }
    try describe(writing.index, track.captions.language, track.captions.title, [:], in: container)
    return writing
  }

  /// States language, title and metadata of a track.
  func describe(
    _ index: Int32, _ language: String?, _ title: String?, _ metadata: [String: String], in container: MovieContainer
  ) throws(CompositorError) {
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { try set(key, value, index) }
    if let code = language.flatMap({ LanguageTag($0) })?.code(in: container) { try set("language", code, index) }
    guard let title else { return }
    try set("title", title, index)
    // Many players show this name.
    if container.keepsExactTimes { try set("handler_name", title, index) }
  }

  private func set(_ key: String, _ value: String, _ track: Int32) throws(CompositorError) {
    try check { cff_muxer_set_track_metadata(muxer, track, key, value, &$0) }
  }

  /// Writes the header after all tracks were added.
  func write(_ movie: MovieDescription) throws(CompositorError) {
    let options = movie.container.muxerOptions(
      timescale: movie.timescale, playCount: movie.video?.encoding.animation.playCount, hasFastStart: movie.hasFastStart,
      isStream: isStream)
    try write(movie, options: options)
  }

  /// Writes metadata, chapters, the header and the cover after all tracks were added.
  ///
  /// - Parameter options: The muxer's options as `key=value` lines.
  func write(_ movie: MovieDescription, options: String) throws(CompositorError) {
    for (key, value) in movie.metadata.sorted(by: { $0.key < $1.key }) {
      try check { cff_muxer_set_metadata(muxer, key, value, &$0) }
    }
    if let date = movie.creationSecondsSince1970 { try check { cff_muxer_set_creation_time(muxer, Int64(date), &$0) } }
    try add(movie.chapters, until: movie.end ?? .zero)
    guard let cover = movie.cover else { return try check { cff_muxer_write_header(muxer, options, &$0) } }
    try withCover(cover) { (picture) throws(CompositorError) in
      var (track, picture): (Int32, cff_cover) = (-1, picture)
      try check { cff_muxer_add_cover(muxer, &picture, &track, &$0) }
      try check { cff_muxer_write_header(muxer, options, &$0) }
      if track >= 0 { try check { cff_muxer_write_cover(muxer, track, &picture, &$0) } }
    }
  }

  private func add(_ chapters: [Chapter], until end: MediaTime) throws(CompositorError) {
    let ends = chapters.dropFirst().map(\.start) + [end]
    for (chapter, end) in zip(chapters, ends) {
      let (from, to) = (chapter.start.rounded(toUnitsOf: Self.nanosecond), end.rounded(toUnitsOf: Self.nanosecond))
      try check { cff_muxer_add_chapter(muxer, from, to, chapter.title, &$0) }
    }
  }

  private static let nanosecond = Rational(1, 1_000_000_000)

  /// Lends the cover's bytes to libav, which copies them.
  private func withCover(
    _ cover: CoverPicture, _ body: (cff_cover) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    try cover.bytes.withUnsafeBufferPointer { (bytes) throws(CompositorError) in
      try body(
        cff_cover(
          is_png: cover.format == .png, width: Int32(cover.size.width), height: Int32(cover.size.height),
          bytes: bytes.baseAddress,
          count: Int32(bytes.count)))
    }
  }
}

extension MovieDescription {
  /// The movie timescale. With all track clocks as factors, edit lists and therefore the durations that players show are exact.
  /// A clock that would make the unit too small is left out.
  var timescale: Int {
    let clocks = (video.map { [$0.timing.timescale] } ?? []) + audioTracks.map(\.encoding.sampleRate)
    return clocks.reduce(1) { scale, clock in
      let common = Rational(scale, clock).reduced.numerator * clock
      return common <= Int(Int32.max) ? common : scale
    }
  }
}

extension cff_mastering_metadata {
  init(_ hdr: HDRMetadata?) {
    self.init()
    if let display = hdr?.masteringDisplay {
      has_display = true
      (red, green, blue, white) = (display.red.scaled, display.green.scaled, display.blue.scaled, display.white.scaled)
      maximum_luminance = display.maximumLuminance.scaledLuminance
      minimum_luminance = display.minimumLuminance.scaledLuminance
    }
    if let light = hdr?.contentLightLevel {
      has_light_level = true
      (maximum_content, maximum_average) = (light.clampedContent, light.clampedAverage)
    }
  }
}

extension MovieDescription {
  /// An upper bound for the size of metadata, chapters and cover in an index. Chapters are a text track, and the cover is part
  /// of the index.
  var headerTextByteCount: Int {
    let entries = metadata.reduce(0) { $0 + 3 * $1.value.utf8.count + 64 }
    let titles = chapters.reduce(0) { $0 + 512 + 2 * $1.title.utf8.count }
    return entries + titles + (cover?.bytes.count ?? 0)
  }
}
