import CCompositorFFmpeg
package import CompositorAPI

/// A libavfilter graph for video: one or two frames in, one out, each with its time. Not thread-safe: one owner.
///
/// ```swift
/// let graph = try FilterGraph("gblur=sigma=8", surface: surface, inputCount: 1)
/// try graph.push(frame, input: 0, tick: 0)
/// let blurred = try graph.pull()
/// ```
///
/// Frames go in and come out by reference: libavfilter's own memory is wrapped. A graph cannot reach files: see
/// ``FilterAccess``.
package final class FilterGraph {
  /// Format of the frames on both sides.
  package let surface: FilterSurface
  /// Conversions that libavfilter inserts to bring frames into a format that each filter takes.
  package let conversions: FilterConversions
  private let handle: OpaquePointer

  /// Maximum number of inputs of a graph.
  package static let maximumInputCount = Int(CFF_FILTER_INPUTS)

  /// Builds a graph.
  ///
  /// - Parameters:
  ///   - text: A graph in libavfilter's notation. Open inputs are called `[0]` and `[1]` or have no name; one output is open.
  ///   - inputCount: Number of inputs, 0 … ``maximumInputCount``.
  ///   - threadCount: Number of threads that a filter may use for a frame; 0 for one per processor.
  /// - Throws: `.invalidParameter` with libavfilter's message if it rejects the graph; `.conversionNotPossible` for a format
  ///   that libav does not have; `.resourceExhausted`; the errors of ``FilterAccess/check(_:)``.
  package init(
    _ text: String, surface: FilterSurface, inputCount: Int, threadCount: Int = 1
  ) throws(CompositorError) {
    guard (1...Int(Int32.max)).contains(surface.ticksPerSecond) else {
      throw CompositorError(.invalidValue, "A tick of 1/\(surface.ticksPerSecond) s cannot be counted.")
    }
    try FilterAccess.check(text)
    var failure = cff_failure()
    var made: OpaquePointer?
    let status = surface.format.name.withCString { name in
      var described = surface.described(name)
      return cff_filter_graph_open(
        text, &described, Int32(clamping: inputCount), Int32(clamping: threadCount), &made, &failure)
    }
    guard status == CFF_OK, let made else { throw failure.filterError("The graph “\(text)” cannot be built") }
    self.surface = surface
    self.handle = made
    self.conversions = FilterConversions(rawValue: cff_filter_graph_conversions(made))
  }

  deinit { cff_filter_graph_close(handle) }

  /// Whether the graph uses input `index`.
  package func takes(_ index: Int) -> Bool { cff_filter_graph_takes(handle, Int32(clamping: index)) }

  /// Changes an option of the graph's only filter of a name, for the frames pushed from now on.
  ///
  /// - Throws: `.invalidParameter` with libavfilter's message if the filter rejects it.
  package func set(_ option: String, of filter: String, to value: String) throws(CompositorError) {
    var failure = cff_failure()
    guard cff_filter_graph_set(handle, filter, option, value, &failure) == CFF_OK else {
      throw CompositorError(
        .invalidParameter, "The filter “\(filter)” did not take “\(option)” = \(value) while it works.",
        recoverySuggestion: "Give “\(option)” one value.", cause: failure.sentence)
    }
  }

  /// Passes a frame to an input by reference. Does nothing if the graph doesn't use the input.
  ///
  /// - Throws: `.invalidValue` if the frame's size or format differs from the surface's; `.compositorFailed` with libavfilter's
  ///   message.
  package func push(_ frame: Frame, input: Int, tick: Int64) throws(CompositorError) {
    guard frame.size == surface.size, frame.format == surface.format else {
      throw CompositorError(
        .invalidValue, "A graph for \(surface.size) \(surface.format) was given \(frame.size) \(frame.format).",
        recoverySuggestion: "Convert the frame first.")
    }
    var picture = try cff_lent_picture(lending: frame, time: tick, duration: 0, for: "libavfilter")
    var failure = cff_failure()
    guard cff_filter_graph_push(handle, Int32(clamping: input), &picture, &failure) == CFF_OK else {
      throw failure.runError
    }
  }

  /// The next output frame and its time; `nil` if the graph needs more input.
  ///
  /// - Throws: `.compositorFailed` with libavfilter's message.
  package func pull() throws(CompositorError) -> (frame: Frame, tick: Int64)? {
    var picture = cff_picture()
    var failure = cff_failure()
    let status = cff_filter_graph_pull(handle, &picture, &failure)
    if status == CFF_END { return nil }
    guard status == CFF_OK else { throw failure.runError }
    let tick = picture.time
    return (try wrap(picture), tick)
  }

  private func wrap(_ picture: cff_picture) throws(CompositorError) -> Frame {
    let reference = picture.reference
    let (p0, p1, p2, p3) = picture.planes
    let (s0, s1, s2, s3) = picture.strides
    let count = surface.format.planeCount
    let planes = [p0, p1, p2, p3].prefix(count).compactMap { $0.map(UnsafeMutableRawPointer.init) }
    guard planes.count == count, picture.width > 0, picture.height > 0 else {
      cff_picture_release(reference)
      throw CompositorError(.compositorFailed, "The graph returned a frame without pixels.")
    }
    // A retained reference to plain memory, which any thread may release.
    let address = UInt(bitPattern: reference)
    return Frame(
      wrapping: planes, strides: Array([s0, s1, s2, s3].prefix(count)), format: surface.format,
      size: PixelSize(width: Int(picture.width), height: Int(picture.height)), attributes: surface.attributes(of: picture)
    ) { cff_picture_release(UnsafeMutableRawPointer(bitPattern: address)) }
  }
}

extension cff_failure {
  /// The error for a failure to build a graph.
  fileprivate func filterError(_ what: String) -> CompositorError {
    switch status {
    case CFF_NO_FORMAT, CFF_NO_RESOURCE: CompositorError(CompositorError.Code(status), "\(what).", cause: sentence)
    default:
      CompositorError(
        .invalidParameter, "\(what).",
        recoverySuggestion: "Try it with “ffmpeg -filter_complex” first; its inputs are [0] and [1], and it has one output.",
        cause: sentence)
    }
  }

  /// The error for a failure while a graph runs.
  fileprivate var runError: CompositorError {
    CompositorError(
      status == CFF_NO_RESOURCE ? .resourceExhausted : .compositorFailed, "libavfilter failed on a frame.",
      recoverySuggestion: "Check the filter's values against the size of the frame.", cause: sentence)
  }
}
