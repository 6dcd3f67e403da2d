public import CompositorAPI
public import CompositorExport
public import CompositorHost
import Foundation
import Synchronization

/// Plays a composition: a movie clock, frames when they are due, audio on request.
///
/// The clock runs at any rate from −32 to 32. Frames that cannot be made in time are dropped and counted, never queued. Seeks are exact; the
/// newest one wins. Finished frames are kept within ``PlayerSettings/cacheByteCount``, so that scrubbing decodes each group of pictures once.
///
/// A player takes a value: changing the edit that it came from changes nothing. ``replace(with:)`` puts another one in its place. Any task may
/// call any of its functions. Hold the player as long as it is to play: dropping it closes it.
///
/// ```swift
/// let player = try Player(composition)
/// player.play()
/// for await shown in player.frames {
///   shown.frame.withUnsafePlanes { planes in draw(planes) }
/// }
/// ```
public final class Player: Sendable {
  let core: PlayerCore
  private let audioReader: PlayerAudioReader
  /// Held while video and audio are replaced: of two at a time, one's are there in the end.
  private let replacing = Mutex(())

  /// Prepares playback at time 0, paused. Nothing is opened before frames or audio are asked for.
  ///
  /// - Throws: `.invalidValue` for a maximum size that isn't positive, audio formats out of range, and an end that isn't after 0;
  ///   `.invalidComposition` if frames cannot be counted.
  public convenience init(
    _ composition: ValidatedComposition, settings: PlayerSettings = PlayerSettings()
  ) throws(CompositorError) {
    try self.init(composition, settings: settings, clock: SystemClock())
  }

  package init(
    _ composition: ValidatedComposition, settings: PlayerSettings, clock: any PlayerClock
  ) throws(CompositorError) {
    audioReader = try PlayerAudioReader(composition, settings.audio, damaged: settings.render.damaged)
    core = try PlayerCore(composition, settings, clock: clock)
  }

  deinit {
    if let stage = core.end() { Task { await stage.scheduler.close() } }
  }

  // MARK: The clock

  /// The movie time now: exact while paused and after a seek, to a nanosecond while playing.
  public var currentTime: MediaTime {
    core.state.withLock { min(max(.zero, $0.clock.time(at: core.hostClock.now)), $0.stage.end) }
  }

  /// Movie seconds a second: 0 while paused, negative backward. It stays what it was set to while a seek waits for its frame.
  public var rate: Double { core.state.withLock { $0.clock.rate } }

  /// Where playback ends.
  public var endTime: MediaTime { core.state.withLock { $0.stage.end } }

  /// How long a frame is shown at rate 1.
  public var frameDuration: MediaTime { core.state.withLock { $0.stage.plan.composition.edit.videoComposition.frameDuration } }

  /// Columns and rows of the frames.
  public var size: PixelSize { core.state.withLock { $0.stage.plan.format.frameSize } }

  /// Starts the clock, or changes its rate. A player that is paused at the end that it would run into starts from the other one.
  ///
  /// - Parameter rate: −32 … 32; 0 and numbers that aren't finite pause. Rates beyond are limited.
  public func play(rate: Double = 1) { core.setRate(rate.isFinite ? min(32, max(-32, rate)) : 0) }

  /// Stops the clock. The frame of the current time is shown.
  public func pause() { core.setRate(0) }

  /// Follows a master clock, such as a sound card's: movie time `time` was heard at `instant`. Without effect while paused and while a seek
  /// waits for its frame. Corrections of up to a quarter of a second shift the clock; greater ones are jumps.
  public func synchronize(to time: MediaTime, at instant: ContinuousClock.Instant = .now) {
    core.synchronize(to: time, at: instant)
  }

  /// The instant at which the clock shows, or has shown, a movie time at its rate; nil while it stands still.
  public func instant(of time: MediaTime) -> ContinuousClock.Instant? { core.state.withLock { $0.clock.instant(of: time) } }

  /// The movie time at an instant, if the rate stays what it is. It may lie outside 0 … ``endTime``.
  public func time(at instant: ContinuousClock.Instant) -> MediaTime { core.state.withLock { $0.clock.time(at: instant) } }

  // MARK: Seeking

