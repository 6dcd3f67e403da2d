public import CompositorAPI
public import CompositorMediaIO
import CompositorPlatform

/// What a ``CodedMediaWriter`` writes of a movie beside its tracks.
public struct CodedMovieDescription: Hashable, Sendable {
  /// The file format. It is independent of the file name.
  public var container: MovieContainer
  /// Metadata of the whole file; see ``MovieDescription/metadata``.
  public var metadata: [String: String]
  /// The creation time, in seconds since 1970-01-01 UTC; `nil`, the default, writes no date.
  public var creationSecondsSince1970: Int?
  /// Whether the index of a file of the MPEG-4 family precedes the media; see ``MovieDescription/hasFastStart``. Default true.
  public var hasFastStart = true

  /// Creates a description.
  public init(container: MovieContainer, metadata: [String: String] = [:]) {
    (self.container, self.metadata) = (container, metadata)
  }
}

/// What players show of a track of coded samples.
public struct CodedTrackDescription: Hashable, Sendable {
  /// The language as a BCP 47 tag; `nil` states none.
  public var language: String?
  /// The title; `nil` states none. Only containers with titles of tracks write it.
  public var title: String?
  /// Whether players choose the track among those of its kind. Default true.
  public var isDefault = true

  /// Creates a description.
  public init(language: String? = nil, title: String? = nil, isDefault: Bool = true) {
    (self.language, self.title, self.isDefault) = (language, title, isDefault)
  }
}

/// Writes coded samples of other files to a movie, bit for bit.
///
/// A movie is written in four steps: tracks are added, a session begins, samples are appended, and the session ends. Time 0 of the movie
/// is the start of the session: in MP4 and QuickTime files, earlier samples are stored and left out by an edit list, as are later ones
/// than its end, and a track whose samples begin later has a pause first.
///
/// The file is created or replaced at exactly the given path; the caller gives it its final name. It is removed unless it was finished.
/// Not thread-safe: one owner at a time. At most 5 seconds of samples wait for those of other tracks.
///
/// ```swift
/// let reader = try CodedMediaReader(path: "clip.mov")
/// let writer = try CodedMediaWriter(CodedMovieDescription(container: .mp4), path: "copy.mp4")
/// var tracks: [CodedTrack: CodedMediaWriter.Track] = [:]
/// for track in reader.tracks { tracks[track] = try writer.addTrack(copying: track, of: reader) }
/// try writer.begin()
/// while let sample = try reader.next() {
///   if let track = tracks[sample.track] { try writer.append(sample, to: track) }
/// }
/// try writer.finish()
/// ```
public final class CodedMediaWriter {
  /// A track of the movie.
  public struct Track: Hashable, Sendable {
    fileprivate let index: Int
  }

  /// The movie's description.
  public let description: CodedMovieDescription
  /// The file's path, as the caller gave it.
  public var path: String { writer.path }

  private enum Stage { case adding, writing, ended }
  private var stage = Stage.adding
  private let writer: CopyingMovieWriter
  private var tracks: [CodedTrackOutput] = []
  private var start = MediaTime.zero

