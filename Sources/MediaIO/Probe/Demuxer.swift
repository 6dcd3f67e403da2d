import CCompositorFFmpeg
import CompositorAPI

/// An open media file. One owner, one thread at a time. Closes with its last reference.
final class Demuxer {
  /// The shim's demuxer.
  let handle: OpaquePointer
  /// The file's path, as the caller gave it.
  let path: String

  /// Opens a regular local file.
  ///
  /// - Parameter readsHeaderOnly: Whether the media is not examined: only what the header states is known about the streams.
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.unreadableMedia`, `.resourceExhausted`.
  init(path: String, readsHeaderOnly: Bool = false) throws(CompositorError) {
    var failure = cff_failure()
    var handle: OpaquePointer?
    let open = readsHeaderOnly ? cff_demuxer_open_header : cff_demuxer_open
    let status = open(path, &handle, &failure)
    guard status == CFF_OK, let handle else {
      throw Self.error(failure, path)
    }
    self.handle = handle
    self.path = path
  }

  /// The error for a file that cannot be opened. A file without its index was cut off before it.
  private static func error(_ failure: cff_failure, _ path: String) -> CompositorError {
    var error = failure.readingError("The file cannot be opened", at: ErrorLocation(file: path))
    if error.code == .unreadableMedia, BoxFile.lacksIndex(path) {
      error = CompositorError(
        .unreadableMedia, "The file is cut short: its index (moov) is missing.",
        recoverySuggestion: "Check that the recording was finished and the file was copied whole.", cause: error.cause,
        at: error.location)
    }
    return error
  }

  deinit { cff_demuxer_close(handle) }

  /// Whether the file consists of boxes (ISO/IEC 14496-12).
  var isMovieOfBoxes: Bool { String(cString: cff_demuxer_format_name(handle)).split(separator: ",").contains("mov") }

  /// Whether measuring reads every packet.
  var isReadCompletely: Bool { cff_demuxer_is_small(handle) }

  /// Number of streams of all kinds.
  var streamCount: Int { Int(cff_demuxer_stream_count(handle)) }

  /// The container's description of stream `index`, 0 ..< ``streamCount``.
  func stream(_ index: Int) -> cff_stream {
    var stream = cff_stream()
    _ = cff_stream_describe(handle, Int32(index), &stream)
    return stream
  }

  /// Short name of a stream's codec.
  func codec(_ index: Int) -> String { String(cString: cff_stream_codec(handle, Int32(index))) }

  /// The language of a stream as a BCP 47 tag; `nil` if the container states none.
  func language(_ index: Int) -> String? {
    metadata("language", ofStream: index).flatMap { LanguageTag(containerCode: $0) }?.tag
  }

  /// The title of a stream; `nil` if the container states none.
  func title(_ index: Int) -> String? { metadata("title", ofStream: index) }

  /// The flags of a stream that players act on.
  func flags(_ index: Int) -> [TrackFlag] {
    var (flags, ordinal) = ([TrackFlag](), Int32(0))
    while let name = cff_stream_flag(handle, Int32(index), ordinal) {
      if let flag = TrackFlag(libavName: String(cString: name)) { flags.append(flag) }
      ordinal += 1
    }
    return flags
  }

  func metadata(_ key: String, ofStream index: Int) -> String? {
    cff_stream_metadata(handle, Int32(index), key).map { String(cString: $0) }
  }

  /// The times of all streams, measured from their packets.
  func measure() throws(CompositorError) -> [cff_extent] {
    var extents = [cff_extent](repeating: cff_extent(), count: streamCount)
    var failure = cff_failure()
    guard cff_demuxer_measure(handle, &extents, &failure) == CFF_OK else {
      throw failure.readingError("The file cannot be read", at: ErrorLocation(file: path))
    }
    return extents
  }

  /// Timestamps of a video stream's packets in its ticks, as far as ``measure()`` read them.
  func stamps(_ index: Int) -> [Int64] {
    let count = Int(cff_demuxer_stamps(handle, Int32(index), nil, 0))
    return [Int64](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      _ = cff_demuxer_stamps(handle, Int32(index), buffer.baseAddress, Int32(count))
      initializedCount = count
    }
  }

  /// The times that two recordings contain, by ticks of a video stream, as far as ``measure()`` found them.
  func overlaps(_ index: Int) -> [ClosedRange<Int64>] {
    let count = Int(cff_demuxer_overlaps(handle, Int32(index), nil, 0))
    let found = [cff_overlap](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      _ = cff_demuxer_overlaps(handle, Int32(index), buffer.baseAddress, Int32(count))
      initializedCount = count
    }
    return found.map { Timebase.clamped($0.first)...max(Timebase.clamped($0.first), Timebase.clamped($0.last)) }
  }

  /// The sizes of a video stream's frames in order of appearance, as far as ``measure()`` found them.
  func frameSizes(_ index: Int) -> [cff_frame_size] {
    let count = Int(cff_demuxer_frame_sizes(handle, Int32(index), nil, 0))
    return [cff_frame_size](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      _ = cff_demuxer_frame_sizes(handle, Int32(index), buffer.baseAddress, Int32(count))
      initializedCount = count
    }
  }

  /// Packets of an audio stream at which decoding can start; empty before ``measure()``.
  func audioMarks(_ index: Int) -> [cff_audio_mark] {
    let count = Int(cff_demuxer_marks(handle, Int32(index), nil, 0))
    return [cff_audio_mark](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      _ = cff_demuxer_marks(handle, Int32(index), buffer.baseAddress, Int32(count))
      initializedCount = count
    }
  }

  /// Opens a file that was measured before.
  ///
  /// - Parameter facts: The facts from measuring the file; `nil` measures again what reading relies on.
  /// - Throws: As ``init(path:)``, and `.mediaChanged` with ``DamagePolicy/fail``, here and from reading.
  convenience init(path: String, facts: FileFacts?, damaged: DamagePolicy) throws(CompositorError) {
    try self.init(path: path)
    if damaged == .fail {
      if let facts, !facts.describe(self) { throw FileFacts.change(of: path) }
      cff_demuxer_forbid_change(handle)
    }
    if let facts { try use(facts) } else { try findSections() }
  }

  /// The positions at which the file's clock restarts.
  var sections: [cff_clock_section] {
    (0..<cff_demuxer_section_count(handle)).map { cff_demuxer_section(handle, $0) }
  }

  /// Where pages of an Ogg file are missing.
  var pageGaps: [cff_page_gap] {
    (0..<cff_demuxer_page_gap_count(handle)).map { cff_demuxer_page_gap(handle, $0) }
  }

  private func use(_ facts: FileFacts) throws(CompositorError) {
    var failure = cff_failure()
    let (sections, gaps) = (facts.sections, facts.pageGaps)
    guard cff_demuxer_use_sections(handle, sections, Int32(sections.count), &failure) == CFF_OK,
      cff_demuxer_use_page_gaps(handle, gaps, Int32(clamping: gaps.count), &failure) == CFF_OK
    else {
      throw failure.readingError("The file cannot be opened", at: ErrorLocation(file: path))
    }
    cff_demuxer_use_frame_gap(handle, facts.frameGap)
    cff_demuxer_use_decoding_times(handle, facts.decodingTimes)
    cff_demuxer_use_sample_times(handle, facts.sampleTimes)
  }

  private func findSections() throws(CompositorError) {
    var failure = cff_failure()
    guard cff_demuxer_find_sections(handle, &failure) == CFF_OK, cff_demuxer_find_gaps(handle, &failure) == CFF_OK else {
      throw failure.readingError("The file cannot be read", at: ErrorLocation(file: path))
    }
  }

  /// Seeks to the start.
  func rewind() throws(CompositorError) {
    var failure = cff_failure()
    guard cff_demuxer_rewind(handle, &failure) == CFF_OK else {
      throw failure.readingError("The file cannot be opened again", at: ErrorLocation(file: path))
    }
  }

  /// Short name of the container.
  var containerName: String {
    let names = String(cString: cff_demuxer_format_name(handle)).split(separator: ",").map(String.init)
    guard names.contains("mov") else { return names.first ?? "unknown" }
    let brand = metadata["major_brand"]
    return brand == nil || brand == "qt  " ? "mov" : brand == "avis" ? "avif" : "mp4"
  }

  /// The file's own metadata.
  var metadata: [String: String] {
    var entries: [String: String] = [:]
    var index: Int32 = 0
    while let key = cff_metadata_key(handle, index), let value = cff_metadata_value(handle, index) {
      entries[String(cString: key)] = String(cString: value)
      index += 1
    }
    return entries
  }

  /// The file's chapters in order of time, at most ``maximumChapterCount``; chapters with an impossible time are omitted.
  var chapters: [Chapter] {
    var chapters: [Chapter] = []
    var found = cff_chapter()
    var index: Int32 = 0
    while index < Self.maximumChapterCount, cff_demuxer_chapter(handle, index, &found) {
      index += 1
      let unit = Timebase(numerator: found.numerator, denominator: found.denominator)
      guard found.numerator > 0, found.denominator > 0, found.start >= 0 else { continue }
      let start = unit.time(found.start)
      guard start.isNumeric else { continue }
      chapters.append(Chapter(start: start, title: found.title.map { String(cString: $0) } ?? ""))
    }
    return chapters.sorted { $0.start < $1.start }
  }

  private static let maximumChapterCount = 10_000
}
