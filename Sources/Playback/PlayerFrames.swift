import CompositorAPI
import Foundation
import Synchronization

/// The frames of a player as they are due; see ``Player/frames``.
///
/// Any number of iterations can run at once, and each gets the newest frame that it has not seen. Frames are not queued: a
/// frame that is not taken before the next one is due is replaced by it. An iteration ends when the player is closed or its
/// task is canceled.
public struct PlayerFrames: AsyncSequence, Sendable {
  /// A frame that is due.
  public typealias Element = PlayerFrame
  /// Never: see ``Player/errors``.
  public typealias Failure = Never
  let core: PlayerCore

  /// Starts with the current frame, if there is one.
  public func makeAsyncIterator() -> Iterator {
    core.wantFrame()
    return Iterator(mailbox: core.mailbox)
  }

  /// An iterator over frames.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let mailbox: FrameMailbox
    private var seen = 0

    init(mailbox: FrameMailbox) { self.mailbox = mailbox }

    /// The next frame when it is due; `nil` after the player was closed.
    public mutating func next() async -> PlayerFrame? { await next(isolation: nil) }

    /// The next frame when it is due; `nil` after the player was closed.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> PlayerFrame? {
      guard let (number, frame) = await mailbox.next(after: seen) else { return nil }
      seen = number
      return frame
    }
  }
}

/// The current frame, for any number of consumers.
final class FrameMailbox: Sendable {
  private struct State {
    var number = 0
    var frame: PlayerFrame?
    var waiting: [UUID: CheckedContinuation<(Int, PlayerFrame)?, Never>] = [:]
    var isClosed = false
  }
  private let state = Mutex(State())

  func put(_ frame: PlayerFrame) {
    let (number, waiting) = state.withLock { state -> (Int, [CheckedContinuation<(Int, PlayerFrame)?, Never>]) in
      guard !state.isClosed else { return (0, []) }
      state.number += 1
      state.frame = frame
      defer { state.waiting = [:] }
      return (state.number, Array(state.waiting.values))
    }
    for continuation in waiting { continuation.resume(returning: (number, frame)) }
  }

  /// The newest frame after the one with a number; `nil` once closed or canceled.
  func next(after seen: Int) async -> (Int, PlayerFrame)? {
    let id = UUID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<(Int, PlayerFrame)?, Never>) in
        let answer = state.withLock { state -> (Int, PlayerFrame)?? in
          if state.isClosed || Task.isCancelled { return .some(nil) }
          if state.number > seen, let frame = state.frame { return .some((state.number, frame)) }
          state.waiting[id] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
    }
  }

  func close() {
    let waiting = state.withLock { state in
      defer { (state.isClosed, state.frame, state.waiting) = (true, nil, [:]) }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }
}
