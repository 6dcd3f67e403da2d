import CCompositorFFmpeg
package import CompositorAPI
import CompositorMediaIO
import Foundation
import Synchronization

/// An encoding device, open as long as this object lives.
final class HardwareDevice {
  private(set) var handle: OpaquePointer?

  /// Opens the first device that responds; `nil` for encoders that need none.
  ///
  /// - Throws: `.encoderNotFound` if none responds, with the devices tried and their errors.
  init?(for encoding: VideoEncodingSettings) throws(CompositorError) {
    guard encoding.encoder == .vaapi else { return nil }
    var answers: [String] = []
    for node in HardwareDevice.nodes {
      var opened: OpaquePointer?
      guard let failure = WriteFailure({ cff_hardware_device_open(node, &opened, &$0) }) else {
        handle = opened
        return
      }
      answers.append("\(node): \(failure.text)")
    }
    throw HardwareDevice.failure(encoding, answers.isEmpty ? ["there is no /dev/dri/renderD*"] : answers)
  }

  deinit { cff_hardware_device_close(&handle) }

  /// Device nodes of VA-API, in order.
  private static var nodes: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? []
    return names.filter { $0.hasPrefix("renderD") }.sorted().map { "/dev/dri/\($0)" }
  }

  static func failure(_ encoding: VideoEncodingSettings, _ answers: [String]) -> CompositorError {
    CompositorError(
      .encoderNotFound,
      "No device of \(encoding.encoder.rawValue) answers to encode \(encoding.codec.rawValue).",
      recoverySuggestion: "Choose the software encoder, or install the device's driver.",
      cause: answers.joined(separator: "; "))
  }
}

/// Checks that a device encodes before anything is rendered.
package enum HardwareProbe {
  /// Time limit for a device to respond, in seconds.
  private static let limit = 10.0

  /// Opens the encoder of a track once and closes it again. Does nothing for software encoders. A device that hangs is
  /// abandoned; the thread that waits for it remains.
  ///
  /// - Throws: `.encoderNotFound` if no device responds in time, with the devices tried and their errors.
  package static func check(_ track: VideoTrackDescription) async throws(CompositorError) {
    let encoding = track.encoding
    guard encoding.encoder != .software else { return }
    let box = Answer()
    let thread = Thread {
      do throws(CompositorError) {
        _ = try VideoEncoder(track, muxer: nil, path: "")
        box.give(.success(()))
      } catch {
        box.give(.failure(error))
      }
    }
    thread.start()
    switch await box.wait(limit) {
    case .success: return
    case .failure(let error) where error.code == .encoderNotFound || error.code == .cancelled: throw error
    case .failure(let error):
      let tried = encoding.encoderName ?? encoding.encoder.rawValue
      throw HardwareDevice.failure(encoding, ["\(tried): \(error.cause ?? error.message)"])
    case nil:
      throw HardwareDevice.failure(encoding, ["no answer in \(Int(limit)) s"])
    }
  }

  /// Passes a thread's result to a waiting task. The first result counts.
  private final class Answer: Sendable {
    private typealias Given = Result<Void, CompositorError>?
    private struct State {
      var isGiven = false
      var answer: Given = nil
      var waiter: CheckedContinuation<Given, Never>?
    }
    private let state = Mutex(State())

    /// - Parameter answer: The result; `nil` if none came in time.
    func give(_ answer: Result<Void, CompositorError>?) {
      let waiter = state.withLock { state -> CheckedContinuation<Given, Never>? in
        guard !state.isGiven else { return nil }
        (state.isGiven, state.answer) = (true, answer)
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: answer)
    }

    /// Waits without blocking a thread. A canceled task gets its error at once.
    func wait(_ seconds: Double) async -> Result<Void, CompositorError>? {
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.give(nil) }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          let known = state.withLock { state -> Given? in
            if state.isGiven { return .some(state.answer) }
            state.waiter = waiter
            return .none
          }
          if case .some(let answer) = known { waiter.resume(returning: answer) }
        }
      } onCancel: {
        give(.failure(CompositorError(.cancelled, "The export was canceled.")))
      }
    }
  }
}
