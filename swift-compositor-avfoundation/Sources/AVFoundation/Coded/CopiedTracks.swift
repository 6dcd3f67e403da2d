internal import Compositor
internal import Foundation

extension WriterPlan.Copied {
  /// What players show of the track; `nil` for what its file states.
  func description(of track: CodedTrack, in info: MediaInfo) -> CodedTrackDescription? {
    guard language != nil || title != nil else { return nil }
    let video = type == .video ? info.videoTracks.first { $0.index == track.index } : nil
    let audio = type == .audio ? info.audioTracks.first { $0.index == track.index } : nil
    return CodedTrackDescription(
      language: language ?? video?.language ?? audio?.language, title: title ?? video?.title ?? audio?.title)
  }
}

/// The tracks of a movie whose samples are written as they are.
///
/// The file is opened when the formats of all of them are known: from the hints of inputs, or from their first samples, which wait until then.
final class CopiedTracks {
  private let plan: WriterPlan
  private let path: String
  private let start: CMTime
  private var writer: CodedMediaWriter?
  private var sources: [CodedSource?]
  private var tracks: [CodedMediaWriter.Track?]
  /// The format of each track, and the file that had it last.
  private var formats: [(format: CodedFormat, source: CodedSource)?]
  private var waiting: [(sample: CodedSample, track: Int)] = []
  /// Tracks that have samples.
  private(set) var filled: Set<Int> = []

  /// - Parameters:
  ///   - path: The file to be written.
  ///   - start: The time of samples at which the file begins.
  init(_ plan: WriterPlan, path: String, start: CMTime) {
    (self.plan, self.path, self.start) = (plan, path, start)
    sources = plan.copied.map(\.source)
    tracks = plan.copied.map { _ in nil }
    formats = plan.copied.map { _ in nil }
  }

  /// Takes a sample of an input.
  ///
  /// - Throws: If its format is not that of the track; why it cannot be written.
  func append(_ payload: CodedPayload, track: Int) throws {
    filled.insert(track)
    if sources[track] == nil { sources[track] = payload.source }
    try checkFormat(of: payload, track: track)
    guard let writer else {
      waiting.append((payload.sample, track))
      if sources.allSatisfy({ $0 != nil }) { try open() }
      return
    }
    try write(payload.sample, track, to: writer)
  }

  /// Samples of another file may follow if they have the same format.
  private func checkFormat(of payload: CodedPayload, track: Int) throws {
    let known = formats[track]
    guard known?.source !== payload.source else { return }
    let format = try payload.source.use { (reader) throws(CompositorError) in try reader.format(of: payload.sample.track) }
    if let known, known.format != format {
      throw AVError(
        .formatUnsupported, "The samples have not the format of those before.",
        suggestion: "Decode them, and pass outputSettings to AVAssetWriterInput.")
    }
    formats[track] = (format, payload.source)
  }

  private func write(_ sample: CodedSample, _ track: Int, to writer: CodedMediaWriter) throws {
    guard let written = tracks[track] else {
      throw AVError(.formatUnsupported, "The format of an input became known too late.", suggestion: "Pass sourceFormatHint.")
    }
    try writer.append(sample, to: written)
  }

  private func open() throws {
    var description = CodedMovieDescription(container: plan.container, metadata: plan.metadata)
    description.hasFastStart = plan.hasFastStart && !plan.isMixed
    let writer = try CodedMediaWriter(description, path: path)
    for (index, copied) in plan.copied.enumerated() {
      guard let source = sources[index] else { continue }
      tracks[index] = try source.use { (reader) throws(CompositorError) in
        let track = try writer.addTrack(
          copying: source.origin.track, of: reader,
          description: copied.description(of: source.origin.track, in: reader.info))
        return track
      }
    }
    try writer.begin(at: start.media)
    self.writer = writer
    for (sample, track) in waiting { try write(sample, track, to: writer) }
    waiting = []
  }

  /// Completes the file.
  ///
  /// - Parameter end: The time of samples at which the movie ends, if the program gave one.
  /// - Returns: False if there is none, because nothing was appended.
  /// - Throws: Why there is no file.
  func finish(at end: CMTime?) throws -> Bool {
    guard !filled.isEmpty else {
      abandon()
      return false
    }
    if writer == nil { try open() }
    try writer?.finish(at: end?.media)
    return true
  }

  /// Closes and removes the file, if it is not complete.
  func abandon() {
    writer?.abandon()
    (writer, waiting) = (nil, [])
  }
}
