import CCompositorFFmpeg
package import CompositorAPI

/// A libavfilter graph for audio. Samples go in and come out in order. Not thread-safe: one owner.
///
/// ```swift
/// let graph = try AudioFilterGraph("atempo=2", sampleRate: 48_000, channelCount: 2)
/// try graph.send(block.channels, count: 4096)
/// let count = try graph.receive(4096, into: stretched.channels)
/// ```
///
/// Samples are planar 32-bit float on both sides. libavfilter converts inside if a filter needs another format, and converts
/// back to the input's rate and channels. The graph runs on one thread and cannot reach files: see ``FilterAccess``.
package final class AudioFilterGraph {
  /// Sample rate in Hz, on both sides.
  package let sampleRate: Int
  /// Number of channels on both sides, in libavutil's default order for that number.
  package let channelCount: Int
  /// Whether all samples have been received after ``sendEnd()``.
  package private(set) var hasEnded = false
  private let handle: OpaquePointer

  /// Builds a graph.
  ///
  /// - Parameters:
  ///   - filters: A graph in libavfilter's notation, with one open input and one open output.
  ///   - sampleRate: Sample rate in Hz, > 0.
  ///   - channelCount: Number of channels, 1 … 8.
  /// - Throws: `.invalidParameter` with libavfilter's message if it rejects the graph; `.resourceExhausted`; the errors of
  ///   ``FilterAccess/check(_:)``.
  package init(_ filters: String, sampleRate: Int, channelCount: Int) throws(CompositorError) {
    try FilterAccess.check(filters)
    var failure = cff_failure()
    var made: OpaquePointer?
    let status = cff_audio_filter_open(
      filters, Int32(clamping: sampleRate), Int32(clamping: channelCount), &made, &failure)
    guard status == CFF_OK, let made else {
      throw CompositorError(
        status == CFF_NO_RESOURCE ? .resourceExhausted : .invalidParameter, "The audio graph “\(filters)” cannot be built.",
        recoverySuggestion: "Try it with “ffmpeg -af” first; it has one input and one output.", cause: failure.sentence)
    }
    handle = made
    (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
  }

  deinit { cff_audio_filter_close(handle) }

  /// Copies the next samples into the graph.
  ///
  /// - Throws: `.compositorFailed` with libavfilter's message.
  package func send(_ channels: [UnsafeMutablePointer<Float>], count: Int) throws(CompositorError) {
    try check(channels)
    try withPointers(channels) { pointers, failure in
      cff_audio_filter_send(handle, pointers, Int32(clamping: count), &failure)
    }
  }

  /// Signals the end of the input: the graph outputs the samples that it holds.
  ///
  /// - Throws: `.compositorFailed` with libavfilter's message.
  package func sendEnd() throws(CompositorError) {
    var failure = cff_failure()
    guard cff_audio_filter_send_end(handle, &failure) == CFF_OK else { throw failure.audioError }
  }

  /// Copies up to `count` samples that are ready to the beginning of `channels`.
  ///
  /// - Returns: The number of samples; 0 if the graph needs more input or has ended.
  /// - Throws: `.compositorFailed` with libavfilter's message.
  package func receive(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) -> Int {
    try check(channels)
    guard !hasEnded, count > 0 else { return 0 }
    var received: Int32 = 0
    var failure = cff_failure()
    var status = CFF_OK
    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: channels.count) { pointers in
      for (index, channel) in channels.enumerated() { pointers.initializeElement(at: index, to: channel) }
      status = cff_audio_filter_receive(handle, pointers.baseAddress, Int32(clamping: count), &received, &failure)
    }
    switch status {
    case CFF_OK: return Int(received)
    case CFF_END:
      hasEnded = true
      return 0
    default: throw failure.audioError
    }
  }

  /// Sends a command, such as `tempo` to `rubberband`, to the first filter of a name. It takes effect for the samples processed
  /// from now on.
  ///
  /// - Throws: `.invalidParameter` with libavfilter's message if the filter rejects it.
  package func command(_ filter: String, _ name: String, _ value: String) throws(CompositorError) {
    var failure = cff_failure()
    guard cff_audio_filter_command(handle, filter, name, value, &failure) == CFF_OK else {
      throw CompositorError(
        .invalidParameter, "The filter “\(filter)” did not take “\(name)” = \(value) while it works.",
        recoverySuggestion: "Give “\(name)” one value.", cause: failure.sentence)
    }
  }

  /// Metadata that a filter attached to the samples received last, such as `lavfi.r128.I`; `nil` if there is none.
  package func metadata(_ key: String) -> String? {
    cff_audio_filter_metadata(handle, key).map { String(cString: $0) }
  }

  /// Whether the installed libavfilter has a filter.
  package static func isAvailable(_ filter: String) -> Bool {
    var found = cff_filter()
    return cff_filter_find(filter, &found)
  }

  /// Filters with one audio input and one audio output that don't open anything, sorted by name.
  package static let audioFilters: [String] = {
    var names: [String] = []
    var state: UnsafeMutableRawPointer?
    var filter = cff_filter()
    while cff_filter_next(&state, &filter) {
      let name = String(cString: filter.name)
      if filter.is_audio, FilterAccess.isAllowed(name) { names.append(name) }
    }
    return names.sorted()
  }()

  private func check(_ channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    guard channels.count == channelCount else {
      throw CompositorError(.invalidValue, "A graph of \(channelCount) channels was given \(channels.count).")
    }
  }

  private func withPointers(
    _ channels: [UnsafeMutablePointer<Float>],
    _ body: (UnsafePointer<UnsafePointer<Float>?>?, inout cff_failure) -> cff_status
  ) throws(CompositorError) {
    var failure = cff_failure()
    var status = CFF_OK
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: channels.count) { pointers in
      for (index, channel) in channels.enumerated() { pointers.initializeElement(at: index, to: UnsafePointer(channel)) }
      status = body(UnsafePointer(pointers.baseAddress), &failure)
    }
    guard status == CFF_OK else { throw failure.audioError }
  }
}

extension cff_failure {
  /// The error for a failure while a graph runs.
  fileprivate var audioError: CompositorError {
    CompositorError(
      status == CFF_NO_RESOURCE ? .resourceExhausted : .compositorFailed, "libavfilter failed on audio.",
      recoverySuggestion: "Check the filter's values.", cause: sentence)
  }
}
