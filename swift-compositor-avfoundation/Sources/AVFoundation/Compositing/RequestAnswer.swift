internal import Compositor
internal import Foundation
internal import Synchronization

/// The result of a request.
enum ComposedAnswer: Sendable {
  /// With a frame that it made.
  case made(FrozenPixelBuffer)
  /// With the frame of a track, unchanged.
  case source(TrackID)
  /// With an error.
  case failed(any Error)
  /// As canceled.
  case canceled
}

/// The end of a request, for which a task waits. Only the first answer counts.
final class RequestAnswer: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<ComposedAnswer, Never>)
    case given(ComposedAnswer)
    case taken
  }

  private let state = Mutex(State.open)

  /// Gives an answer, on any thread. It has no effect unless it is the first one.
  func give(_ answer: ComposedAnswer) {
    let waiting = state.withLock { state -> CheckedContinuation<ComposedAnswer, Never>? in
      switch state {
      case .open:
        state = .given(answer)
        return nil
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .given, .taken: return nil
      }
    }
    waiting?.resume(returning: answer)
  }

  /// The answer. May be called once.
  func wait() async -> ComposedAnswer {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> ComposedAnswer? in
        guard case .given(let answer) = state else {
          state = .awaited(continuation)
          return nil
        }
        state = .taken
        return answer
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
