import CCompositorFFmpeg
package import CompositorAPI
import CompositorPlatform

/// Subtitles of any format, converted to ASS events.
package struct SubtitleFile: Sendable {
  /// A cue.
  package struct Event: Sendable {
    package var start: MediaTime
    /// `nil` if the file doesn't state it.
    package var end: MediaTime?
    /// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    package var text: String
    /// Settings of a WebVTT cue.
    package var settings: String
  }

  /// Short name of the codec: `subrip`, `webvtt`, `ass`, `mov_text`.
  package var codec: String
  package var language: String?
  package var title: String?
  /// A script's header, including its styles.
  package var header: String
  package var events: [Event]
  /// The contents of an ASS file.
  package var script: String?
  /// Whether the texts of events are those of the track's packets, in its own markup, because the codec is `subrip`, `webvtt`
  /// or `text`.
  package var hasOwnMarkup = false
}

/// Reads subtitles from text files and from tracks of media files.
package enum SubtitleReader {
  /// The maximum size of a subtitle file, in bytes.
  package static let maximumByteCount = 100 << 20

  /// What a file contains.
  package enum Content: Sendable {
    /// The characters of a text file, without a byte order mark.
    case text(String)
    /// A subtitle track of a media file.
    case track(SubtitleFile)
  }

  /// Reads a text file, or a subtitle track of a media file.
  ///
  /// - Parameters:
  ///   - track: Index among the subtitle tracks of media, from 0.
  ///   - encoding: The encoding of a file that isn't Unicode, as iconv names it (`iso-8859-1`); `nil` for UTF-8 and UTF-16.
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.readFailed`; `.unreadableMedia` if the file isn't Unicode; `.trackNotFound`;
  ///   `.decoderNotFound` for bitmap subtitles; `.invalidValue` for an unknown encoding.
  package static func read(
    _ path: String, track: Int = 0, encoding: String? = nil
  ) throws(CompositorError) -> Content {
    do throws(CompositorError) {
      let beginning = try RegularFile.beginning(of: path, count: 4096)
      guard isText(beginning, hasEncoding: encoding != nil) else { return .track(try readTrack(path, track)) }
      guard track == 0 else { throw noTrack(track, count: 1) }
      let bytes = try RegularFile.bytes(of: path, maximumByteCount: maximumByteCount, tooLong: .unreadableMedia)
      return .text(String(decoding: try SubtitleText.unicode(bytes, encoding: encoding), as: UTF8.self))
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
  }

  /// Whether a file begins like text: in UTF-16, or without control characters other than white space.
  private static func isText(_ bytes: [UInt8], hasEncoding: Bool) -> Bool {
    if hasEncoding || bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { return true }
    if SubtitleText.unmarkedUTF16(bytes) != nil { return true }
    return !bytes.contains { $0 < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1a, 0x1b].contains($0) }
  }

  /// Parses an ASS script, whose events may have any fields.
  ///
  /// - Throws: `.unreadableMedia` if the string is not an ASS script.
  package static func readScript(_ script: String) throws(CompositorError) -> SubtitleFile {
    let script = ScriptFields.usual(script)
    var file = try readText(script, formats: ["ass"])
    file.script = script
    return file
  }

  /// Parses text of the formats that libavformat reads and that state times in seconds: SAMI, SubViewer, MPL2, RealText, STL,
  /// JACOsub, VPlayer, PJS.
  ///
  /// - Throws: `.unreadableMedia` if it has none of them.
  package static func readOther(_ text: String) throws(CompositorError) -> SubtitleFile {
    try readText(text, formats: ["sami", "subviewer", "subviewer1", "mpl2", "realtext", "stl", "jacosub", "vplayer", "pjs"])
  }

  private static func readText(_ text: String, formats: [String]) throws(CompositorError) -> SubtitleFile {
    let bytes = Array(text.utf8)
    var failure = cff_failure()
    var handle: OpaquePointer?
    let list = formats.joined(separator: ",")
    guard cff_subtitles_read_text(bytes, bytes.count, list, &handle, &failure) == CFF_OK, let handle else {
      throw CompositorError(
        CompositorError.Code(failure.status), "The file has no readable captions.",
        recoverySuggestion: "Use SRT, WebVTT, ASS or SBV, or media with a subtitle track.", cause: failure.sentence)
    }
    defer { cff_subtitles_free(handle) }
    return SubtitleFile(handle)
  }

  private static func readTrack(_ path: String, _ track: Int) throws(CompositorError) -> SubtitleFile {
    let demuxer = try Demuxer(path: path, facts: nil, damaged: .keep)
    let stream = cff_demuxer_subtitle_stream(demuxer.handle, Int32(clamping: track))
    guard track >= 0, stream >= 0 else {
      let count = demuxer.subtitleTrackCount
      if count == 0, hasClosedCaptions(path) { throw onlyClosedCaptions(track) }
      throw noTrack(track, count: count)
    }
    guard !cff_stream_is_bitmap_subtitle(demuxer.handle, stream) else {
      let other = (0..<demuxer.subtitleTrackCount).first {
        !cff_stream_is_bitmap_subtitle(demuxer.handle, cff_demuxer_subtitle_stream(demuxer.handle, Int32(clamping: $0)))
      }
      let text = other.map { "Choose track \($0), which is text" } ?? "Use a text track"
      throw CompositorError(
        .decoderNotFound, "Subtitle track \(track) (\(demuxer.codec(Int(stream)))) consists of bitmaps, not text.",
        recoverySuggestion: "\(text), or convert the bitmaps to text with an OCR program.")
    }
    var failure = cff_failure()
    var handle: OpaquePointer?
    guard cff_subtitles_read_track(demuxer.handle, stream, &handle, &failure) == CFF_OK, let handle else {
      throw failure.readingError("Subtitle track \(track) cannot be read", at: ErrorLocation())
    }
    defer { cff_subtitles_free(handle) }
    var file = SubtitleFile(handle)
    (file.language, file.title) = (demuxer.language(Int(stream)), demuxer.title(Int(stream)))
    file.hasOwnMarkup = cff_subtitles_have_own_markup(handle)
    if file.codec == "ass" || file.codec == "ssa" { file.script = file.rebuiltScript }
    return file
  }

  /// Whether a video of a file carries captions of television.
  private static func hasClosedCaptions(_ path: String) -> Bool {
    let probed = try? FFmpegProbe.probe(path: path)
    return probed?.info.videoTracks.contains(where: \.hasClosedCaptions) ?? false
  }

  private static func onlyClosedCaptions(_ track: Int) -> CompositorError {
    CompositorError(
      .trackNotFound,
      "There is no subtitle track \(track): the file has only closed captions in the video (CEA-608/708), which are not read.",
      recoverySuggestion: "Write them to a file first, for example with "
        + "ffmpeg -f lavfi -i movie=FILE[out0+subcc] -map s captions.srt.")
  }

  private static func noTrack(_ track: Int, count: Int) -> CompositorError {
    CompositorError(
      .trackNotFound, "There is no subtitle track \(track): the file has \(count == 0 ? "none" : "\(count)").",
      recoverySuggestion: count == 0 ? "Name a file with captions." : "Choose 0\(count > 1 ? " to \(count - 1)" : "").")
  }
}

extension Demuxer {
  var subtitleTrackCount: Int {
    (0..<streamCount).count { stream($0).kind == CFF_STREAM_SUBTITLE }
  }
}

extension SubtitleFile {
  fileprivate init(_ handle: OpaquePointer) {
    var (numerator, denominator): (Int32, Int32) = (0, 1)
    cff_subtitles_time_base(handle, &numerator, &denominator)
    let unit = MediaTime(value: Int64(numerator), timescale: denominator)
    func time(_ ticks: Int64) -> MediaTime { unit.multiplied(by: ticks, over: 1) }
    let events = (0..<cff_subtitles_count(handle)).map { index in
      let cue = cff_subtitles_cue(handle, index)
      return Event(
        start: time(cue.start), end: cue.end == Int64.min ? nil : time(cue.end), text: String(cString: cue.event),
        settings: String(cString: cue.settings))
    }
    self.init(
      codec: String(cString: cff_subtitles_codec(handle)), language: nil, title: nil,
      header: String(cString: cff_subtitles_header(handle)), events: events, script: nil)
  }

  /// The ASS file that a track was made from.
  fileprivate var rebuiltScript: String {
    var lines = [header]
    if !header.contains("[Events]") {
      lines.append("[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text")
    }
    for event in events {
      let fields = event.text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let end = event.end else { continue }
      lines.append("Dialogue: \(fields[1]),\(event.start.scriptTime),\(end.scriptTime),\(fields[2])")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MediaTime {
  /// Hours, minutes, seconds and hundredths in ASS notation.
  package var scriptTime: String {
    let hundredths = max(rounded(toUnitsOf: Rational(1, 100)), 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(hundredths / 360_000):\(two(hundredths / 6000 % 60)):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
  }
}
