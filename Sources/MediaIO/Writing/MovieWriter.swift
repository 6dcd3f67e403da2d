import CCompositorFFmpeg
public import CompositorAPI

/// Writes a movie file: pictures and sound are encoded, interleaved and written as they come.
///
/// The file is created, or emptied, under exactly the path given; giving it its final name is the caller's. Frames are
/// handed to the encoder by reference. Not thread-safe: one owner at a time.
///
/// Memory is bounded: the encoder keeps the frames it looks ahead at (about 50 for H.264 at the medium preset, encoded copies,
/// not the frames given), and where only one of pictures and sound comes, at most 5 seconds of packets wait for the other.
public final class MovieWriter: MovieSink {
  /// What the movie holds.
  public let description: MovieDescription
  /// The file, as the caller named it.
  public let path: String

  private var muxer: OpaquePointer?
  private var video: VideoEncoder
  private var audio: AudioEncoder?
  private var videoTrack: Int32 = -1
  private var audioTrack: Int32 = -1
  private var failure: CompositorError?
  private var isFinished = false
  private var frameCount = 0
  private var lastTime: Int64 = -1
  /// End of the pictures so far, in units of the timing.
  private var videoEnd: Int64 = 0
  private var audioSampleCount: Int64 = 0

  /// Opens the encoders, creates the file and writes the header.
  ///
  /// - Throws: what ``MovieDescription/validate()`` throws; `.writeFailed` where the file cannot be created; `.encodeFailed`
  ///   where an encoder refuses its settings. No file is left then.
  public init(_ description: MovieDescription, path: String) throws(CompositorError) {
    do throws(CompositorError) { try description.validate() } catch { throw error.locating(ErrorLocation(file: path)) }
    self.description = description
    self.path = path
    var muxer: OpaquePointer?
    let status = cff_muxer_create(description.container.muxerName, path, &muxer)
    guard status >= 0 else { throw WriteFailure(number: status).writing(path) }
    do throws(CompositorError) {
      video = try VideoEncoder(description.video, muxer: muxer, path: path)
      if let settings = description.audio { audio = try AudioEncoder(settings, muxer: muxer, path: path) }
    } catch {
      cff_muxer_destroy(&muxer)
      cff_remove_regular_file(path)
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
      try check(frame, at: time)
      let (start, end) = try units(from: time, duration: duration)
      try video.send(frame, time: start, duration: end - start)
      (lastTime, videoEnd) = (start, end)
      frameCount += 1
      try writeVideoPackets()
    }
  }

  /// Encodes sound; see ``MovieSink/append(_:count:)``.
  public func append(_ block: AudioBlock, count: Int) throws(CompositorError) {
    try perform { () throws(CompositorError) in
      guard let audio, block.channelCount == description.audio?.channelCount, (0...block.capacity).contains(count) else {
        throw CompositorError(
          .invalidValue, "\(count) samples of \(block.channelCount) channels do not fit the movie's sound track.",
          recoverySuggestion: "Append as many channels as the description says, and no more samples than the block holds.",
          at: ErrorLocation(file: path))
      }
      var offset = 0
      while offset < count {
        offset += try audio.take(block.channels, offset: offset, count: count - offset)
        try writeAudioPackets()
      }
      audioSampleCount += Int64(count)
    }
  }

  /// Samples until the sound is as long as the pictures so far.
  public var missingAudioSampleCount: Int64 {
    guard let settings = description.audio else { return 0 }
    return max(0, settings.sampleCount(lasting: end) - audioSampleCount)
  }

  /// Empties the encoders, writes the index, syncs and closes the file.
  ///
  /// - Throws: `.encodeFailed`; `.writeFailed` also where the disk is found full only now. Call ``abandon()`` then.
  public func finish() throws(CompositorError) -> MovieSummary {
    var byteCount: Int64 = 0
    try perform { () throws(CompositorError) in
      try video.sendEnd()
      try writeVideoPackets()
      try audio?.sendEnd()
      try writeAudioPackets()
      try check(cff_muxer_finish(muxer, &byteCount))
    }
    isFinished = true
    cff_muxer_destroy(&muxer)
    return MovieSummary(
      path: path, frameCount: frameCount, duration: end, audioSampleCount: audioSampleCount, byteCount: byteCount)
  }

  /// Closes and removes the file, unless it was finished.
  public func abandon() {
    guard !isFinished, muxer != nil else { return }
    cff_muxer_destroy(&muxer)
    cff_remove_regular_file(path)
  }

