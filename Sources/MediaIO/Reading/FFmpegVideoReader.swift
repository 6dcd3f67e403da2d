import CompositorAPI

/// Reads a video track through libav: frame-exact at any time, cheap in order.
///
/// Holds the current frame and the next one, so that a frame's duration is known whatever the file states. Another time is
/// reached from the last key frame that is not after it. Frames that precede that key frame in presentation order are
/// discarded, because in an open group they refer to frames that were not decoded.
final class FFmpegVideoReader: VideoReader {
  let info: VideoTrackInfo
  let decoder: VideoDecoder
  let clock: FrameStampClock
  let options: VideoReaderOptions
  private let path: String
  /// Damage that was found and tolerated.
  var kept = DamageTally()
  /// Requests past the end of a truncated file.
  var missed: Set<Int64> = []

  var current: VideoDecoder.Picture?
  var following: VideoDecoder.Picture?
  private var hasStarted = false
  /// Time of the stream's first frame, once known.
  var firstTime: Int64?
  private(set) var history = FrameHistory()
  /// Steps forward since the last step back. In a long run, earlier frames are not worth their memory.
  private var forwardRun = FFmpegVideoReader.longRun

  /// Ticks for which passed frames are kept whatever their size.
  private var keptTicks: Int64 = 0

  private static let longRun = 48
  /// Whether frames are requested in backward order.
  private var isBackward = false
  /// Ticks from the previous frame to the current one; 0 if unknown.
  private var lastStep: Int64 = 0
  /// Whether unreferenced frames are skipped on the way to a distant one.
  private var skipsUnreferenced = true
  /// Frames before this time were not all decoded.
  private var completeFrom = Int64.min
  /// Number of additional frames decoded before the requested one in backward order, because each seek costs some.
  private static let backwardRun = 12

  init(_ decoder: VideoDecoder, info: VideoTrackInfo, path: String, options: VideoReaderOptions) {
    self.decoder = decoder
    self.clock = FrameStampClock(
      timebase: decoder.timebase, cadence: info.cadence, fieldRate: options.deinterlacing == .doubleRate)
    self.info = info
    self.path = path
    self.options = options
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try checkNumeric(time)
    isBackward = false
    return try frame(time, tick: clock.lastStamp(notAfter: time))
  }

