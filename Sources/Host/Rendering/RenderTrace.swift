public import CompositorAPI
import CompositorMediaIO
import Foundation
import Synchronization

/// Records which thread worked on which stage of a render, and when, for a trace viewer such as Perfetto.
///
/// ```swift
/// let trace = RenderTrace()
/// var settings = ExportSettings()
/// settings.render.trace = trace
/// _ = try await Exporter.export(composition, to: "movie.mp4", settings: settings)
/// try trace.write(to: "movie.trace.json")
/// ```
///
/// The file is in Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open. Stages are complete events
/// (`"ph": "X"`) on the thread that worked: `decode`, `convert`, `compose`, `titles`, `deliver`, `audio`, `encode`. The time
/// during which a frame waits for its decoders belongs to no thread; it is an asynchronous event, `wait for sources`. Any
/// thread may call. About 64 bytes per event.
public final class RenderTrace: Sendable {
  /// A period of one thread's work.
  package struct Event: Sendable {
    package let name: String
    /// The thread's number; `nil` for an event that belongs to no thread.
    package let thread: Int?
    /// The time since the trace was created.
    package let start: Duration
    package let duration: Duration
  }
  private struct State {
    var events: [Event] = []
    var threadNames: [Int: String] = [:]
    private var numbers: [pthread_t: Int] = [:]

    /// Threads are numbered from 1 in order of appearance. The handle of a thread that ended may be reused by one with another
    /// name.
    mutating func number(of thread: pthread_t, name: String) -> Int {
      if let number = numbers[thread], threadNames[number] == name { return number }
      let number = threadNames.count + 1
      numbers[thread] = number
      threadNames[number] = name
      return number
    }
  }
  private let origin = ContinuousClock.now
  private let state = Mutex(State())

  /// Creates an empty trace. Its time begins now.
  public init() {}

  /// The events recorded so far, in the order in which they ended.
  package var events: [Event] { state.withLock { $0.events } }
  /// The names of the threads, by number.
  package var threadNames: [Int: String] { state.withLock { $0.threadNames } }

  /// Records a stage of this thread.
  func add(_ stage: PartialKeyPath<StageTimings>, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    switch stage {
    case \StageTimings.decode: add("wait for sources", from: start, to: end, isOnThread: false)
    case \StageTimings.conform: add("convert", from: start, to: end)
    case \StageTimings.compose: add("compose", from: start, to: end)
    case \StageTimings.titles: add("titles", from: start, to: end)
    case \StageTimings.deliver: add("deliver", from: start, to: end)
    case \StageTimings.audio: add("audio", from: start, to: end)
    default:
      // Writing is recorded on the thread that encodes; the thread that waits for it does nothing.
      break
    }
  }

  /// Records an event between two instants.
  package func add(
    _ name: String, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant = .now, isOnThread: Bool = true
  ) {
    let system = pthread_self()
    let threadName = isOnThread ? Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "shared" : ""
    state.withLock { state in
      let thread = isOnThread ? state.number(of: system, name: threadName) : nil
      state.events.append(Event(name: name, thread: thread, start: start - origin, duration: end - start))
    }
  }

  /// Runs `body` as a stage of this thread.
  package func measure<R, E: Error>(_ name: String, _ body: () throws(E) -> R) throws(E) -> R {
    let start = ContinuousClock.now
    defer { add(name, from: start) }
    return try body()
  }

  /// The trace in Chrome's trace event format.
  public var json: String {
    let (events, names) = state.withLock { ($0.events, $0.threadNames) }
    let process = ProcessInfo.processInfo.processIdentifier
    var lines = [#"{"ph":"M","name":"process_name","pid":\#(process),"args":{"name":"compositor"}}"#]
    for (thread, name) in names.sorted(by: { $0.key < $1.key }) {
      lines.append(
        #"{"ph":"M","name":"thread_name","pid":\#(process),"tid":\#(thread),"args":{"name":"\#(RenderTrace.quoted(name))"}}"#)
    }
    for (index, event) in events.enumerated() {
      let (start, duration) = (RenderTrace.microseconds(event.start), RenderTrace.microseconds(event.duration))
      let common = #""name":"\#(RenderTrace.quoted(event.name))","cat":"render","pid":\#(process)"#
      if let thread = event.thread {
        lines.append(#"{"ph":"X",\#(common),"tid":\#(thread),"ts":\#(start),"dur":\#(duration)}"#)
      } else {
        lines.append(#"{"ph":"b",\#(common),"tid":0,"id":\#(index),"ts":\#(start)}"#)
        lines.append(
          #"{"ph":"e",\#(common),"tid":0,"id":\#(index),"ts":\#(RenderTrace.microseconds(event.start + event.duration))}"#)
      }
    }
    return #"{"displayTimeUnit":"ms","traceEvents":["# + "\n" + lines.joined(separator: ",\n") + "\n]}\n"
  }

  /// Writes ``json`` to a file, replacing it if it exists.
  ///
  /// - Throws: `.writeFailed`.
  public func write(to path: String) throws(CompositorError) {
    do {
      try Data(json.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CompositorError(
        .writeFailed, "The trace cannot be written.", recoverySuggestion: "Choose a folder that can be written to.",
        cause: error.localizedDescription, at: ErrorLocation(file: path))
    }
  }

  /// Microseconds with three decimals, as the format requires.
  private static func microseconds(_ duration: Duration) -> String {
    let parts = duration.components
    let nanoseconds = max(0, parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    let fraction = "\(nanoseconds % 1000)"
    return "\(nanoseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

/// A reader that records its decoding.
final class TracedVideoReader: VideoReader {
  private let reader: any VideoReader
  private let trace: RenderTrace

  init(_ reader: any VideoReader, _ trace: RenderTrace) { (self.reader, self.trace) = (reader, trace) }

  var info: VideoTrackInfo { reader.info }
  var damage: [MediaDamage] { reader.damage }
  var decodedCount: Int { reader.decodedCount }
  func keepPassed(_ duration: MediaTime) { reader.keepPassed(duration) }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try trace.measure("decode") { () throws(CompositorError) in try reader.frame(at: time) }
  }

  func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try trace.measure("decode") { () throws(CompositorError) in try reader.frame(before: time) }
  }

  func frame(after time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try trace.measure("decode") { () throws(CompositorError) in try reader.frame(after: time) }
  }

  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? {
    try reader.keyFrameTime(near: time, from: earliest, through: latest)
  }
}
