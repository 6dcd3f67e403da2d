import CCompositorFFmpeg
public import CompositorAPI
public import CompositorMediaIO

/// Writes a movie file: encodes, interleaves and writes video and audio as they arrive.
///
/// The file is created or replaced at exactly the given path; the caller gives it its final name. To a ``MovieStream``, bytes
/// are written in order and never changed. Frames are passed to the encoder by reference. Not thread-safe: one owner at a time.
///
/// Memory is bounded: the encoder keeps its lookahead (about 50 frames for H.264 at the medium preset, as encoded copies rather
/// than the given frames), and while a track receives nothing, at most 5 seconds of packets of the others wait for it.
public final class MovieWriter: MovieSink, MuxerWriting {
  /// The movie's description.
  public let description: MovieDescription
  /// The file's path, as the caller gave it.
  public let path: String

  /// The stream to write to instead of a file.
  private let stream: MovieStream?
  private var muxer: OpaquePointer?
  private let video: VideoEncoder?
  private var audio: [AudioTrack] = []
  private var subtitles: [SubtitleWriting] = []
  private var videoTrack: Int32 = -1
  private var failure: CompositorError?
  private var isFinished = false
  private var frameCount = 0
  private var packetCount = 0
  private var draining = Draining.notBegun

  /// The progress of emptying the encoders.
  private enum Draining {
    case notBegun, video, audio(Int), done
  }
  private var lastTime: Int64 = -1
  /// End of the video so far, in units of the timing.
  private var videoEnd: Int64 = 0

  /// An audio track that is being written.
  private struct AudioTrack {
    let encoder: AudioEncoder
    let settings: AudioEncodingSettings
    var index: Int32 = -1
    var sampleCount: Int64 = 0
    /// Number of samples in the packets that have left the encoder, including its padding.
    var encodedCount: Int64 = 0
  }

  /// Opens the encoders, creates the file and writes the header.
  ///
  /// - Throws: The errors of ``MovieDescription/validate()``; `.writeFailed` if the file cannot be created; `.encodeFailed` if
  ///   an encoder rejects its settings. On failure, the file is removed.
  public convenience init(_ description: MovieDescription, path: String) throws(CompositorError) {
    try self.init(description, path: path, stream: nil)
  }

  /// Opens the encoders and writes the header to a stream.
  ///
  /// - Throws: The errors of ``MovieDescription/validate()`` and ``MovieStream/validate(_:)``; `.encodeFailed` if an encoder
  ///   rejects its settings; `.writeFailed`, also if the stream has no reader; `.cancelled` after ``MovieStream/stop()``.
  public convenience init(_ description: MovieDescription, to stream: MovieStream) throws(CompositorError) {
    try stream.validate(description.container)
    try self.init(description, path: stream.name, stream: stream)
  }

  private init(_ description: MovieDescription, path: String, stream: MovieStream?) throws(CompositorError) {
    do throws(CompositorError) { try description.validate() } catch { throw error.locating(ErrorLocation(file: path)) }
    self.description = description
    self.path = path
    self.stream = stream
    var muxer: OpaquePointer?
    let creation = WriteFailure { failure in
      guard let stream else { return cff_muxer_create(description.container.muxerName, path, &muxer, &failure) }
      var target = cff_stream_target(stream)
      return cff_muxer_create_stream(description.container.muxerName, &target, &muxer, &failure)
    }
    if let creation { throw creation.writing(path) }
    do throws(CompositorError) {
      if let track = description.video { video = try VideoEncoder(track, muxer: muxer, path: path) } else { video = nil }
      for track in description.audioTracks {
        let settings = track.encoding.settled(for: description.container)
        let encoder = try AudioEncoder(settings, muxer: muxer, path: path)
        audio.append(AudioTrack(encoder: encoder, settings: settings))
      }
    } catch {
      cff_muxer_destroy(&muxer)
      if stream == nil { cff_remove_regular_file(path) }
      throw error
    }
    self.muxer = muxer
    do throws(CompositorError) {
      try addTracks()
      try writeHeader()
    } catch {
      abandon()
      throw error
    }
  }

  deinit { cff_muxer_destroy(&muxer) }

