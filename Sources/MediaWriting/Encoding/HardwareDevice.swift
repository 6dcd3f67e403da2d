import CCompositorFFmpeg
package import CompositorAPI
import CompositorMediaIO
import Dispatch
import Foundation

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
    let answer = SingleResumption<Result<Void, CompositorError>?, Never>()
    let thread = Thread {
      do throws(CompositorError) {
        _ = try VideoEncoder(track, muxer: nil, path: "")
        answer.give(.success(()))
      } catch {
        answer.give(.failure(error))
      }
    }
    thread.start()
    DispatchQueue.global().asyncAfter(deadline: .now() + limit) { answer.give(nil) }
    switch await answer.wait(ifCanceled: .failure(CompositorError(.cancelled, "The export was canceled."))) {
    case .success: return
    case .failure(let error) where error.code == .encoderNotFound || error.code == .cancelled: throw error
    case .failure(let error):
      let tried = encoding.encoderName ?? encoding.encoder.rawValue
      throw HardwareDevice.failure(encoding, ["\(tried): \(error.cause ?? error.message)"])
    case nil:
      throw HardwareDevice.failure(encoding, ["no answer in \(Int(limit)) s"])
    }
  }
}
