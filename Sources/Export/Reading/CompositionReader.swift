public import CompositorAPI
import CompositorAudio
public import CompositorHost
public import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import Synchronization

/// Reads the composed frames and the mixed audio of a composition, at the caller's pace.
///
/// Frames and samples are those of an export, bit by bit. A few frames are made ahead (``RenderSettings/framesInFlight``), then rendering
/// waits until one is taken; audio is mixed when it is asked for. Frames are handed over by reference.
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
/// A reader reads once, from the first frame to the last: its sequences and its methods share one place in the video and one in the audio.
/// Any number of tasks may use it at a time, each gets what nobody else got; `frames` and `audio` may be read side by side. A canceled
/// task that waits for a reader cancels the reader. A reader that is dropped stops rendering and closes its decoders.
///
/// Frames come from a pool: hold at most 64 of them at a time, or copy what has to stay.
public final class CompositionReader: Sendable {
  /// How far a reader is.
  public enum Status: String, Hashable, Sendable {
    /// There is, or may be, more to read.
    case reading
    /// Everything was read.
    case completed
    /// Something failed: see ``CompositionReader/error``.
    case failed
    /// It was canceled before its end.
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
    /// The kinds that were not read to their end.
    var open: Set<MediaType> = []
    /// Samples that were handed over.
    var samplesRead: Int64 = 0
    /// Samples up to the end of the last frame that was handed over.
    var samplesDue: Int64 = 0
  }

  /// The part of the timeline that is read: from the start of the first frame to the end of the last, or of the audio where none is read.
  public let timeRange: TimeRange
  /// What was asked for.
  public let settings: ReaderSettings
  private let video: Video?
  private let audioRun: AudioRun?
  private let state: Mutex<State>
  private let frameTurn = AsyncMutex()
  private let audioTurn = AsyncMutex()
  private let mediaTurn = AsyncMutex()

  /// Prepares reading. What has to be known before the first frame (times of a source that frames follow, a peak that is to be measured)
  /// is read from the media now; decoders that read on are opened with the first frame or sample that is asked for.
  ///
  /// - Throws: `.invalidValue` for a range without a frame (or a sample, where no frames are read) and for audio formats out of range;
  ///   `.trackNotFound` if the composition has nothing of what is to be read; `.truncatedMedia` if something that the range shows or plays
  ///   is missing; what reading from media throws.
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

  // MARK: What is read

  /// How far it is. `.completed` once all frames and all audio that are read were handed over, and the ends were met.
  public var status: Status { state.withLock { $0.status } }
  /// Why it is `.failed` or `.canceled`; nil otherwise. ``CompositorError/avFoundationCode`` is AVFoundation's number for it.
  public var error: CompositorError? { state.withLock { $0.error } }
  /// The number of frames; 0 where none are read.
  public var frameCount: Int { video?.frames.count ?? 0 }
  /// Columns and rows of the frames; nil where none are read.
  public var size: PixelSize? { video?.plan.format.size }
  /// The frames' pixel format; nil where none are read.
  public var pixelFormat: PixelFormat? { video?.delivery.pixelFormat }
  /// The frames' color, pixel aspect ratio, alpha and HDR metadata; nil where none are read.
  public var attributes: FrameAttributes? { video?.delivery.attributes }
  /// Samples of each channel in all; 0 where no audio is read.
  public var sampleCount: Int64 { audioRun?.sampleCount ?? 0 }

  /// The damage that was met so far in words, as far as decoders are closed; see ``DamagePolicy/keep``.
  public func warnings() async -> [MediaWarning] {
    var damage = await audioRun?.damage ?? MediaLosses()
    if let met = await statistics()?.damage { damage.add(met) }
    return damage.warnings
  }

  /// What rendering did so far; nil if no frame was asked for.
  package func statistics() async -> RenderStatistics? { await state.withLock { $0.run }?.statistics() }

  // MARK: Pulling

  /// The next frame; nil after the last, or where none are read.
  ///
  /// - Throws: The first error in the order of the timeline, and that error again each time from then on; `.cancelled` once the reader or
  ///   the task was canceled.
  public func nextFrame() async throws(CompositorError) -> RenderedFrame? {
    guard let video else { return nil }
    return try await reading(.video, in: frameTurn) { () async throws(CompositorError) in
      guard let frame = try await run(video)?.next() else { return nil }
      let due = sampleCount(before: frame.time + frame.duration)
      state.withLock { $0.samplesDue = due }
      return frame
    }
  }

  /// The next samples; nil after the last, or where no audio is read.
  ///
  /// - Parameter count: The most samples of each channel, ≥ 1; nil for ``ReaderAudioFormat/blockSampleCount``. The last block may have fewer.
  /// - Throws: As ``nextFrame()`` does.
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

  /// Reads samples into memory of the caller's, without allocating any from block to block.
  ///
  /// - Parameter count: Samples of each channel, 0 … the block's capacity.
  /// - Returns: How many samples were written to the beginning of the block: fewer than `count` at the end only, 0 after it.
  /// - Throws: `.invalidValue` if the block is too small or has other channels; else as ``nextFrame()`` does.
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

  /// The next frame or block of audio in the order of a movie: each frame, then the audio up to its end in blocks of at most
  /// ``ReaderAudioFormat/blockSampleCount`` samples; nil after the last.
  ///
  /// - Throws: As ``nextFrame()`` does.
  public func nextMedia() async throws(CompositorError) -> RenderedMedia? {
    try await takingTurns(mediaTurn) { () async throws(CompositorError) in
      guard video != nil else { return try await nextAudio().map(RenderedMedia.audio) }
      let due = state.withLock { $0.samplesDue - $0.samplesRead }
      if due > 0, audioRun != nil {
        let count = Int(min(due, Int64(settings.audio.blockSampleCount)))
        if let audio = try await nextAudio(count) { return .audio(audio) }
      }
      if let frame = try await nextFrame() { return .frame(frame) }
      // Both meet their ends, so that the reader is completed.
      return try await nextAudio().map(RenderedMedia.audio)
    }
  }

  // MARK: Ending

  /// Ends reading: tasks that wait get `.cancelled`, and decoders are closed within two seconds. Does nothing after the end. Any thread.
  public func cancel() { end(.canceled, CompositorError(.cancelled, "The reader was canceled.")) }

  /// Cancels what is not at its end, and returns when every decoder is closed.
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

  /// The render under way; begun with the first frame that is asked for.
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

  /// One step of one kind, after those who came before. Its outcome becomes the reader's.
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
        // The reader may have ended for another reason before.
        if let first = self.error { throw first }
        throw error
      }
    }
  }

  /// Runs work after that of those who came before. A canceled task, waiting or working, cancels the reader at once.
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

  /// - Throws: Why nothing more can be read.
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

  /// Samples from the start up to a composition time.
  private func sampleCount(before time: MediaTime) -> Int64 {
    settings.audio.encoding.sampleCount(lasting: time - timeRange.start)
  }
}