  /// Encodes a frame; see ``MovieSink/append(_:at:duration:)``. With constant timing, its time and duration must be multiples
  /// of the frame duration.
  public func append(_ frame: Frame, at time: MediaTime, duration: MediaTime) throws(CompositorError) {
    try perform { () throws(CompositorError) in
      guard let video, let track = description.video else {
        throw CompositorError(
          .invalidValue, "A frame was appended, but the movie has no video.", recoverySuggestion: "Describe a video track.",
          at: ErrorLocation(file: path, time: time))
      }
      try check(frame, of: track, at: time)
      let (start, end) = try units(of: track.timing, from: time, duration: duration)
      try video.send(frame, time: start, duration: end - start)
      (lastTime, videoEnd) = (start, end)
      frameCount += 1
      try writePackets(of: video)
      try writeSubtitles(before: time + duration)
    }
  }

  /// Encodes audio; see ``MovieSink/append(_:count:track:)``.
  public func append(_ block: AudioBlock, count: Int, track: Int) throws(CompositorError) {
    try perform { () throws(CompositorError) in
      guard audio.indices.contains(track) else {
        throw CompositorError(
          .invalidValue, "The movie has no audio track \(track), but \(audio.count) of them.",
          recoverySuggestion: "Append to a track that the description has.", at: ErrorLocation(file: path))
      }
      guard block.channelCount == audio[track].settings.channelCount, (0...block.capacity).contains(count) else {
        throw CompositorError(
          .invalidValue, "\(count) samples of \(block.channelCount) channels do not fit the movie's audio track \(track).",
          recoverySuggestion: "Append as many channels as the description says, and no more samples than the block holds.",
          at: ErrorLocation(file: path))
      }
      var offset = 0
      while offset < count {
        offset += try audio[track].encoder.take(block.channels, offset: offset, count: count - offset)
        try writePackets(ofTrack: track)
      }
      audio[track].sampleCount += Int64(count)
    }
  }

  /// Number of samples until an audio track is as long as the video so far; see ``MovieSink/missingAudioSampleCount(track:)``.
  public func missingAudioSampleCount(track: Int) -> Int64 {
    guard let video = description.video, audio.indices.contains(track) else { return 0 }
    return max(0, audio[track].settings.sampleCount(lasting: end(of: video)) - audio[track].sampleCount)
  }

  /// Number of frames that have left the encoder; `nil` without video.
  public var encodedFrameCount: Int? { video == nil ? nil : min(packetCount, frameCount) }

  /// Number of samples per channel of the first audio track that have left the encoder; 0 without audio.
  public var encodedSampleCount: Int64 { audio.first.map { min($0.encodedCount, $0.sampleCount) } ?? 0 }

  /// Encodes the next packet of video, or the rest of an audio track; see ``MovieSink/drain()``.
  public func drain() throws(CompositorError) -> Bool {
    var goesOn = false
    try perform { () throws(CompositorError) in goesOn = try drainStep() }
    return goesOn
  }

  /// Empties the encoders, writes the index, and syncs and closes the file.
  ///
  /// - Throws: `.encodeFailed`; `.writeFailed`, also if the disk turns out to be full. Call ``abandon()`` then.
  public func finish() throws(CompositorError) -> MovieSummary {
    var byteCount: Int64 = 0
    try perform { () throws(CompositorError) in
      while try drainStep() {}
      try check { cff_muxer_finish(muxer, &byteCount, &$0) }
    }
    isFinished = true
    cff_muxer_destroy(&muxer)
    return MovieSummary(
      path: path, frameCount: frameCount, duration: duration, audioSampleCounts: audio.map(\.sampleCount), byteCount: byteCount)
  }

  /// Closes and removes the file, unless it was finished. A stream is left as it is.
  public func abandon() {
    guard !isFinished, muxer != nil else { return }
    cff_muxer_destroy(&muxer)
    if stream == nil { cff_remove_regular_file(path) }
  }

  /// Runs a step if the writer is open. After a failure, throws that failure again.
  private func perform(_ body: () throws(CompositorError) -> Void) throws(CompositorError) {
    if let failure { throw failure }
    guard muxer != nil else {
      throw CompositorError(
        .writeFailed, "The movie is already closed.", recoverySuggestion: "Make another writer.", at: ErrorLocation(file: path))
    }
    do throws(CompositorError) { try body() } catch {
      failure = error
      throw error
    }
  }
}

