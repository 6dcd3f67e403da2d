internal import Compositor
internal import Foundation

/// What a writer is to write, as values.
struct WriterPlan: Sendable {
  /// A track with pictures.
  struct Video: Sendable {
    let settings: VideoInputSettings
    let transform: CGAffineTransform
    let language: String?
    let title: String?
    /// Units per second of frame times; 0 to take them from the first frames.
    let timescale: CMTimeScale
  }

  /// A track with audio.
  struct Audio: Sendable {
    let settings: AudioInputSettings
    let language: String?
    let title: String?
  }

  /// A track whose samples are written as they are.
  struct Copied: Sendable {
    let type: MediaType
    /// Where its format was read; `nil` if it is not known before the first sample.
    let source: CodedSource?
    /// How players turn the pictures; `nil` for audio.
    let transform: CGAffineTransform?
    let language: String?
    let title: String?
  }

  /// What an input is: the track with pictures, one with audio, or one that is copied.
  enum Place: Sendable {
    case video
    case audio(Int)
    case copied(Int)
  }

  let container: MovieContainer
  let target: URL
  /// Where the file is made before it gets its name.
  let folder: URL
  let hasFastStart: Bool
  let metadata: [String: String]
  var video: Video?
  var audio: [Audio] = []
  var copied: [Copied] = []
  /// The inputs in their order.
  var order: [Place] = []

  /// Whether anything is encoded.
  var encodes: Bool { video != nil || !audio.isEmpty }
  /// Whether some tracks are encoded, and others are copied.
  var isMixed: Bool { encodes && !copied.isEmpty }

  /// The movie.
  ///
  /// - Parameters:
  ///   - track: The track with pictures, if any were appended.
  func description(_ track: VideoTrackDescription?) -> MovieDescription {
    var track = track
    if let video {
      track?.preferredTransform = video.transform.matrix
      track?.language = video.language
      track?.title = video.title
    }
    var movie = MovieDescription(
      container: container, video: track,
      audioTracks: audio.map { audio in
        var track = AudioTrackDescription(encoding: audio.settings.encoding, language: audio.language)
        track.title = audio.title
        return track
      },
      metadata: metadata)
    movie.hasFastStart = hasFastStart
    return movie
  }

  /// Checks that everything can be written.
  ///
  /// - Throws: What cannot.
  func validate() throws(AVError) {
    guard encodes || copied.isEmpty else { return }
    let timing = MovieTimeUnits.variable(timescale: 600, nominalFrameRate: Rational(30, 1))
    do throws(CompositorError) {
      try description(video?.settings.description(in: container, timing: timing)).validate()
    } catch {
      throw AVError(error, about: target.path)
    }
  }
}

/// The file of a writer. One job at a time uses it.
final class MovieFile: @unchecked Sendable {
  private let plan: WriterPlan
  private let temporary: URL
  /// The files of what is encoded and of what is copied: one, unless there is both.
  private let encodedFile, copiedFile: URL
  private let copies: CopiedTracks
  /// The time of samples at which the file of copied tracks begins.
  private let copiesStart: CMTime
  private let start: CMTime
  private var writer: MovieWriter?
  private var fitting: FrameFitting?
  private var audio: [AudioTrackWriter]
  private var held: (picture: AppendedPicture, time: CMTime, duration: CMTime)?
  /// The duration of the frame before the one that is held.
  private var lastDuration = CMTime.invalid
  /// The end of what is written of pictures.
  private var videoEnd = CMTime.zero

  /// - Parameter start: The time of samples at which the movie begins.
  init(_ plan: WriterPlan, temporary: URL, start: CMTime) {
    (self.plan, self.temporary, self.start) = (plan, temporary, start)
    let stem = temporary.deletingPathExtension()
    encodedFile = plan.isMixed ? stem.appendingPathExtension("encoded.\(plan.container.rawValue)") : temporary
    copiedFile = plan.isMixed ? stem.appendingPathExtension("copied.\(plan.container.rawValue)") : temporary
    // A part has all samples. Readers of files with edit lists don't give those that are left out.
    copiesStart = plan.isMixed ? CMTimeMinimum(start, .zero) : start
    copies = CopiedTracks(plan, path: copiedFile.path, start: copiesStart)
    audio = plan.audio.enumerated().map { AudioTrackWriter($1.settings, index: $0, folder: plan.folder) }
  }