  /// Creates the file.
  ///
  /// - Throws: `.unsupportedOutput` for animated images and Y4M, and for metadata that the container cannot hold; `.writeFailed`.
  public init(_ description: CodedMovieDescription, path: String) throws(CompositorError) {
    let container = description.container
    do throws(CompositorError) {
      guard !container.isAnimation, container != .y4m else {
        throw CompositorError(
          .unsupportedOutput, "Coded samples cannot be written to a .\(container.rawValue) file.",
          recoverySuggestion: "Write a movie or an audio file.")
      }
      try description.entries.validateEntries()
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
    self.description = description
    writer = try CopyingMovieWriter(container, path: path)
  }

  deinit { abandon() }

  /// Whether a container can hold a track as it is coded.
  ///
  /// - Throws: `.trackNotFound` if the reader doesn't read the track.
  public static func canCopy(
    _ track: CodedTrack, of reader: CodedMediaReader, to container: MovieContainer
  ) throws(CompositorError) -> Bool {
    try reader.check(track)
    return CopyingMovieWriter.holds(PacketReader.Track(track), of: reader.reader, in: container)
  }

  /// Adds a track for the samples of a file's track, with its format and everything that the file states of it, such as color and
  /// orientation, as far as the container holds it.
  ///
  /// - Parameters:
  ///   - reader: The reader of the file. Samples of other files may follow if their tracks have the same format.
  ///   - description: What players show of the track; `nil`, the default, for what the file states.
  /// - Throws: `.unsupportedOutput` if the container cannot hold the track; `.trackNotFound` if the reader doesn't read it;
  ///   `.invalidValue` after ``begin(at:)``.
  public func addTrack(
    copying track: CodedTrack, of reader: CodedMediaReader, description: CodedTrackDescription? = nil
  ) throws(CompositorError) -> Track {
    try require(.adding, "A track cannot be added after the beginning of the movie.")
    let container = writer.container
    guard try Self.canCopy(track, of: reader, to: container), !container.isSingleTrack || tracks.isEmpty else {
      throw CompositorError(
        .unsupportedOutput,
        "A .\(container.rawValue) file cannot hold \(track.mediaType) track \(track.index) of \(reader.info.source).",
        recoverySuggestion: "Write another container, or encode the track.", at: ErrorLocation(file: path))
    }
    if let description {
      do throws(CompositorError) {
        try container.validate(language: description.language, title: description.title, metadata: [:])
      } catch {
        throw error.locating(ErrorLocation(file: path))
      }
    }
    let (format, source) = (try reader.format(of: track), PacketReader.Track(track))
    // Movies count the times of audio in samples.
    let timescale = max(format.timescale, Int32(clamping: format.sampleRate ?? 0))
    let added = try writer.addTrack(copying: source, of: reader.reader, timescale: timescale, header: [], tag: nil)
    if let description {
      try writer.describe(
        added, language: description.language, title: description.title, isDefault: description.isDefault)
    }
    tracks.append(CodedTrackOutput(writer, added, timescale: timescale))
    return Track(index: tracks.count - 1)
  }

  /// Begins the session and writes the header.
  ///
  /// - Parameter start: The presentation time of samples that becomes time 0 of the movie. Default 0.
  /// - Throws: `.invalidValue` for a time that is not numeric, without tracks, and if the session has begun; `.unsupportedOutput` for
  ///   another start than 0 if the container has no edit lists; `.writeFailed`.
  public func begin(at start: MediaTime = .zero) throws(CompositorError) {
    try require(.adding, "The movie has begun already.")
    guard !tracks.isEmpty else { throw refusal("The movie has no tracks.", "Add one before it begins.") }
    try check(start, isOwn: start == .zero)
    self.start = start
    let scale = tracks.reduce(1) { scale, track in Self.common(scale, Int(track.timescale)) }
    try writer.begin(description.entries, timescale: scale)
    stage = .writing
  }

  /// Writes a sample. Tracks may be interleaved in any order; the samples of a track must be in decoding order.
  ///
  /// - Throws: `.unsupportedOutput` for a video sample that its file leaves out if the container has no edit lists; `.invalidValue` before
  ///   ``begin(at:)`` and after ``finish(at:)``, and for a sample that is decoded before the previous one;
  ///   `.unreadableMedia` for a sample without a presentation time; `.writeFailed`.
  public func append(_ sample: CodedSample, to track: Track) throws(CompositorError) {
    try require(.writing, "A sample was appended outside of the session.")
    guard tracks.indices.contains(track.index) else { throw refusal("The movie has no such track.", "Use one of its own.") }
    // An encoder's priming is left out by its codec, too.
    if sample.isHidden, sample.track.mediaType == .video { try requireLimits() }
    try tracks[track.index].append(sample, from: start)
  }

  /// Ends the session, writes the index and closes the file, which is durable when this method returns.
  ///
  /// - Parameter end: The presentation time of samples at which the movie ends; `nil`, the default, for the end of its last sample.
  ///   Tracks that end earlier stay shorter.
  /// - Returns: Size of the file in bytes.
  /// - Throws: `.invalidValue` before ``begin(at:)``, if the movie was finished, and for an end that is not after the start;
  ///   `.unsupportedOutput` for an end if the container has no edit lists; `.writeFailed`.
  @discardableResult
  public func finish(at end: MediaTime? = nil) throws(CompositorError) -> Int {
    try require(.writing, "The movie has not begun, or was finished already.")
    if let end {
      try check(end, isOwn: false)
      guard end > start else { throw refusal("The movie ends at \(end.readable), not after its start.", "End it later.") }
    }
    for track in tracks { try track.finish() }
    var byteCount = Int(try writer.finish())
    stage = .ended
    guard let end else { return byteCount }
    // The file has no tracks without samples.
    let lists = tracks.compactMap { $0.edits(lasting: end - start) }
    do throws(CompositorError) {
      try EditListBoxes.write(Dictionary(uniqueKeysWithValues: lists.enumerated().map { ($0, $1) }), to: path)
    } catch {
      // A file without its end, or with half of an index, is no movie.
      unlink(path)
      throw error
    }
    if let state = RegularFile.state(of: path) { byteCount = Int(state.byteCount) }
    return byteCount
  }

  /// Closes and removes the file, unless it was finished.
  public func abandon() {
    guard stage != .ended else { return }
    stage = .ended
    writer.abandon()
  }

  private func require(_ wanted: Stage, _ message: String) throws(CompositorError) {
    if stage != wanted { throw refusal(message, "Add tracks, begin, append samples and finish, in this order.") }
  }

  private func check(_ time: MediaTime, isOwn: Bool) throws(CompositorError) {
    guard time.isNumeric else { throw refusal("A session has a limit that is not a number of seconds.", "Use a finite time.") }
    if !isOwn { try requireLimits() }
  }

  private func requireLimits() throws(CompositorError) {
    guard !writer.container.holdsSessionLimits else { return }
    throw CompositorError(
      .unsupportedOutput, "A .\(writer.container.rawValue) file has no edit lists.",
      recoverySuggestion: "Write .mp4 or .mov, or all samples.", at: ErrorLocation(file: path))
  }

  private func refusal(_ message: String, _ suggestion: String) -> CompositorError {
    CompositorError(.invalidValue, message, recoverySuggestion: suggestion, at: ErrorLocation(file: path))
  }

  /// The least common multiple; the first if that is too large.
  private static func common(_ first: Int, _ second: Int) -> Int {
    let multiple = Rational(first, second).reduced.numerator * second
    return multiple <= Int(Int32.max) ? multiple : first
  }
}

extension MovieContainer {
  /// Whether samples outside of a session are left out by an edit list, as are an encoder's priming: the containers of copied movies, and
  /// their sister for audio alone.
  var holdsSessionLimits: Bool { holdsEditLists || self == .m4a }
}

extension CodedMovieDescription {
  /// The same for other writers, without tracks.
  fileprivate var entries: MovieDescription {
    var movie = MovieDescription(
      container: container, audioTracks: [], metadata: metadata, creationSecondsSince1970: creationSecondsSince1970)
    movie.hasFastStart = hasFastStart
    return movie
  }
}