extension MovieWriter {
  /// End of the last frame; without video, of the longest audio track.
  private var duration: MediaTime {
    if let video = description.video { return end(of: video) }
    return audio.map { MediaTime(value: $0.sampleCount, timescale: Int32(clamping: $0.settings.sampleRate)) }.max() ?? .zero
  }

  private func end(of video: VideoTrackDescription) -> MediaTime {
    let unit = video.timing.unit
    let (value, overflow) = videoEnd.multipliedReportingOverflow(by: Int64(unit.numerator))
    return overflow ? .positiveInfinity : MediaTime(value: value, timescale: Int32(unit.denominator))
  }

  private func check(_ frame: Frame, of expected: VideoTrackDescription, at time: MediaTime) throws(CompositorError) {
    guard frame.format == expected.format, frame.size == expected.size else {
      throw CompositorError(
        .invalidCompositorOutput,
        "A frame of \(frame.size) \(frame.format) was appended to a movie of \(expected.size) \(expected.format).",
        recoverySuggestion: "Convert the frame first.", at: ErrorLocation(file: path, time: time))
    }
  }

  /// Start and end in units of the timing. The frame must follow the previous one and must not be empty.
  private func units(
    of timing: MovieTimeUnits, from time: MediaTime, duration: MediaTime
  ) throws(CompositorError) -> (start: Int64, end: Int64) {
    let place = ErrorLocation(file: path, time: time)
    do throws(CompositorError) {
      let start = try timing.units(at: time)
      let end = try max(start + 1, timing.units(at: time + duration))
      guard start > lastTime, end < Int64.max >> 24, duration > .zero else {
        throw CompositorError(
          .invalidValue, "A frame at \(time.readable) for \(duration.readable) does not follow the previous one.",
          recoverySuggestion: "Append frames in order, each with a positive duration.")
      }
      return (start, end)
    } catch { throw error.locating(place) }
  }

  private func addTracks() throws(CompositorError) {
    if let video, let track = description.video {
      videoTrack = try HeaderWriting(muxer: muxer, path: path).addVideo(video, track, container: description.container)
    }
    for (index, track) in description.audioTracks.enumerated() {
      audio[index].index = try HeaderWriting(muxer: muxer, path: path).addAudio(
        audio[index].encoder, track, container: description.container, isDefault: index == description.defaultAudioTrack)
    }
    for track in description.subtitleTracks {
      subtitles.append(
        try HeaderWriting(muxer: muxer, path: path).addSubtitles(track, container: description.container))
    }
  }

  private func writeSubtitles(before time: MediaTime) throws(CompositorError) {
    for index in subtitles.indices { try subtitles[index].write(to: muxer, before: time, path: path) }
  }

  private func writeHeader() throws(CompositorError) {
    try HeaderWriting(muxer: muxer, path: path, isStream: stream != nil).write(description)
  }

  private func drainStep() throws(CompositorError) -> Bool {
    switch draining {
    case .notBegun:
      try video?.sendEnd()
      draining = .video
    case .video:
      if let video, try writePacket(of: video) { return true }
      draining = .audio(0)
    case .audio(let track) where audio.indices.contains(track):
      try audio[track].encoder.sendEnd()
      try writePackets(ofTrack: track)
      draining = .audio(track + 1)
    case .audio:
      try writeSubtitles(before: .positiveInfinity)
      draining = .done
    case .done: return false
    }
    return true
  }

  private func writePackets(of video: VideoEncoder) throws(CompositorError) {
    while try writePacket(of: video) {}
  }

  /// Writes the next packet if there is one. Returns whether there was.
  private func writePacket(of video: VideoEncoder) throws(CompositorError) -> Bool {
    guard try video.receive() else { return false }
    try check { cff_muxer_write(muxer, videoTrack, video.handle, &$0) }
    packetCount += 1
    return true
  }

  private func writePackets(ofTrack index: Int) throws(CompositorError) {
    let track = audio[index]
    while try track.encoder.receive() {
      try check { cff_muxer_write(muxer, track.index, track.encoder.handle, &$0) }
      audio[index].encodedCount += Int64(track.encoder.packetSize)
    }
  }
}
