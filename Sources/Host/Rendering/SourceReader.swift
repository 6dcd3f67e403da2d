import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorScheduling
import CompositorValidation

/// An open track of a source. It decodes on threads shared by all decoders of a budget.
actor SourceReader {
  private let thread: SerialThread
  private let open: @Sendable () throws(CompositorError) -> any VideoReader
  private var reader: (any VideoReader)?
  private var failure: CompositorError?
  /// The duration of passed media to keep.
  private var keptSpan = MediaTime.zero
  private var inbetweens: InbetweenMaker?

  /// Creates a reader. The track is opened at the first use, on a thread of `pool`.
  init(on pool: ThreadPool, open: @escaping @Sendable () throws(CompositorError) -> any VideoReader) {
    thread = SerialThread(sharing: pool)
    self.open = open
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the track and decodes up to a time, so that the frame is available when it is requested. Errors are reported by the
  /// next request.
  func prepare(at time: MediaTime, isBackward: Bool = false) {
    guard failure == nil, !Task.isCancelled else { return }
    do throws(CompositorError) {
      let reader = try opened()
      _ = try reader.shownFrame(at: time, isBackward: isBackward)
    } catch {
      failure = error
    }
  }

  /// The frame shown at a media time, and the orientation of the media; `nil` if the track has no frame.
  func frame(at time: MediaTime) throws(CompositorError) -> (frame: DecodedVideoFrame, transform: AffineMatrix)? {
    if let failure { throw failure }
    let reader = try opened()
    return try reader.shownFrame(at: time).map { ($0, reader.info.preferredTransform) }
  }

  /// The frame for an order, the orientation of the media, and whether the media is a still; `nil` if there is no frame.
  ///
  /// - Parameter surface: The resources for making intermediate frames.
  func frame(
    for order: SourceOrder, surface: InbetweenSurface
  ) throws(CompositorError) -> (frame: DecodedVideoFrame, transform: AffineMatrix, isStill: Bool)? {
    if let failure { throw failure }
    let reader = try opened()
    guard let shown = try reader.shownFrame(at: order.mediaTime, isBackward: order.isBackward) else { return nil }
    guard order.frames != .nearest else { return (shown, reader.info.preferredTransform, reader.info.isStill) }
    let maker = inbetweens ?? InbetweenMaker(surface)
    inbetweens = maker
    return (try maker.frame(for: order, showing: shown, reader: reader), reader.info.preferredTransform, false)
  }

  /// The media time of a key frame in a range; `nil` if none is known.
  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? {
    if let failure { throw failure }
    return try opened().keyFrameTime(near: time, from: earliest, through: latest)
  }

  /// Keeps at least this much passed media time, so that steps back inside it decode nothing.
  func keepPassed(_ span: MediaTime) {
    guard span > keptSpan else { return }
    keptSpan = span
    reader?.keepPassed(span)
  }

  /// Closes the decoder. Frames that it returned remain valid.
  ///
  /// - Returns: The damage found, and the number of decoded frames.
  @discardableResult func close() -> (damage: [MediaDamage], decodedCount: Int) {
    defer { reader = nil }
    failure = CompositorError(.internalFault, "A frame was requested from a closed reader.")
    return (reader?.damage ?? [], reader?.decodedCount ?? 0)
  }

  private func opened() throws(CompositorError) -> any VideoReader {
    if let reader { return reader }
    let opened = try open()
    if keptSpan > .zero { opened.keepPassed(keptSpan) }
    reader = opened
    return opened
  }
}
