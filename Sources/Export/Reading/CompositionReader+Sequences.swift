public import CompositorAPI
public import CompositorHost
import CompositorValidation

extension CompositionReader {
  /// The remaining frames in order: see ``nextFrame()``.
  public var frames: Frames { Frames(reader: self) }
  /// The remaining audio in blocks: see ``nextAudio(_:)``.
  public var audio: AudioBlocks { AudioBlocks(reader: self) }
  /// The remaining frames and audio in the order of a movie: see ``nextMedia()``.
  public var media: Media { Media(reader: self) }

  /// A sequence of frames. Every iteration continues at the reader's position.
  public struct Frames: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A frame with its time.
    public typealias Element = RenderedFrame
    /// The errors of ``CompositionReader/nextFrame()``.
    public typealias Failure = CompositorError
    let reader: CompositionReader
    /// Continues at the reader's position.
    public func makeAsyncIterator() -> Frames { self }
    /// The next frame; `nil` after the last.
    public func next() async throws(CompositorError) -> RenderedFrame? { try await reader.nextFrame() }
    /// The next frame; `nil` after the last.
    public func next(isolation actor: isolated (any Actor)?) async throws(CompositorError) -> RenderedFrame? {
      try await reader.nextFrame()
    }
  }

  /// A sequence of audio blocks. Every iteration continues at the reader's position.
  public struct AudioBlocks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A block with its time.
    public typealias Element = RenderedAudio
    /// The errors of ``CompositionReader/nextAudio(_:)``.
    public typealias Failure = CompositorError
    let reader: CompositionReader
    /// Continues at the reader's position.
    public func makeAsyncIterator() -> AudioBlocks { self }
    /// The next block; `nil` after the last.
    public func next() async throws(CompositorError) -> RenderedAudio? { try await reader.nextAudio() }
    /// The next block; `nil` after the last.
    public func next(isolation actor: isolated (any Actor)?) async throws(CompositorError) -> RenderedAudio? {
      try await reader.nextAudio()
    }
  }

  /// A sequence of frames and audio blocks in the order of a movie. Every iteration continues at the reader's position.
  public struct Media: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A frame or a block.
    public typealias Element = RenderedMedia
    /// The errors of ``CompositionReader/nextMedia()``.
    public typealias Failure = CompositorError
    let reader: CompositionReader
    /// Continues at the reader's position.
    public func makeAsyncIterator() -> Media { self }
    /// The next frame or block; `nil` after the last.
    public func next() async throws(CompositorError) -> RenderedMedia? { try await reader.nextMedia() }
    /// The next frame or block; `nil` after the last.
    public func next(isolation actor: isolated (any Actor)?) async throws(CompositorError) -> RenderedMedia? {
      try await reader.nextMedia()
    }
  }
}

extension ReaderSettings {
  /// The media types to read.
  ///
  /// - Throws: `.trackNotFound` if there are none.
  func mediaTypes(of composition: ValidatedComposition) throws(CompositorError) -> Set<MediaType> {
    var types = mediaTypes
    if !composition.hasAudio { types.remove(.audio) }
    // A composition that shows nothing is read as black frames only if audio is not read as well.
    if !composition.edit.showsPictures, types.contains(.audio) { types.remove(.video) }
    guard !types.isEmpty else {
      throw CompositorError(
        .trackNotFound, mediaTypes.isEmpty ? "Neither video nor audio is requested." : "There is no audio to read.",
        recoverySuggestion: "Read video, or add a clip with audio.")
    }
    return types
  }

  /// The part of the timeline to read.
  ///
  /// - Throws: `.invalidValue` for an invalid range.
  func range(in composition: ValidatedComposition) throws(CompositorError) -> TimeRange {
    let end = composition.edit.composition.duration
    guard let timeRange else { return TimeRange(start: .zero, end: end) }
    guard timeRange.isValid, timeRange.start.isNumeric, end.isNumeric else {
      throw CompositorError(
        .invalidValue, "A reader cannot read the range \(timeRange).",
        recoverySuggestion: "Choose a range inside 0 … \(end.readable).")
    }
    let (first, last) = (max(timeRange.start, .zero), min(timeRange.end, end))
    return TimeRange(start: first, end: max(first, last))
  }
}

extension CompositionReader.Video {
  init(
    _ composition: ValidatedComposition, _ range: TimeRange, _ settings: ReaderSettings
  ) async throws(CompositorError) {
    let measured = try await composition.measuringPeaks(settings: settings.render).composition
    plan = try await RenderPlan.reading(measured)
    frames = plan.frames(in: range)
    delivery =
      settings.pixelFormat.map { [format = plan.format] in DeliveryFormat(format, as: $0) } ?? DeliveryFormat(plan.format)
    guard frames.isEmpty else { return }
    throw CompositorError(
      .invalidValue, "No frame starts in the range to read.", recoverySuggestion: "Choose a range inside 0 … \(plan.duration).")
  }

  /// The range from the start of the first frame to the end of the last.
  var timeRange: TimeRange { plan.timeRange(ofFrames: frames) }
}

extension ValidatedComposition {
  /// - Throws: `.truncatedMedia` if media in the range are missing.
  func check(
    _ types: Set<MediaType>, _ video: CompositionReader.Video?, _ range: TimeRange
  ) throws(CompositorError) {
    if let video, let error = video.plan.missingPictures(in: video.frames) { throw error }
    if types.contains(.audio), let error = missingSound(from: range.start, through: range.end) { throw error }
  }
}
