public import CompositorAPI
import CompositorAudio
public import CompositorHost
public import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
public import CompositorValidation
import Synchronization

/// Reads the composed frames and the mixed audio of a composition at the caller's pace.
///
/// Frames and samples are bit by bit those of an export. A few frames are rendered ahead (`RenderSettings.framesInFlight`),
/// then rendering waits until one is taken; audio is mixed on demand. Frames are passed by reference.
///
/// ```swift
/// let reader = try await CompositionReader(composition)
/// for try await media in reader.media {
///   switch media {
///   case .frame(let frame): show(frame.frame, at: frame.time)
///   case .audio(let audio): play(audio.channels)
///   }
/// }
/// ```
///
/// A reader reads once, from the first frame to the last: its sequences and methods share one position in the video and one in
/// the audio. Any number of tasks may use it at once, and each gets different frames or blocks; `frames` and `audio` can be
/// read in parallel. A canceled task that waits for a reader cancels the reader. A released reader stops rendering and closes
/// its decoders.
///
/// Frames come from a pool: hold at most 64 of them at a time, or copy those that you keep longer.
public final class CompositionReader: Sendable {
  /// The status of a reader.
  public enum Status: String, Hashable, Sendable {
    /// There is, or may be, more to read.
    case reading
    /// Everything was read.
    case completed
    /// Reading failed: see ``CompositionReader/error``.
    case failed
    /// The reader was canceled before its end.
    case canceled
  }

  struct Video: Sendable {
    let plan: RenderPlan
    let frames: Range<Int>
    let delivery: DeliveryFormat
  }

  private struct State {
    var status = Status.reading
    var error: CompositorError?
    var run: FrameRun?
    /// The media types that were not read to their end.
    var open: Set<MediaType> = []
    /// Number of samples returned.
    var samplesRead: Int64 = 0
    /// Number of samples up to the end of the last returned frame.
    var samplesDue: Int64 = 0
  }

  /// The part of the timeline to read: from the start of the first frame to the end of the last, or that of the audio if no
  /// frames are read.
  public let timeRange: TimeRange
  /// The reader's settings.
  public let settings: ReaderSettings
  private let video: Video?
  private let audioRun: AudioRun?
  private let state: Mutex<State>
  private let frameTurn = AsyncMutex()
  private let audioTurn = AsyncMutex()
  private let mediaTurn = AsyncMutex()

  /// Prepares reading. Facts needed before the first frame (the frame times of a source, a peak to measure) are read from the
  /// media now. The decoders for reading are opened with the first requested frame or sample.
  ///
  /// - Throws: `.invalidValue` for a range without a frame (or without a sample if no frames are read) and for audio formats
  ///   out of range; `.trackNotFound` if the composition has none of the requested media types; `.truncatedMedia` if something
  ///   that the range shows or plays is missing; the errors of reading from media.
  public init(
    _ composition: ValidatedComposition, settings: ReaderSettings = ReaderSettings()
  ) async throws(CompositorError) {
    try settings.audio.validate()
    let (types, range) = (try settings.mediaTypes(of: composition), try settings.range(in: composition))
    let video = types.contains(.video) ? try await Video(composition, range, settings) : nil
    let timeRange = video?.timeRange ?? range
    if settings.render.damaged == .fail { try composition.check(types, video, timeRange) }
    var audioRun: AudioRun?
    if types.contains(.audio) {
      let audio = ExportAudio(
        composition, encoding: settings.audio.encoding, start: timeRange.start, damaged: settings.render.damaged)
      audioRun = AudioRun(audio, in: timeRange)
    }
    guard video != nil || (audioRun?.sampleCount ?? 0) > 0 else {
      throw CompositorError(
        .invalidValue, "No audio sample is in the range to read.",
        recoverySuggestion: "Choose a range inside 0 … \(composition.edit.composition.duration).")
    }
    (self.settings, self.timeRange, self.video, self.audioRun) = (settings, timeRange, video, audioRun)
    state = Mutex(State(open: types))
  }

  deinit {
    state.withLock { $0.run }?.cancel()
    audioRun?.stop()
  }

  // MARK: Properties