  /// Moves to a time, playing or paused. The clock stands still until the frame of that time was delivered in ``frames``, then goes on at its
  /// rate.
  ///
  /// With a tolerance, a frame inside it that is at hand (kept, or decoded without any other) may be delivered first, with
  /// ``PlayerFrame/isExact`` false, and the seek is answered; the exact frame follows as soon as it can.
  ///
  /// - Parameters:
  ///   - time: Numeric; limited to 0 … ``endTime``.
  ///   - toleranceBefore: How far before the time a frame may lie, ≥ 0 or +∞.
  ///   - toleranceAfter: How far after it.
  /// - Returns: True once a frame was delivered; false as soon as a newer seek took over. The newest always gets its frame.
  /// - Throws: `.invalidValue` for a time that isn't numeric or a negative tolerance; what making the frame throws; `.cancelled` if the task
  ///   was canceled or the player closed.
  @discardableResult
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero
  ) async throws(CompositorError) -> Bool {
    guard time.isNumeric,
      [toleranceBefore, toleranceAfter].allSatisfy({ $0 >= .zero && ($0.isNumeric || $0 == .positiveInfinity) })
    else {
      throw CompositorError(
        .invalidValue, "A seek to \(time) with tolerances \(toleranceBefore) and \(toleranceAfter) is not possible.",
        recoverySuggestion: "Give a numeric time, and tolerances that are not negative.")
    }
    let waiter = SeekWaiter()
    core.seek(to: time, before: toleranceBefore, after: toleranceAfter, waiter)
    return try await waiter.answer().get()
  }

  // MARK: What is seen and heard

  /// Frames as they are due; while paused, the newest seek's. The first is that of the current time.
  public var frames: PlayerFrames { PlayerFrames(core: core) }

  /// Why frames could not be made, with instruction and time. Playback goes on without them: the frame before stays. For one task; the 256
  /// newest are kept.
  public var errors: AsyncStream<CompositorError> { core.errors }

  /// Mixed audio from a composition time on, whatever the clock shows. Blocks are at rate 1: at another rate the caller resamples them.
  ///
  /// A block that begins where the last one ended continues it without a gap: the samples are those of an export, bit by bit. Elsewhere the mix
  /// begins anew: processors with memory begin there. A loudness that the mix is to be brought to is not applied, since it would have to be
  /// measured first.
  ///
  /// - Parameters:
  ///   - time: Numeric; rounded to a sample. Before 0 and after the end there is silence.
  ///   - count: Samples of each channel, 1 … 1,048,576.
  ///   - isReversed: Whether the samples *before* `time` are given, the last one first, for playback backward.
  /// - Throws: `.invalidValue` for a time or a count out of range; what opening and decoding throw; `.cancelled` once the player is closed.
  public func audio(
    from time: MediaTime, count: Int, isReversed: Bool = false
  ) async throws(CompositorError) -> RenderedAudio {
    try await audioReader.read(from: time, count: count, isReversed: isReversed)
  }

  // MARK: Observing

  /// Multiples of an interval as the clock crosses them, each exactly once for each crossing, forward or backward; after a jump (a seek, a loop)
  /// the time that was jumped to, and nothing of what was jumped over. The stream ends when the player is closed.
  ///
  /// - Parameter interval: At least a millisecond; shorter ones are taken as that.
  public func times(every interval: MediaTime) -> AsyncStream<MediaTime> {
    let shortest = MediaTime(value: 1, timescale: 1000)
    let interval = interval.isNumeric ? max(interval, shortest) : shortest
    return observing { state, id, continuation in
      // The interval is positive: it cannot be refused.
      guard let timing = try? FrameTiming(frameDuration: interval) else { return continuation.finish() }
      state.observers.add(every: timing, id, continuation)
    }
  }

  /// Times as the clock crosses them, each exactly once for each crossing, forward or backward. A jump fires only the time that it lands on. The
  /// stream ends when the player is closed.
  public func boundaries(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
    observing { $0.observers.add(boundaries: times.filter(\.isNumeric), $1, $2) }
  }

  private func observing(
    _ add: (inout PlayerState, UUID, AsyncStream<MediaTime>.Continuation) -> Void
  ) -> AsyncStream<MediaTime> {
    let (stream, continuation) = AsyncStream<MediaTime>.makeStream(bufferingPolicy: .bufferingNewest(4096))
    let id = UUID()
    continuation.onTermination = { [weak core] _ in
      // Not on the spot: the lock may be held by who ended it.
      Task { [weak core] in core?.state.withLock { $0.observers.remove(id) } }
    }
    core.state.withLock { state in
      if state.clock.isRunning { state.observers.cross(to: state.clock.time(at: core.hostClock.now)) }
      if state.isClosed { continuation.finish() } else { add(&state, id, continuation) }
    }
    core.wake()
    return stream
  }

  /// What happened so far.
  public var statistics: PlayerStatistics {
    core.state.withLock { state in
      var statistics = state.statistics
      statistics.cachedFrameCount = state.cache.count
      statistics.cachedByteCount = state.cache.count * state.stage.frameByteCount
      return statistics
    }
  }

  // MARK: Another edit, and the end

  /// Puts another composition in the place of this one, playing or paused. The time stays, as far as it is not after the new end; a seek that waits
  /// gets its frame of the new composition, and audio that is asked
  /// for from now on is the new one's.
  ///
  /// - Throws: As the initializer does; then nothing has changed.
  public func replace(with composition: ValidatedComposition) throws(CompositorError) {
    let audio = try AudioSource(composition, core.settings.audio, damaged: core.settings.render.damaged)
    try replacing.withLock { _ throws(CompositorError) in
      try core.replace(with: composition)
      audioReader.replace(with: audio)
    }
    // Files of the one before are closed though no audio is asked for.
    Task { [audioReader] in await audioReader.takeReplacement() }
  }

  /// Ends everything: seeks that wait get `.cancelled`, streams end. Returns when decoders are closed.
  public func close() async {
    await core.close()
    await audioReader.close()
  }
}
