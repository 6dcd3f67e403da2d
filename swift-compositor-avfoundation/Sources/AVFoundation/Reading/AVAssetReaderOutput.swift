internal import Compositor
public import Foundation
internal import Synchronization

/// A part of what a reader reads: the samples of a track, or of several that are composed or mixed.
///
/// Use an output from one thread at a time; different outputs of a reader may be used from different threads.
open class AVAssetReaderOutput: NSObject {
  /// What the output gives.
  public let mediaType: AVMediaType
  /// Whether a program may change the samples that it gets. If false, at most 64 pictures may be kept at a time. Default true.
  open var alwaysCopiesSampleData = true {
    willSet { requireNotStarted("alwaysCopiesSampleData") }
  }
  /// Whether the output can be read again by ``reset(forReadingTimeRanges:)``. Default false.
  open var supportsRandomAccess = false {
    willSet { requireNotStarted("supportsRandomAccess") }
  }
  private let state = Mutex(State())

  private struct State {
    var reader: ReaderState?
    var stream: (any SampleStream)?
    var isStarted = false
    var isAtEnd = false
    /// Ranges that are still to be read.
    var ranges: [CMTimeRange] = []
    var isFinal = false
    /// Makes a stream of a range.
    var open: (@Sendable (CMTimeRange) throws -> any SampleStream)?
  }

  init(_ mediaType: AVMediaType) {
    self.mediaType = mediaType
    super.init()
  }

  deinit {
    state.withLock { $0.stream }?.cancel()
  }

  /// The tracks that are read.
  var trackIDs: Set<CMPersistentTrackID> { [] }

  /// Whether the output's tracks are those of an asset.
  func fits(_ asset: AVAsset) -> Bool { false }

  /// What makes a stream of a range, read from the output's properties now.
  ///
  /// - Throws: `AVError`: why the output cannot be read.
  func opener(for asset: AVAsset) throws(AVError) -> @Sendable (CMTimeRange) throws -> any SampleStream {
    throw AVError(.operationNotSupportedForAsset, "\(type(of: self)) cannot be read.")
  }

  var isAttached: Bool { state.withLock { $0.reader != nil } }

  func attach(to reader: ReaderState) { state.withLock { $0.reader = reader } }

  /// Opens what is read.
  ///
  /// - Throws: Why it cannot be read.
  func start(_ asset: AVAsset, in range: CMTimeRange) throws -> any SampleStream {
    let open = try opener(for: asset)
    let stream = try open(range)
    state.withLock { state in
      (state.stream, state.open, state.isStarted) = (stream, open, true)
    }
    return stream
  }

  func requireNotStarted(_ property: String) {
    precondition(!state.withLock { $0.isStarted }, "Set \(property) before the reader starts.")
  }

  /// The next samples, in the order of time; `nil` at the end, and when the reader has failed or was canceled.
  ///
  /// Blocks the thread until there are samples, but needs no other one of the program. Times are those of the asset. The reader must
  /// have started.
  open func copyNextSampleBuffer() -> CMSampleBuffer? {
    let (reader, stream, isStarted, isAtEnd) = state.withLock { ($0.reader, $0.stream, $0.isStarted, $0.isAtEnd) }
    precondition(
      isStarted || reader?.status == .failed || reader?.status == .cancelled,
      "Add the output to a reader, and start that, before samples are copied.")
    guard let reader, let stream, !isAtEnd, reader.status == .reading || supportsRandomAccess && reader.status == .completed
    else { return nil }
    do {
      let next = try Worker.wait { try await stream.next().map(Passed.init) }
      if let sample = next?.sample { return sample }
      return try nextRange(reader, after: stream)
    } catch {
      reader.fail(error)
      return nil
    }
  }

  /// A buffer that only the caller has.
  private struct Passed: @unchecked Sendable { let sample: CMSampleBuffer }

  /// The first samples of the next range, if there is one. Else the output is at its end.
  private func nextRange(_ reader: ReaderState, after stream: any SampleStream) throws -> CMSampleBuffer? {
    let next = state.withLock { state -> (CMTimeRange, @Sendable (CMTimeRange) throws -> any SampleStream)? in
      guard !state.ranges.isEmpty, let open = state.open else {
        state.isAtEnd = true
        return nil
      }
      return (state.ranges.removeFirst(), open)
    }
    guard let (range, open) = next else {
      if !supportsRandomAccess { reader.endOutput() }
      return nil
    }
    let following = try open(range)
    reader.adopt(following)
    state.withLock { $0.stream = following }
    stream.cancel()
    return copyNextSampleBuffer()
  }

  /// Reads the output again, in ranges of the asset's time, which must follow each other.
  ///
  /// Only after ``copyNextSampleBuffer()`` has given `nil`, if ``supportsRandomAccess`` is true and ``markConfigurationAsFinal()`` was
  /// not called.
  open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
    let ranges = timeRanges.map(\.timeRangeValue)
    precondition(supportsRandomAccess, "Set supportsRandomAccess before the reader starts.")
    precondition(
      zip(ranges, ranges.dropFirst()).allSatisfy { $0.end <= $1.start }, "Ranges must follow each other.")
    guard let first = ranges.first else { return markConfigurationAsFinal() }
    let (reader, open, isAtEnd, isFinal) = state.withLock { ($0.reader, $0.open, $0.isAtEnd, $0.isFinal) }
    precondition(isAtEnd && !isFinal, "Read the output to its end before it is read again.")
    guard let reader, let open, reader.status == .reading else { return }
    do {
      let stream = try open(first)
      reader.adopt(stream)
      state.withLock { state in
        (state.stream, state.isAtEnd, state.ranges) = (stream, false, Array(ranges.dropFirst()))
      }
    } catch {
      reader.fail(error)
    }
  }

  /// Says that the output is not read again: the reader may be completed.
  open func markConfigurationAsFinal() {
    let reader = state.withLock { state -> ReaderState? in
      guard !state.isFinal else { return nil }
      state.isFinal = true
      return state.reader
    }
    if supportsRandomAccess { reader?.endOutput() }
  }
}
