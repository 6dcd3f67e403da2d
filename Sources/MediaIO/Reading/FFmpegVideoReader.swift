import CompositorAPI

/// Reads a video track of a file through libav: frame-exact at any time, cheap in order.
///
/// Holds the picture at hand and the one after it, so that it knows how long a picture is shown whatever the file states.
/// Another place is reached from the last key picture that is not after it; pictures that precede that key picture in time
/// are never believed, because in an open group they refer to what was not decoded.
final class FFmpegVideoReader: VideoReader {
  let info: VideoTrackInfo
  let decoder: VideoDecoder
  let clock: FrameStampClock
  let options: VideoReaderOptions
  private let path: String
  /// Damage that was met and kept.
  var kept = DamageTally()
  /// Requests past the end of a file that is cut short.
  var missed: Set<Int64> = []

  var current: VideoDecoder.Picture?
  var following: VideoDecoder.Picture?
  private var hasStarted = false
  /// Time of the first picture of the stream, once it is known.
  var firstTime: Int64?
  private var history = FrameHistory()
  /// Steps forward since the last step back; a long run means that pictures behind are not worth their memory.
  private var forwardRun = FFmpegVideoReader.longRun

  /// Ticks of passed pictures that are kept whatever their bytes.
  private var keptTicks: Int64 = 0

  private static let longRun = 48
  /// Whether frames are asked for backward.
  private var isBackward = false
  /// Ticks from the picture before to the one at hand; 0 while that is not known.
  private var lastStep: Int64 = 0
  /// Whether pictures that no other refers to are passed over on the way to a far one.
  private var skipsUnreferenced = true
  /// Pictures before this time were not all decoded.
  private var completeFrom = Int64.min
  /// Frames for which the way back goes on before the one that is asked for: each seek costs some.
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
        .invalidValue, "A frame was asked for at a time that is not a number of seconds.",
        recoverySuggestion: "Ask for a finite time.",
        at: location(time))
    }
  }

  private func frame(_ time: MediaTime, tick: Int64) throws(CompositorError) -> DecodedVideoFrame? {
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

  /// The answer before the first frame: none, or the first frame if it stands in for one that was lost.
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

  /// Reads the first pictures of the stream, once.
  func start() throws(CompositorError) {
    guard !hasStarted else { return }
    hasStarted = true
    try load()
    firstTime = current?.time
  }

  /// Whether a key picture ahead makes it cheaper to jump than to decode everything in between.
  private func isWorthSeeking(to tick: Int64) -> Bool {
    guard let current, let following else { return false }
    let (step, distance) = (following.time - current.time, tick - following.time)
    guard distance > step * 12 else { return false }
    return decoder.hasKeyPicture(notAfter: tick) ?? (distance > decoder.timebase.ticks(seconds: 2))
  }

  /// From where to decode so that the frames before `tick` are there too when they are asked for, as far as they can be kept.
  private func backwardStart(_ tick: Int64) -> Int64 {
    guard let current, lastStep > 0 else { return tick }
    let kept = min(Self.backwardRun, options.backwardByteCount / max(1, current.byteCount) - 1)
    return max(firstTime ?? tick, tick - Int64(max(0, kept)) * lastStep)
  }

  /// Makes the picture shown at `tick` the one at hand, decoding from the last key picture that is not after `start`.
  private func seek(to tick: Int64, from start: Int64? = nil) throws(CompositorError) {
    var target = min(tick, start ?? tick)
    var step = decoder.timebase.ticks(seconds: 0.25)
    let first = firstTime ?? Int64.min
    // Demuxers seek by decoding time, or to the nearest place they know: where that is too late, ask for earlier.
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

  /// Takes the first two pictures from where the decoder stands.
  private func load() throws(CompositorError) {
    (current, following) = (nil, nil)
    completeFrom = .min
    current = try nextPicture()
    following = try nextAfterCurrent()
    if let current, let following { lastStep = following.time - current.time }
  }

  /// Makes the picture shown at `tick` the one at hand. Pictures on the way that no other refers to are passed over if it is long, except
  /// shortly before `tick`; where one of them would have been shown, and after damage, all of them are decoded after all.
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

  /// The time before which pictures may be passed over on the way to `tick`; nil if the way is short, or pictures on it are kept.
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
      // Catching up from a key picture can take seconds; a cancelled render is not to wait for it.
      guard !Task.isCancelled else { throw CompositorError(.cancelled, "Reading was cancelled.") }
      if let passed = current, passed.time >= completeFrom {
        keep(passed, end: next.time)
        lastStep = next.time - passed.time
      }
      (current, following) = (next, nil)
      following = try nextAfterCurrent()
    }
  }

  /// The next picture that is later than the one at hand: one that is not would never be shown.
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
      .decodeFailed, "No frame of the track can be decoded.", recoverySuggestion: "Fetch the file again.", cause: reason,
      at: location(time))
  }
}