  func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try checkNumeric(time)
    isBackward = true
    let tick = clock.lastStamp(before: time)
    if let firstTime, tick < firstTime { return nil }
    return try frame(clock.time(of: tick), tick: tick)
  }

  func checkNumeric(_ time: MediaTime) throws(CompositorError) {
    guard time.isNumeric else {
      throw CompositorError(
        .invalidValue, "A frame was requested at a time that is not a number of seconds.",
        recoverySuggestion: "Request a finite time.",
        at: location(time))
    }
  }

  func frame(_ time: MediaTime, tick: Int64) throws(CompositorError) -> DecodedVideoFrame? {
    try checkReadable(time, tick)
    if let firstTime, tick < firstTime { return try beforeFirst(tick, time) }
    if let entry = history.entry(at: tick), current.map({ tick < $0.time }) ?? true {
      forwardRun = 0
      try check(tick, shown: entry.picture.time, at: location(time))
      return decoded(entry.picture, end: entry.end)
    }
    do {
      try move(to: tick)
    } catch {
      throw error.locating(location(time))
    }
    guard let current else { throw nothingDecoded(time) }
    guard current.time <= tick else { return try beforeFirst(tick, time) }
    try check(tick, shown: current.time, at: location(time))
    if following == nil { try checkEnd(tick, after: current, at: location(time)) }
    return decoded(current, end: following?.time)
  }

  /// The answer before the first frame: `nil`, or the first frame in place of a lost one.
  private func beforeFirst(_ tick: Int64, _ time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    guard decoder.loss(at: tick, showing: nil) != nil else { return nil }
    try check(tick, shown: nil, at: location(time))
    return current.map { decoded($0, end: following?.time) }
  }

  var damage: [MediaDamage] { damageSoFar }
  var decodedCount: Int { decoder.pictureCount }

  func keepPassed(_ duration: MediaTime) {
    guard duration.isNumeric else { return }
    keptTicks = max(keptTicks, decoder.timebase.ticks(seconds: duration.seconds))
  }

  // MARK: moving

  private func move(to tick: Int64) throws(CompositorError) {
    try start()
    if let current, current.time <= tick {
      if isWorthSeeking(to: tick) {
        try seek(to: tick)
      } else {
        try advance(to: tick)
      }
    } else if let firstTime, tick >= firstTime {
      forwardRun = 0
      let before = (current, following)
      try seek(to: tick, from: isBackward ? backwardStart(tick) : tick)
      if current == nil, options.damaged == .keep { (current, following) = before }
    }
  }

  /// Reads the first frames of the stream once.
  func start() throws(CompositorError) {
    guard !hasStarted else { return }
    hasStarted = true
    try load()
    firstTime = current?.time
  }

  /// Whether seeking to a key frame ahead is cheaper than decoding everything in between.
  private func isWorthSeeking(to tick: Int64) -> Bool {
    guard let current, let following else { return false }
    let (step, distance) = (following.time - current.time, tick - following.time)
    guard distance > step * 12 else { return false }
    return decoder.hasKeyPicture(notAfter: tick) ?? (distance > decoder.timebase.ticks(seconds: 2))
  }

  /// The tick from which to decode so that frames before `tick` are available for later requests, as far as they can be kept.
  private func backwardStart(_ tick: Int64) -> Int64 {
    guard let current, lastStep > 0 else { return tick }
    let kept = min(Self.backwardRun, options.backwardByteCount / max(1, current.byteCount) - 1)
    return max(firstTime ?? tick, tick - Int64(max(0, kept)) * lastStep)
  }

  /// Makes the frame shown at `tick` current by decoding from the last key frame that is not after `start`.
  private func seek(to tick: Int64, from start: Int64? = nil) throws(CompositorError) {
    var target = min(tick, start ?? tick)
    var step = decoder.timebase.ticks(seconds: 0.25)
    let first = firstTime ?? Int64.min
    // Demuxers seek by decoding time, or to the nearest position they know. If that is too late, request an earlier one.
    while target >= first {
      guard let key = try keyPicture(for: target) else { break }
      if key <= tick {
        try load()
        if let current, current.time <= tick { return try advance(to: tick) }
      }
      let earlier = min(target, key).subtractingReportingOverflow(step)
      if earlier.overflow { break }
      target = earlier.partialValue
      step = step.multipliedReportingOverflow(by: 2).partialValue
    }
    try decoder.rewind()
    try load()
    firstTime = current?.time
    try advance(to: tick)
  }

  /// Reads the first two frames from the decoder's position.
  private func load() throws(CompositorError) {
    (current, following) = (nil, nil)
    completeFrom = .min
    current = try nextPicture()
    following = try nextAfterCurrent()
    if let current, let following { lastStep = following.time - current.time }
  }

  /// Advances to the frame shown at `tick`. On a long way, unreferenced frames are skipped except shortly before `tick`. If one
  /// of them would have been shown, and after damage, all of them are decoded after all.
  private func advance(to tick: Int64) throws(CompositorError) {
    guard let limit = skipLimit(for: tick), decoder.skipUnreferenced(before: limit) else { return try step(to: tick) }
    completeFrom = limit
    do throws(CompositorError) {
      try step(to: tick)
    } catch {
      decoder.skipUnreferenced(before: nil)
      throw error
    }
    let lastSkipped = decoder.lastSkipped
    decoder.skipUnreferenced(before: nil)
    guard let lastSkipped else { return }
    if decoder.firstDamage != nil || lastSkipped > current?.time ?? .min {
      skipsUnreferenced = false
      try seek(to: tick)
    }
  }

  /// The time before which frames may be skipped on the way to `tick`; `nil` if the way is short, or frames on it are kept.
  private func skipLimit(for tick: Int64) -> Int64? {
    guard skipsUnreferenced, !isBackward, keptTicks == 0, let current, let following, decoder.firstDamage == nil else {
      return nil
    }
    let margin = max(4 * (following.time - current.time), decoder.timebase.ticks(seconds: 0.2))
    let limit = tick.subtractingReportingOverflow(margin)
    return limit.overflow || limit.partialValue - following.time < margin ? nil : limit.partialValue
  }

  private func step(to tick: Int64) throws(CompositorError) {
    while let next = following, next.time <= tick {
      // Catching up from a key frame can take seconds; a canceled render must not wait for it.
      guard !Task.isCancelled else { throw CompositorError(.cancelled, "Reading was canceled.") }
      if let passed = current, passed.time >= completeFrom {
        keep(passed, end: next.time)
        lastStep = next.time - passed.time
      }
      (current, following) = (next, nil)
      following = try nextAfterCurrent()
    }
  }

  /// The next frame that is later than the current one. Others would never be shown.
  private func nextAfterCurrent() throws(CompositorError) -> VideoDecoder.Picture? {
    while let picture = try nextPicture() {
      guard let current, picture.time <= current.time else { return picture }
    }
    return nil
  }

  private func keep(_ picture: VideoDecoder.Picture, end: Int64) {
    forwardRun = min(forwardRun + 1, Self.longRun)
    let limit =
      isBackward
      ? max(options.cacheByteCount, options.backwardByteCount)
      : forwardRun < Self.longRun ? options.cacheByteCount : min(options.cacheByteCount, 2 * picture.byteCount)
    history.keep(FrameHistory.Entry(picture: picture, end: end), limit: limit, after: keptTicks > 0 ? end - keptTicks : .max)
  }

  // MARK: answering

  private func decoded(_ picture: VideoDecoder.Picture, end: Int64?) -> DecodedVideoFrame {
    let start = clock.time(of: picture.time)
    let duration: MediaTime
    if let end {
      duration = clock.time(of: end) - start
    } else if picture.statedDuration > 0 {
      duration = clock.time(of: picture.time + picture.statedDuration) - start
    } else {
      duration = info.timeRange.end > start ? info.timeRange.end - start : decoder.timebase.time(1)
    }
    return DecodedVideoFrame(frame: picture.frame, presentationTime: start, duration: duration)
  }

  func location(_ time: MediaTime) -> ErrorLocation { ErrorLocation(file: path, time: time) }

  private func nothingDecoded(_ time: MediaTime) -> CompositorError {
    guard let reason = decoder.firstDamage else {
      return CompositorError(.noFrame, "The track has no frames.", recoverySuggestion: "Use another track.", at: location(time))
    }
    return CompositorError(
      .decodeFailed, "No frame of the track can be decoded.", recoverySuggestion: "\(DamageAdvice.fetchAgain).", cause: reason,
      at: location(time))
  }
}
