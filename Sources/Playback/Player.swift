public import CompositorAPI
public import CompositorExport
import CompositorHost
import CompositorScheduling
public import CompositorValidation
import Foundation
import Synchronization

/// Plays a composition: a movie clock, frames when they are due, and audio on request.
///
/// The clock runs at any rate from −32 to 32. Frames that cannot be rendered in time are dropped and counted, never queued.
/// Seeks are exact, and a newer seek supersedes earlier ones. Finished frames are cached within
/// ``PlayerSettings/cacheByteCount``, so that scrubbing decodes each group of pictures once.
///
/// A player works on a value: later changes of the edit have no effect. ``replace(with:)`` replaces the composition. All
/// methods can be called from any task. Keep a reference to the player while it plays: releasing it closes it.
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
  /// Locked while video and audio are replaced, so that concurrent replacements leave both from the same composition.
  private let replacing = Mutex(())

  /// Prepares playback at time 0, paused. Nothing is opened before frames or audio are requested.
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

  /// The current movie time: exact while paused and after a seek, to a nanosecond while playing.
  public var currentTime: MediaTime {
    core.state.withLock { min(max(.zero, $0.clock.time(at: core.hostClock.now)), $0.stage.end) }
  }

  /// Movie seconds per second: 0 while paused, negative backward. While a seek waits for its frame, the rate keeps its value.
  public var rate: Double { core.state.withLock { $0.clock.rate } }

  /// The time at which playback ends.
  public var endTime: MediaTime { core.state.withLock { $0.stage.end } }

  /// Duration of a frame at rate 1.
  public var frameDuration: MediaTime { core.state.withLock { $0.stage.plan.composition.edit.videoComposition.frameDuration } }

  /// Size of the frames in pixels.
  public var size: PixelSize { core.state.withLock { $0.stage.plan.format.frameSize } }

  /// Starts the clock or changes its rate. A player that is paused at the end in the direction of play starts from the opposite
  /// end.
  ///
  /// - Parameter rate: −32 … 32; greater values are limited. 0 and values that aren't finite pause.
  public func play(rate: Double = 1) { core.setRate(rate.isFinite ? min(32, max(-32, rate)) : 0) }

  /// Stops the clock and shows the frame of the current time.
  public func pause() { core.setRate(0) }

  /// Follows a master clock, such as an audio device's: movie time `time` was audible at `instant`. Has no effect while the player
  /// is paused and while a seek waits for its frame. Corrections of up to a quarter of a second shift the clock; greater ones
  /// are jumps.
  public func synchronize(to time: MediaTime, at instant: ContinuousClock.Instant = .now) {
    core.synchronize(to: time, at: instant)
  }

  /// The instant at which the clock shows a movie time at its rate, which may be in the past; `nil` while it doesn't run.
  public func instant(of time: MediaTime) -> ContinuousClock.Instant? { core.state.withLock { $0.clock.instant(of: time) } }

  /// The movie time at an instant if the rate doesn't change. It may be outside 0 … ``endTime``.
  public func time(at instant: ContinuousClock.Instant) -> MediaTime { core.state.withLock { $0.clock.time(at: instant) } }

  // MARK: Seeking

  /// Seeks to a time, playing or paused. The clock is held until the frame of that time was delivered in ``frames``, then
  /// continues at its rate.
  ///
  /// With a tolerance, an available frame within it (cached, or decoded independently of others) may be delivered first, with
  /// ``PlayerFrame/isExact`` false. The seek then returns, and the exact frame follows as soon as possible.
  ///
  /// - Parameters:
  ///   - time: A numeric time; limited to 0 … ``endTime``.
  ///   - toleranceBefore: How far before the time a frame may be, ≥ 0 or +∞.
  ///   - toleranceAfter: How far after the time a frame may be, ≥ 0 or +∞.
  /// - Returns: True once a frame was delivered; false if a newer seek superseded this one. The newest seek always gets its
  ///   frame.
  /// - Throws: `.invalidValue` for a time that isn't numeric or a negative tolerance; the errors of rendering the frame;
  ///   `.cancelled` if the task was canceled or the player was closed.
  @discardableResult
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero
  ) async throws(CompositorError) -> Bool {
    guard time.isNumeric,
      [toleranceBefore, toleranceAfter].allSatisfy({ $0 >= .zero && ($0.isNumeric || $0 == .positiveInfinity) })
    else {
      throw CompositorError(
        .invalidValue,
        "A seek to \(time.readable) with tolerances \(toleranceBefore.readable) and \(toleranceAfter.readable) is not possible.",
        recoverySuggestion: "Give a numeric time, and tolerances that are not negative.")
    }
    let waiter = SeekWaiter()
    core.seek(to: time, before: toleranceBefore, after: toleranceAfter, waiter)
    return try await waiter.wait(ifCanceled: .failure(CompositorError(.cancelled, "The seek was canceled."))).get()
  }

  // MARK: Frames and audio

  /// Frames as they are due; while paused, the newest seek's. The first one is that of the current time.
  public var frames: PlayerFrames { PlayerFrames(core: core) }

  /// Errors of frames that could not be rendered, with instruction and time, as they occur: frames are prepared side by side, so
  /// that they need not be in the order of their times. Playback continues without them and holds the previous frame. For one
  /// task; the 256 newest errors are kept.
  public var errors: AsyncStream<CompositorError> { core.errors }

  /// Mixed audio from a composition time, independent of the clock. Blocks are at rate 1: for other rates, the caller resamples
  /// them.
  ///
  /// A block that begins where the last one ended continues it without a gap, and its samples are bit by bit those of an
  /// export. At any other time the mix restarts, as do processors with memory. A loudness target of the mix is not applied,
  /// because it would require measuring first.
  ///
  /// - Parameters:
  ///   - time: A numeric time; rounded to a sample. Before 0 and after the end there is silence.
  ///   - count: Number of samples per channel, 1 … 1,048,576.
  ///   - isReversed: Whether to return the samples *before* `time`, the last one first, for backward playback.
  /// - Throws: `.invalidValue` for a time or a count out of range; the errors of opening and decoding; `.cancelled` once the
  ///   player is closed.
  public func audio(
    from time: MediaTime, count: Int, isReversed: Bool = false
  ) async throws(CompositorError) -> RenderedAudio {
    try await audioReader.read(from: time, count: count, isReversed: isReversed)
  }

  // MARK: Observing

  /// Multiples of an interval as the clock crosses them, each exactly once per crossing, forward or backward. After a jump (a
  /// seek, a loop), the new time, and none of those in between. The stream ends when the player is closed.
  ///
  /// - Parameter interval: At least a millisecond; shorter intervals are treated as one.
  public func times(every interval: MediaTime) -> AsyncStream<MediaTime> {
    let shortest = MediaTime(value: 1, timescale: 1000)
    let interval = interval.isNumeric ? max(interval, shortest) : shortest
    return observing { state, id, continuation in
      // The interval is positive and therefore accepted.
      guard let timing = try? FrameTiming(frameDuration: interval) else { return continuation.finish() }
      state.observers.add(every: timing, id, continuation)
    }
  }

  /// The given times as the clock crosses them, each exactly once per crossing, forward or backward. A jump only reports the
  /// time that it lands on. The stream ends when the player is closed.
  public func boundaries(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
    observing { $0.observers.add(boundaries: times.filter(\.isNumeric), $1, $2) }
  }

  private func observing(
    _ add: (inout PlayerState, UUID, AsyncStream<MediaTime>.Continuation) -> Void
  ) -> AsyncStream<MediaTime> {
    let (stream, continuation) = AsyncStream<MediaTime>.makeStream(bufferingPolicy: .bufferingNewest(4096))
    let id = UUID()
    continuation.onTermination = { [weak core] _ in
      // Asynchronously, because the lock may be held by the code that ended the stream.
      Task { [weak core] in core?.state.withLock { $0.observers.remove(id) } }
    }
    core.state.withLock { state in
      if state.clock.isRunning { state.observers.cross(to: state.clock.time(at: core.hostClock.now)) }
      if state.isClosed { continuation.finish() } else { add(&state, id, continuation) }
    }
    core.wake()
    return stream
  }

  /// Statistics of playback so far.
  public var statistics: PlayerStatistics {
    core.state.withLock { state in
      var statistics = state.statistics
      statistics.cachedFrameCount = state.cache.count
      statistics.cachedByteCount = state.cache.count * state.stage.frameByteCount
      return statistics
    }
  }

  // MARK: Another edit, and the end

  /// Replaces the composition, playing or paused. The time is kept, limited to the new end. A waiting seek gets its frame of
  /// the new composition, and later audio requests get the new one's audio.
  ///
  /// - Throws: The errors of the initializer; nothing has changed then.
  public func replace(with composition: ValidatedComposition) throws(CompositorError) {
    let audio = try AudioSource(composition, core.settings.audio, damaged: core.settings.render.damaged)
    try replacing.withLock { _ throws(CompositorError) in
      try core.replace(with: composition)
      audioReader.replace(with: audio)
    }
    // Closes the files of the previous composition even if no audio is requested.
    Task { [audioReader] in await audioReader.takeReplacement() }
  }

  /// Closes the player: waiting seeks get `.cancelled`, and streams end. Returns when decoders are closed.
  public func close() async {
    await core.close()
    await audioReader.close()
  }
}