  /// Whether the movie's writer is still open; after a failure, that failure again.
  private func perform(_ body: () throws(CompositorError) -> Void) throws(CompositorError) {
    if let failure { throw failure }
    guard muxer != nil else {
      throw CompositorError(
        .writeFailed, "The movie is closed already.", recoverySuggestion: "Make another writer.", at: ErrorLocation(file: path))
    }
    do throws(CompositorError) { try body() } catch {
      failure = error
      throw error
    }
  }
}

extension MovieWriter {
  /// End of the last frame.
  private var end: MediaTime {
    let unit = description.video.timing.unit
    let (value, overflow) = videoEnd.multipliedReportingOverflow(by: Int64(unit.numerator))
    return overflow ? .positiveInfinity : MediaTime(value: value, timescale: Int32(unit.denominator))
  }

  private func check(_ frame: Frame, at time: MediaTime) throws(CompositorError) {
    let expected = description.video
    guard frame.format == expected.format, frame.size == expected.size else {
      throw CompositorError(
        .invalidCompositorOutput,
        "A frame of \(frame.size) \(frame.format) came to a movie of \(expected.size) \(expected.format).",
        recoverySuggestion: "Convert the frame first.", at: ErrorLocation(file: path, time: time))
    }
  }

  /// Start and end in units of the timing: after the frame before, and not empty.
  private func units(from time: MediaTime, duration: MediaTime) throws(CompositorError) -> (start: Int64, end: Int64) {
    let timing = description.video.timing
    let place = ErrorLocation(file: path, time: time)
    do throws(CompositorError) {
      let start = try timing.units(at: time)
      let length = try max(1, timing.units(at: duration))
      let (end, overflow) = start.addingReportingOverflow(length)
      guard start > lastTime, !overflow, end < Int64.max >> 24, duration > .zero else {
        throw CompositorError(
          .invalidValue, "A frame at \(time) for \(duration) does not follow the one before.",
          recoverySuggestion: "Append frames in order, each with a positive duration.")
      }
      return (start, end)
    } catch { throw error.locating(place) }
  }

  private func addTracks() throws(CompositorError) {
    let rate = description.video.timing.nominalFrameRate
    var mastering = cff_mastering_metadata(description.video.attributes.hdr)
    // Players of Apple's read HEVC only under this name.
    let tag = description.video.encoding.codec == .hevc && description.container != .mkv ? "hvc1" : nil
    videoTrack = cff_muxer_add_track(
      muxer, video.handle, Int32(description.video.timing.timescale), Int32(rate.numerator), Int32(rate.denominator), tag,
      &mastering)
    try check(videoTrack)
    guard let audio, let settings = description.audio else { return }
    audioTrack = cff_muxer_add_track(muxer, audio.handle, Int32(settings.sampleRate), 0, 1, nil, nil)
    try check(audioTrack)
  }

  private func writeHeader() throws(CompositorError) {
    for (key, value) in description.metadata.sorted(by: { $0.key < $1.key }) {
      try check(cff_muxer_set_metadata(muxer, key, value))
    }
    if let date = description.creationSecondsSince1970 { try check(cff_muxer_set_creation_time(muxer, Int64(date))) }
    try check(cff_muxer_write_header(muxer, headerOptions))
  }

  private var headerOptions: String {
    guard description.container.keepsExactTimes else { return "" }
    return "movflags=+faststart\nmovie_timescale=\(movieTimescale)"
  }

  /// Units in which the file counts whole tracks: with both clocks as factors the edit lists, and so the durations that
  /// players show, are exact.
  private var movieTimescale: Int {
    let videoScale = description.video.timing.timescale
    guard let rate = description.audio?.sampleRate else { return videoScale }
    let common = Rational(videoScale, rate).reduced.numerator * rate
    return common <= Int(Int32.max) ? common : videoScale
  }

  private func writeVideoPackets() throws(CompositorError) {
    while try video.receive() { try check(cff_muxer_write(muxer, videoTrack, video.handle)) }
  }

  private func writeAudioPackets() throws(CompositorError) {
    guard let audio else { return }
    while try audio.receive() { try check(cff_muxer_write(muxer, audioTrack, audio.handle)) }
  }

  private func check(_ status: Int32) throws(CompositorError) {
    guard status >= 0 else { throw WriteFailure(number: status).writing(path) }
  }
}

extension cff_mastering_metadata {
  init(_ hdr: HDRMetadata?) {
    self.init()
    if let display = hdr?.masteringDisplay {
      has_display = 1
      (red, green, blue, white) = (display.red.scaled, display.green.scaled, display.blue.scaled, display.white.scaled)
      maximum_luminance = display.maximumLuminance.scaledLuminance
      minimum_luminance = display.minimumLuminance.scaledLuminance
    }
    if let light = hdr?.contentLightLevel {
      has_light_level = 1
      (maximum_content, maximum_average) = (light.clampedContent, light.clampedAverage)
    }
  }
}
