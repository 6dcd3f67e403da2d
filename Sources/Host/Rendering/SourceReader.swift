import CompositorAPI
import CompositorMediaIO
import CompositorScheduling

/// One open track of one source. It decodes on the threads that all decoders of a budget share.
actor SourceReader {
  private let thread: SerialThread
  private let open: @Sendable () throws(CompositorError) -> any VideoReader
  private var reader: (any VideoReader)?
  private var failure: CompositorError?
  /// How much media that was passed is kept.
  private var keptSpan = MediaTime.zero
  private var inbetweens: InbetweenMaker?

  /// Nothing is opened yet: that happens on a thread of `pool`, at the first use.
  init(on pool: ThreadPool, open: @escaping @Sendable () throws(CompositorError) -> any VideoReader) {
    thread = SerialThread(sharing: pool)
    self.open = open
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the track and decodes up to a time, so that the frame is at hand when it is asked for. What goes wrong is
  /// reported to whoever asks.
  func prepare(at time: MediaTime, isBackward: Bool = false) {
    guard failure == nil, !Task.isCancelled else { return }
    do throws(CompositorError) {
      let reader = try opened()
      _ = isBackward ? try reader.frame(before: time) : try reader.frame(at: time)
    } catch {
      failure = error
    }
  }

  /// The frame shown at a media time, and the orientation the media asks for; nil before the first frame.
  func frame(at time: MediaTime) throws(CompositorError) -> (frame: DecodedVideoFrame, transform: AffineMatrix)? {
    if let failure { throw failure }
    let reader = try opened()
    return try reader.frame(at: time).map { ($0, reader.info.preferredTransform) }
  }

  /// The frame that an order asks for, the orientation the media asks for, and whether the media is one picture; nil where there is none.
  ///
  /// - Parameter surface: What frames between frames are made with.
  func frame(
    for order: SourceOrder, surface: InbetweenSurface
  ) throws(CompositorError) -> (frame: DecodedVideoFrame, transform: AffineMatrix, isStill: Bool)? {
    if let failure { throw failure }
    let reader = try opened()
    guard let shown = order.isBackward ? try reader.frame(before: order.mediaTime) : try reader.frame(at: order.mediaTime)
    else { return nil }
    guard order.frames != .nearest else { return (shown, reader.info.preferredTransform, reader.info.isStill) }
    let maker = inbetweens ?? InbetweenMaker(surface)
    inbetweens = maker
    return (try maker.frame(for: order, showing: shown, reader: reader), reader.info.preferredTransform, false)
  }

  /// A media time in a range whose frame is decoded without any other; nil if none is known.
  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? {
    if let failure { throw failure }
    return try opened().keyFrameTime(near: time, from: earliest, through: latest)
  }

  /// Keeps at least so much media time that was passed, so that steps back inside it decode nothing.
  func keepPassed(_ span: MediaTime) {
    guard span > keptSpan else { return }
    keptSpan = span
    reader?.keepPassed(span)
  }

  /// Lets go of the decoder. Frames that came out live on.
  ///
  /// - Returns: The damage that was met, and the number of pictures that were decoded.
  @discardableResult func close() -> (damage: [MediaDamage], decodedCount: Int) {
    defer { reader = nil }
    failure = CompositorError(.internalFault, "A closed reader was asked for a frame.")
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