  /// The reader's status: `.completed` once all frames and all audio were returned and the ends were reached.
  public var status: Status { state.withLock { $0.status } }
  /// The reason why the status is `.failed` or `.canceled`; `nil` otherwise. `CompositorError.avFoundationCode` is the
  /// corresponding AVFoundation code.
  public var error: CompositorError? { state.withLock { $0.error } }
  /// Number of frames; 0 if none are read.
  public var frameCount: Int { video?.frames.count ?? 0 }
  /// Size of the frames in pixels; `nil` if none are read.
  public var size: PixelSize? { video?.plan.format.size }
  /// The frames' pixel format; `nil` if none are read.
  public var pixelFormat: PixelFormat? { video?.delivery.pixelFormat }
  /// The frames' color, pixel aspect ratio, alpha and HDR metadata; `nil` if none are read.
  public var attributes: FrameAttributes? { video?.delivery.attributes }
  /// Total number of samples per channel; 0 if no audio is read.
  public var sampleCount: Int64 { audioRun?.sampleCount ?? 0 }

  /// Warnings about damage found so far, as far as decoders are closed; see `DamagePolicy.keep`.
  public func warnings() async -> [MediaWarning] {
    var damage = await audioRun?.damage ?? MediaLosses()
    if let met = await statistics()?.damage { damage.add(met) }
    return damage.warnings
  }

  /// Statistics of the render so far; `nil` if no frame was requested.
  package func statistics() async -> RenderStatistics? { await state.withLock { $0.run }?.statistics() }

  // MARK: Pulling

  /// The next frame; `nil` after the last, or if none are read.
  ///
  /// - Throws: The first error in timeline order, and the same error in all later calls; `.cancelled` once the reader or the
  ///   task was canceled.
  public func nextFrame() async throws(CompositorError) -> RenderedFrame? {
    guard let video else { return nil }
    return try await reading(.video, in: frameTurn) { () async throws(CompositorError) in
      guard let frame = try await run(video)?.next() else { return nil }
      let due = sampleCount(before: frame.time + frame.duration)
      state.withLock { $0.samplesDue = due }
      return frame
    }
  }

  /// The next samples; `nil` after the last, or if no audio is read.
  ///
  /// - Parameter count: Maximum number of samples per channel, ≥ 1; `nil` for ``ReaderAudioFormat/blockSampleCount``. The last
  ///   block may have fewer.
  /// - Throws: As ``nextFrame()``.
  public func nextAudio(_ count: Int? = nil) async throws(CompositorError) -> RenderedAudio? {
    guard let audioRun else { return nil }
    let count = count ?? settings.audio.blockSampleCount
    guard count > 0 else {
      throw CompositorError(.invalidValue, "\(count) samples cannot be read.", recoverySuggestion: "Read at least one.")
    }
    return try await reading(.audio, in: audioTurn) { () async throws(CompositorError) in
      guard let block = try await audioRun.next(count) else { return nil }
      state.withLock { $0.samplesRead = block.position + Int64(block.sampleCount) }
      return block
    }
  }

  /// Reads samples into the caller's memory, without allocations per block.
  ///
  /// - Parameter count: Number of samples per channel, 0 … the block's capacity.
  /// - Returns: Number of samples written to the beginning of the block: fewer than `count` only at the end, and 0 after it.
  /// - Throws: `.invalidValue` if the block is too small or has another number of channels; otherwise as ``nextFrame()``.
  public func readAudio(_ count: Int, into block: AudioBlock) async throws(CompositorError) -> Int {
    guard (0...block.capacity).contains(count), block.channelCount == settings.audio.channelCount else {
      throw CompositorError(
        .invalidValue,
        "\(count) samples of \(settings.audio.channelCount) channels do not fit a block of \(block.capacity) of \(block.channelCount).",
        recoverySuggestion: "Read less at a time, into a block with the channels of the reader's settings.")
    }
    guard count > 0, let audio = try await nextAudio(count) else { return 0 }
    for (target, samples) in zip(block.channels, audio.channels) {
      _ = UnsafeMutableBufferPointer(start: target, count: samples.count).update(fromContentsOf: samples)
    }
    return audio.sampleCount
  }