  /// Takes a picture. It is written when the next one gives its duration.
  ///
  /// - Parameter end: The end of the session, if it is known.
  /// - Throws: If it does not follow the one before; why it cannot be written.
  func append(_ picture: AppendedPicture, at time: CMTime, lasting duration: CMTime, until end: CMTime?) async throws {
    let time = time - start
    if let held {
      guard time > held.time else {
        throw AVError(
          .unknown, "A picture at \((time + start).seconds) s does not follow the one at \((held.time + start).seconds) s.",
          suggestion: "Append pictures in the order of their times.")
      }
      try await write(until: end.map { CMTimeMinimum(time, $0 - start) } ?? time)
    }
    held = (picture, time, duration)
  }

  /// Takes audio of an input.
  func append(_ samples: AppendedAudio, at time: CMTime, track: Int, until end: CMTime?) throws {
    if writer == nil, plan.video == nil { try open(nil) }
    try audio[track].append(samples, at: time - start, until: end.map { $0 - start }, to: writer)
  }

  /// Takes a coded sample of an input.
  func append(_ payload: CodedPayload, track: Int) throws { try copies.append(payload, track: track) }

  /// Writes the picture that is held, up to a time of the session.
  private func write(until end: CMTime) async throws {
    guard let held else { return }
    self.held = nil
    lastDuration = end - held.time
    let begin = CMTimeMaximum(held.time, .zero)
    guard end > begin else { return }
    if writer == nil { try open((held.picture, begin, end)) }
    guard let writer, let fitting else { return }
    try writer.append(try await fitting.frame(of: held.picture), at: begin.media, duration: (end - begin).media)
    videoEnd = end
  }

  /// Opens the file, and writes the audio that waited for it.
  private func open(_ first: (picture: AppendedPicture, begin: CMTime, end: CMTime)?) throws {
    var track: VideoTrackDescription?
    if let first, let video = plan.video {
      let timing = VideoTiming(video, begin: first.begin, end: first.end).units
      let made = video.settings.description(
        in: plan.container, color: first.picture.attributes.color, source: first.picture.format, timing: timing)
      track = made
      fitting = FrameFitting(made, video.settings.scaling)
    }
    let writer = try MovieWriter(plan.description(track), path: encodedFile.path)
    self.writer = writer
    for track in audio { try track.open(writer) }
  }

  /// Writes the rest, and gives the file its name.
  ///
  /// - Parameter end: The end of the session, if the program gave one.
  /// - Throws: Why there is no file.
  func finish(at end: CMTime?) async throws {
    let hasCopies = try copies.finish(at: plan.isMixed ? nil : end)
    let hasEncoded = plan.encodes ? try await finishEncoding(at: end.map { $0 - start }) : false
    guard hasCopies || hasEncoded else {
      throw AVError(
        .unknown, "Nothing was appended in the session.", suggestion: "Append samples before the writer is finished.")
    }
    if plan.isMixed {
      let merge = PartsMerge(
        plan: plan, encoded: hasEncoded ? (encodedFile.path, audio.indices.filter { audio[$0].written > 0 }) : nil,
        copied: hasCopies ? (copiedFile.path, copies.filled) : nil, starts: (start.media, copiesStart.media))
      try merge.write(to: temporary.path, until: end?.media)
      removeParts()
    }
    try TrackMatrix.set(matrices(), in: temporary)
    guard !FileManager.default.fileExists(atPath: plan.target.path) else { throw AVError.exists(plan.target) }
    do { try FileManager.default.moveItem(at: temporary, to: plan.target) } catch {
      throw AVError(.unknown, "\(plan.target.path) cannot be written: \(error.localizedDescription)")
    }
  }

  /// How players turn copied pictures, by the place of the track in the file, which has those with samples.
  private func matrices() -> [Int: CGAffineTransform] {
    var (matrices, place): ([Int: CGAffineTransform], Int) = ([:], 0)
    for input in plan.order {
      switch input {
      case .video: if videoEnd > .zero { place += 1 }
      case .audio(let index): if audio[index].written > 0 { place += 1 }
      case .copied(let index):
        guard copies.filled.contains(index) else { continue }
        if let transform = plan.copied[index].transform { matrices[place] = transform }
        place += 1
      }
    }
    return matrices
  }

  private func removeParts() {
    for part in [encodedFile, copiedFile] where part != temporary { try? FileManager.default.removeItem(at: part) }
  }

