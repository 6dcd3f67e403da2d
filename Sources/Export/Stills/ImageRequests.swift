public import CompositorAPI
import CompositorHost
import CompositorScheduling
import Synchronization

/// Requested images, each answered exactly once: with the image, an error, or `.cancelled`.
///
/// Answers come in order of time, so that sources are decoded in one pass. A repeated time is rendered once. An image is
/// rendered when the next answer is taken, so that there is only one in memory at a time. A failed image does not affect the
/// others. There is one consumer; requests can be canceled from anywhere.
///
/// ```swift
/// let requests = generator.requests(at: times)
/// for await answer in requests {
///   if case .success(let image) = answer.result { show(image.frame, at: answer.index) }
/// }
/// ```
public final class ImageRequests: AsyncSequence, Sendable {
  /// The answer to one request.
  public struct Answer: Sendable {
    /// Index of the request among the requested times.
    public let index: Int
    /// The requested time.
    public let requestedTime: MediaTime
    /// The image, or an error.
    public let result: Result<GeneratedImage, CompositorError>
  }
  /// The answer to one request.
  public typealias Element = Answer
  /// `Never`; failures are delivered as elements.
  public typealias Failure = Never

  private struct State {
    /// Indexes of unanswered requests, the latest time first.
    var open: [Int]
    var canceled: Set<Int> = []
    /// The image in progress.
    var current: (index: Int, call: CancellableCall)?
    /// The last image, for requests of the same time.
    var last: GeneratedImage?
  }
  private let times: [MediaTime]
  private let make: @Sendable (MediaTime) async throws(CompositorError) -> GeneratedImage
  private let state: Mutex<State>

  init(at times: [MediaTime], _ make: @escaping @Sendable (MediaTime) async throws(CompositorError) -> GeneratedImage) {
    self.times = times
    self.make = make
    state = Mutex(State(open: times.indices.sorted { times[$0] == times[$1] ? $0 > $1 : times[$0] > times[$1] }))
  }

  /// Number of requests.
  public var count: Int { times.count }

  /// Cancels one request. It is answered with `.cancelled`, unless it was already answered. Other requests continue. Can be
  /// called from any thread.
  ///
  /// - Parameter index: Index among the requested times; other values are ignored.
  public func cancel(_ index: Int) {
    let call = state.withLock { state in
      state.canceled.insert(index)
      return state.current?.index == index ? state.current?.call : nil
    }
    call?.cancel()
  }

  /// Cancels all unanswered requests. Can be called from any thread.
  public func cancel() {
    let call = state.withLock { state in
      state.canceled.formUnion(times.indices)
      return state.current?.call
    }
    call?.cancel()
  }

  /// Continues with the remaining answers.
  public func makeAsyncIterator() -> Iterator { Iterator(requests: self) }

  /// An iterator over answers.
  public struct Iterator: AsyncIteratorProtocol {
    let requests: ImageRequests

    /// The next answer; `nil` after the last.
    public mutating func next() async -> Answer? { await requests.next() }
  }

  private enum Step {
    case made(Int, GeneratedImage)
    case making(Int, CancellableCall)
    case canceled(Int)
  }

  private func next() async -> Answer? {
    guard let step = state.withLock({ begin(&$0) }) else { return nil }
    switch step {
    case .canceled(let index): return answer(index, .failure(Self.cancellation))
    case .made(let index, let image): return answer(index, .success(image))
    case .making(let index, let call):
      let (make, time) = (make, times[index])
      let result = await call.run { try await make(time) }
      state.withLock { state in
        state.current = nil
        state.last = try? result.get()
      }
      return answer(index, result.mapError { CompositorError(stopping: $0) })
    }
  }

  private func begin(_ state: inout State) -> Step? {
    guard let index = state.open.popLast() else {
      state.last = nil
      return nil
    }
    guard !state.canceled.contains(index), !Task.isCancelled else { return .canceled(index) }
    if let last = state.last, last.requestedTime == times[index] { return .made(index, last) }
    let call = CancellableCall()
    state.current = (index, call)
    return .making(index, call)
  }

  private func answer(_ index: Int, _ result: Result<GeneratedImage, CompositorError>) -> Answer {
    Answer(index: index, requestedTime: times[index], result: result)
  }

  private static var cancellation: CompositorError { CompositorError(.cancelled, "The image was canceled.") }
}