  /// The next frame or audio block in the order of a movie: each frame, then the audio up to its end in blocks of at most
  /// ``ReaderAudioFormat/blockSampleCount`` samples; `nil` after the last.
  ///
  /// - Throws: As ``nextFrame()``.
  public func nextMedia() async throws(CompositorError) -> RenderedMedia? {
    try await takingTurns(mediaTurn) { () async throws(CompositorError) in
      guard video != nil else { return try await nextAudio().map(RenderedMedia.audio) }
      let due = state.withLock { $0.samplesDue - $0.samplesRead }
      if due > 0, audioRun != nil {
        let count = Int(min(due, Int64(settings.audio.blockSampleCount)))
        if let audio = try await nextAudio(count) { return .audio(audio) }
      }
      if let frame = try await nextFrame() { return .frame(frame) }
      // Both reach their ends, so that the reader is completed.
      return try await nextAudio().map(RenderedMedia.audio)
    }
  }

  // MARK: Ending

  /// Cancels reading: waiting tasks get `.cancelled`, and decoders are closed within two seconds. Does nothing after the end.
  /// Can be called from any thread.
  public func cancel() { end(.canceled, CompositorError(.cancelled, "The reader was canceled.")) }

  /// Cancels unfinished reading, and returns when every decoder is closed.
  public func close() async {
    cancel()
    await state.withLock { $0.run }?.close()
    await audioRun?.close()
  }

  private func end(_ status: Status, _ error: CompositorError) {
    let (isFirst, run) = state.withLock { state in
      guard state.status == .reading else { return (false, state.run) }
      (state.status, state.error) = (status, error)
      return (true, state.run)
    }
    guard isFirst else { return }
    run?.cancel()
    guard let audioRun else { return }
    audioRun.stop()
    Task { await audioRun.close() }
  }

  /// The render in progress, which starts with the first requested frame.
  private func run(_ video: Video) throws(CompositorError) -> FrameRun? {
    try state.withLock { state throws(CompositorError) in
      if let run = state.run { return run }
      // Not after the end.
      guard state.status == .reading else { return nil }
      let run = try FrameRun(video.plan, frames: video.frames, settings: settings.render, delivery: video.delivery)
      state.run = run
      return run
    }
  }

  /// Performs one step of a media type, after the earlier ones. Its outcome becomes the reader's.
  private func reading<Value: Sendable>(
    _ type: MediaType, in turn: AsyncMutex, _ step: () async throws(CompositorError) -> Value?
  ) async throws(CompositorError) -> Value? {
    try await takingTurns(turn) { () async throws(CompositorError) in
      do throws(CompositorError) {
        guard try isOpen(type) else { return nil }
        let value = try await step()
        if value == nil { finish(type) }
        return value
      } catch {
        end(error.code == .cancelled ? .canceled : .failed, error)
        // The reader may already have ended for another reason.
        if let first = self.error { throw first }
        throw error
      }
    }
  }

  /// Runs work after that of earlier callers. A canceled task, waiting or working, cancels the reader at once.
  private func takingTurns<Value: Sendable>(
    _ turn: AsyncMutex, _ work: () async throws(CompositorError) -> Value?
  ) async throws(CompositorError) -> Value? {
    let result: Result<Value?, CompositorError> = await withTaskCancellationHandler {
      await turn.enter()
      defer { turn.leave() }
      do throws(CompositorError) { return .success(try await work()) } catch { return .failure(error) }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// - Throws: The reason why nothing more can be read.
  private func isOpen(_ type: MediaType) throws(CompositorError) -> Bool {
    let (error, isOpen) = state.withLock { ($0.error, $0.open.contains(type)) }
    if let error { throw error }
    return isOpen
  }

  private func finish(_ type: MediaType) {
    state.withLock { state in
      state.open.remove(type)
      if state.open.isEmpty, state.status == .reading { state.status = .completed }
    }
  }

  /// Number of samples from the start up to a composition time.
  private func sampleCount(before time: MediaTime) -> Int64 {
    settings.audio.encoding.sampleCount(lasting: time - timeRange.start)
  }
}