  /// Writes the rest of what is encoded.
  ///
  /// - Parameter end: The end of the session, counted from its start.
  /// - Returns: False if there was nothing.
  private func finishEncoding(at end: CMTime?) async throws -> Bool {
    if let held {
      let usual = held.duration.isNumeric && held.duration > .zero ? held.duration : lastDuration
      let rate = plan.video?.settings.expectedRate ?? 30
      let duration = usual.isNumeric ? usual : CMTime(seconds: 1 / rate, preferredTimescale: 90_000)
      try await write(until: end ?? held.time + duration)
    }
    for track in audio { try track.finish(at: end, to: writer) }
    if writer == nil {
      guard audio.contains(where: { $0.written > 0 }) else { return false }
      try open(nil)
    }
    _ = try writer?.finish()
    let ends = audio.map { CMTime(value: $0.written, timescale: CMTimeScale($0.settings.encoding.sampleRate)) } + [videoEnd]
    let written = ends.reduce(CMTime.zero) { CMTimeMaximum($0, $1) }
    // An end between two samples of audio is not exceeded.
    if let end, written - end > CMTime(value: 1, timescale: 8000) { try await cut(at: end) }
    return true
  }

  /// Ends the movie earlier than what was written before the session's end was known, without encoding it again.
  private func cut(at end: CMTime) async throws {
    let whole = encodedFile.deletingPathExtension().appendingPathExtension("cut.\(plan.container.rawValue)")
    defer { try? FileManager.default.removeItem(at: whole) }
    if plan.video == nil {
      // What is copied by an export follows pictures.
      try cutAudio(at: end, to: whole)
    } else {
      try await cutMovie(at: end, to: whole)
    }
    try FileManager.default.removeItem(at: encodedFile)
    try FileManager.default.moveItem(at: whole, to: encodedFile)
  }

  private func cutAudio(at end: CMTime, to whole: URL) throws {
    let reader = try CodedMediaReader(path: encodedFile.path)
    var description = CodedMovieDescription(container: plan.container, metadata: plan.metadata)
    description.hasFastStart = plan.hasFastStart
    let copy = try CodedMediaWriter(description, path: whole.path)
    var tracks: [CodedTrack: CodedMediaWriter.Track] = [:]
    for track in reader.tracks { tracks[track] = try copy.addTrack(copying: track, of: reader) }
    try copy.begin()
    while let sample = try reader.next() {
      if let track = tracks[sample.track] { try copy.append(sample, to: track) }
    }
    try copy.finish(at: end.media)
  }

  private func cutMovie(at end: CMTime, to whole: URL) async throws {
    var translation = EditTranslation(asset: AVURLAsset(url: encodedFile))
    translation.timeRange = CMTimeRange(start: .zero, end: end)
    let edit = try translation.translated()
    var settings = SessionPreset.passthrough.settings(for: edit)
    settings.fastStart = true
    _ = try await Exporter.export(edit.composition, to: whole.path, settings: settings) { _ in }
  }

  /// Closes and removes the file.
  func abandon() {
    writer?.abandon()
    copies.abandon()
    (writer, held, audio) = (nil, nil, [])
    removeParts()
    try? FileManager.default.removeItem(at: temporary)
  }
}

extension AVError {
  static func exists(_ url: URL) -> AVError {
    AVError(.fileAlreadyExists, "\(url.path) exists.", suggestion: "Remove it, or choose another name.")
  }
}

/// Units of frame times, which hold those of the first frame exactly.
struct VideoTiming {
  let units: MovieTimeUnits

  init(_ video: WriterPlan.Video, begin: CMTime, end: CMTime) {
    func common(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? a : common(b, a % b) }
    var scale: Int64 = 600
    for part in [Int64(begin.timescale), Int64(end.timescale)] where part > 0 { scale = scale / common(scale, part) * part }
    // Clocks that count nanoseconds are rounded.
    let timescale = video.timescale > 0 ? video.timescale : scale <= 1_000_000 ? Int32(scale) : 90_000
    let seconds = (end - begin).seconds
    let rate = min(max(video.settings.expectedRate ?? (seconds > 0 ? 1 / seconds : 30), 1), 1000)
    units = .variable(timescale: timescale, nominalFrameRate: Rational(Int((rate * 1000).rounded()), 1000))
  }
}
